"""Measures of probabilities, and rates of other populations."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.score.metrics import (
    base_rates,
    rescale,
    skill,
)


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
