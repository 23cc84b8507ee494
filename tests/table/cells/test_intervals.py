"""Classes cut from numbers, and their names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.table.cells.intervals import cuts_of_names, equal_frequency_cuts, interval_names


@given(
    st.lists(st.floats(-1e12, 1e12) | st.integers(-5, 5).map(float), min_size=1),
    st.integers(2, 10),
)
def test_cuts_separate_and_are_read_back_from_names(values: list[float], n_bins: int) -> None:
    array = np.array(values)
    cuts = equal_frequency_cuts(array, n_bins)
    assert len(cuts) < n_bins
    assert (np.diff(cuts) > 0).all()
    if len(cuts):
        assert cuts[0] >= array.min()
        assert cuts[-1] < array.max()
        found = cuts_of_names(interval_names(cuts))
        assert found is not None
        assert found.tolist() == cuts.tolist()


def test_bins_of_distinct_values_are_even() -> None:
    cuts = equal_frequency_cuts(np.arange(100.0), 4)
    assert np.bincount(np.searchsorted(cuts, np.arange(100.0))).tolist() == [25] * 4


@pytest.mark.parametrize(
    "names", [("a", "b"), ("up to 2", "over 3"), ("up to x", "over x"), ("up to 2",)]
)
def test_other_names_are_no_intervals(names: tuple[str, ...]) -> None:
    assert cuts_of_names(names) is None
