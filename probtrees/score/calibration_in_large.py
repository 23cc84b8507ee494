"""Calibration and ranking as a whole, with intervals: the figures of an external validation.

Whether as many cases came as were predicted (in the large), whether forecasts are too bold or too
timid (the slope), and how well rows are ranked (AUC).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, ndtr, ndtri

from probtrees.machine.lazy_module import stats
from probtrees.model.calibration import fit_line, log_odds
from probtrees.model.track_record import wilson_interval
from probtrees.score.curves import OneOutcome, one_outcome
from probtrees.score.metrics import Figures, shares_below
from probtrees.score.paired_test import CONFIDENCE
from probtrees.types import FloatArray


@dataclass(frozen=True)
class Estimate(Figures):
    """A number and its 95 % interval."""

    value: float
    lower: float
    upper: float

    @classmethod
    def around(cls, value: float, error: float) -> Estimate:
        """Make the interval from a standard error."""
        reach = float(ndtri((1 + CONFIDENCE) / 2)) * error
        return cls(value, value - reach, value + reach)


@dataclass(frozen=True)
class CalibrationInLarge(Figures):
    """What was predicted of one outcome, and what came.

    Attributes
    ----------
    rows : how many rows the figures rest on; weighted ones as many as they are worth
    expected : the mean forecast
    observed : the share of rows with the outcome
    ratio : observed to expected; None where nothing was expected
    p_value : two-sided, of so many cases if forecasts were right but for chance in training rows
    slope : of the true log-odds along the forecast ones: below 1 forecasts are too bold, above
        too timid. None where it cannot be found
    intercept : the true log-odds where the forecast is a half, given that slope
    auc : how well rows are ranked (interval: DeLong et al. 1988); None unless there are rows
        with and without the outcome
    """

    rows: float
    expected: float
    observed: Estimate
    ratio: Estimate | None
    p_value: float
    slope: Estimate | None
    intercept: Estimate | None
    auc: Estimate | None


def calibration_in_large(
    scores: ArrayLike,
    cases: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    learnt_from: float = math.inf,
) -> CalibrationInLarge:
    """Compare all forecasts of one outcome with what came.

    Parameters
    ----------
    scores, cases, weights : as in :func:`~probtrees.score.curves.ranking_curve`
    learnt_from : the rows that the forecasts were learnt from, whose share of cases is chance, too

    Examples
    --------
    >>> found = calibration_in_large([0.1] * 50 + [0.3] * 50, [True] * 20 + [False] * 80)
    >>> round(found.expected, 2), found.observed.value, found.ratio.value
    (0.2, 0.2, 1.0)
    """
    rows = one_outcome(scores, cases, weights)
    w = rows.weights
    worth = float(w.sum() ** 2 / (w @ w))
    expected = float(np.average(rows.scores, weights=w))
    share = float(np.average(rows.cases, weights=w))
    observed = Estimate(share, *wilson_interval(share, worth, CONFIDENCE))
    ratio = None
    if expected > 0:
        ratio = Estimate(*(end / expected for end in (share, observed.lower, observed.upper)))
    said = rows.scores * (1 - rows.scores)
    # Forecasts that are too bold tell too little of how much training rows vary.
    varies = max(float(np.average(v, weights=w)) for v in (said, (rows.cases - rows.scores) ** 2))
    spread = math.sqrt(float((w * w) @ said) + varies * float(w.sum()) ** 2 / learnt_from)
    gap = abs(float(w @ (rows.cases - rows.scores)))
    if spread > 0:
        p_value = 2 * float(ndtr(-gap / spread))
    else:
        p_value = 1.0 if gap < 1e-9 * float(w.sum()) else 0.0
    line = _recalibration(rows)
    intercept, slope = (None, None) if line is None else line
    area = area_with_interval(rows)
    return CalibrationInLarge(worth, expected, observed, ratio, p_value, slope, intercept, area)


def _recalibration(rows: OneOutcome) -> tuple[Estimate, Estimate] | None:
    """Fit logit P(case) = a + b logit(forecast) (Cox 1958).

    None where one outcome has no rows, all forecasts are alike, or cases and others are parted.
    """
    given, w = log_odds(rows.scores), rows.weights
    if rows.cases.all() or not rows.cases.any() or np.ptp(given) < 1e-9:
        return None
    found, bend = fit_line(given, rows.cases.astype(np.float64), w)
    p = expit(found[0] * given + found[1])
    if float(w @ (p * (1 - p))) < 1e-6 * float(w.sum()) or np.linalg.cond(bend) > 1e12:
        return None
    inverse = np.linalg.inv(bend)
    # Weights are no copies of rows: what they add to the spread goes by their squares.
    x = np.column_stack([given, np.ones_like(given)])
    middle = (x * (w * w * p * (1 - p))[:, None]).T @ x
    errors = np.sqrt((inverse @ middle @ inverse).diagonal())
    slope, intercept = (
        Estimate.around(*pair) for pair in zip(found.tolist(), errors.tolist(), strict=True)
    )
    return intercept, slope


def area_with_interval(rows: OneOutcome) -> Estimate | None:
    """Give the area under the ROC curve with DeLong's interval, within 0 and 1."""
    if rows.cases.all() or not rows.cases.any():
        return None
    cases, others = rows.scores[rows.cases], rows.scores[~rows.cases]
    w_cases, w_others = rows.weights[rows.cases], rows.weights[~rows.cases]
    above = shares_below(cases, others, w_others)
    below = 1 - shares_below(others, cases, w_cases)
    area = float(np.average(above, weights=w_cases))
    variance = _variance_of_mean(above, w_cases) + _variance_of_mean(below, w_others)
    found = Estimate.around(area, math.sqrt(variance))
    return Estimate(area, max(found.lower, 0.0), min(found.upper, 1.0))


def _variance_of_mean(values: FloatArray, weights: FloatArray) -> float:
    mean = float(np.average(values, weights=weights))
    n = len(values)
    spread = float((weights**2) @ (values - mean) ** 2) / float(weights.sum()) ** 2
    return spread * n / max(n - 1, 1)


def false_discovery(p_values: ArrayLike) -> FloatArray:
    """Adjust p-values such that marking those up to q keeps false marks to a share of q.

    Of Benjamini and Hochberg (1995).

    >>> false_discovery([0.01, 0.04, 0.5]).round(3).tolist()
    [0.03, 0.06, 0.5]
    """
    given = np.asarray(p_values, dtype=np.float64)
    if given.size == 0:
        return given
    return np.asarray(stats.false_discovery_control(given), dtype=np.float64)
