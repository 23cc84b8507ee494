"""Batteries that every smoother and every learner must pass."""

from __future__ import annotations

import numpy as np

from probtrees.grow.count_tree import CountTree, check_tree
from probtrees.smooth.contract import check_smoother

__all__ = ["check_grown_tree", "check_smoother"]


def check_grown_tree(tree: CountTree) -> None:
    """What every grown tree promises: level order, and children that share their parent's rows."""
    check_tree(tree)
    arrays = tree.arrays
    np.testing.assert_allclose(arrays.weight, tree.totals, rtol=1e-9, atol=1e-9)
    summed = np.zeros_like(arrays.counts)
    np.add.at(summed, arrays.parent[1:], arrays.counts[1:])
    inner = ~tree.is_leaf
    np.testing.assert_allclose(summed[inner], arrays.counts[inner], rtol=1e-9, atol=1e-9)
