"""What becomes of rows when one acts on every forecast from a threshold on."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import ArrayLike

from probtrees.score.curves import one_outcome, ranking_curve
from probtrees.types import FloatArray


@dataclass(frozen=True)
class Confusion:
    """Rows by what was done and what was true, by weight.

    Attributes
    ----------
    hits, misses : rows with the outcome that were, and were not, acted on
    false_alarms, correct_rejections : rows without it that were, and were not
    """

    hits: float
    misses: float
    false_alarms: float
    correct_rejections: float

    @property
    def rows(self) -> float:
        """All rows."""
        return self.hits + self.misses + self.false_alarms + self.correct_rejections

    @property
    def prevalence(self) -> float | None:
        """The share of rows with the outcome."""
        return _share(self.hits + self.misses, self.rows)

    @property
    def sensitivity(self) -> float | None:
        """The share of rows with the outcome that are acted on."""
        return _share(self.hits, self.hits + self.misses)

    @property
    def specificity(self) -> float | None:
        """The share of rows without the outcome that are left alone."""
        return _share(self.correct_rejections, self.correct_rejections + self.false_alarms)

    @property
    def acted_on(self) -> float | None:
        """The share of all rows that are acted on."""
        return _share(self.hits + self.false_alarms, self.rows)

    def predictive_values(self, prevalence: float | None = None) -> tuple[float | None, ...]:
        """Return how often acting, and not acting, is right, where the outcome has another rate.

        >>> Confusion(8, 2, 9, 81).predictive_values(0.5)
        (0.888888888888889, 0.8181818181818181)
        """
        rate = self.prevalence if prevalence is None else prevalence
        hit, left_alone = self.sensitivity, self.specificity
        if rate is None or hit is None or left_alone is None:
            return None, None
        right = hit * rate
        rejected = left_alone * (1 - rate)
        return (
            _share(right, right + (1 - left_alone) * (1 - rate)),
            _share(rejected, rejected + (1 - hit) * rate),
        )

    def cost(self, false_alarm: float, miss: float) -> float | None:
        """Return the mean cost per row."""
        return _share(false_alarm * self.false_alarms + miss * self.misses, self.rows)

    def to_dict(self) -> dict[str, float]:
        """Return the counts by name."""
        return asdict(self)


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None


def confusion_at(
    scores: ArrayLike, cases: ArrayLike, threshold: float, weights: ArrayLike | None = None
) -> Confusion:
    """Count what happens if one acts on every row at or above a threshold.

    >>> confusion_at([0.9, 0.6, 0.4], [True, False, True], 0.5)
    Confusion(hits=1.0, misses=1.0, false_alarms=1.0, correct_rejections=0.0)
    """
    rows = one_outcome(scores, cases, weights)
    acted = rows.scores >= threshold
    sums = [
        float(rows.weights[what].sum())
        for what in (
            acted & rows.cases,
            ~acted & rows.cases,
            acted & ~rows.cases,
            ~acted & ~rows.cases,
        )
    ]
    return Confusion(*sums)


@dataclass(frozen=True)
class DecisionCurve:
    """Net benefit against the threshold from which one acts (Vickers and Elkin 2006).

    Attributes
    ----------
    thresholds : float64[n], below 1
    benefit : float64[n], hits per row less false alarms per row, each weighed t / (1 - t)
    treat_all : the same for acting on everybody; for acting on nobody it is 0
    """

    thresholds: FloatArray
    benefit: FloatArray
    treat_all: FloatArray


def decision_curve(
    scores: ArrayLike,
    cases: ArrayLike,
    weights: ArrayLike | None = None,
    thresholds: ArrayLike | None = None,
) -> DecisionCurve:
    """Compute the decision curve; by default at 1 %, 2 %, ... 99 %.

    Who acts from a threshold t on holds a miss for (1 - t) / t times as bad as a false alarm.
    """
    at = np.linspace(0.01, 0.99, 99) if thresholds is None else np.asarray(thresholds, dtype=float)
    curve = ranking_curve(scores, cases, weights)
    # Thresholds of the curve descend: the last one that is not below t counts.
    place = np.searchsorted(-curve.thresholds, -at, side="right") - 1
    whole = curve.cases + curve.others
    odds = at / (1 - at)
    benefit = (curve.found_cases[place] - curve.found_others[place] * odds) / whole
    return DecisionCurve(at, benefit, (curve.cases - curve.others * odds) / whole)
