"""Curves that show how well a score finds one outcome: ROC, precision-recall, lift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probtrees.errors import DataError
from probtrees.types import FloatArray


class OneOutcome(NamedTuple):
    """Rows as measures of one outcome need them; rows of weight 0 are left out."""

    scores: FloatArray
    cases: NDArray[np.bool_]
    weights: FloatArray


def one_outcome(
    scores: ArrayLike, cases: ArrayLike, weights: ArrayLike | None = None
) -> OneOutcome:
    """Bring scores, cases and weights into their types, or raise what does not fit."""
    p = np.asarray(scores, dtype=np.float64)
    y = np.asarray(cases).astype(np.bool_)
    w = np.ones(len(p)) if weights is None else np.asarray(weights, dtype=np.float64)
    if p.ndim != 1 or y.shape != p.shape or w.shape != p.shape:
        raise DataError(f"scores.shape={p.shape} must equal cases.shape={y.shape}, one per row.")
    if not np.isfinite(p).all() or not np.isfinite(w).all() or (w < 0).any():
        raise DataError("scores and weights must be finite, and weights not negative.")
    counted = w > 0
    if not counted.any():
        raise DataError("scores must have a row of positive weight. There is nothing to measure.")
    return OneOutcome(p[counted], y[counted], w[counted])


@dataclass(frozen=True)
class RankingCurve:
    """Rows from the highest score to the lowest, cut between different scores.

    Attributes
    ----------
    thresholds : float64[n], scores in descending order; rows at or above count as found.
        The first is infinite: nobody is found.
    found_cases, found_others : float64[n], weight of rows with and without the outcome
        that lie at or above the threshold
    """

    thresholds: FloatArray
    found_cases: FloatArray
    found_others: FloatArray

    @property
    def cases(self) -> float:
        """Weight of all rows with the outcome."""
        return float(self.found_cases[-1])

    @property
    def others(self) -> float:
        """Weight of all rows without it."""
        return float(self.found_others[-1])

    @property
    def true_positive_rate(self) -> FloatArray | None:
        """Share of the cases found (recall); None without cases."""
        return self.found_cases / self.cases if self.cases > 0 else None

    @property
    def false_positive_rate(self) -> FloatArray | None:
        """Share of the others found by mistake; None without others."""
        return self.found_others / self.others if self.others > 0 else None

    @property
    def precision(self) -> FloatArray:
        """Share of the found rows that are cases; 1 where nobody is found."""
        found = self.found_cases + self.found_others
        return np.divide(self.found_cases, found, out=np.ones_like(found), where=found > 0)

    @property
    def found_share(self) -> FloatArray:
        """Share of all rows that are found."""
        return (self.found_cases + self.found_others) / (self.cases + self.others)

    @property
    def lift(self) -> FloatArray | None:
        """How many times the overall rate the found rows have; None without cases.

        Where nobody is found it is that of the first row, so that a picture has no gap.
        """
        if self.cases == 0:
            return None
        rate = self.cases / (self.cases + self.others)
        lift = self.precision / rate
        lift[0] = lift[1]
        return lift

    @property
    def average_precision(self) -> float | None:
        """Mean precision over the cases found; None without cases."""
        recall = self.true_positive_rate
        if recall is None:
            return None
        return float(np.sum(np.diff(recall) * self.precision[1:]))

    @property
    def area(self) -> float | None:
        """Area under the ROC curve; None unless there are cases and others."""
        hits, misses = self.true_positive_rate, self.false_positive_rate
        if hits is None or misses is None:
            return None
        return float(np.trapezoid(hits, misses))


def ranking_curve(
    scores: ArrayLike, cases: ArrayLike, weights: ArrayLike | None = None
) -> RankingCurve:
    """Sort rows by score and count what lies at or above every threshold.

    Parameters
    ----------
    scores : float[n], the probability of the outcome
    cases : bool[n], whether it occurred
    weights : float[n], how much each row counts; None: once

    Examples
    --------
    >>> curve = ranking_curve([0.9, 0.8, 0.3, 0.2], [True, False, True, False])
    >>> curve.area, curve.lift.tolist()
    (0.75, [2.0, 2.0, 1.0, 1.3333333333333333, 1.0])
    """
    rows = one_outcome(scores, cases, weights)
    order = np.argsort(-rows.scores, kind="stable")
    descending = rows.scores[order]
    is_last = np.append(np.diff(descending) != 0, True)
    with_outcome = np.cumsum((rows.weights * rows.cases)[order])[is_last]
    without = np.cumsum((rows.weights * ~rows.cases)[order])[is_last]
    return RankingCurve(
        thresholds=np.append(np.inf, descending[is_last]),
        found_cases=np.append(0.0, with_outcome),
        found_others=np.append(0.0, without),
    )
