"""Raw frequencies, Laplace and the m-estimate: one formula, three strengths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.m_estimate import MLE, STRENGTHS, Laplace, MEstimate
from tests.naive import naive_m_estimate
from tests.strategies import count_trees

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
MALE = 4


def test_the_gene_example() -> None:
    assert MLE().smooth(GENE).probs[MALE, 0] == 0
    assert Laplace().smooth(GENE).probs[MALE, 0] == pytest.approx(1 / 3)
    assert MEstimate().smooth(GENE).probs[MALE, 0] == pytest.approx(1 / 4)
    by_root = MEstimate(strength=3, base="root").smooth(GENE).probs[MALE, 0]
    assert by_root == pytest.approx(3 * 100 / 1001 / 4)


@given(count_trees(), st.sampled_from(STRENGTHS))
def test_every_node_agrees_with_the_formula(tree: CountTree, strength: float) -> None:
    uniform = np.full(tree.n_outcomes, 1 / tree.n_outcomes)
    root_total = tree.arrays.counts[0].sum()
    of_root = tree.arrays.counts[0] / root_total if root_total else uniform
    for smoother, own, base in (
        (MLE(), 0, uniform),
        (Laplace(), tree.n_outcomes, uniform),
        (MEstimate(strength=strength), strength, uniform),
        (MEstimate(strength=strength, base="root"), strength, of_root),
    ):
        probs = smoother.smooth(tree).probs
        for node in range(tree.n_nodes):
            expected = naive_m_estimate(tree, node, own, base)
            np.testing.assert_allclose(probs[node], expected, rtol=1e-12, atol=1e-15)


def test_an_empty_leaf_answers_like_its_nearest_ancestor_with_rows() -> None:
    tree = tree_of([2, 2, 0, 0, 2, 0, 0], [[1, 3], [2, 0], [0, 0], [0, 0]])
    probs = Laplace().smooth(tree).probs
    np.testing.assert_array_equal(probs[5], probs[1])
    np.testing.assert_array_equal(probs[6], probs[1])
    split = Laplace().smooth(tree).contributions(6)
    assert split.nodes == (6, 4, 1, 0)
    assert split.shares == pytest.approx([0, 0, 0.5, 0, 0.5])
