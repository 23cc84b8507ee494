"""A closer look at out-of-fold forecasts: calibration, curves of one outcome, prevalence, costs.

What acting on them does to the rows, and what it costs, is measured here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from probtrees.errors import OptionError, did_you_mean
from probtrees.experiment.evaluation.cross_validate import Result, cross_validate, forecasts_of
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec
from probtrees.model.predict import predict_proba
from probtrees.score.curves import ranking_curve
from probtrees.score.measures import evaluate, main_measures, score_record
from probtrees.score.metrics import base_rates, bias_variance, rescale
from probtrees.score.reliability import class_rates, reliability_curve
from probtrees.score.threshold import (
    cheapest_threshold,
    confusion_at,
    cost_curve,
    cost_matrix,
    decision_curve,
    expected_cost,
    worth_of,
)
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset
from probtrees.table.folds import NEVER_TESTED, Folds
from probtrees.types import FloatArray, Progress


def forecast_details(result: Result, data: Dataset) -> dict[str, Any]:
    """Return further measures, rates and reliability by class, and bias and variance.

    Rates and reliability are those of the first repeat. Bias and variance need at least two
    repeats that test every row; else they are None.
    """
    proba, labels, weights = forecasts_of(result.proba[0], data)
    classes = data.schema.classes
    rates = zip(classes, *class_rates(proba, labels, weights), strict=True)
    return {
        "repeats": result.n_repeats,
        "rows_tested": len(labels),
        **result.details,
        "class_rates": [
            {"class": name, "predicted": predicted, "observed": observed}
            for name, predicted, observed in rates
        ],
        "reliability": {
            name: [
                found.to_dict() for found in reliability_curve(proba[:, k], labels == k, weights)
            ]
            for k, name in enumerate(classes)
        },
        "bias_variance": bias_variance(result.proba, data.labels, data.weights)
        if result.n_repeats > 1 and not np.isnan(result.proba).any()
        else None,
    }


def undefined_reasons(results: Mapping[str, Result]) -> list[str]:
    """Say why figures of methods are missing, one sentence for each measure.

    Parameters
    ----------
    results : by the names of their methods
    """
    sentences = []
    for measure in main_measures():
        lacking = [name for name, found in results.items() if found.scores[measure.name] is None]
        if lacking:
            sentences.append(f"No {measure.label} for {', '.join(lacking)}: {measure.undefined}.")
    return sentences


def class_named(name: str, data: Dataset, option: str = "outcome") -> int:
    """Find a class by its name."""
    classes = data.schema.classes
    if name not in classes:
        advice = did_you_mean(name, classes)
        raise OptionError(f"{option}={name!r} must be a class of the table. {advice}")
    return classes.index(name)


def outcome_curves(result: Result, data: Dataset, outcome: int) -> dict[str, Any]:
    """Return the curves of one outcome: ROC, precision-recall, lift, cost, net benefit.

    None stands for what is undefined.

    Thresholds are descending; the first, above all probabilities, is given as None.
    """
    proba, labels, weights = forecasts_of(result.proba[0], data)
    scores, cases = proba[:, outcome], labels == outcome
    curve = ranking_curve(scores, cases, weights)
    trade_off, normalised_cost = cost_curve(scores, cases, weights) or (None, None)
    decision = decision_curve(scores, cases, weights)
    return {
        "class": data.schema.classes[outcome],
        "area_under_roc": curve.area,
        "average_precision": curve.average_precision,
        "thresholds": [None, *curve.thresholds[1:].tolist()],
        "roc": _lists(
            false_positive_rate=curve.false_positive_rate,
            true_positive_rate=curve.true_positive_rate,
        ),
        "precision_recall": _lists(recall=curve.true_positive_rate, precision=curve.precision),
        "lift": _lists(share_of_rows=curve.found_share, lift=curve.lift),
        "cost": _lists(trade_off=trade_off, normalised_cost=normalised_cost),
        "decision": _lists(
            threshold=decision.thresholds,
            net_benefit=decision.benefit,
            treat_all=decision.treat_all,
        ),
        "reliability_by_rows": [
            found.to_dict() for found in reliability_curve(scores, cases, weights, method="rows")
        ],
    }


def _lists(**columns: FloatArray | None) -> dict[str, list[float]] | None:
    """Write a curve as lists by name; None where a part of it is undefined."""
    found = {name: column.tolist() for name, column in columns.items() if column is not None}
    return found if len(found) == len(columns) else None


def at_prevalence(result: Result, data: Dataset, new_rates: Mapping[str, float]) -> dict[str, Any]:
    """Return the scores for a population in which the classes have other rates.

    Probabilities are rescaled from the table's rates to the new ones, and every row counts as
    much as rows of its class are more or less common there. Classes that are not named share
    what is left in proportion to their rates in the table.
    """
    proba, labels, weights = forecasts_of(result.proba[0], data)
    old = base_rates(labels, data.n_classes, weights)
    new = _full_rates(new_rates, old, data)
    scaled = rescale(proba, old, new)
    factor = np.divide(new, old, out=np.zeros_like(new), where=old > 0)
    own = np.ones(len(labels)) if weights is None else weights
    scores = evaluate(scaled, labels, own * factor[labels])
    rates: Sequence[float] = new.tolist()
    named = dict(zip(data.schema.classes, rates, strict=True))
    return {"rates": named, **score_record(scores, data.n_classes)}


def _full_rates(given: Mapping[str, float], old: FloatArray, data: Dataset) -> FloatArray:
    """Fill in the rates of the classes that are not named."""
    places = [class_named(name, data, "prevalence") for name in given]
    new = np.zeros(data.n_classes)
    new[places] = list(given.values())
    left = 1.0 - new.sum()
    others = np.ones(data.n_classes, dtype=np.bool_)
    others[places] = False
    if (new < 0).any() or left < -1e-9 or (left > 1e-9 and old[others].sum() <= 0):
        raise OptionError("prevalence must give rates from 0 to 1 that sum to at most 1.")
    if left > 1e-9:
        new[others] = left * old[others] / old[others].sum()
    return new


N_INNER_FOLDS = 5
"""Parts of the training rows that choose a threshold."""


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


def acting_costs(
    result: Result, data: Dataset, cut: Folds, outcome: int, costs: tuple[float, float]
) -> dict[str, float | None]:
    """Return what acting on forecasts costs per row, at thresholds no charged row had a say in.

    If chances mean what they say, acting costs less from ``implied_threshold`` on. With
    ``threshold_of_other_folds`` every fold is charged at the threshold that was best on the
    forecasts of the others; None where there is only one fold. The lowest point of a curve of costs
    would be chosen by the rows it is judged by.

    Parameters
    ----------
    cut : the folds of the first repeat
    costs : of a false alarm, and of a miss
    """
    tested = np.flatnonzero(~np.isnan(result.proba[0][:, 0]))
    chance, cases = result.proba[0][tested, outcome], data.labels[tested] == outcome
    weights, folds = data.row_weights[tested], cut.test_fold[tested]
    paid = 0.0
    several = len(np.unique(folds)) > 1
    for fold in np.unique(folds) if several else ():
        inside = folds == fold
        best = cheapest_threshold(chance[~inside], cases[~inside], *costs, weights[~inside])
        cost = confusion_at(chance[inside], cases[inside], best, weights[inside]).cost(*costs)
        paid += cost * float(weights[inside].sum())
    implied = costs[0] / max(sum(costs), 1e-300)
    rate = float(np.average(cases, weights=weights))
    return {
        "false_alarm": costs[0],
        "miss": costs[1],
        "threshold_of_other_folds": paid / float(weights.sum()) if several else None,
        "implied_threshold": implied,
        "at_implied_threshold": confusion_at(chance, cases, implied, weights).cost(*costs),
        "act_on_every_row": costs[0] * (1 - rate),
        "never_act": costs[1] * rate,
    }


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
        best = cheapest_threshold(inner, train.labels == 1, *errors, train.row_weights)
        thresholds.append(best if np.isfinite(best) else None)
        chance = predict_proba(grow_model(train, spec).smooth(smoother), test)[:, 1]
        acted[test_rows] = chance >= best
    tested = folds.test_fold != NEVER_TESTED
    labels, weights = data.labels[tested], data.row_weights[tested]
    paid = confusion_at(acted[tested], labels == 1, 0.5, weights).cost(*errors)
    unavoidable = float(base_rates(labels, 2, weights) @ table.diagonal())
    return {"threshold_chosen_on_inner_folds": paid + unavoidable, "thresholds": thresholds}
