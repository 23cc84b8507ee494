import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from probtrees.score.threshold import Confusion, confusion_at, decision_curve


def forecasts(seed, n=60):
    random = np.random.default_rng(seed)
    p = random.random(n).round(2)
    return p, random.random(n) < p, random.integers(1, 4, n).astype(float)


@given(st.integers(0, 30), st.floats(0, 1))
def test_counts_are_scikit_learns(seed, threshold):
    p, y, w = forecasts(seed)
    found = confusion_at(p, y, threshold, w)
    table = metrics.confusion_matrix(y, p >= threshold, labels=[False, True], sample_weight=w)
    assert table.ravel().tolist() == pytest.approx(
        [found.correct_rejections, found.false_alarms, found.misses, found.hits]
    )
    positive, _ = found.predictive_values()
    if positive is not None:
        expected = metrics.precision_score(y, p >= threshold, sample_weight=w)
        assert positive == pytest.approx(expected)
    assert found.sensitivity == pytest.approx(
        metrics.recall_score(y, p >= threshold, sample_weight=w)
    )


@given(st.integers(0, 30))
def test_the_decision_curve_is_what_its_definition_says(seed):
    p, y, w = forecasts(seed)
    found = decision_curve(p, y, w)
    for t, benefit, everybody in zip(found.thresholds, found.benefit, found.treat_all, strict=True):
        at = confusion_at(p, y, t, w)
        assert benefit == pytest.approx((at.hits - at.false_alarms * t / (1 - t)) / at.rows)
        rate = at.prevalence
        assert everybody == pytest.approx(rate - (1 - rate) * t / (1 - t))


def test_predictive_values_follow_the_prevalence():
    found = confusion_at([0.9, 0.8, 0.3, 0.1], [True, False, True, False], 0.5)
    assert found.predictive_values() == (0.5, 0.5)
    assert found.predictive_values(0.1)[0] == pytest.approx(0.1)
    assert found.cost(1.0, 5.0) == pytest.approx(6 / 4)
    assert found.acted_on == 0.5


def test_intervals_of_shares_are_scipys_and_those_of_predictive_values_mirror_each_other():
    found = Confusion(8, 2, 9, 81)
    bounds = found.intervals(0.3)
    for name, part, rows in (
        ("sensitivity", 8, 10),
        ("specificity", 81, 90),
        ("acted_on", 17, 100),
    ):
        expected = stats.binomtest(part, rows).proportion_ci(method="wilson")
        assert bounds[name] == pytest.approx((expected.low, expected.high))
    mirrored = Confusion(81, 9, 2, 8).intervals(0.7)
    assert bounds["negative_predictive_value"] == mirrored["positive_predictive_value"]
    assert Confusion(0, 0, 3, 4).intervals()["positive_predictive_value"] is None
    low, high = Confusion(5, 0, 0, 5).intervals()["positive_predictive_value"]
    assert low < 0.95 < high == 1.0
