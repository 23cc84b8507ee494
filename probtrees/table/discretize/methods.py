"""Methods that cut every numeric column of a table by itself into intervals.

Of the same length, of as many rows or around centres, whatever the class; or by entropy: MDLP cuts
where knowing the interval says enough about the class to pay for the cut, randomised MDLP draws
cuts in proportion to how well they pay (for ensembles), and the leaves of a small pruned tree on
one column are its intervals.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.machine.checkpoint import checkpoint
from probtrees.machine.kernel_cache import runnable
from probtrees.options import Options, option
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.table.discretize import _entropy_kernels as kernels
from probtrees.types import FloatArray

_MAX_ROUNDS = 301
_HUGE = 1e270
_SHRINK = 2.0**-200
"""A power of two: nothing is rounded."""


class NumericColumn(NamedTuple):
    """The rows in which one column is recorded, by ascending value. What kernels receive.

    Attributes
    ----------
    number : the column's number
    values : float64[n], ascending
    labels : int32[n], the rows' classes
    weights : float64[n], the rows' weights
    n_classes : number of declared classes
    """

    number: int
    values: FloatArray
    labels: NDArray[np.int32]
    weights: FloatArray
    n_classes: int


class ColumnCuts(Options, ABC):
    """A method that cuts every numeric column by itself."""

    @abstractmethod
    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column of two values or more."""

    def find_cuts(self, train: Dataset) -> Cuts:
        """Find the cut points of every numeric column.

        Very large numbers are made smaller first, so that sums stay finite.
        """
        labels, weights = train.labels.astype(np.int32), train.row_weights
        points: dict[int, FloatArray] = {}
        for number, declared in enumerate(train.schema.features):
            if declared.is_nominal:
                continue
            checkpoint(f"cutting numbers, {len(points) + 1:,}")
            values = np.ascontiguousarray(train.values[:, number])
            rows = np.argsort(values, kind="stable")
            rows = rows[(~np.isnan(values) & (weights > 0))[rows]]
            values, classes = values[rows], labels[rows]
            column = NumericColumn(number, values, classes, weights[rows], train.n_classes)
            points[number] = np.empty(0)
            if len(values) == 0 or values[0] == values[-1]:
                continue
            scale = 1.0 if max(-values[0], values[-1]) < _HUGE else _SHRINK
            found = self.cut(column._replace(values=values * scale)) / scale
            points[number] = np.unique(np.clip(found, values[0], values[-1]))
        return Cuts.noting_missing(train, points)


def between(low: FloatArray, high: FloatArray) -> FloatArray:
    """Put cut points halfway between values, and never on the upper one.

    >>> between(np.array([1.0]), np.array([2.0])).tolist()
    [1.5]
    """
    middle = low + (high - low) / 2
    return np.where(middle < high, middle, low)


@dataclass(frozen=True)
class EqualWidth(ColumnCuts):
    """Cut the range of every numeric column into intervals of the same length.

    .. math:: width = (maximum - minimum) / n

    n = n_intervals. Blind to where the rows lie and to the class. Thesis eq. 36.
    """

    name: ClassVar[str] = "width"

    n_intervals: int = option(10, help="Intervals per numeric column.", minimum=1, maximum=10_000)

    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""
        edges = np.linspace(column.values[0], column.values[-1], self.n_intervals + 1)
        return np.unique(edges[1:-1])


@dataclass(frozen=True)
class EqualFrequency(ColumnCuts):
    """Cut every numeric column so that intervals weigh the same, as far as ties allow.

    Rows with equal values stay together: a cut moves to the nearer end of their run.
    Thesis sec. 2.7.1.2.
    """

    name: ClassVar[str] = "frequency"

    n_intervals: int = option(10, help="Intervals per numeric column.", minimum=1, maximum=10_000)

    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""
        ends = np.flatnonzero(np.diff(column.values) > 0)
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
        weight_below = np.concatenate(([0.0], np.cumsum(column.weights)))
        sum_below = np.concatenate(([0.0], np.cumsum(column.weights * values)))
        shares = (np.arange(self.n_intervals) + 0.5) / self.n_intervals
        starts = np.searchsorted(weight_below[1:], shares * weight_below[-1])
        centres = np.unique(values[np.minimum(starts, values.shape[0] - 1)])
        points = np.empty(0)
        for _ in range(_MAX_ROUNDS):
            before, points = points, np.unique(centres[:-1] + np.diff(centres) / 2)
            if np.array_equal(points, before):
                break
            inner = np.searchsorted(values, points, side="right")
            ends = np.concatenate(([0], inner, [values.shape[0]]))
            weight = np.diff(weight_below[ends])
            kept = weight > 0
            centres = np.diff(sum_below[ends])[kept] / weight[kept]
        return points


@dataclass(frozen=True)
class MDLP(ColumnCuts):
    r"""Cut every numeric column by entropy, as long as a cut pays for its description.

    A set S of N rows is cut at the point of highest gain if

    .. math:: Gain > \frac{\log_2(N - 1)}{N} + \frac{\log_2(3^k - 2) - [k E(S)
        - k_1 E(S_1) - k_2 E(S_2)]}{N}

    and so on in both parts. E = entropy in bits, k, k_1, k_2 = classes present. Cut points
    lie halfway between neighbouring values; of equal gains the lowest value is cut. Fayyad
    & Irani (1993); thesis eq. 37 and 38.
    """

    name: ClassVar[str] = "mdlp"

    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""
        is_cut = np.zeros(column.values.shape[0], dtype=np.bool_)
        runnable(kernels.cut_by_mdl)(column, self._draws(column), is_cut)
        return between(column.values[:-1][is_cut[:-1]], column.values[1:][is_cut[:-1]])

    def _draws(self, column: NumericColumn) -> FloatArray:
        return np.empty(0)


@dataclass(frozen=True)
class RandomizedMDLP(MDLP):
    """Draw cuts in proportion to gain minus cost, so that members of an ensemble differ.

    Among all points whose gain exceeds the cost of MDLP one is drawn, then both parts are
    cut in the same way until no point pays. Where no point of a column pays, one cut is
    still drawn in proportion to the gain. Every column has random numbers of its own.
    Thesis Algorithms 10 and 11.
    """

    name: ClassVar[str] = "randomized-mdlp"

    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def _draws(self, column: NumericColumn) -> FloatArray:
        generator = np.random.default_rng([self.seed, column.number])
        return generator.random(len(column.values) + 1)


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
        kernels.score_cuts(column, start, stop, logs, gains, margins)
        below = np.cumsum(weights)[:-1]
        fits = (below >= self.min_leaf) & (weights.sum() - below >= self.min_leaf)
        allowed = np.where(fits, np.round(gains[start : stop - 1], 12), -np.inf)
        if not allowed.max(initial=0.0) > 0:
            return [], errors
        place = start + int(np.argmax(allowed))
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
