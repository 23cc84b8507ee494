"""Intervals of the same length, of as many rows, or around centres; the class is not asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.options import option
from probtrees.table.discretize.numeric_columns import ColumnCuts, NumericColumn, between
from probtrees.types import FloatArray

_MAX_ROUNDS = 300


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


@dataclass(frozen=True)
class KMeans(ColumnCuts):
    """Group the values of every numeric column around centres and cut halfway between.

    Centres start at evenly spaced quantiles, not at random, so the cuts are always the
    same; then values go to the nearest centre and centres to the mean of their values, in
    turn, until nothing moves. A centre without values is dropped. Thesis sec. 2.7.1.3.
    """

    name: ClassVar[str] = "kmeans"

    n_intervals: int = option(
        5, help="Largest number of intervals per numeric column.", minimum=1, maximum=10_000
    )

    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""
        values = column.values
        if values.shape[0] == 0:
            return np.empty(0)
        weight_below = np.concatenate(([0.0], np.cumsum(column.weights)))
        sum_below = np.concatenate(([0.0], np.cumsum(column.weights * values)))
        shares = (np.arange(self.n_intervals) + 0.5) / self.n_intervals
        starts = np.searchsorted(weight_below[1:], shares * weight_below[-1])
        centres = np.unique(values[np.minimum(starts, values.shape[0] - 1)])
        points = _halfway(centres)
        for _ in range(_MAX_ROUNDS):
            ends = np.concatenate(
                ([0], np.searchsorted(values, points, side="right"), [values.shape[0]])
            )
            weight = np.diff(weight_below[ends])
            kept = weight > 0
            centres = np.diff(sum_below[ends])[kept] / weight[kept]
            moved = _halfway(centres)
            if np.array_equal(moved, points):
                break
            points = moved
        return points


def _halfway(centres: FloatArray) -> FloatArray:
    """Cut halfway between neighbouring centres."""
    return np.unique(centres[:-1] + np.diff(centres) / 2)
