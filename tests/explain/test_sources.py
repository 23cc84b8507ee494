"""Sources and rings: parts that add up, rows that count once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.explain.sources import rings, sources
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.m_estimate import Laplace, MEstimate
from tests.naive import naive_rings
from tests.strategies import count_trees

SMOOTHERS = [Laplace(), MEstimate(base="root"), MBranch(), MBranch(chained=True)]


@given(count_trees(), st.sampled_from(SMOOTHERS), st.data())
def test_both_views_add_up_to_the_probability(
    tree: CountTree, smoother: Laplace | MEstimate | MBranch, data: st.DataObject
) -> None:
    smoothed = smoother.smooth(tree)
    node = data.draw(st.integers(0, tree.n_nodes - 1))
    outcome = data.draw(st.integers(0, tree.n_outcomes - 1))
    parts = smoothed.contributions(node)
    for view in (sources(tree, parts, outcome), rings(tree, parts, outcome)):
        assert sum(s.points for s in view) == pytest.approx(smoothed.probs[node, outcome], abs=1e-9)
        assert sum(s.share for s in view) == pytest.approx(1, abs=1e-9)
    ringed = rings(tree, parts, outcome)
    assert sum(ring.rows for ring in ringed) == pytest.approx(tree.totals[0])
    assert sum(ring.cases for ring in ringed) == pytest.approx(tree.arrays.counts[0, outcome])


@given(count_trees(whole=True), st.sampled_from(SMOOTHERS), st.data())
def test_rings_are_what_single_rows_carry(
    tree: CountTree, smoother: Laplace | MEstimate | MBranch, data: st.DataObject
) -> None:
    node = data.draw(st.integers(0, tree.n_nodes - 1))
    parts = smoother.smooth(tree).contributions(node)
    expected = naive_rings(tree, parts, outcome=0)
    found = [(ring.share, ring.points) for ring in rings(tree, parts, 0) if ring.node is not None]
    np.testing.assert_allclose(found, expected, atol=1e-12)
