"""Quantile sketches: the same in any pieces, exact while they can be, bins of like size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from probtrees.scale.passes.quantile_sketch import QuantileSketch, bin_codes

numbers = st.floats(allow_nan=True, allow_infinity=True, width=64)
columns = st.integers(0, 200).flatmap(lambda n: arrays(np.float64, n, elements=numbers))


def _sketch(values, most_keys=64):
    sketch = QuantileSketch(most_keys)
    sketch.update(values)
    return sketch


def _same(left, right):
    return (
        left.shift == right.shift
        and left.n_missing == right.n_missing
        and all(
            np.array_equal(getattr(left, name), getattr(right, name))
            for name in ("keys", "counts", "lowest", "highest")
        )
    )


@given(columns, st.lists(st.integers(0, 200), max_size=4), st.randoms(use_true_random=False))
def test_pieces_in_any_order_add_up_to_the_whole(values, ends, random):
    whole = _sketch(values)
    pieces = np.split(values, sorted(min(end, len(values)) for end in ends))
    random.shuffle(pieces)
    updated, merged = QuantileSketch(64), QuantileSketch(64)
    for piece in pieces:
        updated.update(piece)
        merged.merge(_sketch(piece))
    assert _same(updated, whole)
    assert _same(merged, whole)


@given(columns)
def test_every_number_is_counted_once_in_its_range(values):
    sketch = _sketch(values)
    known = values[~np.isnan(values)]
    assert sketch.n_rows == len(known)
    assert sketch.n_missing == len(values) - len(known)
    assert len(sketch.keys) <= 64
    for low, high, count in zip(sketch.lowest, sketch.highest, sketch.counts, strict=True):
        assert ((known >= low) & (known <= high)).sum() == count
    if len(np.unique(known)) <= 64:
        assert np.array_equal(sketch.highest, np.unique(known))


@given(columns, st.integers(1, 80))
def test_codes_follow_the_bins(values, n_bins):
    sketch = _sketch(values)
    if not sketch.n_rows:
        return
    tops = sketch.bin_tops(n_bins)
    known = np.sort(values[~np.isnan(values)])
    few = len(np.unique(known)) <= min(n_bins, 64)
    assert 1 <= len(tops) <= n_bins
    assert tops[-1] == known[-1]
    codes = bin_codes(known, tops, is_exact=few)
    assert (np.diff(codes) >= 0).all()
    if few:
        assert np.array_equal(tops, np.unique(known))
        assert np.array_equal(tops[codes], known)
    else:
        for threshold, code in zip(tops, range(len(tops)), strict=True):
            with np.errstate(invalid="ignore", over="ignore"):
                goes_left = (known - threshold < 1e-6) | (known == threshold)
            assert np.array_equal(goes_left, codes <= code)


def test_bins_are_of_like_size_and_frequent_numbers_stand_alone():
    random = np.random.default_rng(0)
    values = np.concatenate([random.normal(size=100_000), np.zeros(50_000)])
    sketch = _sketch(values, 1 << 12)
    tops = sketch.bin_tops(100)
    codes = bin_codes(values, tops, is_exact=False)
    sizes = np.bincount(codes)
    zero = codes[-1]
    assert len(tops) == 100
    assert sizes[zero] == pytest.approx(50_000, abs=60)
    shared = np.delete(sizes, [zero - 1, zero])
    assert shared == pytest.approx(np.full(98, 100_000 / 99), rel=0.15)


def test_missing_numbers_get_the_next_code():
    assert bin_codes(np.array([2.0, np.nan]), np.array([1.0, 2.0]), is_exact=True).tolist() == [
        1,
        2,
    ]
    assert _sketch(np.full(3, np.nan)).bin_tops(4).tolist() == []
