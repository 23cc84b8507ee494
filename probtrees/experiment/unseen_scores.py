"""How good a model is on rows it has not seen, from the evidence that smoothing gathers anyway.

Inner models, grown without a part of the rows, are asked about that part. So a first answer to
"how good is it?" costs no cross-validation; that one, on the Compare page, also repeats the
choice of the smoother's settings without the part.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import stdtrit

from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.inner_evidence import inner_splits
from probtrees.experiment.inner_models import held_out_proba
from probtrees.model.model import Model
from probtrees.score.calibration_in_large import area_with_interval
from probtrees.score.curves import one_outcome
from probtrees.score.metrics import area_under_curve, base_rates, brier_score, error_rate
from probtrees.score.paired_test import CONFIDENCE
from probtrees.types import FloatArray, IntArray, Progress

_FAR = 1.7
"""Times the half width of a 95 % interval: one chance in two thousand beyond it on a side."""


@dataclass(frozen=True)
class UnseenScores:
    """What inner models said about rows they had not seen, and how good it was.

    Attributes
    ----------
    proba : float64[n, n_classes], what they said
    labels, weights : what happened, and how much each row counts
    base : float64[n, n_classes], the shares of the classes among the rows they were grown from
    part_losses, base_losses : the Brier score of every part, and that of the base rates
    part_share : rows of a part for every row that its inner model was grown from
    """

    proba: FloatArray
    labels: IntArray
    weights: FloatArray
    base: FloatArray
    part_losses: FloatArray
    base_losses: FloatArray
    part_share: float

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
        """Their Brier score."""
        return brier_score(self.proba, self.labels, self.weights)

    @cached_property
    def base_brier(self) -> float:
        """The Brier score of always saying the base rates."""
        return brier_score(self.base, self.labels, self.weights)

    @cached_property
    def auc(self) -> float | None:
        """The area under the ROC curve, of several classes a mean; None where not defined."""
        return area_under_curve(self.proba, self.labels, self.weights)

    def auc_of(self, outcome: int) -> float | None:
        """Return the area under the ROC curve of one class against the rest."""
        chance = self.proba[:, outcome]
        happened = (self.labels == outcome).astype(np.int64)
        return area_under_curve(np.column_stack([1 - chance, chance]), happened, self.weights)

    @cached_property
    def ranks_rows(self) -> bool:
        """Whether the chance of some class ranks rows far better than chance would."""
        for outcome in range(self.proba.shape[1]):
            rows = one_outcome(self.proba[:, outcome], self.labels == outcome, self.weights)
            area = area_with_interval(rows)
            if area is not None and area.value - _FAR * (area.value - area.lower) > 0.5:
                return True
        return False

    def better_by(self, other: UnseenScores) -> tuple[float, float, float]:
        """Return how much lower the Brier score is than another's, with a 95 % interval.

        The interval is that of the corrected resampled t-test (Nadeau and Bengio 2003): parts
        share the rows that their models are grown from, so that plain ones are too narrow.
        """
        return self._interval(other.brier - self.brier, other.part_losses - self.part_losses)

    def better_than_base_rate(self) -> tuple[float, float, float]:
        """Return how much lower the Brier score is than that of the base rates, as above."""
        return self._interval(self.base_brier - self.brier, self.base_losses - self.part_losses)

    def _interval(self, mean: float, gain: FloatArray) -> tuple[float, float, float]:
        n_parts = len(gain)
        if n_parts < 2:
            return mean, -np.inf, np.inf
        error = np.sqrt(float(gain.var(ddof=1)) * (1 / n_parts + self.part_share))
        reach = float(stdtrit(n_parts - 1, (1 + CONFIDENCE) / 2)) * error
        return mean, mean - reach, mean + reach


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
    base, losses, usual, shares = np.zeros_like(proba), [], [], []
    for split in inner_splits(data, seed=grown.spec.seed):
        rows, trained = split.held_out, split.trained
        base[rows] = base_rates(labels[trained], data.n_classes, weights[trained])
        losses.append(brier_score(proba[rows], labels[rows], weights[rows]))
        usual.append(brier_score(base[rows], labels[rows], weights[rows]))
        shares.append(len(rows) / max(int(trained.sum()), 1))
    return UnseenScores(
        proba[known],
        labels[known],
        weights[known],
        base[known],
        np.array(losses),
        np.array(usual),
        float(np.mean(shares)),
    )
