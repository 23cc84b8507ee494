from inspect import signature
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, brier_score_loss, roc_auc_score
from sklearn.metrics import log_loss as sklearn_log_loss

from probtrees.errors import DataError
from probtrees.score.measures import MEASURES, detail_measures, evaluate, mean_scores
from probtrees.score.metrics import base_rates, rescale, skill
from tests.naive import naive_auc, naive_ece

CLOSE = {"rel": 0, "abs": 1e-12}


def random_forecast(seed: int, n_rows: int, n_classes: int, ties: bool = False):
    rng = np.random.default_rng(seed)
    raw = rng.dirichlet(np.full(n_classes, 0.5), size=n_rows)
    if ties:
        raw = np.round(raw * 4) + 1e-3 * (np.arange(n_classes) == 0)
        raw[raw.sum(axis=1) == 0] = 1
        raw = raw / raw.sum(axis=1, keepdims=True)
    labels = rng.integers(0, n_classes, n_rows)
    return raw, labels, rng.uniform(0.1, 3.0, n_rows)


@pytest.mark.skipif(
    "labels" not in signature(brier_score_loss).parameters, reason="scikit-learn before 1.7"
)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_agrees_with_scikit_learn(n_classes, ties):
    proba, labels, weights = random_forecast(n_classes, 300, n_classes, ties)
    every_class = np.arange(n_classes)
    for w in (None, weights):
        ours = evaluate(proba, labels, w)
        assert ours.error == pytest.approx(
            1 - accuracy_score(labels, proba.argmax(axis=1), sample_weight=w), **CLOSE
        )
        assert ours.log_loss == pytest.approx(
            sklearn_log_loss(labels, proba, sample_weight=w, labels=every_class), **CLOSE
        )
        assert ours.brier == pytest.approx(
            brier_score_loss(
                labels,
                proba if n_classes > 2 else proba[:, 1],
                sample_weight=w,
                labels=every_class,
                scale_by_half=False,
            ),
            **CLOSE,
        )
        assert ours.rmse == pytest.approx(np.sqrt(ours.brier / n_classes), **CLOSE)
    ours = evaluate(proba, labels)
    assert ours.cll == pytest.approx(-300 * ours.log_loss, rel=1e-12) or (proba == 0).any()
    expected = (
        roc_auc_score(labels, proba[:, 1])
        if n_classes == 2
        else roc_auc_score(labels, proba, multi_class="ovo", average="macro")
    )
    assert ours.auc == pytest.approx(expected, **CLOSE)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 5), st.booleans())
def test_agrees_with_the_slow_twins(seed, n_rows, n_classes, ties):
    proba, labels, weights = random_forecast(seed, n_rows, n_classes, ties)
    ours = evaluate(proba, labels, weights)
    assert ours.ece == pytest.approx(naive_ece(proba, labels, weights), **CLOSE)
    expected = naive_auc(proba, labels, weights)
    assert ours.auc == (None if expected is None else pytest.approx(expected, **CLOSE))


def test_whole_weights_count_as_repeated_rows():
    proba, labels, _ = random_forecast(1, 50, 3)
    weights = np.arange(50) % 4
    repeated = np.repeat(np.arange(50), weights)
    ours = evaluate(proba, labels, weights)
    theirs = evaluate(proba[repeated], labels[repeated])
    for name in ours:
        assert ours[name] == pytest.approx(theirs[name], rel=1e-12)


def test_declared_classes_without_rows_count_in_rmse_but_not_in_auc():
    proba = np.array([[0.7, 0.3, 0.0], [0.2, 0.8, 0.0], [0.6, 0.4, 0.0], [0.6, 0.4, 0.0]])
    scores = evaluate(proba, [0, 1, 0, 1])
    assert scores.rmse == pytest.approx(np.sqrt(scores.brier / 3))
    assert scores.auc == pytest.approx(3.5 / 4)


def test_certain_and_wrong_is_clipped_in_log_loss_and_undefined_in_cll():
    scores = evaluate([[0.0, 1.0], [1.0, 0.0]], [0, 0])
    assert scores.log_loss == pytest.approx(-np.log(np.finfo(float).eps) / 2)
    assert scores.cll is None
    assert evaluate([[1.0, 0.0]], [0]).log_loss == 0.0


def test_details_of_good_and_of_no_forecasts():
    random = np.random.default_rng(0)
    proba = random.dirichlet(np.ones(3), 400)
    labels = np.array([random.choice(3, p=row) for row in proba])
    base = np.tile(np.bincount(labels) / 400, (400, 1))
    scores, of_base = evaluate(proba, labels), evaluate(base, labels)
    details = {"measures": detail_measures(), "base": base}
    found = evaluate(proba, labels, **details)
    assert found.brier_skill == pytest.approx(1 - scores.brier / of_base.brier, abs=1e-12)
    assert found.log_loss_skill == pytest.approx(1 - scores.log_loss / of_base.log_loss, abs=1e-12)
    assert found.cross_entropy == pytest.approx(sklearn_log_loss(labels, proba), abs=1e-12)
    assert found.sharpness == pytest.approx(proba.var(axis=0).sum(), abs=1e-12)
    assert scores.ece < 2 * found.ece_perfect
    assert set(evaluate(proba, labels, np.zeros(400), **details).values()) == {None}
    impossible = evaluate([[1.0, 0.0]], [1], measures=detail_measures())
    assert impossible.cross_entropy is None
    assert impossible.brier_skill is None  # there is nothing to compare with
    assert mean_scores([found, impossible]).cross_entropy is None
    assert mean_scores([found, found]) == found


def test_the_documentation_lists_every_measure():
    page = Path(__file__).parents[2] / "docs" / "evaluation.md"
    if not page.is_file():
        pytest.skip("an installed package has no documentation")
    where = {False: "always", True: "`--details`, benchmark"}
    table = "\n".join(
        f"| `{measure.name}` | {measure.definition} | {where[measure.is_detail]} |"
        for measure in MEASURES.values()
    )
    assert table in page.read_text(encoding="utf-8")  # if it fails: put the table there


def test_skill_is_undefined_where_the_base_rate_is_perfect() -> None:
    assert [skill(*pair) for pair in ((0.4, 0.2), (None, 0.2), (0.1, None))] == [-1, None, None]


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
    # There and back.
    proba = np.random.default_rng(0).dirichlet(np.ones(3), 10)
    old, new = [0.2, 0.3, 0.5], [0.6, 0.3, 0.1]
    np.testing.assert_allclose(rescale(rescale(proba, old, new), new, old), proba, atol=1e-12)
