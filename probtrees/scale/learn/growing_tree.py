"""A tree while it is grown level by level, and what passes find out about its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.grow import count_tree
from probtrees.grow.split import growth_records as records
from probtrees.scale import _row_kernels as kernels
from probtrees.scale.passes.binned_columns import Rows
from probtrees.scale.passes.statistic import Statistic
from probtrees.types import IntArray


class CodeTree(NamedTuple):
    """A tree that splits on codes: what kernels receive.

    Attributes
    ----------
    first_child : int64[n_nodes], -1 where a node has no children (yet)
    column : int64[n_nodes], the place of the split column among the coded ones
    last_below : int64[n_nodes], the last code sent left; -1 where every code has a branch
    n_codes : int64[n_features], the code that means missing
    """

    first_child: NDArray[np.int64]
    column: NDArray[np.int64]
    last_below: NDArray[np.int64]
    n_codes: NDArray[np.int64]


@dataclass
class ClassCounts(Statistic):
    """How many rows there are of every class."""

    counts: NDArray[np.int64]

    kept_arrays = ("counts",)

    def update(self, rows: Rows) -> None:
        """Count some rows."""
        self.counts += np.bincount(rows[:, -1], minlength=len(self.counts))


def slots_of_rows(rows: Rows, tree: CodeTree, slots: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the slot of the node every row arrives at, -1 where that has none."""
    found = np.empty(rows.shape[0], dtype=np.int64)
    kernels.find_slots(rows, tree, slots, found)
    return found


@dataclass
class NodeHistograms(Statistic):
    """Counts of the rows that arrive at some nodes.

    Attributes
    ----------
    tree : the tree so far
    slots : int64[n_nodes], which table a node's rows are counted in; -1: in none
    starts : int64[n_features], where the codes of a column begin in a table
    tables : int64[n_slots, codes of all columns, n_classes]
    """

    tree: CodeTree
    slots: NDArray[np.int64]
    starts: NDArray[np.int64]
    tables: NDArray[np.int64]

    kept_arrays = ("tables",)

    def update(self, rows: Rows) -> None:
        """Count some rows."""
        found = slots_of_rows(rows, self.tree, self.slots)
        kernels.count_in_nodes(rows, found, self.starts, self.tables)


Gathered = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]
"""The codes of rows, their classes, and the rows' order node by node."""


@dataclass
class NodeRows(Statistic):
    """The coded rows that arrive at some nodes.

    Attributes
    ----------
    tree : the tree so far
    slots : int64[n_nodes], the number of a node among those whose rows are wanted; -1: not
    pieces : rows and their slots, as they came
    """

    tree: CodeTree
    slots: NDArray[np.int64]
    pieces: list[tuple[Rows, NDArray[np.int32]]] = field(default_factory=list)

    def update(self, rows: Rows) -> None:
        """Keep the rows that arrive at one of the nodes."""
        found = slots_of_rows(rows, self.tree, self.slots)
        wanted = found >= 0
        self.pieces.append((rows[wanted], found[wanted].astype(np.int32)))

    def merge(self, other: NodeRows) -> None:
        """Add rows gathered elsewhere."""
        self.pieces += other.pieces

    def __deepcopy__(self, memo: dict[int, Any]) -> NodeRows:
        return replace(self, pieces=list(self.pieces))  # rows are many, and nobody changes them

    def side_by_side(self) -> Gathered:
        """Return the codes of the rows, their classes, and the rows' order node by node."""
        rows, slots = (np.concatenate(some) for some in zip(*self.pieces, strict=True))
        self.pieces.clear()
        codes, outcomes = rows[:, :-1].astype(np.int32), rows[:, -1].astype(np.int64)
        return codes, outcomes, np.argsort(slots, kind="stable")


Counts = NDArray[np.int64]


@dataclass
class Node:
    """A node: its rows of every class, and its split once it has one."""

    counts: Counts
    parent: int = count_tree.NO_NODE
    depth: int = 0
    branch: int = 0
    first_child: int = count_tree.NO_NODE
    n_children: int = 0
    place: int = count_tree.NO_COLUMN
    threshold: float = np.nan
    last_below: int = -1


class GrowingTree:
    """Nodes in the order they were made; siblings lie side by side.

    Parameters
    ----------
    columns : the coded columns; splits name a column by its place there
    class_counts : the rows of every class

    Attributes
    ----------
    grown : some nodes, and what was grown below them: these nodes first, then all below them
    """

    def __init__(self, columns: records.Columns, class_counts: Counts) -> None:
        self.columns = columns
        self.nodes = [Node(class_counts)]
        self.grown: list[tuple[IntArray, count_tree.TreeArrays]] = []

    def split(self, number: int, chosen: np.record, table: Counts) -> range:
        """Give a node the children of a chosen split; return their numbers.

        Parameters
        ----------
        table : the node's rows per code and class, all columns one below the other
        """
        fact = self.columns.facts[chosen.column]
        own = table[fact.table_start : fact.table_start + fact.n_codes + fact.has_missing]
        if fact.nominal:
            parts = list(own)
        else:
            cut = int(chosen.last_below) + 1
            parts = [own[:cut].sum(axis=0), own[cut : fact.n_codes].sum(axis=0)]
            if fact.has_missing:
                parts.append(own[fact.n_codes])
        node, first = self.nodes[number], len(self.nodes)
        node.first_child, node.n_children = first, len(parts)
        node.place, node.threshold = int(chosen.column), float(chosen.threshold)
        node.last_below = int(chosen.last_below)
        for branch, counts in enumerate(parts):
            self.nodes.append(Node(counts.copy(), number, node.depth + 1, branch))
        return range(first, first + len(parts))

    def n_rows(self, number: int) -> int:
        """Count the rows of a node."""
        return int(self.nodes[number].counts.sum())

    def is_open(self, number: int, min_leaf: int, max_depth: int | None) -> bool:
        """Whether a node may be split: large enough, not pure, not too deep."""
        node, n_rows = self.nodes[number], self.n_rows(number)
        is_mixed = int(node.counts.max()) < n_rows
        return n_rows >= 2 * min_leaf and is_mixed and (max_depth is None or node.depth < max_depth)

    def slots_of(self, nodes: Sequence[int]) -> IntArray:
        """Give some nodes numbers from 0; all others get -1."""
        slots = np.full(len(self.nodes), -1, dtype=np.int64)
        slots[list(nodes)] = np.arange(len(nodes))
        return slots

    def as_code_tree(self) -> CodeTree:
        """Return what sends coded rows down the tree."""
        return CodeTree(
            np.array([node.first_child for node in self.nodes]),
            np.array([node.place for node in self.nodes]),
            np.array([node.last_below for node in self.nodes]),
            np.ascontiguousarray(self.columns.facts.n_codes),
        )

    def finished(self, target: int) -> count_tree.CountTree:
        """Return the whole tree, level by level."""
        # The last number is that of no column.
        numbers = np.append(self.columns.facts.number, count_tree.NO_COLUMN)
        counts = np.array([node.counts for node in self.nodes], dtype=np.float64)
        names = ("parent", "depth", "first_child", "n_children", "threshold", "branch")
        pieces = [
            count_tree.make_arrays(
                column=numbers[[node.place for node in self.nodes]],
                weight=counts.sum(axis=1),
                counts=counts,
                **{name: [getattr(node, name) for node in self.nodes] for name in names},
            )
        ]
        n_nodes = len(self.nodes)
        for nodes, below in reversed(self.grown):
            n_roots = nodes.shape[0]
            shift = n_nodes - n_roots
            moved = np.where(below.first_child >= 0, below.first_child + shift, count_tree.NO_NODE)
            pieces[0].first_child[nodes] = moved[:n_roots]
            pieces[0].n_children[nodes] = below.n_children[:n_roots]
            pieces[0].column[nodes] = below.column[:n_roots]
            pieces[0].threshold[nodes] = below.threshold[:n_roots]
            rest = count_tree.TreeArrays._make(array[n_roots:] for array in below)
            pieces.append(rest._replace(first_child=moved[n_roots:].astype(np.int32)))
            n_nodes += rest.parent.shape[0]
        joined = count_tree.TreeArrays._make(map(np.concatenate, zip(*pieces, strict=True)))
        return count_tree.in_level_order(target, joined)
