import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from probtrees.score.threshold import (
    cheapest_threshold,
    confusion_at,
    decision_curve,
    expected_costs,
    mean_cost,
)


def forecasts(seed, n=60):
    random = np.random.default_rng(seed)
    p = random.random(n).round(2)
    return p, random.random(n) < p, random.integers(1, 4, n).astype(float)


@given(st.integers(0, 30), st.floats(0, 1))
def test_counts_are_scikit_learns(seed, threshold):
    p, y, w = forecasts(seed)
    found = confusion_at(p, y, threshold, w)
    table = metrics.confusion_matrix(y, p >= threshold, labels=[False, True], sample_weight=w)
    assert table.ravel().tolist() == pytest.approx(list(found.values())[::-1])
    paid = found["false_alarms"] + 5 * found["misses"]
    assert mean_cost(found, 1.0, 5.0) == pytest.approx(paid / w.sum())


@given(st.integers(0, 30))
def test_the_decision_curve_is_what_its_definition_says(seed):
    p, y, w = forecasts(seed)
    found = decision_curve(p, y, w)
    for t, benefit, everybody in zip(found.thresholds, found.benefit, found.treat_all, strict=True):
        at = confusion_at(p, y, t, w)
        hits, false_alarms, rows = at["hits"], at["false_alarms"], sum(at.values())
        assert benefit == pytest.approx((hits - false_alarms * t / (1 - t)) / rows)
        rate = (hits + at["misses"]) / rows
        assert everybody == pytest.approx(rate - (1 - rate) * t / (1 - t))


@given(st.integers(1, 30), st.integers(2, 4), st.integers(0, 2**31))
def test_decisions_cost_least_in_expectation(n: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    proba = random.dirichlet(np.ones(k), n)
    costs = random.integers(0, 10, (k, 3)).astype(float)
    for p, decision in zip(proba, expected_costs(proba, costs).argmin(axis=1), strict=True):
        risks = [sum(p[c] * costs[c][d] for c in range(k)) for d in range(3)]
        assert risks[decision] == pytest.approx(min(risks), abs=1e-12)


@given(st.integers(1, 30), st.integers(0, 2**31))
def test_the_best_threshold_costs_least(n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    scores = random.choice([0.1, 0.4, 0.6, 0.9], n)
    cases = random.random(n) < scores
    best = cheapest_threshold(scores, cases, false_alarm=1, miss=7)
    tried = [mean_cost(confusion_at(scores, cases, at), 1, 7) for at in (*scores, math.inf, best)]
    assert tried.pop() == pytest.approx(min(tried))
    assert tried[-1] == pytest.approx(7 * cases.mean())
