"""k-means: intervals around centres that the values gather at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.options import option
from probtrees.table.discretize.numeric_columns import ColumnCuts, NumericColumn
from probtrees.types import FloatArray

_MAX_ROUNDS = 300


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
