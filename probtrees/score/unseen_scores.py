"""How good forecasts of unseen rows are, and whether others would be better.

Inner models, grown without a part of the rows, are asked about that part. So a first answer to
"how good is it?" costs no cross-validation; that one, on the Compare page, also repeats the
choice of the smoother's settings without the part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from probtrees.score.calibration_in_large import area_with_interval
from probtrees.score.curves import one_outcome, ranking_curve
from probtrees.score.decision import Decision, decide
from probtrees.score.measures import part_shown
from probtrees.score.metrics import area_under_curve, brier_losses, brier_score, error_rate
from probtrees.score.paired_test import PairedTest
from probtrees.types import FloatArray, IntArray

_FAR = 1.7
"""Times the half width of a 95 % interval: one chance in two thousand beyond it on a side."""

_FEWEST = 10
"""Rows with and without an outcome that the normal interval of an AUC needs to be trusted."""


@dataclass(frozen=True)
class UnseenScores:
    """What inner models said about rows they had not seen, and how good it was.

    Attributes
    ----------
    proba : float64[n, n_classes], what they said
    labels, weights : what happened, and how much each row counts
    base : float64[n, n_classes], the shares of the classes among the rows they were grown from
    cases : int64[n], which rows are one case: rows of one group are no independent witnesses
    overlap : how much wider an interval is, squared, since inner models share their rows
    """

    proba: FloatArray
    labels: IntArray
    weights: FloatArray
    base: FloatArray
    cases: IntArray
    overlap: float = 1.0

    def decide(self, outcome: int, **rule: Any) -> Decision:
        """Say what comes of acting on an outcome by a rule, as :func:`.decide` takes it."""
        rows = self.proba[:, outcome], self.labels == outcome
        return decide(*rows, weights=self.weights, groups=self.cases, **rule)

    @cached_property
    def right(self) -> float:
        """The share of rows whose most probable class happened."""
        return 1 - error_rate(self.proba, self.labels, self.weights)

    @cached_property
    def right_by_rule(self) -> float:
        """The share of rows that "always the most frequent class" gets right."""
        return 1 - error_rate(self.base, self.labels, self.weights)

    @cached_property
    def brier(self) -> float:
        """Their Brier score, as people are shown it: of two outcomes that of one."""
        return self._part * brier_score(self.proba, self.labels, self.weights)

    @cached_property
    def base_brier(self) -> float:
        """The Brier score of always saying the base rates."""
        return self._part * brier_score(self.base, self.labels, self.weights)

    @property
    def _part(self) -> float:
        return part_shown("brier", self.proba.shape[1])

    @cached_property
    def auc(self) -> float | None:
        """The area under the ROC curve, of several classes a mean; None where not defined."""
        return area_under_curve(self.proba, self.labels, self.weights)

    def auc_of(self, outcome: int) -> float | None:
        """Return the area under the ROC curve of one class against the rest."""
        return ranking_curve(self.proba[:, outcome], self.labels == outcome, self.weights).area

    @cached_property
    def ranks_rows(self) -> bool:
        """Whether the chance of some class ranks rows far better than chance would."""
        for outcome in range(self.proba.shape[1]):
            of_outcome = int((self.labels == outcome).sum())
            if min(of_outcome, len(self.labels) - of_outcome) < _FEWEST:
                continue
            rows = one_outcome(self.proba[:, outcome], self.labels == outcome, self.weights)
            area = area_with_interval(rows)
            if area is not None and area.value - _FAR * (area.value - area.lower) > 0.5:
                return True
        return False

    def better_by(self, other: UnseenScores) -> tuple[float, float, float]:
        """Return how much lower the Brier score is than another's, with a 95 % interval.

        The variance is that of the rows' own differences, rows of one group taken together. As
        in the corrected resampled t-test (Nadeau and Bengio 2003) it counts 1 + J n2 / n1 times
        for J parts of n2 rows, judged by models of n1 rows: these share most of their rows. That
        test estimates the variance from J numbers; with five of them it calls differences noise
        that the rows leave no doubt about.
        """
        return self._interval(other.proba, self.overlap)

    def better_than_base_rate(self) -> tuple[float, float, float]:
        """Return how much lower the Brier score is than that of the base rates, as above.

        Shared rows need no correction here: whatever is grown from noise is on average worse than
        the base rates, and of 600 such tables 3 had an interval above zero.
        """
        return self._interval(self.base, 1.0)

    def _interval(self, other: FloatArray, overlap: float) -> tuple[float, float, float]:
        losses, own = (brier_losses(proba, self.labels) for proba in (other, self.proba))
        gain = self._part * (losses - own)
        mean = float(np.average(gain, weights=self.weights))
        of_case = np.bincount(self.cases, self.weights * (gain - mean))
        n_cases = int((np.bincount(self.cases, self.weights) > 0).sum())
        if n_cases < 2:
            return mean, -np.inf, np.inf
        variance = float(of_case @ of_case) / self.weights.sum() ** 2 * n_cases / (n_cases - 1)
        found = PairedTest.by_error(mean, math.sqrt(variance * overlap), n_cases - 1)
        return mean, found.lower or 0.0, found.upper or 0.0
