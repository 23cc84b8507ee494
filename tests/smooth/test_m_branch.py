"""M-branch: every leaf along its own branch; the published program's slip on request."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.m_branch import MBranch
from tests.naive import naive_chained_m_branch, naive_m_branch
from tests.strategies import count_trees

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
MALE = 4


def test_the_gene_example() -> None:
    smoothed = MBranch(strength=4).smooth(GENE)
    assert smoothed.probs[MALE, 0] == pytest.approx(0.193, abs=5e-4)
    steps = MBranch(strength=4).steps(smoothed, MALE)
    assert [round(step.strength) for step in steps] == [88, 67, 4]
    assert [step.height for step in steps] == [3, 2, 1]
    assert steps[1].probs[0] == pytest.approx(0.24, abs=5e-3)


@given(count_trees(), st.sampled_from([0.0, 0.5, 4.0]))
def test_every_node_is_the_end_of_its_own_branch(tree: CountTree, strength: float) -> None:
    probs = MBranch(strength=strength).smooth(tree).probs
    for node in range(tree.n_nodes):
        expected = naive_m_branch(tree, node, strength)
        np.testing.assert_allclose(probs[node], expected, rtol=1e-12, atol=1e-15)


@given(count_trees())
def test_chained_leaves_start_from_the_next_leaf(tree: CountTree) -> None:
    probs = MBranch(strength=4, chained=True).smooth(tree).probs
    for leaf, expected in naive_chained_m_branch(tree).items():
        np.testing.assert_allclose(probs[leaf], expected, rtol=1e-12, atol=1e-15)


@given(count_trees(), st.booleans())
def test_an_inner_node_answers_as_if_the_tree_were_cut_there(
    tree: CountTree, chained: bool
) -> None:
    smoother = MBranch(strength=2, chained=chained)
    probs = smoother.smooth(tree).probs
    for node in np.flatnonzero(~tree.is_leaf):
        cut = cut_at(tree, int(node))
        np.testing.assert_allclose(probs[node], smoother.smooth(cut).probs[node], rtol=1e-12)


def cut_at(tree: CountTree, end: int) -> CountTree:
    """Drop all that lies below a node. Nodes before it keep their numbers."""
    kept = [n for n in range(tree.n_nodes) if end not in tree.path(n) or n == end]
    n_children = [0 if n == end else int(tree.arrays.n_children[n]) for n in kept]
    leaves = [n for n in kept if n == end or tree.is_leaf[n]]
    return tree_of(n_children, tree.arrays.counts[leaves])


@given(count_trees(), st.booleans())
def test_the_steps_lead_to_the_estimate(tree: CountTree, chained: bool) -> None:
    smoother = MBranch(chained=chained)
    smoothed = smoother.smooth(tree)
    for node in range(tree.n_nodes):
        last = smoother.steps(smoothed, node)[-1]
        assert last.node == node
        np.testing.assert_allclose(last.probs, smoothed.probs[node], rtol=1e-12, atol=1e-15)
        formula = smoother.formula(smoothed, node, 0)
        assert len(formula.steps) == tree.arrays.depth[node] + 1
