import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from probtrees.score.threshold import confusion_at, decision_curve


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
    assert found.cost(1.0, 5.0) == pytest.approx((found.false_alarms + 5 * found.misses) / w.sum())


@given(st.integers(0, 30))
def test_the_decision_curve_is_what_its_definition_says(seed):
    p, y, w = forecasts(seed)
    found = decision_curve(p, y, w)
    for t, benefit, everybody in zip(found.thresholds, found.benefit, found.treat_all, strict=True):
        at = confusion_at(p, y, t, w)
        assert benefit == pytest.approx((at.hits - at.false_alarms * t / (1 - t)) / at.rows)
        rate = (at.hits + at.misses) / at.rows
        assert everybody == pytest.approx(rate - (1 - rate) * t / (1 - t))
