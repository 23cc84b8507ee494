"""Watching a leaf while HDP samples."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.gibbs.hdp_watch import watch
from probtrees.smooth.hdp import HDP

TREES = {
    "gene": tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]]),
    "three outcomes": tree_of([3, 0, 0, 0], [[5, 1, 0], [2, 0, 0], [0, 0, 0]]),
}


@pytest.mark.parametrize("name", TREES)
def test_what_sweeps_expect_averages_to_the_leafs_probability(name: str) -> None:
    tree = TREES[name]
    smoother = HDP(n_iterations=150, burn_in=20, seed=3)
    smoothed = smoother.smooth(tree)
    for leaf in tree.leaves.tolist():
        seen = watch(smoother, tree, leaf)
        np.testing.assert_allclose(seen.probs.mean(axis=0), smoothed.probs[leaf], rtol=1e-9)
        np.testing.assert_allclose(seen.samples.sum(axis=1), 1.0)
        np.testing.assert_array_equal(seen.concentration, smoothed.trace["concentration"][:, 0])


@pytest.mark.parametrize("counts", [[[90, 900], [0, 0], [0, 0]], [[9, 1], [0, 0], [0, 5]]])
def test_samples_below_an_empty_node_average_to_what_is_expected(counts: list[list[int]]) -> None:
    tree = tree_of([2, 2, 0, 0, 0], counts)
    seen = watch(HDP(n_iterations=3000, seed=7), tree, 3)
    expected = seen.probs[:, 0].mean()
    assert abs(expected - 0.5) > 0.05
    assert seen.samples[:, 0].mean() == pytest.approx(expected, abs=0.03)


def test_samples_of_outcomes_only_others_have_average_to_what_is_expected() -> None:
    tree = tree_of([4, 0, 0, 0, 2, 0, 0], [[0, 30, 0], [0, 30, 0], [0, 30, 0], [1, 0, 0], [0] * 3])
    seen = watch(HDP(n_iterations=3000, seed=8), tree, 6)
    expected = seen.probs.mean(axis=0)
    assert expected[1] > expected[2] + 0.2
    np.testing.assert_allclose(seen.samples.mean(axis=0), expected, atol=0.04)


def test_pseudo_counts_are_at_most_what_is_below_and_at_least_one_where_there_is_any() -> None:
    tree = TREES["gene"]
    seen = watch(HDP(n_iterations=50), tree, 4)
    assert seen.nodes == (0, 1)
    for place, node in enumerate(seen.nodes):
        passed = seen.pseudo_counts[:, place]
        assert (passed <= tree.arrays.counts[node]).all()
        assert (passed >= (tree.arrays.counts[node] > 0)).all()
