"""Intervals of a shaped tree by refits: kept with the model, and narrower with more rows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from probtrees.experiment.fit import fit, load_model
from probtrees.explain.shape_curves import shape_curves
from probtrees.model.model import Model
from probtrees.model.predict import jackknife, predict_interval, predict_proba
from tests.small_tables import patients

QUICK = {"penalty": 1.0, "freedom": 10.0}


@pytest.fixture(scope="module")
def model() -> Model:
    return fit(patients(150), "shaped-tree", options=QUICK)


def test_the_error_of_a_mean_is_that_of_the_textbook() -> None:
    values = np.random.default_rng(0).normal(size=30)
    left_out = [np.array([np.delete(values, at).mean()]) for at in range(30)]
    assert jackknife(left_out)[0] == pytest.approx(values.std(ddof=1) / np.sqrt(30))


def test_intervals_hold_the_answer_and_are_kept(model: Model, tmp_path: Path) -> None:
    data = patients(150)
    ends = predict_interval(model, data, "row")
    proba = predict_proba(model, data)
    assert ((ends[..., 0] <= proba) & (proba <= ends[..., 1])).all()
    assert ((ends >= 0) & (ends <= 1)).all()
    model.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(predict_interval(again, data, "row"), ends)


def test_curves_carry_their_errors_and_the_cuts_of_the_tree(model: Model) -> None:
    curves = shape_curves(model)
    assert all(curve.spread.shape == curve.scores.shape for curve in curves)
    assert any(curve.cuts for curve in curves)
    json.dumps([curve.to_dict() for curve in curves], allow_nan=False)
