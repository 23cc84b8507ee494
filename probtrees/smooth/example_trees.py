"""Small trees that a smoother must be able to handle, and evidence to go with them.

They are the corners where formulas divide by zero: a lone root, a root without rows, empty
branches, leaves of one row, fractions of rows, long thin trees, many outcomes, huge counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from probtrees.grow.count_tree import NO_COLUMN, NO_NODE, CountTree, make_arrays
from probtrees.smooth.evidence import Evidence, EvidencePart
from probtrees.types import IntArray


def tree_of(n_children: Sequence[int], leaf_counts: ArrayLike, target: int = 9) -> CountTree:
    """Hang counts on a tree given by the number of children of every node in level order.

    The leaves take the rows of ``leaf_counts`` in level order; an inner node counts what
    its children count. Every split is nominal, on the column numbered like its depth.

    >>> tree_of([2, 0, 0], [[3, 0], [1, 2]]).arrays.counts.tolist()
    [[4.0, 2.0], [3.0, 0.0], [1.0, 2.0]]
    """
    n_nodes = len(n_children)
    children = np.asarray(n_children, dtype=np.int32)
    parent = np.repeat(np.arange(n_nodes), children)
    parent = np.concatenate([[NO_NODE], parent])
    first_child = np.where(children > 0, 1 + np.cumsum(children) - children, NO_NODE)
    depth = np.zeros(n_nodes, dtype=np.int32)
    branch = np.zeros(n_nodes, dtype=np.int32)
    for node in range(1, n_nodes):
        depth[node] = depth[parent[node]] + 1
        branch[node] = node - first_child[parent[node]]
    leaf_counts = np.asarray(leaf_counts, dtype=np.float64)
    counts = np.zeros((n_nodes, leaf_counts.shape[1]))
    counts[children == 0] = leaf_counts
    for node in range(n_nodes - 1, 0, -1):
        counts[parent[node]] += counts[node]
    arrays = make_arrays(
        parent=parent,
        depth=depth,
        first_child=first_child,
        n_children=children,
        column=np.where(children > 0, depth, NO_COLUMN),
        threshold=np.full(n_nodes, np.nan),
        branch=branch,
        weight=counts.sum(axis=1),
        counts=counts,
    )
    return CountTree(target, arrays)


def example_trees() -> dict[str, CountTree]:
    """Give the corner cases by name; every call makes the same trees."""
    random = np.random.default_rng(1)
    bushy = [3, 2, 0, 3, 0, 2, 2, 0, 0, 0, 0, 0, 0]
    n_leaves = bushy.count(0)
    return {
        "the gene example": tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]]),
        "a lone root": tree_of([0], [[3, 1, 0]]),
        "a lone root without rows": tree_of([0], [[0, 0]]),
        "a tree without rows": tree_of([2, 0, 2, 0, 0], np.zeros((3, 2))),
        "empty branches": tree_of([3, 0, 0, 2, 0, 0], [[4, 1], [0, 0], [0, 0], [0, 2]]),
        "leaves of one row": tree_of([2, 2, 2, 0, 0, 0, 0], np.eye(3)[[0, 1, 1, 2]]),
        "four outcomes": tree_of(bushy, random.integers(0, 6, (n_leaves, 4))),
        "a long thin tree": _thin_tree(60, random),
        "many outcomes": tree_of([2, 0, 0], random.integers(0, 2, (2, 120))),
        "huge counts": tree_of([2, 0, 0], [[10**7, 1], [0, 10**7]]),
        "fractions of rows": tree_of(bushy, random.random((n_leaves, 3)) * 4),
    }


def example_evidence(tree: CountTree, n_rows: int = 40) -> Evidence:
    """Make up held-out rows for a tree: they land in leaves and have any outcome."""
    random = np.random.default_rng(2)
    parts = []
    for number in range(2):
        outcomes: IntArray = random.integers(0, tree.n_outcomes, n_rows)
        parts.append(
            EvidencePart(
                tree=tree,
                rows=np.arange(n_rows, dtype=np.int64) + number * n_rows,
                first=np.arange(n_rows + 1, dtype=np.int64),
                nodes=random.choice(tree.leaves, n_rows).astype(np.int32),
                shares=np.ones(n_rows),
                outcomes=outcomes,
                weights=np.ones(n_rows),
            )
        )
    return Evidence(tuple(parts))


def _thin_tree(length: int, random: np.random.Generator) -> CountTree:
    """Make a tree in which every split sends one leaf off to the side."""
    n_children = [2] + [0, 2] * (length - 1) + [0, 0]
    return tree_of(n_children, random.integers(0, 3, (length + 1, 2)))
