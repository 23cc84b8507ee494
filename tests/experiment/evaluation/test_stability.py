"""How often arrows are found again in networks learnt without a part of the rows."""

import numpy as np
import pytest

from probtrees.experiment.evaluation.stability import (
    arc_strengths,
    columns_chosen,
    count_arcs,
    splits_found_again,
)
from probtrees.experiment.grow_network import grow_network
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_evidence import N_PARTS, inner_splits
from probtrees.grow.dag import Dag
from probtrees.smooth.example_trees import tree_of
from tests.small_tables import patients


@pytest.mark.parametrize("learner", ["kdb", "aode"])
def test_shares_are_those_of_networks_learnt_one_by_one(learner: str) -> None:
    grown = grow_model(patients(80), learner)
    member = len(grown.members) - 1
    found = arc_strengths(grown, member, n_ways=2)
    own = Dag.of_tables(grown.members[member].trees)
    again = []
    for seed in (0, 1):
        for split in inner_splits(grown.data, N_PARTS, seed):
            rows = grown.data.take(split.trained)
            inner, _ = grow_network(rows, grown.spec.learner, grown.spec.discretizer, 0, grown.unit)
            dags = [each.dag for each in inner.members]
            if learner == "aode":
                dags = [dag for dag in dags if dag.columns[1] == own.columns[1]]
            again.append(dags[0].arcs)
    assert found.n_networks == len(again) == 2 * N_PARTS
    for arc in found.arcs:
        pair = (arc.parent, arc.child)
        assert arc.share == pytest.approx(np.mean([pair in each for each in again]))
        assert arc.turned == pytest.approx(np.mean([pair[::-1] in each for each in again]))
        assert arc.is_here == (pair in own.arcs)
    assert found.shares.keys() >= {*own.arcs}


def test_arrows_that_most_others_have_are_listed() -> None:
    own = Dag({0: (), 1: (0,), 2: (0,)})
    other = Dag({0: (), 1: (0,), 2: (0, 1)})
    found = count_arcs(own, [other, other, own])
    lacking = [arc for arc in found.arcs if not arc.is_here]
    assert [(arc.parent, arc.child) for arc in lacking] == [(1, 2)]
    assert lacking[0].share == pytest.approx(2 / 3)
    assert count_arcs(own, []).n_networks == 0


def test_a_way_that_another_tree_has_not_is_said():
    deep = tree_of([2, 2, 0, 0, 0], [[1, 2], [3, 4], [5, 6]])
    flat = tree_of([0], [[1, 2]])
    assert columns_chosen(deep, 0, [deep, flat]) == {0: 1}
    assert columns_chosen(deep, 1, [flat]) == {}
    grown = grow_model(patients(200), "c45")
    assert splits_found_again(grown, grown.members[0].trees[0]) == {}  # no inner trees yet
    inner = [members[0].trees[0] for members in grown.evidence().members]
    again = splits_found_again(grown, grown.members[0].trees[0])
    tops = sum(
        tree.arrays.column[0] == grown.members[0].trees[0].arrays.column[0] for tree in inner
    )
    assert again[0] == f"{tops}/{len(inner)}"
    assert sum(columns_chosen(deep, 1, [deep, flat]).values()) == 1
