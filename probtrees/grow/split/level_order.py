"""Numbering the nodes of a tree level by level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import NO_COLUMN, NO_NODE, CountTree, TreeArrays, make_arrays


def in_level_order(
    target: int,
    arrays: TreeArrays,
    fragments: NDArray[np.float64] | None = None,
    is_cut: NDArray[np.bool_] | None = None,
) -> CountTree:
    """Make a tree of the nodes that can be reached from node 0, numbered level by level.

    Only links downwards are followed, so the nodes may stand in any order as long as siblings
    are side by side; what hangs below a cut node is left out.
    """
    n_children = arrays.n_children if is_cut is None else np.where(is_cut, 0, arrays.n_children)
    level = np.zeros(1, dtype=np.int64)
    levels, parents = [level], [np.full(1, NO_NODE)]
    n_above = 0
    while level.shape[0]:
        sizes = n_children[level]
        ends = np.cumsum(sizes)
        parents.append(np.repeat(np.arange(n_above, n_above + level.shape[0]), sizes))
        n_above += level.shape[0]
        level = np.repeat(arrays.first_child[level] - (ends - sizes), sizes) + np.arange(ends[-1])
        levels.append(level)
    order = np.concatenate(levels)
    sizes = n_children[order]
    is_leaf = sizes == 0
    return CountTree(
        target,
        make_arrays(
            parent=np.concatenate(parents),
            depth=np.repeat(np.arange(len(levels)), [len(level) for level in levels]),
            first_child=np.where(is_leaf, NO_NODE, 1 + np.cumsum(sizes) - sizes),
            n_children=sizes,
            column=np.where(is_leaf, NO_COLUMN, arrays.column[order]),
            threshold=np.where(is_leaf, np.nan, arrays.threshold[order]),
            branch=arrays.branch[order],
            weight=arrays.weight[order],
            counts=arrays.counts[order],
        ),
        None if fragments is None else fragments[order],
    )
