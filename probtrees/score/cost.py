"""What decisions cost that are made from probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from probtrees.errors import DataError
from probtrees.score.curves import ranking_curve
from probtrees.types import FloatArray


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


def expected_cost(
    proba: ArrayLike, labels: ArrayLike, costs: ArrayLike, weights: FloatArray | None = None
) -> float:
    """Mean cost, given what happened, of every row's decision of least expected cost."""
    chosen = expected_costs(proba, costs).argmin(axis=1)
    paid = np.asarray(costs, dtype=np.float64)[np.asarray(labels), chosen]
    return float(np.average(paid, weights=weights))


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


def cost_curve(
    scores: ArrayLike, cases: ArrayLike, weights: FloatArray | None = None, n_points: int = 101
) -> tuple[FloatArray, FloatArray] | None:
    """Give the cost curve (Drummond and Holte 2006): least normalised cost for every trade-off.

    The horizontal axis is the share of the possible cost that misses make up, from 0 to 1;
    the vertical one the cost paid relative to always paying the larger one in full. None
    unless there are rows with and without the outcome.
    """
    curve = ranking_curve(scores, cases, weights)
    hits, alarms = curve.true_positive_rate, curve.false_positive_rate
    if hits is None or alarms is None:
        return None
    trade_off = np.linspace(0.0, 1.0, n_points)
    lines = np.outer(trade_off, 1 - hits) + np.outer(1 - trade_off, alarms)
    return trade_off, lines.min(axis=1)
