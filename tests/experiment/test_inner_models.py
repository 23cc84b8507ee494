"""Rows are judged only by twins that have not seen them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_evidence import part_of_rows
from probtrees.experiment.inner_models import held_out_proba
from probtrees.model.predict import predict_proba
from tests.small_tables import patients


def test_a_twin_is_the_model_of_the_other_rows() -> None:
    data = replace(patients(120), repeats=None)
    grown = grow_model(data, "c45")
    proba = held_out_proba(grown, grown.smooth("laplace"))
    part_of = part_of_rows(data, 5, seed=0)
    for part in range(5):
        held_out = part_of == part
        inner = grow_model(data.take(~held_out), "c45").smooth("laplace")
        np.testing.assert_allclose(
            proba[held_out], predict_proba(inner, data.take(held_out)), atol=1e-12
        )


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


def test_fit_adds_the_record_where_evidence_is_at_hand(tmp_path) -> None:
    model = fit(patients(120), "c45", "hgs")
    assert model.track_record is not None
    model.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert again.track_record.lookup(0.2, 1) == model.track_record.lookup(0.2, 1)
    assert fit(patients(120), "c45", "laplace").track_record is None
