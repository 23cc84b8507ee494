# mypy: disable-error-code="no-untyped-def"
"""Compiled walks down the branches of a tree; the face is :mod:`.m_branch`."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def step_down(counts, strength, estimate):
    """Replace a parent's estimate by that of its child: (n_k + m * p_k) / (n + m)."""
    total = strength
    for k in range(counts.shape[0]):
        total += counts[k]
    # No rows and no pull: the parent's estimate stays.
    if total > 0.0:
        for k in range(counts.shape[0]):
            estimate[k] = (counts[k] + strength * estimate[k]) / total


@njit(cache=True, nogil=True)
def smooth_branches(arrays, strength, sqrt_total, probs):
    """Estimate every node at the end of its own branch.

    Siblings end branches of one length, so they share the walk down to their parent.
    """
    path = np.empty(arrays.depth[-1] + 1, dtype=np.int32)
    estimate = np.empty(probs.shape[1])
    # The root is a branch of height 1, where m = M.
    probs[0] = 1.0 / probs.shape[1]
    step_down(arrays.counts[0], strength, probs[0])
    for parent in range(arrays.parent.shape[0]):
        if arrays.n_children[parent] == 0:
            continue
        length = arrays.depth[parent] + 1
        node = parent
        # The path is known from its end: write it backwards.
        for depth in range(length - 1, -1, -1):
            path[depth] = node
            node = arrays.parent[node]
        estimate[:] = 1.0 / probs.shape[1]
        for depth in range(length):
            height = length + 1.0 - depth
            # m = M (1 + (1 - 1/h) sqrt(N)), thesis eq. 18. An inner node's h depends on the leaf
            # whose branch it is on, so no estimate can be kept from branch to branch.
            pull = strength * (1.0 + (1.0 - 1.0 / height) * sqrt_total)
            step_down(arrays.counts[path[depth]], pull, estimate)
        first = arrays.first_child[parent]
        for child in range(first, first + arrays.n_children[parent]):
            # A loop: assigning whole rows would compile numba's message about unequal shapes.
            for k in range(probs.shape[1]):
                probs[child, k] = estimate[k]
            # At the end of its branch h = 1, so m = M.
            step_down(arrays.counts[child], strength, probs[child])


@njit(cache=True, nogil=True)
def link_leaves(arrays, last_leaf, next_leaf):
    """For every node: the last leaf below it, and the leaf that follows it, depth first.

    The leaf that follows the last leaf of all is -1. Returns the very first leaf.
    """
    first_leaf = np.empty_like(last_leaf)
    # Children before parents: the first leaf below a node is that of its first child.
    for node in range(arrays.parent.shape[0] - 1, -1, -1):
        first = arrays.first_child[node]
        if arrays.n_children[node] == 0:
            first_leaf[node] = node
            last_leaf[node] = node
        else:
            first_leaf[node] = first_leaf[first]
            last_leaf[node] = last_leaf[first + arrays.n_children[node] - 1]
    next_leaf[0] = -1
    # Parents before children: what follows a node follows its last child.
    for node in range(arrays.parent.shape[0]):
        first = arrays.first_child[node]
        last = first + arrays.n_children[node] - 1
        for child in range(first, last):
            next_leaf[child] = first_leaf[child + 1]
        if arrays.n_children[node] > 0:
            next_leaf[last] = next_leaf[node]
    return first_leaf[0]


@njit(cache=True, nogil=True)
def smooth_chain(arrays, strength, sqrt_total, probs):
    """Estimate every node as the published program does: branches chained to one another.

    The branch of a leaf starts from the estimate of the leaf that follows it; a node on
    several branches keeps the strength it has on the last of them. An inner node is
    treated as if the tree were cut there. Leaves come first, the last one leading.
    """
    n_nodes = arrays.parent.shape[0]
    last_leaf = np.empty(n_nodes, dtype=np.int32)
    next_leaf = np.empty(n_nodes, dtype=np.int32)
    order = np.empty(n_nodes, dtype=np.int32)
    leaf = link_leaves(arrays, last_leaf, next_leaf)
    n_leaves = 0
    # From the back, so that the leaf which follows is always estimated before.
    while leaf >= 0:
        n_leaves += 1
        order[n_nodes - n_leaves] = leaf
        leaf = next_leaf[leaf]
    n_inner = 0
    for node in range(n_nodes):
        if arrays.n_children[node] > 0:
            order[n_inner] = node
            n_inner += 1
    path = np.empty(arrays.depth[-1] + 1, dtype=np.int32)
    # order holds the inner nodes, then the leaves from last to first.
    for turn in range(n_nodes):
        end = order[(n_inner + turn) % n_nodes]
        node = end
        for depth in range(arrays.depth[end], -1, -1):
            path[depth] = node
            node = arrays.parent[node]
        # The program never clears its list of nodes: a branch starts where the one before ended.
        for k in range(probs.shape[1]):
            probs[end, k] = 1.0 / probs.shape[1] if next_leaf[end] < 0 else probs[next_leaf[end], k]
        for depth in range(arrays.depth[end] + 1):
            last = last_leaf[path[depth]]
            length = arrays.depth[end] if last == last_leaf[end] else arrays.depth[last]
            height = length + 1.0 - depth
            pull = strength * (1.0 + (1.0 - 1.0 / height) * sqrt_total)
            step_down(arrays.counts[path[depth]], pull, probs[end])
