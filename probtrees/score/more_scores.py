"""Measures beside the usual ones: skill, sharpness, and what luck does to calibration."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from probtrees.score.divergence import cross_entropy
from probtrees.score.metrics import Scores, mean_measures
from probtrees.score.reliability import perfect_calibration_error, sharpness
from probtrees.score.skill import skill
from probtrees.types import FloatArray

DRAWN_ROWS = 2_000_000
"""About how many outcomes are drawn to see what a perfect forecaster would score."""


@dataclass(frozen=True)
class MoreScores:
    """Further measures of one set of probabilities; None where a measure is undefined.

    Attributes
    ----------
    brier_skill, log_loss_skill : share of the base rate's loss that is saved; 1 is perfect,
        0 no better than the base rate. None where the base rate is perfect.
    cross_entropy : the log loss without clipping, in nats; None where a true class got 0
    sharpness : how far forecasts dare to leave their mean, see
        :func:`~probtrees.score.reliability.sharpness`
    ece_perfect : the calibration error that a forecaster with true probabilities would be
        expected to score on as many rows; an ``ece`` near it is as good as it gets
    """

    brier_skill: float | None
    log_loss_skill: float | None
    cross_entropy: float | None
    sharpness: float | None
    ece_perfect: float | None

    def to_dict(self) -> dict[str, float | None]:
        """Return the measures by name."""
        return asdict(self)


MORE_MEASURES: tuple[str, ...] = tuple(field.name for field in fields(MoreScores))
"""The names of the further measures, in the order they are shown."""


def more_scores(
    proba: ArrayLike,
    labels: ArrayLike,
    weights: FloatArray | None,
    scores: Scores,
    base_rate: Scores,
) -> MoreScores:
    """Measure what :func:`~probtrees.score.metrics.evaluate` does not.

    Parameters
    ----------
    proba, labels, weights : as in :func:`~probtrees.score.metrics.evaluate`
    scores, base_rate : its measures, and those of "always the base rate" on the same rows
    """
    p: FloatArray = np.asarray(proba, dtype=np.float64)
    w = np.ones(len(p)) if weights is None else np.asarray(weights, dtype=np.float64)
    if w.sum() <= 0:
        return MoreScores(*(None for _ in MORE_MEASURES))
    counted = w > 0
    occurred = np.eye(p.shape[1])[np.asarray(labels, dtype=np.int64)]
    draws = int(np.clip(DRAWN_ROWS // len(p), 20, 200))
    return MoreScores(
        brier_skill=skill(scores.brier, base_rate.brier),
        log_loss_skill=skill(scores.log_loss, base_rate.log_loss),
        cross_entropy=cross_entropy(occurred[counted], p[counted], w[counted]),
        sharpness=sharpness(p, w),
        ece_perfect=perfect_calibration_error(p.max(axis=1), w, draws=draws),
    )


def mean_more_scores(scores: list[MoreScores]) -> MoreScores:
    """Average over repeats; a measure undefined in one of them stays undefined."""
    return MoreScores(**mean_measures(MORE_MEASURES, scores))
