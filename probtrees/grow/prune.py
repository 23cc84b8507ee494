"""Cutting a grown tree back, and counting rows in a tree whose splits are given."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.grow import _prune_kernels as kernels
from probtrees.grow.count_tree import CountTree, TreeArrays, in_level_order
from probtrees.grow.split.growth_records import BRANCH, WAITING, item, make_records
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray

_UNLIKE = 4.75
"""Standard deviations beyond which branches are unlike: one chance in a million."""

_ITEMS_PER_CALL = 1_000_000
"""Rows looked at between two calls of the progress function."""

FRAME = np.dtype(
    [
        ("node", np.int64),
        ("start", np.int64),
        ("stop", np.int64),
        ("end", np.int64),  # where its children's items end
        ("next_child", np.int64),  # -1 before the node's items are dealt to its children
    ]
)
"""A node whose subtree is being pruned."""


class Rows(NamedTuple):
    """The table: its values, and the number of categories per column."""

    values: FloatArray
    n_values: IntArray


class Pruning(NamedTuple):
    """What is known so far.

    Attributes
    ----------
    state : int64[5], frames in use, inner nodes settled, items of the last node that led nowhere,
        steps since the last pause, 1 while no item was divided among children
    frames : FRAME[depth], from the root to the node at work
    first_item : int64[n_nodes], where a child's items start; they end where those of the next
        sibling start
    errors : float64[n_nodes], estimated errors of the subtree
    settled_with : int64[n_nodes], how many items a node was settled with
    items : ITEM[...], the items of all nodes on the way, level above level
    pieces : WAITING[n_nodes], room for routing a node's items down one branch
    branches : BRANCH[...], room for dealing items to branches
    counts : float64[n_outcomes], room to count
    """

    state: IntArray
    frames: np.recarray
    first_item: IntArray
    errors: FloatArray
    settled_with: IntArray
    items: np.recarray
    pieces: np.recarray
    branches: np.recarray
    counts: FloatArray


class ErrorEstimate(NamedTuple):
    """How errors are estimated: the confidence, its normal quantile, and subtree raising."""

    confidence: float
    quantile: float
    raising: bool


def collapse(tree: CountTree) -> CountTree:
    """Cut off every split below which the training rows are classified no better than above.

    A node becomes a leaf if the majority classes of its leaves make at least as many errors on
    the training rows as its own majority class does, less 0.001. C4.5 does this before, and
    also without, pruning.
    """
    return _cut(tree, _changes_no_class(tree))


def count_joined_unlike(tree: CountTree) -> int:
    """Count the leaves that :func:`collapse` makes of branches whose outcomes plainly differ.

    All of them predict the same class, with other chances: of a rare outcome that may be all
    there is to know. Plainly: by Pearson's chi-square over the branches of the first split, whose
    cube root is nearly normal (Wilson and Hilferty, 1931), far out since the split is the best of
    many.
    """
    counts, parent = tree.arrays.counts, tree.arrays.parent
    is_cut = _changes_no_class(tree) & ~tree.is_leaf
    is_cut[1:] &= ~is_cut[parent[1:]]
    branches = np.flatnonzero((parent >= 0) & is_cut[parent] & (tree.totals > 0))
    if branches.size == 0:
        return 0
    above = parent[branches]
    expected = counts[above] * (tree.totals[branches] / tree.totals[above])[:, None]
    distance = (counts[branches] - expected) ** 2 / np.where(expected > 0, expected, 1.0)
    chi_square = np.bincount(above, distance.sum(axis=1), minlength=tree.n_nodes)
    n_branches = np.bincount(above, minlength=tree.n_nodes)
    freedom = (n_branches - 1) * ((counts > 0).sum(axis=1) - 1)
    asked = freedom > 0
    spread = 2 / (9 * freedom[asked])
    deviation = np.cbrt(chi_square[asked] / freedom[asked]) - (1 - spread)
    return int((deviation > _UNLIKE * np.sqrt(spread)).sum())


def _changes_no_class(tree: CountTree) -> NDArray[np.bool_]:
    """Mark the nodes whose leaves classify training rows no better than they do themselves."""
    as_leaf = tree.totals - tree.arrays.counts.max(axis=1)
    as_tree = _sum_over_leaves(tree, as_leaf)
    return np.asarray(as_tree >= as_leaf - 1e-3)


def prune_by_held_out_rows(tree: CountTree, data: Dataset) -> CountTree:
    """Cut off every split that does not classify held-out rows better than a leaf would.

    Reduced-error pruning (Quinlan 1987), bottom up: a subtree becomes a leaf if that makes no
    more errors on the held-out rows. A leaf answers with its majority class among the rows the
    tree was grown from, an empty one with its parent's. The held-out rows are then added to the
    counts, so that the probabilities rest on all rows.
    """
    counts, fragments = count_rows(tree, data)
    majority = _majority(tree)
    as_leaf = counts.sum(axis=1) - counts[np.arange(tree.n_nodes), majority]
    errors = np.where(tree.is_leaf, as_leaf, 0.0)
    is_cut = np.zeros(tree.n_nodes, dtype=np.bool_)
    for nodes in _levels_from_below(tree):
        inner = nodes[~tree.is_leaf[nodes]]
        is_cut[inner] = as_leaf[inner] - errors[inner] < kernels.CLOSE
        errors[inner] = np.where(is_cut[inner], as_leaf[inner], errors[inner])
        if nodes[0] > 0:
            np.add.at(errors, tree.arrays.parent[nodes], errors[nodes])
    counts += tree.arrays.counts
    arrays = tree.arrays._replace(counts=counts, weight=counts.sum(axis=1))
    both = None if tree.fragments is None else tree.fragments + fragments
    return in_level_order(tree.target, arrays, both, is_cut)


def prune_pessimistically(
    tree: CountTree,
    data: Dataset,
    *,
    confidence: float,
    raise_subtrees: bool,
    progress: Callable[[float], None] | None = None,
) -> CountTree:
    """Cut off splits that are not expected to reduce the errors on new rows.

    C4.5's error-based pruning: a leaf with n rows and e errors is expected to make as many as
    the upper end of the confidence interval of a binomial rate e/n. Bottom up, a subtree becomes
    a leaf, or is replaced by its most populated branch (which then gets all its rows), if the
    estimate grows by at most 0.1 errors. Quinlan (1993), chapter 4.

    Parameters
    ----------
    data : the rows the tree was grown from
    confidence : one-sided; smaller values prune more
    raise_subtrees : whether a branch may replace its parent
    """
    arrays = TreeArrays._make(array.copy() for array in tree.arrays)
    fragments = np.zeros_like(arrays.counts)
    if tree.fragments is not None:
        fragments[0] = tree.fragments[0]
    estimate = ErrorEstimate(confidence, NormalDist().inv_cdf(1.0 - confidence), raise_subtrees)
    rows = _rows(data)
    pruning = _first_pruning(tree, data)
    n_inner = max(1, tree.n_nodes - tree.n_leaves)
    while True:
        status = kernels.prune_pessimistically(
            arrays, fragments, rows, estimate, pruning, _ITEMS_PER_CALL
        )
        if status == kernels.DONE:
            break
        if status == kernels.NEEDS_ITEMS:
            longer = make_records(2 * pruning.items.shape[0], item(np.float64))
            longer[: pruning.items.shape[0]] = pruning.items
            pruning = pruning._replace(items=longer)
        elif progress is not None:
            progress(min(1.0, float(pruning.state[kernels.N_SETTLED]) / n_inner))
    return in_level_order(tree.target, arrays, None if tree.fragments is None else fragments)


def prune_by_counts(tree: CountTree, confidence: float) -> CountTree:
    """Prune pessimistically without raising branches, for which the counts of the nodes suffice.

    Cuts off what :func:`prune_pessimistically` with ``raise_subtrees=False`` does, where no row
    was split over branches.
    """
    is_cut = np.zeros(tree.n_nodes, dtype=np.bool_)
    estimate = ErrorEstimate(confidence, NormalDist().inv_cdf(1.0 - confidence), False)
    kernels.prune_by_counts(tree.arrays, estimate, np.zeros(tree.n_nodes), is_cut)
    return _cut(tree, is_cut)


def count_rows(tree: CountTree, data: Dataset) -> tuple[FloatArray, FloatArray]:
    """Count rows in every node they pass: by weight, and each piece of a row as one."""
    counts = np.zeros_like(tree.arrays.counts)
    fragments = np.zeros_like(counts)
    kernels.count_rows(
        tree.arrays,
        _rows(data),
        data.labels,
        data.row_weights,
        counts,
        fragments,
        np.empty(tree.n_nodes, dtype=np.int64),
        np.empty(tree.n_nodes),
    )
    return counts, fragments


def with_counts_of(tree: CountTree, data: Dataset) -> CountTree:
    """Keep the splits, but count other rows in them."""
    counts, fragments = count_rows(tree, data)
    return replace(
        tree,
        arrays=tree.arrays._replace(counts=counts, weight=counts.sum(axis=1)),
        fragments=None if tree.fragments is None else fragments,
    )


def _cut(tree: CountTree, is_cut: NDArray[np.bool_]) -> CountTree:
    return in_level_order(tree.target, tree.arrays, tree.fragments, is_cut)


def _levels_from_below(tree: CountTree) -> list[NDArray[np.intp]]:
    """List the nodes of every level, the deepest level first."""
    ends = np.searchsorted(tree.arrays.depth, np.arange(tree.max_depth + 2))
    levels = [np.arange(first, last) for first, last in itertools.pairwise(ends)]
    return levels[::-1]


def _sum_over_leaves(tree: CountTree, of_node: FloatArray) -> FloatArray:
    """Add up, for every node, what its leaves have."""
    total = np.where(tree.is_leaf, of_node, 0.0)
    for nodes in _levels_from_below(tree)[:-1]:
        np.add.at(total, tree.arrays.parent[nodes], total[nodes])
    return total


def _majority(tree: CountTree) -> NDArray[np.intp]:
    """Give the most frequent outcome of every node, the parent's where no row arrived."""
    majority: NDArray[np.intp] = np.argmax(tree.arrays.counts, axis=1)
    for nodes in reversed(_levels_from_below(tree)[:-1]):
        empty = nodes[tree.totals[nodes] <= 0.0]
        majority[empty] = majority[tree.arrays.parent[empty]]
    return majority


def _rows(data: Dataset) -> Rows:
    return Rows(np.ascontiguousarray(data.values), data.schema.n_values.astype(np.int64))


def _first_pruning(tree: CountTree, data: Dataset) -> Pruning:
    """Make room for pruning, with all rows in the root."""
    n_rows = data.n_rows
    items = make_records(4 * n_rows + 2, item(np.float64))
    items.row[:n_rows] = np.arange(n_rows)
    items.outcome[:n_rows] = data.labels
    items.weight[:n_rows] = data.row_weights
    frames = make_records(tree.max_depth + 2, FRAME)
    frames[0].stop = n_rows
    frames[0].next_child = -1
    return Pruning(
        state=np.array([1, 0, 0, 0, 1]),
        frames=frames,
        first_item=np.zeros(tree.n_nodes, dtype=np.int64),
        errors=np.zeros(tree.n_nodes),
        settled_with=np.full(tree.n_nodes, -1),
        items=items,
        pieces=make_records(tree.n_nodes, WAITING),
        branches=make_records(int(tree.arrays.n_children.max()) + 1, BRANCH),
        counts=np.zeros(tree.n_outcomes),
    )
