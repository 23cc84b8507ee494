"""Decision tree: the leaves of a small pruned tree on one column are its intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.options import option
from probtrees.table.discretize import _entropy_kernels as kernels
from probtrees.table.discretize.numeric_columns import ColumnCuts, NumericColumn, between
from probtrees.types import FloatArray


@dataclass(frozen=True)
class DecisionTree(ColumnCuts):
    """Grow a binary tree on each numeric column alone, prune it, and take its leaves.

    A segment is cut where the gain in information is largest, down to ``max_depth``.
    Bottom-up, two leaves become one again unless the cut lowers the pessimistic number of
    errors, the upper limit of a binomial confidence interval (C4.5's pruning). Kohavi &
    Sahami (1996); thesis sec. 2.7.2.2.
    """

    name: ClassVar[str] = "tree"

    max_depth: int = option(
        3, help="Depth of the tree: at most 2^depth intervals.", minimum=0, maximum=16
    )
    min_leaf: float = option(2.0, help="Least weight of rows in an interval.", minimum=0)
    confidence: float = option(
        0.25, help="Confidence of the pruning; smaller cuts less.", above=0, maximum=0.5
    )

    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""
        logs = kernels.table_of_logs(column.weights)
        found = self._grow(column, logs, (0, column.values.shape[0]), 0)[0]
        place = np.array(found, dtype=np.int64)
        return between(column.values[place], column.values[place + 1])

    def _grow(
        self, column: NumericColumn, logs: FloatArray, segment: tuple[int, int], depth: int
    ) -> tuple[list[int], float]:
        """Return the kept places to cut a segment, and its pessimistic errors."""
        start, stop = segment
        rows = slice(start, stop)
        weights = column.weights[rows]
        counts = np.zeros(column.n_classes)
        np.add.at(counts, column.labels[rows], weights)
        errors = _pessimistic_errors(counts, self.confidence)
        if depth == self.max_depth:
            return [], errors
        gains, margins = np.empty(stop), np.empty(stop)
        n_places = kernels.score_cuts(column, start, stop, logs, gains, margins)
        below = np.cumsum(weights)[:-1]
        fits = (below >= self.min_leaf) & (weights.sum() - below >= self.min_leaf)
        if n_places == 0 or not fits.any():
            return [], errors
        allowed = np.where(fits, np.round(gains[start : stop - 1], 12), -np.inf)
        place = start + int(np.argmax(allowed))
        if not allowed.max() > 0:
            return [], errors
        left, left_errors = self._grow(column, logs, (start, place + 1), depth + 1)
        right, right_errors = self._grow(column, logs, (place + 1, stop), depth + 1)
        if left_errors + right_errors < errors:
            return [*left, place, *right], left_errors + right_errors
        return [], errors


def _pessimistic_errors(counts: FloatArray, confidence: float) -> float:
    """Return the upper limit of the errors to expect where the largest class is guessed.

    >>> round(_pessimistic_errors(np.array([6.0, 0.0]), 0.25), 3)
    1.238
    """
    from scipy.special import betaincinv  # noqa: PLC0415 (slow to load, needed only here)

    total = float(counts.sum())
    wrong = total - float(counts.max())
    return total * float(betaincinv(wrong + 1, total - wrong, 1 - confidence)) if total > 0 else 0.0
