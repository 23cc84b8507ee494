"""Where a node without rows takes its answer from: the nearest ancestor that has some."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree


def nodes_with_data(tree: CountTree) -> NDArray[np.intp]:
    """For every node, itself if it has rows, else its nearest ancestor that has.

    In a tree without any row all nodes lead to the root.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> nodes_with_data(tree_of([2, 2, 0, 0, 0], [[1, 0], [0, 0], [2, 2]])).tolist()
    [0, 1, 2, 1, 4]
    """
    nodes = np.arange(tree.n_nodes, dtype=np.intp)
    source = np.where(tree.totals > 0, nodes, tree.arrays.parent)
    source[0] = 0
    # Doubling the stride settles chains of empty nodes in log2(depth) rounds.
    while not np.array_equal(further := source[source], source):
        source = further
    return source
