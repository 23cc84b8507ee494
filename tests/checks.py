"""Batteries that every smoother and every learner must pass."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from probtrees.grow.count_tree import CountTree, check_tree
from probtrees.smooth.contract import TOLERANCE, check_smoother
from probtrees.smooth.smoothed_tree import Smoother

__all__ = ["check_grown_tree", "check_more_data", "check_smoother"]


def check_grown_tree(tree: CountTree) -> None:
    """What every grown tree promises: level order, and children that share their parent's rows."""
    check_tree(tree)
    arrays = tree.arrays
    np.testing.assert_allclose(arrays.weight, tree.totals, rtol=1e-9, atol=1e-9)
    summed = np.zeros_like(arrays.counts)
    np.add.at(summed, arrays.parent[1:], arrays.counts[1:])
    inner = ~tree.is_leaf
    np.testing.assert_allclose(summed[inner], arrays.counts[inner], rtol=1e-9, atol=1e-9)


def check_more_data(smoother: Smoother, tree: CountTree) -> None:
    """Refuse it unless more rows of the same kind move a leaf towards its own frequencies.

    Promised by smoothers with fixed parameters only: one that learns its parameters may
    learn others from the added rows. The leaf's rows are doubled, also in its ancestors.
    """
    smoothed = smoother.smooth(tree)
    for leaf in tree.leaves:
        if tree.totals[leaf] == 0:
            continue
        counts = tree.arrays.counts.copy()
        counts[tree.path(int(leaf))] += tree.arrays.counts[leaf]
        richer = replace(tree, arrays=tree.arrays._replace(counts=counts))
        own = tree.arrays.counts[leaf] / tree.totals[leaf]
        before = np.abs(smoothed.probs[leaf] - own).sum()
        after = np.abs(smoother.smooth(richer).probs[leaf] - own).sum()
        assert after <= before + TOLERANCE
