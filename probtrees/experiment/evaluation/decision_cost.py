"""What acting on out-of-fold forecasts does to the rows, and what it costs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from probtrees.errors import OptionError
from probtrees.experiment.evaluation.cross_validate import Result, cross_validate, forecasts_of
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec
from probtrees.model.predict import predict_proba
from probtrees.score.cost import cost_at, cost_matrix, expected_cost, threshold_costs
from probtrees.score.metrics import base_rates
from probtrees.score.threshold import confusion_at, worth_of
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset
from probtrees.table.folds import NEVER_TESTED, Folds
from probtrees.types import Progress

N_INNER_FOLDS = 5
"""Parts of the training rows that choose a threshold."""


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


def decisions_cost(result: Result, data: Dataset, costs: ArrayLike) -> dict[str, Any]:
    """Return the mean cost per row of deciding by the probabilities, and of one decision for all.

    Parameters
    ----------
    costs : ``costs[true class][decision]``; the decision of least expected cost is taken
    """
    table = cost_matrix(costs, data.n_classes)
    proba, labels, weights = forecasts_of(result.proba[0], data)
    rates = base_rates(labels, data.n_classes, weights)
    always = (rates @ table).tolist()
    return {
        "by_probability": expected_cost(proba, labels, table, weights),
        "always_one_decision": always,
        "best_constant": min(always),
    }


def tuned_decisions_cost(
    data: Dataset,
    spec: ModelSpec,
    smoother: tuple[str, Smoother],
    costs: ArrayLike,
    folds: Folds,
    progress: Progress | None = None,
) -> dict[str, Any] | None:
    """Choose thresholds on inner folds and pay for them on outer ones; None unless of two classes.

    A threshold chosen on the rows it is judged by looks cheaper than it is. What the right
    decision costs is paid in any case and added to what errors cost on top.
    """
    table = cost_matrix(costs, data.n_classes)
    errors = table[0, 1] - table[0, 0], table[-1, 0] - table[-1, -1]
    if table.shape != (2, 2) or min(errors) < 0 or sum(errors) <= 0:
        return None
    acted, thresholds = np.zeros(data.n_rows), []
    for n_done, (train_rows, test_rows) in enumerate(folds.splits()):
        if progress is not None:
            progress(n_done / folds.n_folds, f"fold {n_done + 1} of {folds.n_folds}")
        train, test = data.take(train_rows).copies_apart(), data.take(test_rows)
        inner = cross_validate(train, spec, smoother, folds=N_INNER_FOLDS).proba[0][:, 1]
        best = threshold_costs(inner, train.labels == 1, *errors, train.row_weights).best_threshold
        thresholds.append(best if np.isfinite(best) else None)
        chance = predict_proba(grow_model(train, spec).smooth(smoother), test)[:, 1]
        acted[test_rows] = chance >= best
    tested = folds.test_fold != NEVER_TESTED
    labels, weights = data.labels[tested], data.row_weights[tested]
    paid = cost_at(acted[tested], labels == 1, 0.5, *errors, weights)
    unavoidable = float(base_rates(labels, 2, weights) @ table.diagonal())
    return {"threshold_chosen_on_inner_folds": paid + unavoidable, "thresholds": thresholds}
