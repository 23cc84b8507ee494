from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import log_loss

from probtrees.score.metrics import base_rates, cross_entropy, kl_divergence, skill


def distributions(random: np.random.Generator, n: int, k: int) -> np.ndarray:
    return random.dirichlet(np.ones(k), n)


def test_skill_is_undefined_where_the_base_rate_is_perfect() -> None:
    assert skill(0.1, 0.2) == 0.5
    assert skill(0.4, 0.2) == -1
    assert skill(0.1, 0.0) is None
    assert skill(None, 0.2) is None
    assert skill(0.1, None) is None


@given(st.integers(1, 20), st.integers(2, 5), st.integers(0, 2**31))
def test_divergences_agree_with_scipy(n: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    true, proba = distributions(random, n, k), distributions(random, n, k)
    expected = stats.entropy(true, proba, axis=1).mean()
    assert kl_divergence(true, proba) == pytest.approx(expected, abs=1e-12)
    together = stats.entropy(true, axis=1).mean() + expected
    assert cross_entropy(true, proba) == pytest.approx(together, abs=1e-12)
    labels = random.integers(0, k, n)
    expected = log_loss(labels, proba, labels=np.arange(k))
    assert cross_entropy(np.eye(k)[labels], proba) == pytest.approx(expected, abs=1e-12)


def test_zeros_in_divergences() -> None:
    assert kl_divergence([[1, 0]], [[1, 0]]) == 0
    assert kl_divergence([[0.5, 0.5]], [[1, 0]]) is None
    assert cross_entropy([[0, 1]], [[1, 0]]) is None


def test_base_rates():
    assert base_rates(np.array([0, 0, 2]), 4).tolist() == pytest.approx([2 / 3, 0, 1 / 3, 0])
    assert base_rates(np.array([], dtype=np.int64), 2).tolist() == [0.5, 0.5]
