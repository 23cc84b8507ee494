"""Bins of a numeric column: few different numbers each by itself, many in bins of like size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.types import FloatArray

CLOSE = 1e-6
"""A number above a split value by less than this still goes below it, see :mod:`grow.c45`."""

_APART = 1e-5
"""Numbers closer than this are never cut apart."""


def bin_tops(values: FloatArray, n_bins: int) -> FloatArray:
    """Return the largest number of each of at most ``n_bins`` bins of like size.

    A frequent number becomes a bin of its own; what remains is spread over the other bins.

    Parameters
    ----------
    values : the numbers of some rows, at least one, none of them NaN

    Examples
    --------
    >>> bin_tops(np.array([5.0, 1.0, 2.0, 2.0]), 2)
    array([2., 5.])
    """
    distinct, counts = np.unique(values, return_counts=True)
    # Running totals, so that the rows of any stretch of numbers are one subtraction.
    ends = np.concatenate(([0], np.cumsum(counts)))
    is_frequent = _more_than_their_share(counts, n_bins)
    frequent = np.concatenate(([0], np.cumsum(is_frequent)))
    frequent_rows = np.concatenate(([0], np.cumsum(np.where(is_frequent, counts, 0))))
    n_values = distinct.shape[0]
    tops: list[int] = []
    start = 0
    while start < n_values and len(tops) < n_bins - 1:
        # What is left is shared out again after every bin: a bin too large makes the next smaller.
        n_left = n_bins - len(tops)
        n_shared = n_left - int(frequent[-1] - frequent[start])
        rows = ends[-1] - ends[start]
        if n_shared > 0:
            size = (rows - (frequent_rows[-1] - frequent_rows[start])) / n_shared
        else:
            size = rows / n_left
        wanted = ends[start] + max(size, 1.0)
        end = min(n_values, max(start + 1, int(np.searchsorted(ends, wanted - 0.5))))
        if end - 1 > start and wanted - ends[end - 1] < ends[end] - wanted:
            end -= 1
        tops.append(end - 1)
        start = end
    if start < n_values:
        tops.append(n_values - 1)
    return _far_apart(distinct[tops])


def _more_than_their_share(counts: NDArray[np.int64], n_bins: int) -> NDArray[np.bool_]:
    """Mark numbers with more rows than a bin would have without them."""
    is_frequent = np.zeros(counts.shape[0], dtype=np.bool_)
    while True:
        n_shared = n_bins - int(is_frequent.sum())
        size = counts[~is_frequent].sum() / max(1, n_shared)
        more = is_frequent | (counts > size)
        if n_shared <= 0 or (more == is_frequent).all():
            return is_frequent
        is_frequent = more


def _far_apart(tops: FloatArray) -> FloatArray:
    """Leave out tops too close below the next one for a tree to separate the two."""
    kept = [float(tops[-1])]
    for top in tops[-2::-1]:
        if top + _APART < kept[-1]:
            kept.append(float(top))
    return np.array(kept[::-1])


def bin_codes(values: FloatArray, tops: FloatArray, *, is_exact: bool) -> NDArray[np.int64]:
    """Return the bin of every number; the number of bins where it is missing.

    Where bins hold several numbers each (not ``is_exact``), one above a bin's top by less than
    1e-6 belongs to it, as it does when a tree asks whether it lies below.
    """
    codes = np.searchsorted(tops, values)
    if tops.shape[0]:
        codes = np.minimum(codes, tops.shape[0] - 1)
        if not is_exact:
            below = np.maximum(codes - 1, 0)
            with np.errstate(invalid="ignore", over="ignore"):  # inf - inf, huge numbers
                is_close = values - tops[below] < CLOSE
            codes = np.where((codes > 0) & is_close, below, codes)
    return np.where(np.isnan(values), tops.shape[0], codes)
