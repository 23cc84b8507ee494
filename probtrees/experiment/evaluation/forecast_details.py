"""A closer look at out-of-fold forecasts: calibration, curves of one outcome, costs.

What acting on them does to the rows, and what it costs, is measured here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from probtrees.experiment.evaluation.cross_validate import Result, forecasts_of
from probtrees.score.curves import ranking_curve
from probtrees.score.decision import decide
from probtrees.score.measures import main_measures
from probtrees.score.reliability import class_rates, reliability_curve
from probtrees.score.threshold import cheapest_threshold, confusion_at, decision_curve, mean_cost
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.types import BoolArray, FloatArray, IntArray


def forecast_details(result: Result, data: Dataset) -> dict[str, Any]:
    """Return further measures, and rates and reliability by class, of the first repeat."""
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


def outcome_curves(result: Result, data: Dataset, outcome: int) -> dict[str, Any]:
    """Return the curves of one outcome: ROC, precision-recall, lift, net benefit.

    None stands for what is undefined.

    Thresholds are descending; the first, above all probabilities, is given as None.
    """
    proba, labels, weights = forecasts_of(result.proba[0], data)
    scores, cases = proba[:, outcome], labels == outcome
    curve = ranking_curve(scores, cases, weights)
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


RATES = {
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "positive_predictive_value": "predictive_value",
    "negative_predictive_value": "rejected",
    "acted_on": "acted_on",
}
"""What is told of a threshold, with the field of a decision that holds it."""


def _tested(
    result: Result, data: Dataset, outcome: int
) -> tuple[IntArray, FloatArray, BoolArray, FloatArray]:
    """Return the rows tested in the first repeat: chance, whether they are cases, and weight."""
    rows, chance = np.flatnonzero(~np.isnan(result.proba[0][:, 0])), result.proba[0][:, outcome]
    return rows, chance[rows], data.labels[rows] == outcome, data.row_weights[rows]


def acting_at(
    result: Result, data: Dataset, outcome: int, threshold: float, costs: tuple[float, float]
) -> dict[str, Any]:
    """Count rows by what was done and what was true if one acts from a threshold on.

    Parameters
    ----------
    result : its first repeat counts
    threshold : from 0 to 1
    costs : of a false alarm, and of a miss
    """
    tested, chance, cases, weights = _tested(result, data, outcome)
    found = confusion_at(chance, cases, threshold, weights)
    groups = None if data.groups is None else data.groups[tested]
    decided = decide(chance, cases, threshold=threshold, weights=weights, groups=groups)
    rates = {name: getattr(decided, field) for name, field in RATES.items()}
    return {
        "class": data.schema.classes[outcome],
        "threshold": threshold,
        **found,
        **{name: None if rate is None else rate.value for name, rate in rates.items()},
        "cost_per_row": mean_cost(found, *costs),
        "intervals": {
            name: None if rate is None else (rate.lower, rate.upper) for name, rate in rates.items()
        },
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
    tested, chance, cases, weights = _tested(result, data, outcome)
    folds, paid = cut.test_fold[tested], 0.0
    several = len(np.unique(folds)) > 1
    for fold in np.unique(folds) if several else ():
        inside = folds == fold
        best = cheapest_threshold(chance[~inside], cases[~inside], *costs, weights[~inside])
        found = confusion_at(chance[inside], cases[inside], best, weights[inside])
        paid += mean_cost(found, *costs) * float(weights[inside].sum())
    implied = costs[0] / max(sum(costs), 1e-300)
    at_implied = confusion_at(chance, cases, implied, weights)
    rate = float(np.average(cases, weights=weights))
    return {
        "false_alarm": costs[0],
        "miss": costs[1],
        "threshold_of_other_folds": paid / float(weights.sum()) if several else None,
        "implied_threshold": implied,
        "at_implied_threshold": mean_cost(at_implied, *costs),
        "act_on_every_row": costs[0] * (1 - rate),
        "never_act": costs[1] * rate,
    }
