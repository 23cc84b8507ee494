"""Which splits of a tree matter most, so that a few groups stand for thousands of leaves.

The leaves of a tree tell rows apart: their probabilities differ. How much is the variance of the
smoothed probabilities over the rows, and it is the sum of what every split tells: the variance
between its branches. Closing a node hides what its split tells. So the detail of a picture can be
chosen by importance, and the picture can say what share of everything it still shows.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import NO_NODE, CountTree
from probtrees.model.routing import add_up_the_tree
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import FloatArray

FIRST_GROUPS = 12
"""So many groups can be read at a glance: what a picture opens with."""


@dataclass(frozen=True)
class DetailOrder:
    """The splits of a tree, those that tell most first.

    Attributes
    ----------
    opening : the inner nodes with rows, in the order in which they are opened; none before its
        parent
    tells : float64[n_nodes], the share of what all leaves tell apart that a node's own split
        tells; they sum to 1, or to 0 where all leaves say the same
    tree : the tree
    """

    opening: NDArray[np.int64]
    tells: FloatArray
    tree: CountTree

    def opened(self, n_groups: int, way: Sequence[int] = ()) -> list[int]:
        """List the nodes that are open when up to ``n_groups`` groups are shown.

        At least the root is opened: one group is no picture.

        Parameters
        ----------
        way : inner nodes that are open besides, from the root down; what tells most stays in view
        """
        found: dict[int, None] = {}
        more = shown_children(self.tree) - 1
        groups = 1
        for node in self.opening.tolist():
            if found and groups + more[node] > n_groups:
                break
            groups += int(more[node])
            found[node] = None
        return list(found | dict.fromkeys(int(node) for node in way))

    def shown_groups(self, n_groups: int) -> NDArray[np.intp]:
        """List the groups that stand in a picture of so many: what is not opened in it."""
        opened = np.zeros(self.tree.n_nodes, dtype=bool)
        opened[self.opened(n_groups)] = True
        stands = np.concatenate([[not opened[0]], opened[self.tree.arrays.parent[1:]]])
        shown: NDArray[np.intp] = np.flatnonzero(stands & ~opened & ~nodes_without_rows(self.tree))
        return shown

    def near_leaves(self, n_groups: int) -> NDArray[np.intp]:
        """List the leaves whose whole way a picture of so many groups can show.

        Where there is none, those with the fewest branches beside their way are listed.
        """
        tree = self.tree
        groups, shown = np.ones(tree.n_nodes, dtype=np.int64), shown_children(tree)
        for depth in range(1, tree.max_depth + 1):
            level = np.flatnonzero(tree.arrays.depth == depth)
            above = tree.arrays.parent[level]
            groups[level] = groups[above] + shown[above] - 1
        leaves = np.flatnonzero(tree.is_leaf & ~nodes_without_rows(tree))
        near: NDArray[np.intp] = leaves[groups[leaves] <= max(n_groups, groups[leaves].min())]
        return near

    def share_shown(self, opened: Iterable[int]) -> float:
        """Return the share of what the leaves tell apart that a picture with these nodes tells."""
        if not self.tells.any():
            return 1.0
        # Rounded once, so that a node more never tells less by its last digit.
        return min(math.fsum(self.tells[list(opened)]), 1.0)


def nodes_without_rows(tree: CountTree) -> NDArray[np.bool_]:
    """Mark the nodes that no training row reached; pictures leave them out.

    Growing gives every split of a column the same branches: one for each of its values, and one
    for what is not recorded, whether or not there were such rows here.
    """
    if tree.totals[0] <= 0:
        return np.zeros(tree.n_nodes, dtype=bool)
    return np.asarray(tree.totals <= 0)


def branches_without_rows(tree: CountTree) -> NDArray[np.bool_]:
    """Mark where rows come to a split and none of them takes the branch."""
    empty = nodes_without_rows(tree)
    return empty & ~empty[tree.arrays.parent]


def shown_children(tree: CountTree) -> NDArray[np.int64]:
    """Count the branches of every node that are drawn; below one without rows, all of them."""
    gone = np.bincount(tree.arrays.parent[branches_without_rows(tree)], minlength=tree.n_nodes)
    return np.asarray(tree.arrays.n_children - gone, dtype=np.int64)


def detail_order(smoothed: SmoothedTree) -> DetailOrder:
    """Order the splits of a tree by how much they tell apart.

    Nodes are closed from the leaves up, each time the one that hides least for every group it
    saves. A split that tells nothing itself stays open while one below it tells much, as it must
    in an exclusive-or.
    """
    tree = smoothed.tree
    between = _between_branches(smoothed)
    total = float(between.sum())
    # Means of equal numbers differ in their last digit: that tells nothing.
    tells = between / total if total > 1e-20 * tree.totals[0] else np.zeros_like(between)
    saved = np.maximum(shown_children(tree) - 1, 1)
    cost = (tells / saved).tolist()
    parent = tree.arrays.parent.tolist()
    inner = np.flatnonzero(~tree.is_leaf & ~nodes_without_rows(tree))
    open_below = np.zeros(tree.n_nodes, dtype=np.int64)
    above = tree.arrays.parent[inner]
    np.add.at(open_below, above[above != NO_NODE], 1)
    # Of nodes that cost the same, the deepest one is closed first: it has the larger number.
    ready = [(cost[node], -int(node)) for node in inner if open_below[node] == 0]
    heapq.heapify(ready)
    closing = []
    while ready:
        node = -heapq.heappop(ready)[1]
        closing.append(node)
        if parent[node] == NO_NODE:
            continue
        open_below[parent[node]] -= 1
        if open_below[parent[node]] == 0:
            heapq.heappush(ready, (cost[parent[node]], -parent[node]))
    return DetailOrder(np.array(closing[::-1], dtype=np.int64), tells, tree)


def _between_branches(smoothed: SmoothedTree) -> FloatArray:
    """Sum the squared distances of the branches of every node from their mean, by rows."""
    tree = smoothed.tree
    rows, means = leaf_means(smoothed)
    below = np.arange(1, tree.n_nodes)
    parent = tree.arrays.parent[below]
    apart = rows[below] * ((means[below] - means[parent]) ** 2).sum(axis=1)
    between: FloatArray = np.bincount(parent, weights=apart, minlength=tree.n_nodes).astype(float)
    return between


def leaf_means(smoothed: SmoothedTree) -> tuple[FloatArray, FloatArray]:
    """Return the rows of the leaves below every node, and the mean of what those leaves say."""
    tree = smoothed.tree
    rows = np.where(tree.is_leaf, tree.totals, 0.0)
    weighted = rows[:, None] * smoothed.probs
    add_up_the_tree(tree, rows)
    add_up_the_tree(tree, weighted)
    means = np.divide(weighted, rows[:, None], out=np.zeros_like(weighted), where=rows[:, None] > 0)
    return rows, means


def is_group_mean(smoothed: SmoothedTree, node: int) -> bool:
    """Whether a node is shown as the mean of its leaves, since its own value is no rate of rows."""
    return smoothed.averages_branches and not bool(smoothed.tree.is_leaf[node])


def group_probs(smoothed: SmoothedTree) -> FloatArray:
    """Give every node what it says when it is shown as a group: its answer were the tree cut there.

    Some smoothers have averages over branches in their inner nodes, which are no rates of their
    rows; there the mean of the leaves is shown.
    """
    if not smoothed.averages_branches:
        return smoothed.probs
    rows, means = leaf_means(smoothed)
    return np.where((smoothed.tree.is_leaf | (rows <= 0))[:, None], smoothed.probs, means)
