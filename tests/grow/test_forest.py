import numpy as np
import pytest

from probtrees.grow.c45 import C45
from probtrees.grow.forest import Forest
from tests.checks import check_grown_tree
from tests.grow.test_c45 import assert_same, nested, random_table


@pytest.mark.parametrize("missing", ["value", "fraction"])
def test_every_tree_is_sound_and_counts_as_many_rows_as_there_are(missing):
    data = random_table(120, missing=0.1)
    trees = Forest(size=5, missing=missing).grow(data)
    assert len(trees) == 5
    for tree in trees:
        check_grown_tree(tree)
        assert tree.arrays.weight[0] == 120


def test_trees_differ_and_repeat_with_their_seed():
    data = random_table(120)
    trees, again, others = (Forest(size=3, seed=seed).grow(data) for seed in (0, 0, 1))
    for tree, same, other in zip(trees, again, others, strict=True):
        assert_same(nested(tree), nested(same))
        assert tree.arrays.counts[0].tolist() != other.arrays.counts[0].tolist() or not (
            np.array_equal(tree.arrays.threshold, other.arrays.threshold, equal_nan=True)
        )
    assert len({tree.n_nodes for tree in trees} | {tuple(t.arrays.counts[0]) for t in trees}) > 2


def test_with_all_rows_and_columns_every_tree_is_the_plain_one():
    data = random_table(150, missing=0.05)
    plain = C45(min_leaf=1, collapse=False).grow(data)
    for tree in Forest(size=2, bootstrap=False, columns_per_node=4).grow(data):
        assert_same(nested(tree), nested(plain))


def test_drawing_all_but_one_column_still_finds_a_split():
    # Only the first column separates the classes: nodes that draw others must draw on.
    data = random_table(80)
    data.values[:, 1:4] = 1.0
    for tree in Forest(size=8, columns_per_node=1).grow(data):
        assert tree.n_nodes > 1
        assert set(tree.arrays.column[~tree.is_leaf].tolist()) == {0}
