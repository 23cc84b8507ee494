"""Corrections of a grown model: inner trees obey them, and unseen rows judge them."""

from dataclasses import replace

import pytest

from probtrees.experiment.corrections import CorrectionEffect, edit_sentences
from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import unseen_scores
from probtrees.grow.c45 import C45
from probtrees.grow.edits import Edit, Step, read_edits
from probtrees.table.read_table import load_sample

pytestmark = pytest.mark.compiled

MALE = (Step("sex", value="male"),)
EDITS = (Edit("split", MALE, "age"), Edit("never", (Step("sex", value="female"),), "age"))


def test_inner_trees_obey_and_those_that_cannot_are_counted():
    data = load_sample("heart")
    tree = C45().grow(data)
    column = data.schema.columns[int(tree.arrays.column[0])]
    assert column.is_nominal
    way = (Step(column.name, value=column.categories[int(tree.arrays.branch[1])]),)
    model = fit(data, C45(edits=[Edit("stop", way)]), "laplace", track_record=True)
    (note,) = model.diagnostics["edits"]
    assert note["why"] is None
    grown = grow_model(data, C45(edits=[Edit("stop", way)]))
    inner = [members[0].trees[0] for members in grown.evidence().members]
    same = [other for other in inner if other.arrays.column[0] == tree.arrays.column[0]]
    assert (note["followed"], note["inner_trees"]) == (len(same), 5)
    for other in same:
        assert other.is_leaf[1 + int(tree.arrays.branch[1])]
    assert f"Followed by {len(same)} of 5" in edit_sentences(model.diagnostics)[0]


def test_a_loaded_model_has_its_edits(tmp_path):
    data = load_sample("titanic")
    gone = Edit("stop", (Step("age", value="child"),), on=True)
    off = replace(EDITS[1], on=False)
    model = fit(data, C45(edits=[EDITS[0], gone, off]), "hgs")
    model.save(tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert read_edits(loaded.options["learner"]["edits"]) == (EDITS[0], gone, off)
    said = edit_sentences(loaded.diagnostics)
    assert said[1].endswith("left out, since the tree asks for sex there, not age.")
    assert said[2].endswith("switched off.")
    assert "edits" not in fit(data, C45(), "laplace").options["learner"]


def test_the_effect_is_said_with_whether_it_is_noise():
    data = load_sample("titanic")
    plain, cut = grow_model(data, C45()), grow_model(data, C45(edits=[Edit("stop")]))
    before, after = (unseen_scores(each, each.smooth("laplace")) for each in (plain, cut))
    effect = CorrectionEffect.of(before, after)
    assert effect.after > effect.before
    assert effect.words.endswith("worse")
    assert CorrectionEffect.of(before, before).words.endswith("unchanged")
    assert CorrectionEffect(0.3, 0.31, -0.02, 0.01).words == "Brier .300 → .310, within noise"
    # Where no inner tree has the place, equal scores say nothing about the correction.
    note = {"on": True, "why": None, "inner_trees": 5}
    unmet = CorrectionEffect.of(before, before, [{**note, "followed": 0}])
    assert unmet.judgement == "not measured"
    assert "none of the 5 models" in unmet.words
    assert "only 2 of 5" in CorrectionEffect.of(before, after, [{**note, "followed": 2}]).words
