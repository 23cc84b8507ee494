"""What acting on out-of-fold forecasts of one outcome does to the rows, and what it costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from probtrees.errors import OptionError
from probtrees.experiment.evaluation.cross_validate import Result, forecasts_of
from probtrees.score.cost import cost_at, threshold_costs
from probtrees.score.threshold import confusion_at, worth_of
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds


def check_threshold(threshold: float) -> None:
    """Refuse a chance to act from that is none."""
    if not 0 <= threshold <= 1:
        raise OptionError(f"threshold={threshold!r} must be from 0 to 1.")


def acting_at(
    result: Result,
    data: Dataset,
    outcome: int,
    threshold: float,
    *,
    prevalence: float | None = None,
    costs: tuple[float, float] = (1.0, 5.0),
) -> dict[str, Any]:
    """Count rows by what was done and what was true if one acts from a threshold on.

    Parameters
    ----------
    result : its first repeat counts
    threshold : from 0 to 1
    prevalence : the rate of the outcome where predictive values are asked for; that of the
        tested rows if not given
    costs : of a false alarm, and of a miss
    """
    check_threshold(threshold)
    proba, labels, weights = forecasts_of(result.proba[0], data)
    found = confusion_at(proba[:, outcome], labels == outcome, threshold, weights)
    right, rejected = found.predictive_values(prevalence)
    return {
        "class": data.schema.classes[outcome],
        "threshold": threshold,
        **found.to_dict(),
        "sensitivity": found.sensitivity,
        "specificity": found.specificity,
        "positive_predictive_value": right,
        "negative_predictive_value": rejected,
        "acted_on": found.acted_on,
        "cost_per_row": found.cost(*costs),
        "intervals": found.intervals(prevalence, worth_of(weights)),
    }


def cost_by_other_folds(
    result: Result, data: Dataset, cut: Folds, outcome: int, costs: tuple[float, float]
) -> float | None:
    """Charge every fold at the threshold that was best on the forecasts of the other folds.

    The lowest point of a curve of costs is chosen by the rows it is judged by; this is not. None
    where there is only one fold.

    Parameters
    ----------
    cut : the folds of the first repeat
    costs : of a false alarm, and of a miss
    """
    tested = np.flatnonzero(~np.isnan(result.proba[0][:, 0]))
    chance, cases = result.proba[0][tested, outcome], data.labels[tested] == outcome
    weights, folds = data.row_weights[tested], cut.test_fold[tested]
    if len(np.unique(folds)) < 2:
        return None
    paid = 0.0
    for fold in np.unique(folds):
        inside = folds == fold
        others = threshold_costs(chance[~inside], cases[~inside], *costs, weights[~inside])
        cost = cost_at(
            chance[inside], cases[inside], others.best_threshold, *costs, weights[inside]
        )
        paid += cost * float(weights[inside].sum())
    return paid / float(weights.sum())


def implied_threshold(costs: tuple[float, float]) -> float:
    """Return the chance from which acting costs less, if chances mean what they say.

    >>> implied_threshold((1.0, 4.0))
    0.2
    """
    return costs[0] / max(sum(costs), 1e-300)


def cost_at_implied_threshold(
    result: Result, data: Dataset, outcome: int, costs: tuple[float, float]
) -> float:
    """Charge every tested row at the threshold the costs imply; no row has a say in it."""
    proba, labels, weights = forecasts_of(result.proba[0], data)
    threshold = implied_threshold(costs)
    return cost_at(proba[:, outcome], labels == outcome, threshold, *costs, weights)


def cost_of_one_decision(
    result: Result, data: Dataset, outcome: int, costs: tuple[float, float]
) -> tuple[float, float]:
    """Return what acting on every tested row costs per row, and acting on none."""
    _, labels, weights = forecasts_of(result.proba[0], data)
    rate = float(np.average(labels == outcome, weights=weights))
    return costs[0] * (1 - rate), costs[1] * rate
