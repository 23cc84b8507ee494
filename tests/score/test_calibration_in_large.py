import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from probtrees.score.calibration_in_large import area_with_interval, calibration_in_large
from probtrees.score.curves import one_outcome, ranking_curve


def forecasts(n=400, seed=0, slope=1.0):
    random = np.random.default_rng(seed)
    logit = random.normal(-1, 1.2, n)
    return 1 / (1 + np.exp(-logit)), random.random(n) < 1 / (1 + np.exp(-slope * logit))


def slow_delong(p, y):
    """The definition: every pair of a case and another, one by one."""
    cases, others = p[y], p[~y]
    wins = np.array([[float(a > b) + 0.5 * (a == b) for b in others] for a in cases])
    area = wins.mean()
    variance = wins.mean(axis=1).var(ddof=1) / len(cases)
    variance += wins.mean(axis=0).var(ddof=1) / len(others)
    return area, math.sqrt(variance)


@given(st.integers(0, 20))
def test_auc_and_its_interval_are_delongs(seed):
    p, y = forecasts(60, seed)
    p = p.round(1)
    found = area_with_interval(one_outcome(p, y))
    area, error = slow_delong(p, y)
    assert found.value == pytest.approx(area) == pytest.approx(ranking_curve(p, y).area)
    assert found.upper == pytest.approx(min(area + stats.norm.ppf(0.975) * error, 1))


def test_slope_is_that_of_a_logistic_regression():
    p, y = forecasts(500, slope=0.5)
    sklearn = pytest.importorskip("sklearn.linear_model")
    x = np.log(p / (1 - p))[:, None]
    fitted = sklearn.LogisticRegression(C=1e12, tol=1e-12).fit(x, y)
    found = calibration_in_large(p, y)
    assert found.slope.value == pytest.approx(fitted.coef_[0, 0], rel=1e-4)
    assert found.intercept.value == pytest.approx(fitted.intercept_[0], rel=1e-3)
    assert found.slope.upper < 1


def test_as_many_as_predicted():
    p, y = forecasts(1000)
    found = calibration_in_large(p, y)
    z = (y.sum() - p.sum()) / math.sqrt((p * (1 - p)).sum())
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(z)))
    assert calibration_in_large(p / 2, y).p_value < 1e-6
    assert calibration_in_large(p / 2, y).ratio.lower > 1.5


def test_equal_weights_change_nothing():
    p, y = forecasts(80)
    plain, heavy = calibration_in_large(p, y), calibration_in_large(p, y, np.full(80, 3.0))
    for one, other in zip(vars(plain).values(), vars(heavy).values(), strict=True):
        pairs = (
            zip(vars(one).values(), vars(other).values(), strict=True)
            if hasattr(one, "lower")
            else [(one, other)]
        )
        assert all(a == pytest.approx(b) for a, b in pairs)


@pytest.mark.parametrize(
    ("p", "y"),
    [
        ([0.2, 0.3], [True, True]),
        ([0.5, 0.5], [True, False]),
        ([0.0], [False]),
        ([0.1, 0.2, 0.8, 0.9], [False, False, True, True]),  # parted classes
    ],
)
def test_what_is_unknown_is_none(p, y):
    found = calibration_in_large(p, y)
    assert found.slope is None
    assert 0 <= found.observed.lower <= found.observed.upper <= 1


@pytest.mark.parametrize("times", [1, 4, 20])
def test_the_slope_of_bold_forecasts_is_found(times):
    random = np.random.default_rng(0)
    true = random.normal(size=4000)
    cases = random.random(4000) < 1 / (1 + np.exp(-true))
    slope = calibration_in_large(1 / (1 + np.exp(-times * true.clip(-2, 2) / 4)), cases).slope
    assert slope is not None
    assert slope.lower < 4.2 / times
    assert slope.upper > 3.8 / times
