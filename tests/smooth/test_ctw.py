"""Context-tree weighting: the average over all prunings, one by one."""

import numpy as np
import pytest

from probtrees.smooth.ctw import CTW
from probtrees.smooth.example_trees import example_trees, tree_of
from tests.naive import naive_ctw

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])


@pytest.mark.parametrize("setting", [(0.5, 0.5, 1.0), (1.0, 0.9, 0.3)])
@pytest.mark.parametrize("name", ["the gene example", "leaves of one row", "four outcomes"])
def test_every_pruning_is_heard(name: str, setting: tuple[float, float, float]) -> None:
    tree = example_trees()[name]
    smoothed = CTW(*setting).smooth(tree)
    for leaf in tree.leaves:
        expected = naive_ctw(tree, int(leaf), *setting)
        np.testing.assert_allclose(smoothed.probs[leaf], expected, atol=1e-12)


def test_cuts_say_where_the_tree_should_have_stopped() -> None:
    smoothed = CTW(0.5, 0.5, 1.0).smooth(GENE)
    cuts = CTW(0.5, 0.5, 1.0).cuts(smoothed, 4)
    assert cuts.sum() == pytest.approx(1, abs=1e-12)
    estimates = (GENE.arrays.counts[[0, 1, 4], 0] + 0.5) / (GENE.totals[[0, 1, 4]] + 1)
    assert cuts @ estimates == pytest.approx(smoothed.probs[4, 0], abs=1e-12)
