"""The published program's habits: whole rows from fragments, raw answers in empty branches."""

from dataclasses import replace

import numpy as np

from probtrees.smooth.as_published import AsPublished
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.m_estimate import MLE, Laplace, MEstimate

EMPTY = tree_of([3, 0, 0, 0], [[4, 1], [0, 0], [1, 2]])
SPLIT = replace(
    tree_of([2, 0, 0], [[2.5, 1.0], [0.5, 1.0]]), fragments=np.array([[3.0, 2], [3, 1], [1, 1]])
)


def test_an_empty_leaf_answers_with_its_parents_raw_frequencies() -> None:
    for smoother in (MLE(), Laplace(), MEstimate(), MBranch(chained=True)):
        smoothed = AsPublished(smoother).smooth(EMPTY)
        np.testing.assert_allclose(smoothed.probs[2], [5 / 8, 3 / 8])
        np.testing.assert_array_equal(smoothed.probs[1], smoother.smooth(EMPTY).probs[1])
        assert smoothed.contributions(2).shares.tolist() == [0, 1, 0]


def test_the_chain_passes_on_what_an_empty_leaf_would_have_said() -> None:
    inside = MBranch(chained=True).smooth(EMPTY)
    smoothed = AsPublished(MBranch(chained=True)).smooth(EMPTY)
    split = smoothed.contributions(1)
    np.testing.assert_allclose(split.values[-1], split.shares[-1] * inside.probs[2])


def test_fragments_count_as_whole_rows() -> None:
    smoothed = AsPublished(Laplace()).smooth(SPLIT)
    np.testing.assert_allclose(smoothed.probs[1], [4 / 6, 2 / 6])
    assert smoothed.tree is SPLIT
    split = smoothed.contributions(1)
    np.testing.assert_allclose(split.values.sum(axis=0), smoothed.probs[1])
    assert not split.has_rings
    assert AsPublished(Laplace()).smooth(EMPTY).contributions(1).has_rings
