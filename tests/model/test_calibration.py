"""Calibration: curves that never fall, that know the classes by no order, and that are kept."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from probtrees.errors import DataError
from probtrees.model.calibration import Calibration, VennAbersCurve, fit_calibration

METHODS = ("platt", "isotonic", "venn-abers")


def forecasts(n_classes: int, n_rows: int = 300, seed: int = 0):
    """Forecasts that are too sure of themselves, and what happened."""
    random = np.random.default_rng(seed)
    true = random.dirichlet(np.ones(n_classes), n_rows)
    labels = np.array([random.choice(n_classes, p=p) for p in true])
    forecast = true**3
    return forecast / forecast.sum(axis=1, keepdims=True), labels, np.ones(n_rows)


def log_loss(proba, labels) -> float:
    return float(-np.log(np.maximum(proba[np.arange(len(labels)), labels], 1e-12)).mean())


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("method", METHODS)
def test_too_sure_forecasts_are_mended(method: str, n_classes: int) -> None:
    forecast, labels, weights = forecasts(n_classes)
    found = fit_calibration(method, forecast, labels, weights)
    fresh, happened, _ = forecasts(n_classes, 2000, seed=1)
    bent = found.apply(fresh)
    np.testing.assert_allclose(bent.sum(axis=1), 1, atol=1e-12)
    assert ((bent >= 0) & (bent <= 1)).all()
    assert log_loss(bent, happened) < log_loss(fresh, happened) - 0.05


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_classes_does_not_matter(method: str, n_classes: int) -> None:
    forecast, labels, weights = forecasts(n_classes)
    turn = np.roll(np.arange(n_classes), 1)
    there = fit_calibration(method, forecast, labels, weights).apply(forecast)
    turned = fit_calibration(method, forecast[:, turn], np.argsort(turn)[labels], weights)
    np.testing.assert_allclose(turned.apply(forecast[:, turn]), there[:, turn], atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("method", METHODS)
def test_it_is_kept_as_plain_values(method: str, n_classes: int) -> None:
    forecast, labels, weights = forecasts(n_classes)
    found = fit_calibration(method, forecast, labels, weights)
    again = Calibration.from_dict(json.loads(json.dumps(found.to_dict())), n_classes)
    np.testing.assert_array_equal(again.apply(forecast), found.apply(forecast))
    assert again.n_rows == 300


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"method": "magic", "curves": [], "n_rows": 1}, "must be one of"),
        ({"method": "platt", "curves": [], "n_rows": 1}, "one curve"),
        (
            {"method": "platt", "curves": [{"slope": -1.0, "intercept": 0.0}], "n_rows": 1},
            "slope of at least 0",
        ),
        (
            {"method": "isotonic", "curves": [{"x": [0.1, 0.2], "y": [0.9, 0.1]}], "n_rows": 1},
            "never fall",
        ),
    ],
)
def test_broken_records_are_refused(record: dict, words: str) -> None:
    with pytest.raises(DataError, match=words):
        Calibration.from_dict(record, 2)


def test_rows_of_one_class_leave_room_for_the_other() -> None:
    forecast = np.array([[0.2, 0.8], [0.3, 0.7], [0.1, 0.9]])
    for method in METHODS:
        found = fit_calibration(method, forecast, np.ones(3, dtype=np.int64), np.ones(3))
        assert (found.apply(forecast)[:, 0] > 0).all()


def test_a_turned_order_is_made_flat_not_upside_down() -> None:
    forecast, labels, weights = forecasts(2)
    found = fit_calibration("platt", forecast[:, ::-1], labels, weights)
    assert found.curves[0].slope == 0.0


@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(st.tuples(st.sampled_from([0.1, 0.3, 0.5, 0.8]), st.booleans()), min_size=1),
    forecast=st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.8, 0.9]),
)
def test_venn_abers_tries_both_outcomes_of_the_new_row(rows, forecast: float) -> None:
    p = np.array([row[0] for row in rows])
    labels = np.array([row[1] for row in rows]).astype(np.int64)
    found = fit_calibration("venn-abers", np.column_stack([1 - p, p]), labels, np.ones(len(p)))
    (curve,) = found.curves
    assert isinstance(curve, VennAbersCurve)
    low, high = (ends[0] for ends in curve.ends(np.array([forecast])))
    for outcome, end in ((0, low), (1, high)):
        theirs = IsotonicRegression().fit([*p, forecast], [*labels, outcome])
        assert end == pytest.approx(theirs.predict([forecast])[0], abs=1e-9)
    ends = found.interval(np.array([[1 - forecast, forecast]]))[0]
    assert ends[1].tolist() == [low, high]
    assert ends[0] == pytest.approx([1 - high, 1 - low])
    assert low <= found.apply(np.array([[1 - forecast, forecast]]))[0, 1] <= high


def test_many_rows_are_gathered_into_groups() -> None:
    forecast, labels, weights = forecasts(2, 1000)
    (curve,) = fit_calibration("venn-abers", forecast, labels, weights).curves
    assert len(curve.knots) == 200
