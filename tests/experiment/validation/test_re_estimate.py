from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import DataError, OptionError
from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.validation.re_estimate import (
    gain_of_re_estimating,
    re_estimate,
    with_rows,
)
from probtrees.model.predict import predict_proba
from tests.small_tables import patients


@pytest.fixture(scope="module")
def old():
    return patients(200, missing=False)


@pytest.fixture(scope="module")
def model(old):
    return fit(old, "c45", "laplace")


def turned(n_rows, seed=9):
    """Rows of people among whom the old are well and the young sick."""
    new = patients(n_rows, seed=seed, missing=False)
    new.values[:, -1] = 1 - new.values[:, -1]
    return new


class TestReEstimate:
    def test_the_old_rows_again_give_the_old_model(self, model, old):
        again = re_estimate(model, old, prior_weight=0.0)
        assert np.array_equal(predict_proba(again, old), predict_proba(model, old))

    def test_counts_add_up(self, model, old):
        new = turned(80)
        tree = with_rows(model.tree.tree, new, 0.5)
        assert np.allclose(
            tree.arrays.counts[0],
            0.5 * np.bincount(old.labels, minlength=3) + np.bincount(new.labels, minlength=3),
        )
        for node in np.flatnonzero(~tree.is_leaf):
            children = list(tree.children(node))
            assert np.allclose(tree.arrays.counts[node], tree.arrays.counts[children].sum(axis=0))

    @given(st.floats(0, 3), st.integers(0, 3))
    def test_weights_of_two_are_two_rows(self, model, prior_weight, seed):
        new = patients(20, seed=seed)
        twice = new.take(np.tile(np.arange(20), 2))
        heavy = replace(new, weights=np.full(20, 2.0))
        tree = model.tree.tree
        one, other = with_rows(tree, twice, prior_weight), with_rows(tree, heavy, prior_weight)
        assert np.allclose(one.arrays.counts, other.arrays.counts)

    def test_a_network_learns_its_tables_again_and_is_saved(self, old, tmp_path):
        model = fit(old, "tan", "hgs")
        again = re_estimate(model, turned(300), prior_weight=0.0)
        again.save(tmp_path / "again.json")
        read = load_model(tmp_path / "again.json")
        new = turned(100, seed=3)
        assert np.array_equal(predict_proba(read, new), predict_proba(again, new))
        assert (predict_proba(read, new).argmax(axis=1) == new.labels).mean() > 0.7
        assert "learnt again from 300 rows" in read.provenance.notes[-1]


class TestGain:
    def test_a_turned_world_is_learnt_again_and_old_rows_hinder(self, model):
        gains = gain_of_re_estimating(model, turned(200), prior_weights=(0.0, 5.0))
        assert gains[0].verdict == "better"
        assert gains[0].brier_gain.lower > 0
        assert gains[0].after.brier < gains[1].after.brier

    def test_what_cannot_be_learnt(self, model):
        with pytest.raises(OptionError, match="prior_weight=-1"):
            re_estimate(model, turned(20), prior_weight=-1)
        with pytest.raises(DataError, match="at least 2"):
            re_estimate(model, turned(1))
        whole = fit(patients(40), "shaped-tree", options={"penalty": 1.0, "freedom": 10.0})
        with pytest.raises(DataError, match="tree or a network"):
            re_estimate(whole, patients(40))
