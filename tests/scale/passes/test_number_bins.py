"""Bins of numbers: at most so many, of like size, and every number in the one it belongs to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from probtrees.scale.passes.binned_columns import bin_codes, bin_tops

numbers = st.floats(allow_nan=False, allow_infinity=True, width=64).map(lambda x: x + 0.0)
columns = st.integers(1, 200).flatmap(lambda n: arrays(np.float64, n, elements=numbers))


@given(columns, st.integers(1, 80))
def test_codes_follow_the_bins(values, n_bins):
    tops = bin_tops(values, n_bins)
    known = np.sort(values)
    assert 1 <= len(tops) <= n_bins
    assert tops[-1] == known[-1]
    assert set(tops.tolist()) <= set(known.tolist())
    codes = bin_codes(known, tops, is_exact=False)
    assert (np.diff(codes) >= 0).all()
    for code, threshold in enumerate(tops):
        with np.errstate(invalid="ignore", over="ignore"):
            goes_left = (known - threshold < 1e-6) | (known == threshold)
        assert np.array_equal(goes_left, codes <= code)


@given(columns)
def test_numbers_by_themselves_are_found_again(values):
    distinct = np.unique(values)
    assert np.array_equal(distinct[bin_codes(values, distinct, is_exact=True)], values)


def test_bins_are_of_like_size_and_frequent_numbers_stand_alone():
    random = np.random.default_rng(0)
    values = np.concatenate([random.normal(size=100_000), np.zeros(50_000)])
    tops = bin_tops(values, 100)
    codes = bin_codes(values, tops, is_exact=False)
    sizes = np.bincount(codes)
    zero = codes[-1]
    assert len(tops) == 100
    assert sizes[zero] == pytest.approx(50_000, abs=60)
    shared = np.delete(sizes, [zero - 1, zero])
    assert shared == pytest.approx(np.full(98, 100_000 / 99), rel=0.15)


def test_missing_numbers_get_the_next_code():
    found = bin_codes(np.array([2.0, np.nan]), np.array([1.0, 2.0]), is_exact=True)
    assert found.tolist() == [1, 2]
