"""Which nodes of a large tree a picture shows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import NO_NODE, CountTree


def open_to_depth(tree: CountTree, depth: int | None, limit: int | None = None) -> set[int]:
    """Show nodes down to a depth, whole levels at a time, at most ``limit`` of them."""
    deepest = tree.max_depth if depth is None else depth
    if limit is not None:
        per_level = np.bincount(tree.arrays.depth)
        fitting = int((np.cumsum(per_level) <= limit).sum()) - 1
        deepest = min(deepest, max(fitting, 1))
    return set(np.flatnonzero(tree.arrays.depth <= deepest).tolist())


def with_paths(tree: CountTree, visible: Iterable[int], nodes: Iterable[int]) -> set[int]:
    """Add the way from the root to some nodes, with the siblings along it."""
    shown = set(visible) | {0}
    for node in nodes:
        for step in tree.path(node)[:-1]:
            shown.update(tree.children(step))
    return shown


def subtree_sizes(tree: CountTree) -> NDArray[np.int64]:
    """Count the nodes at and below every node."""
    sizes = np.ones(tree.n_nodes, dtype=np.int64)
    parent = tree.arrays.parent
    for node in range(tree.n_nodes - 1, 0, -1):
        if parent[node] != NO_NODE:
            sizes[parent[node]] += sizes[node]
    return sizes
