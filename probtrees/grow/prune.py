"""Cutting a grown tree back."""

from __future__ import annotations

import numpy as np

from probtrees.count_tree import CountTree
from probtrees.grow.level_order import in_level_order


def collapse(tree: CountTree) -> CountTree:
    """Make a leaf of every node whose subtree makes no fewer training errors than it would."""
    arrays = tree.arrays
    as_leaf = tree.totals - arrays.counts.max(axis=1)
    as_tree = np.where(tree.is_leaf, as_leaf, 0.0)
    for level in range(tree.max_depth, 0, -1):
        nodes = np.flatnonzero(arrays.depth == level)
        np.add.at(as_tree, arrays.parent[nodes], as_tree[nodes])
    is_cut = ~tree.is_leaf & (as_tree >= as_leaf - 1e-3)
    return in_level_order(tree, is_cut)
