"""Number the values of a column: its words, or the ranges that its numbers lie in."""

from __future__ import annotations

import numpy as np

from probtrees.table.cells.raw_table import Numbers, RawColumn, Texts
from probtrees.types import FloatArray, IntArray

_N_BINS, _ROWS_PER_BIN, _FREQUENT = 20, 10, 0.1


def values_of(column: RawColumn) -> IntArray:
    """Give every value of a column a number, missing as a value of its own."""
    if isinstance(column, Texts):
        return column.codes.astype(np.int64) + 1
    return ranges_of(column.values if isinstance(column, Numbers) else column.days)


def ranges_of(numbers: FloatArray) -> IntArray:
    """Give numbers the number of their range, 0 where one is missing.

    A number that a tenth of the rows share, such as a refund of 0, is a range of its own.
    """
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        return np.zeros(len(numbers), dtype=np.int64)
    values, counts = np.unique(known, return_counts=True)
    frequent = values[counts >= _FREQUENT * len(known)]
    others = known[~np.isin(known, frequent)]
    n_bins = min(_N_BINS, max(2, len(others) // _ROWS_PER_BIN))
    cuts = np.quantile(others, np.arange(1, n_bins) / n_bins) if len(others) else known[:0]
    cuts = np.unique(np.concatenate([cuts, frequent, np.nextafter(frequent, np.inf)]))
    return np.where(np.isnan(numbers), 0, np.searchsorted(cuts, numbers, side="right") + 1)
