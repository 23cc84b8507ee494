"""What becomes of rows when one acts on every forecast from a threshold on, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from probtrees.errors import DataError
from probtrees.score.curves import one_outcome, ranking_curve
from probtrees.score.paired_test import CONFIDENCE
from probtrees.types import FloatArray


def confusion_at(
    scores: ArrayLike, cases: ArrayLike, threshold: float, weights: ArrayLike | None = None
) -> dict[str, float]:
    """Count rows, by weight, with what happens if one acts on all at or above a threshold.

    >>> confusion_at([0.9, 0.6, 0.4], [True, False, True], 0.5)
    {'hits': 1.0, 'misses': 1.0, 'false_alarms': 1.0, 'correct_rejections': 0.0}
    """
    rows = one_outcome(scores, cases, weights)
    acted = rows.scores >= threshold
    sides = [done & true for true in (rows.cases, ~rows.cases) for done in (acted, ~acted)]
    names = ("hits", "misses", "false_alarms", "correct_rejections")
    return {name: float(rows.weights[s].sum()) for name, s in zip(names, sides, strict=True)}


def mean_cost(found: Mapping[str, float], false_alarm: float, miss: float) -> float:
    """Return what errors that were counted cost per row."""
    paid = false_alarm * found["false_alarms"] + miss * found["misses"]
    return paid / max(sum(found.values()), 1e-300)


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


def benefit_difference(
    first: tuple[FloatArray, NDArray[np.bool_], FloatArray | None],
    second: tuple[FloatArray, NDArray[np.bool_], FloatArray | None],
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return thresholds, the net benefit of one method minus another's, and 95 % ends of it.

    Both are chances, cases and weights of the same rows: the interval is that of paired rows.
    """
    at = np.linspace(0.01, 0.99, 99)
    (own, cases, weights), (other, _, _) = first, second
    worth = np.ones(len(own)) if weights is None else weights / weights.mean()
    gain = np.where(cases[:, None], 1.0, -at / (1 - at)) * worth[:, None]
    apart = ((own[:, None] >= at).astype(float) - (other[:, None] >= at)) * gain
    middle, reach = apart.mean(axis=0), float(ndtri((1 + CONFIDENCE) / 2)) / math.sqrt(len(own))
    half = reach * apart.std(axis=0, ddof=1 if len(own) > 1 else 0)
    return at, middle, middle - half, middle + half


def cost_matrix(costs: ArrayLike, n_classes: int) -> FloatArray:
    """Check a user's costs: ``costs[true class][decision]``, as many decisions as one likes."""
    table = np.asarray(costs, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != n_classes or not np.isfinite(table).all():
        raise DataError(
            f"costs.shape={table.shape} must have one row of finite numbers per class: "
            f"{n_classes} rows, one column per decision."
        )
    return table


def expected_costs(proba: ArrayLike, costs: ArrayLike) -> FloatArray:
    """Give for every row what each decision is expected to cost.

    Added up class by class: a product of matrices may round a row differently among other rows.
    """
    p = np.asarray(proba, dtype=np.float64)
    table = cost_matrix(costs, p.shape[1])
    expected = np.zeros((len(p), table.shape[1]))
    for chances, cost in zip(p.T, table, strict=True):
        expected += chances[:, None] * cost
    return expected


def cheapest_threshold(
    scores: ArrayLike,
    cases: ArrayLike,
    false_alarm: float,
    miss: float,
    weights: FloatArray | None = None,
) -> float:
    """Find from which score on acting costs least, the highest among equals; infinite: never act.

    Parameters
    ----------
    scores, cases, weights : as in :func:`~probtrees.score.curves.ranking_curve`
    false_alarm : cost of acting on a row without the outcome
    miss : cost of not acting on a row with it
    """
    curve = ranking_curve(scores, cases, weights)
    paid = false_alarm * curve.found_others + miss * (curve.cases - curve.found_cases)
    return float(curve.thresholds[int((paid / (curve.cases + curve.others)).argmin())])
