from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.score.threshold import (
    cheapest_threshold,
    confusion_at,
    expected_cost,
    expected_costs,
)


def distributions(random: np.random.Generator, n: int, k: int) -> np.ndarray:
    return random.dirichlet(np.ones(k), n)


@given(st.integers(1, 30), st.integers(2, 4), st.integers(0, 2**31))
def test_decisions_cost_least_in_expectation(n: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    proba = distributions(random, n, k)
    costs = random.integers(0, 10, (k, 3)).astype(float)
    labels = random.integers(0, k, n)
    paid = 0.0
    for p, label, decision in zip(
        proba, labels, expected_costs(proba, costs).argmin(axis=1), strict=True
    ):
        risks = [sum(p[c] * costs[c][d] for c in range(k)) for d in range(3)]
        assert risks[decision] == pytest.approx(min(risks), abs=1e-12)
        paid += costs[label][decision]
    assert expected_cost(proba, labels, costs) == pytest.approx(paid / n, abs=1e-12)


@given(st.integers(1, 30), st.integers(0, 2**31))
def test_the_best_threshold_costs_least(n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    scores = random.choice([0.1, 0.4, 0.6, 0.9], n)
    cases = random.random(n) < scores
    best = cheapest_threshold(scores, cases, false_alarm=1, miss=7)
    tried = [confusion_at(scores, cases, at).cost(1, 7) for at in (*scores, math.inf, best)]
    assert tried.pop() == pytest.approx(min(tried))
    assert tried[-1] == pytest.approx(7 * cases.mean())
