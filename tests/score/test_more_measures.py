"""Skill, rates, divergences, costs, prevalence, bias and variance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from probtrees.errors import DataError
from probtrees.score.bias_variance import bias_variance
from probtrees.score.cost import (
    cost_at,
    cost_curve,
    decide,
    expected_cost,
    threshold_costs,
)
from probtrees.score.divergence import cross_entropy, kl_divergence
from probtrees.score.metrics import evaluate
from probtrees.score.more_scores import mean_more_scores, more_scores
from probtrees.score.prevalence import rescale
from probtrees.score.skill import class_rates, skill


def distributions(random: np.random.Generator, n: int, k: int) -> np.ndarray:
    return random.dirichlet(np.ones(k), n)


def test_skill_is_undefined_where_the_base_rate_is_perfect() -> None:
    assert skill(0.1, 0.2) == 0.5
    assert skill(0.4, 0.2) == -1
    assert skill(0.1, 0.0) is None
    assert skill(None, 0.2) is None
    assert skill(0.1, None) is None


def test_rates_by_class() -> None:
    rates = class_rates([[0.9, 0.1, 0], [0.5, 0.5, 0]], [0, 1], np.array([1.0, 3.0]))
    assert [rate.predicted for rate in rates] == pytest.approx([0.6, 0.4, 0])
    assert [rate.observed for rate in rates] == pytest.approx([0.25, 0.75, 0])
    assert rates[0].to_dict()["outcome"] == 0


@given(st.integers(1, 20), st.integers(2, 5), st.integers(0, 2**31))
def test_divergences_agree_with_scipy(n: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    true, proba = distributions(random, n, k), distributions(random, n, k)
    expected = stats.entropy(true, proba, axis=1).mean()
    assert kl_divergence(true, proba) == pytest.approx(expected, abs=1e-12)
    together = stats.entropy(true, axis=1).mean() + kl_divergence(true, proba)
    assert cross_entropy(true, proba) == pytest.approx(together, abs=1e-12)
    labels = random.integers(0, k, n)
    expected = metrics.log_loss(labels, proba, labels=np.arange(k))
    assert cross_entropy(np.eye(k)[labels], proba) == pytest.approx(expected, abs=1e-12)


def test_zeros_in_divergences() -> None:
    assert kl_divergence([[1, 0]], [[1, 0]]) == 0
    assert kl_divergence([[0.5, 0.5]], [[1, 0]]) is None
    assert cross_entropy([[0, 1]], [[1, 0]]) is None


@given(st.integers(1, 30), st.integers(2, 4), st.integers(0, 2**31))
def test_decisions_cost_least_in_expectation(n: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    proba = distributions(random, n, k)
    costs = random.integers(0, 10, (k, 3)).astype(float)
    labels = random.integers(0, k, n)
    paid = 0.0
    for p, label, decision in zip(proba, labels, decide(proba, costs), strict=True):
        risks = [sum(p[c] * costs[c][d] for c in range(k)) for d in range(3)]
        assert risks[decision] == pytest.approx(min(risks), abs=1e-12)
        paid += costs[label][decision]
    assert expected_cost(proba, labels, costs) == pytest.approx(paid / n, abs=1e-12)


def test_costs_of_the_wrong_shape_are_refused() -> None:
    with pytest.raises(DataError, match="2 rows"):
        decide([[0.5, 0.5]], [[0, 1, 2]])


@given(st.integers(1, 30), st.integers(0, 2**31))
def test_the_best_threshold_costs_least(n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    scores = random.choice([0.1, 0.4, 0.6, 0.9], n)
    cases = random.random(n) < scores
    costs = threshold_costs(scores, cases, false_alarm=1, miss=7)
    for threshold, cost in zip(costs.thresholds, costs.costs, strict=True):
        assert cost_at(scores, cases, threshold, 1, 7) == pytest.approx(cost, abs=1e-12)
    assert cost_at(scores, cases, costs.best_threshold, 1, 7) == pytest.approx(min(costs.costs))
    assert cost_at(scores, cases, math.inf, 1, 7) == pytest.approx(7 * cases.mean())


def test_the_cost_curve_is_a_lower_envelope() -> None:
    assert cost_curve([0.1, 0.2], [False, False]) is None
    trade_off, cost = cost_curve([0.9, 0.8, 0.3, 0.2], [True, False, True, False], n_points=11)
    assert cost[0] == cost[-1] == 0
    assert (cost <= np.minimum(trade_off, 1 - trade_off) + 1e-12).all()
    assert cost[5] == pytest.approx(0.25)


def test_another_prevalence() -> None:
    proba = np.array([[0.2, 0.8], [1.0, 0.0]])
    np.testing.assert_allclose(rescale(proba, [0.5, 0.5], [0.5, 0.5]), proba)
    odds = 0.8 / 0.2 * (0.1 / 0.9)
    np.testing.assert_allclose(rescale(proba, [0.5, 0.5], [0.9, 0.1])[0, 1], odds / (1 + odds))
    np.testing.assert_allclose(rescale([[0, 1.0]], [0.5, 0.5], [1, 0]), [[1, 0]])
    with pytest.raises(DataError, match="Nothing is known"):
        rescale(proba, [1, 0], [0.5, 0.5])
    with pytest.raises(DataError, match="sum to 1"):
        rescale(proba, [0.5, 0.5], [0.5, 0.6])


def test_rescaling_there_and_back() -> None:
    proba = distributions(np.random.default_rng(0), 10, 3)
    old, new = [0.2, 0.3, 0.5], [0.6, 0.3, 0.1]
    np.testing.assert_allclose(rescale(rescale(proba, old, new), new, old), proba, atol=1e-12)


@given(st.integers(2, 6), st.integers(1, 12), st.integers(2, 4), st.integers(0, 2**31))
def test_bias_and_variance_add_up_to_the_loss(runs: int, n: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    forecasts = [distributions(random, n, k) for _ in range(runs)]
    labels = random.integers(0, k, n)
    split = bias_variance(forecasts, labels)
    brier = np.mean([((f - np.eye(k)[labels]) ** 2).sum(axis=1).mean() for f in forecasts])
    error = np.mean([(f.argmax(axis=1) != labels).mean() for f in forecasts])
    assert split.brier == pytest.approx(brier, abs=1e-12)
    assert split.brier_bias + split.brier_variance == pytest.approx(brier, abs=1e-12)
    assert split.error == pytest.approx(error, abs=1e-12)
    assert split.error_bias + split.error_variance == pytest.approx(error, abs=1e-12)
    assert split.to_dict()["brier"] == split.brier


def test_weights_in_bias_and_variance_count_like_repeated_rows() -> None:
    random = np.random.default_rng(3)
    runs = [distributions(random, 6, 3) for _ in range(4)]
    labels, times = random.integers(0, 3, 6), np.array([1, 2, 0, 3, 1, 1])
    weighted = bias_variance(runs, labels, times).to_dict()
    rows = np.repeat(np.arange(6), times)
    repeated = bias_variance([run[rows] for run in runs], labels[rows]).to_dict()
    assert weighted == pytest.approx(repeated, abs=1e-12)


def test_one_run_cannot_vary() -> None:
    with pytest.raises(DataError, match="at least 2"):
        bias_variance([[[0.5, 0.5]]], [0])


def test_further_measures_of_good_and_of_no_forecasts() -> None:
    random = np.random.default_rng(0)
    proba = distributions(random, 400, 3)
    labels = np.array([random.choice(3, p=row) for row in proba])
    scores = evaluate(proba, labels)
    base = evaluate(np.tile(np.bincount(labels) / 400, (400, 1)), labels)
    found = more_scores(proba, labels, None, scores, base)
    assert found.brier_skill == pytest.approx(1 - scores.brier / base.brier, abs=1e-12)
    assert found.cross_entropy == pytest.approx(metrics.log_loss(labels, proba), abs=1e-12)
    assert found.sharpness == pytest.approx(proba.var(axis=0).sum(), abs=1e-12)
    assert scores.ece < 2 * found.ece_perfect
    nothing = more_scores(proba, labels, np.zeros(400), scores, base)
    assert set(nothing.to_dict().values()) == {None}
    impossible = more_scores([[1.0, 0.0]], [1], None, scores, base)
    assert impossible.cross_entropy is None
    assert mean_more_scores([found, impossible]).cross_entropy is None
    assert mean_more_scores([found, found]) == found
