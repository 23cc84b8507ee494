"""One structure for decision trees and probability tables: a hierarchy of count vectors.

In a C4.5 tree every node counts classes. In the table of p(x | class, parent, ...) every
level conditions on one more column and counts the values of x. Both are a
:class:`CountTree`, so a smoother, an explanation or a picture is written once.

Nodes are kept in **level order**: a node comes after its parent, and siblings lie side by
side. Going down the tree is a forward loop, going up is a backward one; nothing recurses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.types import FloatArray

NO_NODE = -1
"""The parent of the root, and the first child of a leaf."""

NO_COLUMN = -1
"""The split column of a leaf."""

LEFT, RIGHT, NOT_RECORDED = 0, 1, 2
"""The branches of a numeric split: up to the threshold, above it, value missing."""


class TreeArrays(NamedTuple):
    """The flat arrays of a tree: what kernels receive.

    Attributes
    ----------
    parent : int32[n_nodes], ``NO_NODE`` at the root, else smaller than the node's number
    depth : int32[n_nodes], edges from the root
    first_child, n_children : int32[n_nodes]; children are contiguous, in branch order
    column : int32[n_nodes], the column split on, ``NO_COLUMN`` at a leaf
    threshold : float64[n_nodes], NaN where the split has one branch per value
    branch : int32[n_nodes], which branch of the parent leads here: the category code of a
        nominal split (the number of declared categories stands for "missing" where that
        is a branch of its own), ``LEFT``, ``RIGHT`` or ``NOT_RECORDED`` of a numeric one,
        0 at the root. Ascending among siblings; a table lists only the values it has met.
    weight : float64[n_nodes], the weight of the training rows that reached the node
    counts : float64[n_nodes, n_outcomes], that weight by outcome
    """

    parent: NDArray[np.int32]
    depth: NDArray[np.int32]
    first_child: NDArray[np.int32]
    n_children: NDArray[np.int32]
    column: NDArray[np.int32]
    threshold: FloatArray
    branch: NDArray[np.int32]
    weight: FloatArray
    counts: FloatArray


_ROUNDING = 1e-9
"""By this share of all rows a sum of ones may miss a whole number."""

_OF_FLOATS = ("threshold", "weight", "counts")
"""The arrays of float64; the others are of int32."""


@dataclass(frozen=True)
class CountTree:
    """A hierarchy of count vectors.

    Attributes
    ----------
    target : column number whose outcomes are counted: the class of a decision tree, an
        attribute in a table
    arrays : the tree itself
    fragments : float64[n_nodes, n_outcomes] or None. Where rows with missing values were
        split over branches: how many rows arrived at each node with any weight, each
        counted as one. Used only to reproduce published figures.
    mean_weights : float64[n_nodes, n_outcomes] or None where every row counts once. The mean
        weight of the rows in each cell: what leaves when one of them is left out
    joined : by node, the branches of its parent that lead to it, where several do: in a tree
        whose small groups were merged
    """

    target: int
    arrays: TreeArrays
    fragments: FloatArray | None = None
    mean_weights: FloatArray | None = None
    joined: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.arrays.parent.shape[0])

    @property
    def n_outcomes(self) -> int:
        """Number of outcomes counted in every node."""
        return int(self.arrays.counts.shape[1])

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        return np.equal(self.arrays.n_children, 0)

    @cached_property
    def leaves(self) -> NDArray[np.intp]:
        """The node numbers of the leaves."""
        return np.flatnonzero(self.is_leaf)

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int(self.leaves.shape[0])

    @property
    def max_depth(self) -> int:
        """Edges from the root to the deepest leaf; 0 for a lone root."""
        return int(self.arrays.depth.max())

    @cached_property
    def totals(self) -> FloatArray:
        """Sum of the counts of every node."""
        return np.asarray(self.arrays.counts.sum(axis=1))

    @cached_property
    def row_weights(self) -> FloatArray:
        """The mean weight of the rows in each cell, ones where every row counts once."""
        if self.mean_weights is None:
            return np.ones_like(self.arrays.counts)
        return self.mean_weights

    @cached_property
    def is_weighted(self) -> bool:
        """Whether what is counted are sums of weights that are not whole, as those of surveys."""
        counts = self.arrays.counts[0]
        return bool((np.abs(counts - np.rint(counts)) > _ROUNDING * max(1.0, counts.sum())).any())

    @property
    def rows_word(self) -> str:
        """What the rows of a node are called: sums of weights are not called rows alone."""
        return "weighted rows" if self.is_weighted else "rows"

    def path(self, node: int) -> list[int]:
        """List the nodes from the root down to a node."""
        nodes = [node]
        while self.arrays.parent[nodes[-1]] != NO_NODE:
            nodes.append(int(self.arrays.parent[nodes[-1]]))
        return nodes[::-1]

    def children(self, node: int) -> range:
        """List the node numbers of a node's children, in branch order."""
        first = int(self.arrays.first_child[node])
        return range(first, first + int(self.arrays.n_children[node])) if first >= 0 else range(0)

    def depth_first(self) -> list[int]:
        """List all nodes as an indented outline would show them."""
        order: list[int] = []
        waiting = [0]
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting.extend(reversed(self.children(node)))
        return order


def make_arrays(**columns: object) -> TreeArrays:
    """Gather the arrays of a tree in their declared types, C order."""
    return TreeArrays._make(
        np.ascontiguousarray(columns[name], dtype=np.float64 if name in _OF_FLOATS else np.int32)
        for name in TreeArrays._fields
    )


def lone_leaves(n_nodes: int, n_outcomes: int) -> TreeArrays:
    """Make nodes without parents, children and rows, to be filled in."""
    return make_arrays(
        parent=np.full(n_nodes, NO_NODE),
        depth=np.zeros(n_nodes),
        first_child=np.full(n_nodes, NO_NODE),
        n_children=np.zeros(n_nodes),
        column=np.full(n_nodes, NO_COLUMN),
        threshold=np.full(n_nodes, np.nan),
        branch=np.zeros(n_nodes),
        weight=np.zeros(n_nodes),
        counts=np.zeros((n_nodes, n_outcomes)),
    )


def in_level_order(
    target: int,
    arrays: TreeArrays,
    fragments: FloatArray | None = None,
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


def check_tree(tree: CountTree) -> None:
    """Raise :class:`DataError` unless the arrays form one tree in level order.

    Trees made by a learner satisfy this by construction; a tree read from a file must
    prove it before any kernel walks it.
    """
    arrays = tree.arrays
    n_nodes = tree.n_nodes
    if n_nodes == 0 or arrays.counts.ndim != 2 or arrays.counts.shape[1] == 0:
        raise DataError("tree must have at least one node and one outcome.")
    for name in TreeArrays._fields:
        if getattr(arrays, name).shape[0] != n_nodes:
            raise DataError(f"tree array {name!r} must have {n_nodes} entries.")
    if not (np.isfinite(arrays.counts).all() and (arrays.counts >= 0).all()):
        raise DataError("tree counts must be finite and not negative.")
    if not (np.isfinite(arrays.weight).all() and (arrays.weight >= 0).all()):
        raise DataError("tree weights must be finite and not negative.")
    if not _is_in_level_order(arrays):
        raise DataError("tree must list its nodes level by level, children in branch order.")


def _is_in_level_order(arrays: TreeArrays) -> bool:
    """Whether children follow their parents without gaps, in branch order."""
    sizes = arrays.n_children.astype(np.int64)
    if (sizes < 0).any() or sizes.sum() != len(sizes) - 1:
        return False
    parent = np.repeat(np.arange(len(sizes)), sizes)
    is_first = np.diff(parent, prepend=NO_NODE) > 0
    first_child = np.where(sizes > 0, 1 + np.cumsum(sizes) - sizes, NO_NODE)
    return bool(
        (parent < np.arange(1, len(sizes))).all()
        and np.array_equal(arrays.parent, [NO_NODE, *parent])
        and np.array_equal(arrays.first_child, first_child)
        and np.array_equal(arrays.depth, [0, *(arrays.depth[parent] + 1)])
        and np.array_equal(arrays.column >= 0, sizes > 0)
        and (arrays.column >= NO_COLUMN).all()
        and (arrays.branch[1:] >= 0).all()
        and (is_first | (np.diff(arrays.branch[1:], prepend=-1) > 0)).all()
    )
