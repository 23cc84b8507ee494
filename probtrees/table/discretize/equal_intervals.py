"""Equal width and equal frequency: intervals of the same length, or of as many rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.options import option
from probtrees.table.discretize.numeric_columns import ColumnCuts, NumericColumn, between
from probtrees.types import FloatArray


@dataclass(frozen=True)
class EqualWidth(ColumnCuts):
    """Cut the range of every numeric column into intervals of the same length.

    .. math:: width = (maximum - minimum) / n

    n = n_intervals. Blind to where the rows lie and to the class. Thesis eq. 36.
    """

    name: ClassVar[str] = "width"

    n_intervals: int = option(
        10, help="Number of intervals per numeric column.", minimum=1, maximum=10_000
    )

    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""
        if column.values.shape[0] == 0 or column.values[0] == column.values[-1]:
            return np.empty(0)
        edges = np.linspace(column.values[0], column.values[-1], self.n_intervals + 1)
        return np.unique(edges[1:-1])


@dataclass(frozen=True)
class EqualFrequency(ColumnCuts):
    """Cut every numeric column so that intervals weigh the same, as far as ties allow.

    Rows with equal values stay together: a cut moves to the nearer end of their run.
    Thesis sec. 2.7.1.2.
    """

    name: ClassVar[str] = "frequency"

    n_intervals: int = option(
        10, help="Number of intervals per numeric column.", minimum=1, maximum=10_000
    )

    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""
        ends = np.flatnonzero(np.diff(column.values) > 0)
        if ends.shape[0] == 0:
            return np.empty(0)
        below = np.cumsum(column.weights)[ends]
        total = column.weights.sum()
        wanted = total * np.arange(1, self.n_intervals) / self.n_intervals
        place = np.searchsorted(below, wanted)
        before, after = np.maximum(place - 1, 0), np.minimum(place, ends.shape[0] - 1)
        nearest = np.where(wanted - below[before] <= below[after] - wanted, before, after)
        chosen = ends[np.unique(nearest)]
        return between(column.values[chosen], column.values[chosen + 1])
