import json
from dataclasses import replace

import numpy as np
import pytest

import probtrees
from benchmarks.check_drift import measure
from probtrees.experiment.fit import fit
from probtrees.experiment.validation.validate import SEEN_BEFORE, validate
from probtrees.model.predict import predict_proba
from probtrees.model.routing import find_leaves
from probtrees.score.measures import evaluate
from probtrees.table.dataset import UNSEEN
from tests.small_tables import patients, write_csv


@pytest.fixture(scope="module")
def model():
    return fit(patients(300, missing=False), "c45", "laplace")


class TestValidate:
    def test_scores_are_those_of_the_answers(self, model):
        new = patients(120, seed=1, missing=False)
        found = validate(model, new)
        assert found.scores == evaluate(predict_proba(model, new), new.labels)
        assert found.classes[found.outcome] == "sick"
        json.dumps(found.to_dict(), allow_nan=False)

    def test_the_file_of_training_is_called_so(self, tmp_path):
        table = write_csv(patients(80), tmp_path / "old.csv")
        other = write_csv(patients(80, seed=1), tmp_path / "new.csv")
        learnt = fit(probtrees.read_table(table, target="state"), "c45", "laplace")
        seen, unseen = validate(learnt, table), validate(learnt, other)
        assert (seen.is_training, unseen.is_training) == (True, False)
        assert seen.sentences[0] == SEEN_BEFORE
        assert SEEN_BEFORE not in unseen.sentences

    def test_leaves_count_the_rows_that_land_in_them(self, model):
        new = patients(120, seed=1, missing=False)
        found = validate(model, new, outcome="sick")
        nodes = find_leaves(model.tree.tree, new.values, new.schema.n_values).nodes
        for group in found.groups:
            here = nodes == group.node
            assert group.rows == here.sum()
            assert group.observed == (new.labels[here] == 1).sum()
            assert group.expected == pytest.approx(
                here.sum() * model.tree.probs[group.node, 1], abs=1e-9
            )
        assert sum(group.share_now for group in found.groups) == pytest.approx(1)

    def test_rows_without_a_known_class_are_left_out_and_counted(self, model):
        new = patients(50, seed=2)
        new.values[:5, -1] = np.nan
        new.values[5:8, -1] = UNSEEN
        found = validate(model, new)
        assert (found.rows, found.rows_without_class) == (42, 8)

    def test_equal_weights_change_nothing(self, model):
        new = patients(80, seed=3)
        heavy = replace(new, weights=np.full(80, 4.0))
        plain, weighted = validate(model, new), validate(model, heavy)
        for one, other in zip(plain.groups, weighted.groups, strict=True):
            assert one.adjusted_p == pytest.approx(other.adjusted_p)
        assert plain.in_large.observed.lower == pytest.approx(weighted.in_large.observed.lower)
        assert [c.p_value for c in plain.columns] == pytest.approx(
            [c.p_value for c in weighted.columns]
        )

    def test_a_leaf_that_turned_is_marked_and_the_column_that_moved_named(self, model):
        new = patients(600, seed=4, missing=False)
        young = new.values[:, 0] <= 60
        new.values[young, -1] = (np.random.default_rng(0).random(young.sum()) < 0.5).astype(float)
        new.values[:, 2] = 0.0
        found = validate(model, new, outcome="sick")
        assert found.groups_off
        assert all(group.observed > group.expected for group in found.groups_off)
        changed = [drift for drift in found.columns if drift.verdict != "as before"]
        assert [drift.name for drift in changed] == ["blood"]
        assert changed[0].verdict == "very different"
        text = " ".join(found.sentences)
        assert f"{len(found.groups_off)} of {found.n_groups_met} groups" in text
        assert "blood (very different)" in text

    def test_a_model_that_does_not_know_its_columns_says_so(self, model):
        old = replace(model, profile=None)
        found = validate(old, patients(50, seed=2))
        assert found.columns is None
        assert "does not know" in found.sentences[-1]
        assert validate(old, patients(50, seed=2), training=patients(300, missing=False)).columns


@pytest.mark.slow
def test_a_doubled_rate_is_marked_and_a_sound_model_is_not():
    found = measure("laplace", trained=2000, n_runs=8)
    assert found["doubled_leaf_marked"] >= 0.5
    assert found["anything_marked_in_sound_model"] <= 0.2
