"""Rows are judged only by twins that have not seen them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from probtrees import cross_validate
from probtrees.errors import DataError
from probtrees.estimators.fitted_model import FittedModel
from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_evidence import part_of_rows
from probtrees.experiment.inner_models import held_out_proba
from probtrees.model.calibration import fit_calibration
from probtrees.model.predict import predict_proba, uncalibrated_proba
from probtrees.report.model_report import model_report
from tests.small_tables import patients


def test_twins_share_the_settings_that_evidence_chose() -> None:
    data = replace(patients(120), repeats=None)
    grown = grow_model(data, "c45")
    model = grown.smooth("hgs")
    weight = float(model.tree.fitted["weights"][0])
    part_of = part_of_rows(data, 5, seed=0)
    held_out = part_of == 0
    inner = grow_model(data.take(~held_out), "c45")
    from_twin = held_out_proba(grown, model)[held_out]
    counts_only = inner.smooth("hgs", {"fit": "map"})
    alike = model.tree.smoother.apply(inner.trees[0], {"weights": np.array([weight])})
    counts_only.tree.probs[:] = alike
    np.testing.assert_allclose(from_twin, predict_proba(counts_only, data.take(held_out)))


@pytest.mark.parametrize("learner", ["c45", "nb"])
def test_the_curve_is_that_of_held_out_rows(learner: str) -> None:
    data = patients(120)
    grown = grow_model(data, learner, calibrate="platt")
    model = grown.smooth("laplace")
    answers = held_out_proba(grown, model)
    expected = fit_calibration("platt", answers, grown.data.labels, grown.data.row_weights)
    assert model.calibration == expected
    raw = uncalibrated_proba(model, data)
    plain = predict_proba(fit(data, learner, "laplace"), data)
    np.testing.assert_array_equal(raw, plain)
    np.testing.assert_array_equal(predict_proba(model, data), expected.apply(raw))


def test_the_file_keeps_the_curve_and_the_record(tmp_path: Path) -> None:
    data = patients(120)
    assert fit(data, "c45", "laplace").track_record is None  # there is no evidence at hand
    model = fit(data, "c45", "hgs", calibrate="isotonic")
    model.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(predict_proba(again, data), predict_proba(model, data))
    assert again.track_record.lookup(0.2, 1) == model.track_record.lookup(0.2, 1)
    assert again.options["calibrate"] == "isotonic"
    assert "calibrated (isotonic" in model_report(again)


def test_rules_of_a_calibrated_tree_are_refused() -> None:
    model = FittedModel.of(fit(patients(), "c45", "laplace", calibrate="platt"))
    with pytest.raises(DataError, match="must not be calibrated"):
        model.to_sql()
    assert "Calibration (platt)" in " ".join(model.explain({}).notes)


def test_every_fold_has_a_curve_of_its_own() -> None:
    found = cross_validate(patients(90), "c45", "mle", folds=3, calibrate="platt")
    plain = cross_validate(patients(90), "c45", "mle", folds=3)
    assert found.calibrate == found.to_dict()["calibrate"] == "platt"
    assert "calibrate" not in plain.to_dict()
    assert found.scores.log_loss < plain.scores.log_loss
