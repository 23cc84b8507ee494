"""Numbering the nodes of a tree level by level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.count_tree import NO_COLUMN, NO_NODE, CountTree, make_arrays


def in_level_order(tree: CountTree, is_cut: NDArray[np.bool_] | None = None) -> CountTree:
    """Number the nodes level by level, without what hangs below cut nodes."""
    arrays = tree.arrays
    n_children = arrays.n_children if is_cut is None else np.where(is_cut, 0, arrays.n_children)
    levels = [np.zeros(1, dtype=np.int64)]
    while levels[-1].shape[0]:
        inner = levels[-1][n_children[levels[-1]] > 0]
        sizes = n_children[inner]
        first = np.repeat(arrays.first_child[inner] - (np.cumsum(sizes) - sizes), sizes)
        levels.append(first + np.arange(first.shape[0]))
    order = np.concatenate(levels)
    number = np.full(tree.n_nodes + 1, NO_NODE, dtype=np.int64)
    number[order] = np.arange(order.shape[0])
    is_leaf = n_children[order] == 0
    return CountTree(
        tree.target,
        make_arrays(
            parent=number[arrays.parent[order]],
            depth=arrays.depth[order],
            first_child=np.where(is_leaf, NO_NODE, number[arrays.first_child[order]]),
            n_children=n_children[order],
            column=np.where(is_leaf, NO_COLUMN, arrays.column[order]),
            threshold=np.where(is_leaf, np.nan, arrays.threshold[order]),
            branch=arrays.branch[order],
            weight=arrays.weight[order],
            counts=arrays.counts[order],
        ),
        None if tree.fragments is None else tree.fragments[order],
    )
