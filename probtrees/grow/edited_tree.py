"""A grown tree with the corrections of an expert: only what hangs below an edited node regrows.

Edits nearer to the root come first, so that none undoes another: what is grown again below a node
is then corrected in turn. The tree does not depend on the order in which the edits were made,
except for two about the same node, of which the later one counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

import numpy as np

from probtrees.grow.count_tree import (
    LEFT,
    NO_COLUMN,
    NO_NODE,
    NOT_RECORDED,
    RIGHT,
    CountTree,
    TreeArrays,
    in_level_order,
    lone_leaves,
)
from probtrees.grow.edits import Edit, Place, Step, check_edits
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

CLOSE = 1e-6
"""As in growing: a number above a cut by less goes left, a share up to this is none."""

SAME_CUT = 0.1
"""A cut is the one an edit names if it sends at most this share of the rows elsewhere."""


class NodeRows(NamedTuple):
    """The rows of a node, by the weight with which they arrive there.

    Attributes
    ----------
    shape : float64[n_rows], of the rows that the splits are chosen by
    held_out : the same of rows that only prune, if there are any
    """

    shape: FloatArray
    held_out: FloatArray | None = None

    @property
    def has_rows(self) -> bool:
        """Whether any row arrives, if only to prune: it is counted then."""
        return bool(self.shape.any()) or (self.held_out is not None and bool(self.held_out.any()))


class Branching(NamedTuple):
    """A split: its column, its cut (NaN: a branch per value), and how many branches it has."""

    column: int
    threshold: float
    n_branches: int


class Regrow(Protocol):
    """Grows what hangs below a node, as it would be grown in the whole tree."""

    def __call__(
        self, rows: NodeRows, depth: int, never: frozenset[int], *, freely: bool = False
    ) -> CountTree:
        """Grow from the rows of a node; ``freely``: no collapse, no pruning, no limit of depth."""

    def best_cut(self, rows: NodeRows, column: int) -> float | None:
        """Return where C4.5 cuts a number among the rows of a node; None: nowhere."""


@dataclass(frozen=True)
class GrowingRows:
    """The rows a tree is grown from.

    Attributes
    ----------
    shape : they choose the splits
    held_out : they only prune, if there are any
    missing_as_value : whether missing values have a branch of their own
    """

    shape: Dataset
    held_out: Dataset | None
    missing_as_value: bool

    def in_root(self) -> NodeRows:
        """Return all rows."""
        held_out = None if self.held_out is None else self.held_out.row_weights
        return NodeRows(self.shape.row_weights, held_out)

    def branching(self, column: int, threshold: float = math.nan) -> Branching:
        """Return the split on a column, with a branch for missing values where growing has one."""
        values = self.shape.values[:, column]
        declared = int(self.shape.schema.n_values[column])
        missing = ~(values >= 0) if declared else np.isnan(values)
        own_branch = self.missing_as_value and bool(missing.any())
        return Branching(column, threshold, (declared or 2) + own_branch)

    def deal(self, rows: NodeRows, split: Branching) -> list[NodeRows]:
        """Deal the rows of a node to its branches; a row without a branch goes down all of them."""
        at = _branch_of(self.shape, split)
        known = np.array([rows.shape[at == branch].sum() for branch in range(split.n_branches)])
        shares = known / known.sum() if known.sum() > 0 else np.zeros(split.n_branches)
        shape = _dealt(rows.shape, at, shares)
        if rows.held_out is None or self.held_out is None:
            return [NodeRows(part) for part in shape]
        held_out = _dealt(rows.held_out, _branch_of(self.held_out, split), shares)
        return [NodeRows(*both) for both in zip(shape, held_out, strict=True)]


@dataclass(frozen=True)
class _Found:
    """A node that edits name, and its rows; or why there is none."""

    node: int = 0
    rows: NodeRows | None = None
    why: str = ""


@dataclass
class _Orders:
    """All that is said about one node: columns not to use, and the last word on its split."""

    at: tuple[Step, ...]
    never: list[int] = field(default_factory=list)
    act: Edit | None = None


def edit_tree(
    tree: CountTree, rows: GrowingRows, edits: Iterable[Edit], regrow: Regrow
) -> CountTree:
    """Correct a tree that was grown from some rows.

    An edit that repeats what is there changes nothing; one whose node the tree does not have is
    left out, which :func:`unmet_edits` tells.
    """
    active = [edit for edit in edits if edit.on]
    check_edits(active, rows.shape.schema)
    orders = _by_place(active, rows.shape.schema.names)
    for place in sorted(orders, key=len):  # stable, so the order of making decides among equals
        found = _find(tree, rows, orders[place].at)
        if found.rows is None:
            continue
        above = [orders[place[:n]] for n in range(len(place) + 1) if place[:n] in orders]
        never = frozenset(column for order in above for column in order.never)
        freely = any(order.act is not None and order.act.do == "grow" for order in above)
        depth = len(place)
        if orders[place].never:
            tree = _graft(tree, found.node, regrow(found.rows, depth, never, freely=freely))
        act = orders[place].act
        if act is not None and act.do == "stop":
            tree = _cut_at(tree, found.node)
        elif act is not None and act.do == "grow":
            tree = _graft(tree, found.node, regrow(found.rows, depth, never, freely=True))
        elif act is not None:
            tree = _split_at(tree, rows, found, act, never, freely, regrow)
    return tree


def unmet_edits(tree: CountTree, data: Dataset, edits: Sequence[Edit]) -> list[str | None]:
    """Say of every edit why a tree does not follow it; None where it does, or is switched off.

    Parameters
    ----------
    data : the rows the tree was grown from
    """
    rows = GrowingRows(data, None, missing_as_value=True)
    orders = _by_place([edit for edit in edits if edit.on], data.schema.names)
    said: list[str | None] = []
    for edit in edits:
        if not edit.on:
            said.append(None)
            continue
        found = _find(tree, rows, edit.at)
        act = orders[edit.place].act
        if found.rows is None:
            said.append(found.why)
        elif edit.do != "never" and act is not edit:
            said.append("a later correction of the same group takes its place")
        elif edit.do == "split" and not _is_split_so(tree, found.node, edit, data):
            said.append("no row would go down a second branch, or no cut tells anything there")
        else:
            said.append(None)
    return said


def _by_place(edits: Iterable[Edit], names: tuple[str, ...]) -> dict[Place, _Orders]:
    """Gather what is said about every node."""
    orders: dict[Place, _Orders] = {}
    for edit in edits:
        order = orders.setdefault(edit.place, _Orders(edit.at))
        if edit.do == "never":
            order.never.append(names.index(edit.column or ""))
        else:
            order.act = edit
    return orders


def _find(tree: CountTree, rows: GrowingRows, way: tuple[Step, ...]) -> _Found:
    """Follow conditions down a tree: the same columns, the same sides, about the same cuts."""
    node, held = 0, rows.in_root()
    schema, arrays = rows.shape.schema, tree.arrays
    for step in way:
        if tree.is_leaf[node]:
            return _Found(why=f"the tree ends before it asks for {step.column}")
        column = int(arrays.column[node])
        if schema.columns[column].name != step.column:
            return _Found(
                why=f"the tree asks for {schema.columns[column].name} there, not {step.column}"
            )
        split = Branching(column, float(arrays.threshold[node]), int(arrays.n_children[node]))
        if step.bound is not None and not _is_same_cut(rows.shape, held.shape, split, step.bound):
            return _Found(
                why=f"the tree cuts {step.column} at {split.threshold:.12g} there, "
                f"not at {step.bound:.12g}"
            )
        branch = _branch(step, schema.columns[column].categories)
        if branch >= split.n_branches:
            return _Found(why=f"no {step.column} is missing there")
        held = rows.deal(held, split)[branch]
        node = int(arrays.first_child[node]) + branch
    return _Found(node, held)


def _branch(step: Step, categories: tuple[str, ...] | None) -> int:
    """Return the number of the branch that a condition leads down."""
    if step.missing:
        return NOT_RECORDED if categories is None else len(categories)
    if categories is not None:
        return categories.index(step.value or "")
    return RIGHT if step.at_most is None else LEFT


def _is_same_cut(data: Dataset, weights: FloatArray, split: Branching, bound: float) -> bool:
    """Whether a cut sends almost all rows where another one would, all but one of few."""
    low, high = sorted((split.threshold, bound))
    values = data.values[:, split.column]
    between = weights[(values - low >= CLOSE) & (values - high < CLOSE)].sum()
    known = weights[~np.isnan(values)].sum()
    return bool(between <= max(SAME_CUT * known, 1.0))


def _is_split_so(tree: CountTree, node: int, edit: Edit, data: Dataset) -> bool:
    """Whether a node is split as an edit says."""
    column = int(tree.arrays.column[node])
    if column == NO_COLUMN or data.schema.columns[column].name != edit.column:
        return False
    return edit.cut is None or float(tree.arrays.threshold[node]) == edit.cut


def _split_at(
    tree: CountTree,
    rows: GrowingRows,
    found: _Found,
    edit: Edit,
    never: frozenset[int],
    freely: bool,
    regrow: Regrow,
) -> CountTree:
    """Split a node as an edit says and grow below it; no change where it is split so already."""
    if found.rows is None or _is_split_so(tree, found.node, edit, rows.shape):
        return tree
    column = rows.shape.schema.names.index(edit.column or "")
    threshold: float | None = math.nan
    if not rows.shape.schema.columns[column].is_nominal:
        threshold = regrow.best_cut(found.rows, column) if edit.cut is None else edit.cut
    if threshold is None:
        return tree
    split = rows.branching(column, threshold)
    parts = rows.deal(found.rows, split)
    if sum(part.shape.sum() > 0 for part in parts) < 2:
        return tree
    depth = len(edit.at) + 1
    below = [regrow(part, depth, never, freely=freely) if part.has_rows else None for part in parts]
    fork = _fork(tree, split, below)
    for branch, subtree in enumerate(below):
        if subtree is not None:
            fork = _graft(fork, 1 + branch, subtree)  # level by level, so branches stay in front
    return _graft(tree, found.node, fork)


def _fork(tree: CountTree, split: Branching, below: Sequence[CountTree | None]) -> CountTree:
    """Make a root with a leaf for every branch."""
    arrays = lone_leaves(1 + len(below), tree.n_outcomes)
    fragments = None if tree.fragments is None else np.zeros_like(arrays.counts)
    for branch, subtree in enumerate(below, start=1):
        if subtree is not None:
            arrays.counts[branch] = subtree.arrays.counts[0]
            arrays.weight[branch] = subtree.arrays.weight[0]
            if fragments is not None and subtree.fragments is not None:
                fragments[branch] = subtree.fragments[0]
    arrays.parent[1:] = 0
    arrays.depth[1:] = 1
    arrays.branch[1:] = np.arange(len(below))
    arrays.first_child[0], arrays.n_children[0] = 1, len(below)
    arrays.column[0], arrays.threshold[0] = split.column, split.threshold
    return CountTree(tree.target, arrays, fragments)


def _graft(tree: CountTree, node: int, subtree: CountTree) -> CountTree:
    """Let a subtree take the place of what hangs below a node, which keeps its counts."""
    n_nodes = tree.n_nodes
    moved = subtree.arrays._replace(
        first_child=np.where(subtree.is_leaf, NO_NODE, subtree.arrays.first_child + n_nodes).astype(
            np.int32
        )
    )
    both = TreeArrays._make(
        np.concatenate([old, new]) for old, new in zip(tree.arrays, moved, strict=True)
    )
    for array in (both.first_child, both.n_children, both.column, both.threshold):
        array[node] = array[n_nodes]
    fragments = None
    if tree.fragments is not None:
        own = subtree.arrays.counts if subtree.fragments is None else subtree.fragments
        fragments = np.concatenate([tree.fragments, own])
    return in_level_order(tree.target, both, fragments)


def _cut_at(tree: CountTree, node: int) -> CountTree:
    """Make a leaf of a node."""
    is_cut = np.arange(tree.n_nodes) == node
    return in_level_order(tree.target, tree.arrays, tree.fragments, is_cut)


def _branch_of(data: Dataset, split: Branching) -> np.ndarray:
    """Return the branch that every row takes; -1: none, its value is missing or unknown."""
    values = data.values[:, split.column]
    declared = int(data.schema.n_values[split.column])
    missing = ~(values >= 0) if declared else np.isnan(values)
    n_known = declared or 2
    lost = n_known if split.n_branches > n_known else -1
    side = values if declared else values - split.threshold >= CLOSE
    return np.where(missing, lost, np.where(missing, 0, side)).astype(np.int64)


def _dealt(weights: FloatArray, at: np.ndarray, shares: FloatArray) -> list[FloatArray]:
    """Split the weights of rows over branches."""
    lost = at < 0
    parts = []
    for branch, share in enumerate(shares.tolist()):
        part = np.where(at == branch, weights, 0.0)
        if share > CLOSE:
            part = np.where(lost, weights * share, part)
        parts.append(part)
    return parts


def with_weights(data: Dataset, weights: FloatArray) -> Dataset:
    """Take the rows that have a weight, and give them these."""
    kept = data.take(weights > 0)
    given = weights[weights > 0]
    same = bool((given == kept.row_weights).all())
    return kept if same else replace(kept, weights=given)
