"""How good a model is on rows it has not seen, from the evidence that smoothing gathers anyway.

Inner models, grown without a part of the rows, are asked about that part. So a first answer to
"how good is it?" costs no cross-validation; that one, on the Compare page, also repeats the
choice of the smoother's settings without the part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.inner_models import held_out_proba
from probtrees.model.model import Model
from probtrees.score.calibration_in_large import area_with_interval
from probtrees.score.curves import one_outcome, ranking_curve
from probtrees.score.measures import part_shown
from probtrees.score.metrics import (
    area_under_curve,
    base_rates,
    brier_losses,
    brier_score,
    error_rate,
)
from probtrees.score.paired_test import PairedTest
from probtrees.table.dataset import Dataset
from probtrees.table.findings import listed
from probtrees.table.leaks import carrying_features
from probtrees.types import FloatArray, IntArray, Progress

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


def unseen_scores(
    grown: GrownModel, model: Model, progress: Progress | None = None
) -> UnseenScores | None:
    """Ask inner models about the rows they have not seen; None where there are none."""
    data = grown.data
    proba = held_out_proba(grown, model, progress)
    known = ~np.isnan(proba[:, 0])
    if not known.any():
        return None
    labels, weights = data.labels, data.row_weights
    base = np.zeros_like(proba)
    for split in grown.splits:
        base[split.held_out] = base_rates(
            labels[split.trained], data.n_classes, weights[split.trained]
        )
    groups = np.arange(data.n_rows) if data.groups is None else data.groups
    return UnseenScores(
        proba[known],
        labels[known],
        weights[known],
        base[known],
        np.unique(groups[known], return_inverse=True)[1],
        1 + sum(len(split.held_out) / int(split.trained.sum()) for split in grown.splits),
    )


ALMOST_PERFECT = 0.995
"""The area under the ROC curve of unseen rows from which on a model is almost perfect."""


@dataclass(frozen=True)
class AlmostPerfect:
    """The columns that make a model almost perfect, each of them alone.

    Attributes
    ----------
    columns : their names in the user's table, the strongest first
    auc : the area under the ROC curve on unseen rows; of several classes their mean
    share : of the mistakes of always saying the most frequent class, those that each avoids
    """

    columns: tuple[str, ...]
    auc: float
    share: float

    @property
    def question(self) -> str:
        """Ask whether the columns may be used."""
        verb = "is" if len(self.columns) == 1 else "are"
        return f"Almost perfect: {verb} {self.named} known before the outcome?"

    @property
    def reason(self) -> str:
        """Say why that is asked."""
        what = "this column" if len(self.columns) == 1 else "each of these columns"
        return (
            f"On unseen rows the AUC is {self.auc:.3f}, and {what} alone avoids "
            f"{100 * self.share:.0f} % of the mistakes."
        )

    @property
    def named(self) -> str:
        """The columns in a sentence."""
        return listed([repr(name) for name in self.columns])


def almost_perfect(scores: UnseenScores | None, data: Dataset) -> AlmostPerfect | None:
    """Return the columns that carry an almost perfect model; None where there are none."""
    if scores is None or scores.auc is None or scores.auc < ALMOST_PERFECT:
        return None
    found = carrying_features(data)
    return AlmostPerfect(tuple(found), scores.auc, min(found.values())) if found else None
