"""A closer look at out-of-fold forecasts: calibration, curves of one outcome, costs, prevalence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from probtrees.errors import OptionError, did_you_mean
from probtrees.experiment.evaluation.cross_validate import Result, forecasts_of
from probtrees.score.bias_variance import bias_variance
from probtrees.score.cost import cost_curve
from probtrees.score.curves import ranking_curve
from probtrees.score.measures import evaluate, main_measures
from probtrees.score.metrics import base_rates
from probtrees.score.prevalence import rescale
from probtrees.score.reliability import class_rates, reliability_curve
from probtrees.score.threshold import decision_curve
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.words import plural


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
        "bias_variance": _bias_variance(result, data),
    }


def undefined_reasons(results: Mapping[str, Result], data: Dataset) -> list[str]:
    """Say why figures of methods are missing, one sentence for each measure and reason.

    Parameters
    ----------
    results : by the names of their methods
    """
    sentences = []
    for measure in main_measures():
        lacking = [name for name, found in results.items() if found.scores[measure.name] is None]
        if lacking and measure.name == "cll":
            sentences += [
                f"No CLL for {name}: it gave 0 to what then happened in "
                f"{plural(_n_given_0(results[name], data), 'rows')}, which is infinitely bad. Its "
                "log loss is a number only because it counts such a 0 as 2.2e-16 (36 for each such "
                "row): do not read it as a size."
                for name in lacking
            ]
        elif lacking:
            sentences.append(f"No {measure.label} for {', '.join(lacking)}: {measure.undefined}.")
    return sentences


def _n_given_0(result: Result, data: Dataset) -> int:
    """Count the rows for which what happened was given no chance, which have no log likelihood."""
    rows = np.arange(data.n_rows)
    return sum(int((proba[rows, data.labels] == 0).sum()) for proba in result.proba)


def _bias_variance(result: Result, data: Dataset) -> dict[str, float] | None:
    complete = all(not np.isnan(proba).any() for proba in result.proba)
    if result.n_repeats < 2 or not complete:
        return None
    return bias_variance(result.proba, data.labels, data.weights)


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
    return {"rates": dict(zip(data.schema.classes, rates, strict=True)), **scores}


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
