"""How often other trees choose the same split."""

from __future__ import annotations

from probtrees.experiment.evaluation.stability import split_stability
from probtrees.grow.c45 import C45
from probtrees.smooth.example_trees import tree_of
from tests.small_tables import patients


def test_a_tree_agrees_with_itself_everywhere():
    tree = C45().grow(patients(200))
    for node in range(tree.n_nodes):
        found = split_stability(tree, node, [tree, tree])
        assert found.reached == 2
        if not tree.is_leaf[node]:
            assert found.chosen == {int(tree.arrays.column[node]): 2}


def test_a_way_that_another_tree_has_not_is_said():
    deep = tree_of([2, 2, 0, 0, 0], [[1, 2], [3, 4], [5, 6]])
    flat = tree_of([0], [[1, 2]])
    assert split_stability(deep, 0, [deep, flat]).chosen == {0: 1}
    found = split_stability(deep, 1, [flat])
    assert found.reached == 0
    assert found.sentence(1).startswith("None of the 1 trees")
    mixed = split_stability(deep, 1, [deep, flat])
    assert mixed.sentence(1) == (
        "This column was chosen by 1 of 2 trees grown without a part of the rows; 1 differ "
        "already further up."
    )
