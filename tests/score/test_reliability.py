"""Forecasts against what happened."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve

from probtrees.score.measures import evaluate
from probtrees.score.reliability import class_rates, perfect_calibration_error, reliability_curve


@given(st.integers(1, 60), st.integers(2, 12), st.integers(0, 2**31))
def test_bins_agree_with_scikit_learn(n: int, n_bins: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    scores = random.random(n)
    cases = random.random(n) < scores
    if cases.all() or not cases.any():
        cases[0] = not cases[0]
    bins = reliability_curve(scores, cases, n_bins=n_bins)
    if cases.all() or not cases.any():
        return
    observed, predicted = calibration_curve(cases, scores, n_bins=n_bins)
    np.testing.assert_allclose([b.observed for b in bins], observed, atol=1e-12)
    np.testing.assert_allclose([b.predicted for b in bins], predicted, atol=1e-12)
    assert sum(b.rows for b in bins) == n
    assert all(b.lower <= b.observed <= b.upper for b in bins)


def test_bins_of_equally_many_rows() -> None:
    scores = np.linspace(0, 1, 100) ** 3
    bins = reliability_curve(scores, scores > 0.5, n_bins=4, method="rows")
    assert [b.rows for b in bins] == [25, 25, 25, 25]
    (lone,) = reliability_curve(np.full(5, 0.3), [True, False, True, False, False], method="rows")
    assert lone.observed == 0.4
    assert lone.to_dict()["rows"] == 5
    (heavy,) = reliability_curve([0.4, 0.4], [True, False], np.array([3.0, 1.0]), n_bins=1)
    assert (heavy.observed, heavy.cases) == (0.75, 3)


def test_a_perfect_forecaster_is_not_expected_to_score_zero() -> None:
    random = np.random.default_rng(0)
    p = random.beta(1, 3, 300)
    confidence = np.maximum(p, 1 - p)
    expected = perfect_calibration_error(confidence)
    assert 0.03 < expected < 0.08
    scores = []
    for _ in range(60):
        labels = (random.random(300) < p).astype(int)
        scores.append(evaluate(np.column_stack([1 - p, p]), labels).ece)
    assert np.mean(scores) == pytest.approx(expected, abs=0.006)
    many = np.tile(confidence, 20)
    assert perfect_calibration_error(many, draws=40) < expected / 3
    assert perfect_calibration_error(np.ones(10), np.ones(10)) == 0


def test_rates_by_class() -> None:
    predicted, seen = class_rates([[0.9, 0.1, 0], [0.5, 0.5, 0]], [0, 1], np.array([1.0, 3.0]))
    assert predicted == pytest.approx([0.6, 0.4, 0])
    assert seen == pytest.approx([0.25, 0.75, 0])
