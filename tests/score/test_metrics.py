"""Measures of probabilities, rates of other populations, and errors of repeated forecasts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import DataError
from probtrees.score.metrics import (
    base_rates,
    bias_variance,
    rescale,
    skill,
)


def distributions(random: np.random.Generator, n: int, k: int) -> np.ndarray:
    return random.dirichlet(np.ones(k), n)


def test_skill_is_undefined_where_the_base_rate_is_perfect() -> None:
    assert skill(0.1, 0.2) == 0.5
    assert skill(0.4, 0.2) == -1
    assert skill(0.1, 0.0) is None
    assert skill(None, 0.2) is None
    assert skill(0.1, None) is None


def test_base_rates():
    assert base_rates(np.array([0, 0, 2]), 4).tolist() == pytest.approx([2 / 3, 0, 1 / 3, 0])
    assert base_rates(np.array([], dtype=np.int64), 2).tolist() == [0.5, 0.5]


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
    proba = np.random.default_rng(0).dirichlet(np.ones(3), 10)
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
    for name, loss in (("brier", brier), ("error", error)):
        parts = split[f"{name}_bias"] + split[f"{name}_variance"]
        assert (split[name], parts) == pytest.approx((loss, loss), abs=1e-12)


def test_weights_in_bias_and_variance_count_like_repeated_rows() -> None:
    random = np.random.default_rng(3)
    runs = [distributions(random, 6, 3) for _ in range(4)]
    labels, times = random.integers(0, 3, 6), np.array([1, 2, 0, 3, 1, 1])
    weighted = bias_variance(runs, labels, times)
    rows = np.repeat(np.arange(6), times)
    repeated = bias_variance([run[rows] for run in runs], labels[rows])
    assert weighted == pytest.approx(repeated, abs=1e-12)
