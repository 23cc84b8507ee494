"""Counts with and without their rows answer alike, as far as there is an answer."""

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.experiment.fit import fit
from probtrees.experiment.grown_model import grow_model
from probtrees.table.read_table import load_sample
from probtrees.ui.shared.counts import GrownCounts, SavedCounts


def silent(share: float, words: str) -> None:
    """Report nothing."""


@pytest.mark.parametrize("learner", ["c45", "nb"])
def test_counts_are_smoothed_alike_with_and_without_rows(learner: str) -> None:
    data = load_sample("titanic")
    grown = GrownCounts(grow_model(data, learner), data)
    saved = SavedCounts(fit(data, learner, "laplace"))
    assert grown.rows is data
    assert saved.rows is None
    for name in ("laplace", "m-branch"):
        ours = saved.smooth(name, (), silent)
        theirs = grown.smooth(name, (), silent)
        assert ours.smoother == theirs.smoother == name
        assert ours.options["smoother"] == theirs.options["smoother"]
        assert ours.provenance.source == "titanic.csv"
        for one, other in zip(ours.trees, theirs.trees, strict=True):
            np.testing.assert_array_equal(one.probs, other.probs)


def test_what_needs_rows_says_that_there_are_none() -> None:
    data = load_sample("titanic")
    saved = SavedCounts(fit(data, "c45", "laplace"))
    assert saved.can_smooth("laplace", ())
    assert not saved.can_smooth("hgs", ())
    with pytest.raises(DataError, match="does not hold"):
        saved.smooth("hgs", (), silent)


def test_a_saved_smoother_that_needs_rows_keeps_the_numbers_of_the_file() -> None:
    model = fit(load_sample("titanic"), "c45", "hgs")
    saved = SavedCounts(model)
    assert saved.can_smooth("hgs", ())
    assert saved.smooth("hgs", (), silent) is model


def test_one_tree_of_a_forest_stands_alone() -> None:
    model = fit(load_sample("titanic"), "forest", "laplace")
    alone = SavedCounts(model).tree(1, 0)
    assert alone.members[0].trees == (model.members[1].trees[0].tree,)
    assert alone.saved.track_record is None
