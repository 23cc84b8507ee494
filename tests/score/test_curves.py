"""ROC, precision-recall and lift against scikit-learn, also on degenerate rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from probtrees.score.curves import ranking_curve

GRID = [0.0, 0.1, 0.25, 0.5, 0.5, 0.9, 1.0]


@st.composite
def rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = draw(st.integers(2, 25))
    scores = np.array(draw(st.lists(st.sampled_from(GRID), min_size=n, max_size=n)))
    cases = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    weights = np.array(draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n)))
    return scores, cases, weights


@given(rows())
def test_curves_and_their_areas(given_rows: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    scores, cases, weights = given_rows
    curve = ranking_curve(scores, cases, weights)
    if not cases.any():
        assert curve.area is curve.average_precision is curve.lift is None
        return
    precision, recall, _ = metrics.precision_recall_curve(cases, scores, sample_weight=weights)
    np.testing.assert_allclose(curve.precision[::-1], precision, atol=1e-12)
    np.testing.assert_allclose(curve.true_positive_rate[::-1], recall, atol=1e-12)
    expected = metrics.average_precision_score(cases, scores, sample_weight=weights)
    assert curve.average_precision == pytest.approx(expected, abs=1e-12)
    if cases.all():
        assert curve.area is None
        return
    fpr, tpr, thresholds = metrics.roc_curve(
        cases, scores, sample_weight=weights, drop_intermediate=False
    )
    np.testing.assert_allclose(curve.false_positive_rate, fpr, atol=1e-12)
    np.testing.assert_allclose(curve.true_positive_rate, tpr, atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    expected = metrics.roc_auc_score(cases, scores, sample_weight=weights)
    assert curve.area == pytest.approx(expected, abs=1e-12)
