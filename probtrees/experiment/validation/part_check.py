"""Leaf by leaf: the cases that a tree expects among new rows against those that came.

The answer of a leaf is itself uncertain. If the true rate of a leaf is drawn from a Beta around
its answer, worth as many rows as the answer rests on, then the cases among m new rows follow a
beta-binomial; a leaf is marked if cases as far off as its own, either way, are too unlikely in that
(an exact score test), with the false discovery rate kept over all leaves.
So a model that is right about where it is unsure is seldom marked, however small its leaves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import ndtri

from probtrees.explain.rule import all_rules, conditions_text
from probtrees.machine.lazy_module import stats
from probtrees.model.model import Model
from probtrees.model.predict import leaves_of_member
from probtrees.score.calibration_in_large import false_discovery
from probtrees.score.metrics import Figures
from probtrees.score.paired_test import CONFIDENCE, LEVEL
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray

FALSE_MARKS = LEVEL
"""The share of false marks among all marks that is kept."""

GroupVerdict = Literal["as expected", "more than expected", "fewer than expected", "no new rows"]

_FAR = float(ndtri(0.95))
"""Standard errors to an end of a model's own intervals, which hold with 90 %."""

_EQUAL = 1e-9
"""Numbers of cases that are expected this exactly count as equal."""

_SURE = 1e7
"""An answer worth more rows is as good as known."""


@dataclass(frozen=True)
class GroupCheck(Figures):
    """One leaf on new rows.

    Attributes
    ----------
    node, rule : the leaf, and its rows in words
    trained_rows : rows it was learnt from
    share_before, share_now : its share of all rows, then and now
    rows : new rows that it answers for; weighted ones as many as they are worth
    chance, lower, upper : its answer, and between which ends the true rate lies with 95 %
    expected, observed : cases predicted for the new rows, and those that came
    p_value, adjusted_p : of cases as far off by chance; adjusted over all leaves with new rows
    """

    node: int
    rule: str
    trained_rows: float
    share_before: float
    share_now: float
    rows: float
    chance: float
    lower: float
    upper: float
    expected: float
    observed: float
    p_value: float
    adjusted_p: float

    @property
    def verdict(self) -> GroupVerdict:
        """Whether the leaf holds, in plain words."""
        if self.rows == 0:
            return "no new rows"
        if self.adjusted_p > FALSE_MARKS:
            return "as expected"
        return "more than expected" if self.observed > self.expected else "fewer than expected"

    @property
    def is_off(self) -> bool:
        """Whether it differs from what the model says by more than chance allows."""
        return self.verdict in ("more than expected", "fewer than expected")


def check_groups(
    model: Model, data: Dataset, proba: FloatArray, outcome: int
) -> tuple[GroupCheck, ...]:
    """Hold every leaf of a tree against new rows; marked ones first, then by rows.

    A row that is spread over several leaves counts for the one that has most of it.

    Parameters
    ----------
    model : a single tree
    data : new rows with their classes
    proba : what the model says about them
    outcome : the class whose cases are counted
    """
    tree = model.tree.tree
    leaf_of = main_leaf(model, data)
    weights = data.row_weights
    cases = (data.labels == outcome).astype(np.float64)

    def total(values: FloatArray) -> FloatArray:
        return np.bincount(leaf_of, values, tree.n_nodes).astype(np.float64)

    weight, squares = total(weights), total(weights * weights)
    met = weight > 0
    worth = np.divide(weight**2, squares, out=np.zeros_like(weight), where=squares > 0)
    said, happened = total(weights * proba[:, outcome]), total(weights * cases)
    forecast = np.divide(said, weight, out=model.tree.probs[:, outcome].copy(), where=met)
    rate = np.divide(happened, weight, out=np.zeros_like(weight), where=met)
    sizes = belief_sizes(model, forecast, outcome)
    lower, upper = belief_interval(forecast, sizes)
    p_values, adjusted = np.ones(tree.n_nodes), np.ones(tree.n_nodes)
    for node in np.flatnonzero(met).tolist():
        rows = round(float(worth[node]))
        cases_here = round(rows * float(rate[node]))
        p_values[node] = two_sided(cases_here, rows, float(forecast[node]), float(sizes[node]))
    adjusted[met] = false_discovery(p_values[met])
    before, now = tree.totals / max(tree.totals[0], 1e-300), weight / max(weights.sum(), 1e-300)
    answers = [tree.totals, before, now, worth, forecast, lower, upper]
    cases_of = [worth * forecast, worth * rate, p_values, adjusted]
    figures, rules = np.column_stack([*answers, *cases_of]), all_rules(tree, model.schema)
    found = [
        GroupCheck(node, conditions_text(rules[node]), *figures[node].tolist())
        for node in np.flatnonzero(tree.is_leaf | met).tolist()
    ]
    return tuple(sorted(found, key=lambda group: (not group.is_off, -group.rows)))


def main_leaf(model: Model, data: Dataset) -> IntArray:
    """Return, for every row, the node that has most of it and answers for it."""
    landing = leaves_of_member(model.members[0], data, model.options.get("curtail"))
    if landing.is_single:
        return landing.nodes.astype(np.int64)
    row_of = np.repeat(np.arange(landing.n_rows), np.diff(landing.first))
    order = np.lexsort((-landing.shares, row_of))
    return landing.nodes[order][landing.first[:-1]].astype(np.int64)


def belief_sizes(model: Model, forecast: FloatArray, outcome: int) -> FloatArray:
    """Find how many rows the answer of every node is worth.

    A node is as sure of its answer as the rows it was learnt from make it. A small one may be
    surer, by its smoother's posterior or by what happened to unseen rows like its own: then that
    counts. It is never less sure, since splits that flatter a leaf are no excuse for it.
    """
    smoothed, record = model.tree, model.track_record
    tree = smoothed.tree
    sizes = np.asarray(tree.totals + tree.n_outcomes, dtype=np.float64)
    others = []
    if record is not None:
        others.append(record.intervals(forecast, tree.arrays.weight, outcome))
    if smoothed.lower is not None and smoothed.upper is not None:
        others.append((smoothed.lower[:, outcome], smoothed.upper[:, outcome]))
    return np.asarray(np.max([sizes, *(belief_size(forecast, *ends) for ends in others)], axis=0))


def belief_interval(forecast: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Bound true rates with 95 % by Betas around answers, the answer always inside."""
    inside = np.clip(forecast, 1e-9, 1 - 1e-9)
    half = (1 - CONFIDENCE) / 2
    first, second = sizes * inside, sizes * (1 - inside)
    lower, upper = stats.beta.ppf(half, first, second), stats.beta.ppf(1 - half, first, second)
    return np.minimum(lower, forecast), np.maximum(upper, forecast)


def belief_size(chance: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Find how many rows Betas around answers are worth, such that they span the intervals.

    The further of the two ends counts, at the normal distribution's distance.

    >>> belief_size(np.array([0.5]), np.array([0.4]), np.array([0.6])).round().tolist()
    [67.0]
    """
    inside = np.clip(chance, 1e-9, 1 - 1e-9)
    error = np.maximum(np.maximum(chance - lower, upper - chance) / _FAR, 1e-11)
    return np.asarray(np.clip(inside * (1 - inside) / error**2 - 1, 1e-3, 1e12))


def two_sided(cases: int, rows: int, chance: float, size: float) -> float:
    """Give the chance of cases as far from the expected ones as these, either way; half of equals.

    >>> round(two_sided(40, 200, 0.1, 1e9), 6)
    1.2e-05
    """
    inside = min(max(chance, 1e-12), 1 - 1e-12)
    law: Any = stats.betabinom(rows, inside * size, (1 - inside) * size)
    if size > _SURE:  # beyond what the beta-binomial can be computed for
        law = stats.binom(rows, inside)
    expected = rows * inside
    reach = abs(cases - expected)
    high, low = math.floor(expected + reach + _EQUAL), math.ceil(expected - reach - _EQUAL)
    beyond = float(law.sf(high)) + float(law.cdf(low - 1))
    ends = {end for end in (high, low) if abs(abs(end - expected) - reach) <= 2 * _EQUAL}
    return min(1.0, beyond + sum(float(law.pmf(end)) for end in ends) / 2)
