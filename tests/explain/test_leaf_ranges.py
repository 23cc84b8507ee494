"""What rows of a leaf of a shaped tree or a council are given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from probtrees.experiment.fit import fit
from probtrees.explain.leaf_ranges import leaf_ranges, tree_of_leaves
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.model.routing import find_leaves
from probtrees.table.dataset import Dataset
from tests.small_tables import patients


def fitted(members: str, data: Dataset) -> Model:
    """A shaped tree, or a council on which everybody is heard."""
    if members == "shaped-tree":
        return fit(data, members, options={"penalty": 1.0, "freedom": 30.0})
    model = fit(data, "council", options={"members": members})
    if len(model.members) < 2:
        parts = [fit(data, "shaped-tree"), fit(data, "tan", "m-estimate")]
        if members.startswith("soft"):
            parts[0] = fit(data, "c45", "blend", routing="soft")
        said = {"members": members.split(","), "weights": [0.7, 0.4]}
        own = tuple(part.members[0] for part in parts)
        model = replace(model, members=own, weights=(0.7, 0.4), options={"council": said})
    return model


@pytest.mark.parametrize("members", ["shaped-tree", "shaped-tree,tan", "soft-tree,tan"])
def test_they_are_the_answers_of_the_rows_that_end_there(members: str) -> None:
    data = patients(60)
    model = fitted(members, data)
    tree = tree_of_leaves(model)
    assert tree is model.members[0].trees[0].tree
    complete = data.take(np.flatnonzero(~np.isnan(data.values).any(axis=1)))
    landing = find_leaves(tree, complete.values, complete.schema.n_values)
    proba = predict_proba(model, complete)[:, 1]
    found = leaf_ranges(model, complete, 1)
    assert sum(one.n_rows for one in found) == complete.n_rows
    for one in found:
        own = proba[landing.nodes == one.node]
        assert one.n_rows == len(own)
        if len(own):
            told = (one.lowest, one.middle, one.highest)
            assert told == pytest.approx((own.min(), np.median(own), own.max()), abs=1e-12)
    assert len(leaf_ranges(model, data, 1)) == len(found)
    assert found[0].to_dict()["rows"] == found[0].n_rows
    assert found[0].rule in found[0].sentence
