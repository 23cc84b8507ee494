"""What the HDP sampler has to visit, laid out once so that a sweep touches nothing else.

Only inner nodes carry sampled quantities. A *cell* is an inner node's outcome with rows below
it; only cells are drawn. An *entry* is an inner node's outcome whose mean is kept, with or
without rows: ``inner * n_tracked + outcome``. A leaf is reduced to

* tables that are sure: the first customer of every outcome opens one (``sure_counts``),
* *trials*: every further customer up to number ``DIRECT_SEATS`` may open one,
* *tails*: the customers beyond that, skipped through in jumps,
* its total, which the concentration's density needs,
* a *slot*: leaves of one size under one parent differ only in their own counts, which enter
  after sampling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.gibbs._hdp_kernels import DIRECT_SEATS
from probtrees.types import FloatArray, IntArray

Numbers = NDArray[np.uint32]
"""Positions in arrays; unsigned, so that compiled code need not look for negative ones."""


class Seats(NamedTuple):
    """The leaves' customers that may open a table.

    Attributes
    ----------
    trial_first, trial_cell, trial_seat : per group, those asked one by one
    tail_first, tail_cell, tail_count : per group, leaf counts beyond ``DIRECT_SEATS``
    """

    trial_first: Numbers
    trial_cell: Numbers
    trial_seat: FloatArray
    tail_first: Numbers
    tail_cell: Numbers
    tail_count: IntArray


class Cells(NamedTuple):
    """The inner nodes with their cells.

    Attributes
    ----------
    group : per inner node, its tie group
    first : per inner node, where its cells start
    outcome, up, entry : per cell, its outcome, the parent's cell, its entry (the entry after
        the last if none is kept)
    """

    group: Numbers
    first: Numbers
    outcome: Numbers
    up: Numbers
    entry: Numbers


class Groups(NamedTuple):
    """The nodes that share a concentration.

    Attributes
    ----------
    inner_first : where the inner nodes of a group start (they are contiguous)
    sure_tables : the leaves' sure tables beyond the first
    total_first, total_size, total_repeats : how many leaves have which total, if above 1
    limit : totals up to here are counted by size, longer ones listed
    freedom : outcomes met beyond the first, summed over nodes; at least 1 per node with rows
    anchor : logarithm of where the proposals for the concentration start
    is_crowded, width : whether the concentration is also drawn with the tables summed out,
        and how far it then walks
    short, long : scratch
    """

    inner_first: Numbers
    sure_tables: FloatArray
    total_first: Numbers
    total_size: IntArray
    total_repeats: IntArray
    limit: IntArray
    freedom: IntArray
    anchor: FloatArray
    is_crowded: NDArray[np.bool_]
    width: FloatArray
    short: IntArray
    long: IntArray


class Slots(NamedTuple):
    """The leaf totals met: per group (classes), and per parent (slots).

    Attributes
    ----------
    class_group, class_size : per class, its group and total
    up, of_class : per slot and tracked outcome, the parent's entry, and the class
    pull : scratch; per class c/(n+c), c/((n+c)(n+c+1)), c*c/((n+c)(n+c+1))
    """

    class_group: Numbers
    class_size: FloatArray
    up: Numbers
    of_class: Numbers
    pull: FloatArray


class LeafCounts(NamedTuple):
    """The leaves' counts, for densities in which tables are summed out.

    Attributes
    ----------
    first, cell, rows : per group, counts of two rows or more, and the parent's cells
    ones : per group, counts of one row less leaves of one row
    """

    first: Numbers
    cell: Numbers
    rows: FloatArray
    ones: FloatArray


class SamplerPlan(NamedTuple):
    """What stays the same from sweep to sweep. Small tuples are quick to hand over.

    ``sure_counts`` : per cell, leaf children that have the outcome.
    """

    seats: Seats
    cells: Cells
    groups: Groups
    slots: Slots
    leaf_counts: LeafCounts
    sure_counts: IntArray


@dataclass(frozen=True)
class Layout:
    """A plan, and how its numbers relate to the nodes of the tree.

    Attributes
    ----------
    counts : int64[n_nodes, n_outcomes], whole rows; inner nodes hold their leaves' sums
    inner, leaves : node numbers
    inner_of : inner number of every node, -1 at leaves
    inner_parent : inner number of every inner node's parent, 0 at the root
    leaf_class, leaf_slot : class and slot of every leaf, in the order of ``leaves``
    group : tie group of every node, -1 at the root
    """

    plan: SamplerPlan
    counts: IntArray
    inner: NDArray[np.intp]
    leaves: NDArray[np.intp]
    inner_of: IntArray
    inner_parent: IntArray
    leaf_class: IntArray
    leaf_slot: IntArray
    group: IntArray


def whole_counts(tree: CountTree) -> IntArray:
    """Round the leaves' counts to whole rows and add them up towards the root."""
    counts = np.zeros(tree.arrays.counts.shape, dtype=np.int64)
    counts[tree.leaves] = np.rint(tree.arrays.counts[tree.leaves])
    depth = tree.arrays.depth
    # Level order: the nodes of one depth are contiguous.
    starts = np.searchsorted(depth, np.arange(tree.max_depth + 2))
    for level in range(tree.max_depth, 0, -1):
        nodes = slice(starts[level], starts[level + 1])
        np.add.at(counts, tree.arrays.parent[nodes], counts[nodes])
    return counts


def tie(tree: CountTree, tying: str) -> IntArray:
    """Give every node the number of the group it shares a concentration with; -1 at the root.

    Groups are numbered in level order, so the nodes of a group are contiguous.
    """
    nodes = np.arange(tree.n_nodes, dtype=np.int64)
    if tying == "single":
        return np.minimum(nodes, 1) - 1
    if tying == "level":
        return tree.arrays.depth.astype(np.int64) - 1
    if tying == "parent":
        return np.unique(tree.arrays.parent, return_inverse=True)[1].astype(np.int64) - 1
    return nodes - 1


def lay_out(tree: CountTree, tying: str) -> Layout:
    """Lay out a tree with at least one split for the sampler."""
    counts = whole_counts(tree)
    group = tie(tree, tying)
    parent = tree.arrays.parent
    inner = np.flatnonzero(~tree.is_leaf)
    leaves = tree.leaves
    inner_of = np.full(tree.n_nodes, -1, dtype=np.int64)
    inner_of[inner] = np.arange(inner.shape[0])
    inner_parent = inner_of[np.maximum(parent[inner], 0)]
    n_groups = int(group[-1]) + 1
    cell_of = _number_cells(counts[inner])
    above = inner_of[parent[leaves]]
    totals = counts[leaves].sum(axis=1)
    classes, leaf_class = _distinct(group[leaves], totals)
    slots, leaf_slot = _distinct(above, leaf_class)
    repeats = np.bincount(leaf_class)
    matters = classes[1] > 1
    # Counting by size costs a step per size, listing a step per node.
    limit = np.clip(np.bincount(group[1:], minlength=n_groups) // 16, 32, 1024).astype(np.int64)
    plan = SamplerPlan(
        seats=_seats(counts[leaves], cell_of[above], group[leaves]),
        cells=_cells(cell_of, inner_parent, group[inner]),
        groups=Groups(
            inner_first=_numbers(1 + _starts(group[inner[1:]], n_groups)),
            sure_tables=_sure_tables(counts[leaves], group[leaves], n_groups),
            total_first=_starts(classes[0][matters], n_groups),
            total_size=classes[1][matters],
            total_repeats=repeats[matters].astype(np.int64),
            limit=limit,
            freedom=_freedom(counts[1:], group[1:], n_groups),
            anchor=np.zeros(n_groups),
            is_crowded=np.zeros(n_groups, dtype=np.bool_),
            width=np.ones(n_groups),
            short=np.zeros(limit.max() + 1, dtype=np.int64),
            long=np.zeros(tree.n_nodes, dtype=np.int64),
        ),
        slots=Slots(
            class_group=_numbers(classes[0]),
            class_size=classes[1].astype(np.float64),
            up=_numbers(entries_of(slots[0], tree.n_outcomes)),
            of_class=_numbers(np.repeat(slots[1], tracked_outcomes(tree.n_outcomes))),
            pull=np.zeros((3, classes[0].shape[0])),
        ),
        leaf_counts=_leaf_counts(counts[leaves], cell_of[above], group[leaves], n_groups),
        sure_counts=_sure_counts(counts[leaves], cell_of[above]),
    )
    return Layout(plan, counts, inner, leaves, inner_of, inner_parent, leaf_class, leaf_slot, group)


def _number_cells(counts: IntArray) -> IntArray:
    """Give every inner node's outcome its cell number, -1 if it has no rows."""
    has = counts > 0
    return np.where(has, np.cumsum(has).reshape(has.shape) - 1, -1)


def _cells(cell_of: IntArray, inner_parent: IntArray, group: IntArray) -> Cells:
    """List the cells of every inner node."""
    n_inner, n_outcomes = cell_of.shape
    inner, outcome = np.nonzero(cell_of >= 0)
    n_tracked = tracked_outcomes(n_outcomes)
    entry = np.where(outcome < n_tracked, inner * n_tracked + outcome, n_inner * n_tracked)
    return Cells(
        group=_numbers(np.maximum(group, 0)),
        first=_starts(inner, n_inner),
        outcome=_numbers(outcome),
        up=_numbers(cell_of[inner_parent[inner], outcome]),
        entry=_numbers(entry),
    )


def entries_of(inner: IntArray, n_outcomes: int) -> IntArray:
    """List the entries of some inner nodes, node by node."""
    n_tracked = tracked_outcomes(n_outcomes)
    return np.asarray((inner[:, None] * n_tracked + np.arange(n_tracked)).ravel())


def tracked_outcomes(n_outcomes: int) -> int:
    """How many outcomes need sums of their own: of two, the second is what the first leaves."""
    return 1 if n_outcomes == 2 else n_outcomes


def _sure_counts(counts: IntArray, cell_above: IntArray) -> IntArray:
    """Per cell, how many leaf children have the outcome."""
    n_cells = int(cell_above.max(initial=-1)) + 1
    return np.bincount(cell_above[counts > 0], minlength=n_cells).astype(np.int64)


def _sure_tables(counts: IntArray, group: IntArray, n_groups: int) -> FloatArray:
    """Per group, the first tables of the leaves' outcomes, except one per leaf."""
    spare = np.maximum(np.count_nonzero(counts, axis=1) - 1, 0)
    return np.bincount(group, spare, n_groups).astype(np.float64)


def _freedom(counts: IntArray, group: IntArray, n_groups: int) -> IntArray:
    """Per group, how many differences between outcomes its nodes can show."""
    met = np.count_nonzero(counts, axis=1)
    freedom = np.where(met > 0, np.maximum(met - 1, 1), 0)
    return np.bincount(group, freedom, n_groups).astype(np.int64)


def _seats(counts: IntArray, cell_above: IntArray, group: IntArray) -> Seats:
    """List the leaves' customers that may open a table."""
    leaf, outcome = np.nonzero(counts)
    count = counts[leaf, outcome]
    cell = cell_above[leaf, outcome]
    n_groups = int(group.max()) + 1
    repeats = np.minimum(count, DIRECT_SEATS) - 1
    trial_cell = np.repeat(cell, repeats)
    trial_group = np.repeat(group[leaf], repeats)
    seat = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats) + 1
    # Neighbouring trials of different cells need not wait for each other's sums.
    order = np.lexsort((trial_cell, seat, trial_group))
    tail = np.flatnonzero(count > DIRECT_SEATS)
    tail = tail[np.argsort(group[leaf[tail]], kind="stable")]
    return Seats(
        trial_first=_starts(trial_group, n_groups),
        trial_cell=_numbers(trial_cell[order]),
        trial_seat=seat[order].astype(np.float64),
        tail_first=_starts(group[leaf[tail]], n_groups),
        tail_cell=_numbers(cell[tail]),
        tail_count=count[tail],
    )


def _leaf_counts(
    counts: IntArray, cell_above: IntArray, group: IntArray, n_groups: int
) -> LeafCounts:
    """List the leaves' counts of two rows or more by group, and count those of one."""
    leaf, outcome = np.nonzero(counts > 1)
    order = np.argsort(group[leaf], kind="stable")
    leaf, outcome = leaf[order], outcome[order]
    ones = np.count_nonzero(counts == 1, axis=1) - (counts.sum(axis=1) == 1)
    return LeafCounts(
        first=_starts(group[leaf], n_groups),
        cell=_numbers(cell_above[leaf, outcome]),
        rows=counts[leaf, outcome].astype(np.float64),
        ones=np.bincount(group, ones, n_groups).astype(np.float64),
    )


def with_own_scratch(plan: SamplerPlan) -> SamplerPlan:
    """Copy what the sampler writes into, so that several chains can run at once."""
    changing = ("anchor", "is_crowded", "width", "short", "long")
    groups = plan.groups._replace(**{name: getattr(plan.groups, name).copy() for name in changing})
    return plan._replace(groups=groups, slots=plan.slots._replace(pull=plan.slots.pull.copy()))


def _distinct(first: IntArray, second: IntArray) -> tuple[tuple[IntArray, IntArray], IntArray]:
    """List the distinct pairs in ascending order, and which one each entry is."""
    size = int(second.max()) + 1
    keys, which = np.unique(first * size + second, return_inverse=True)
    return (keys // size, keys % size), which.astype(np.int64)


def _starts(labels: IntArray, n_labels: int) -> Numbers:
    """Where the entries of each label start in an array sorted by label."""
    counted = np.bincount(labels.astype(np.int64), minlength=n_labels)
    return _numbers(np.concatenate([[0], np.cumsum(counted)]))


def _numbers(values: NDArray[np.generic]) -> Numbers:
    return np.ascontiguousarray(values, dtype=np.uint32)
