"""Raw frequencies, Laplace and the m-estimate: one formula, three strengths."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.m_estimate import MLE, STRENGTHS, Laplace, MEstimate
from tests.naive import naive_m_estimate
from tests.strategies import count_trees


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
