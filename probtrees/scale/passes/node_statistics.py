"""What passes over coded rows find out about the open nodes of a tree: counts, or the rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.scale.passes import _cell_counts_kernels as kernels
from probtrees.scale.passes.binned_columns import Rows
from probtrees.scale.passes.statistic import Statistic


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

    def update(self, rows: Rows) -> None:
        """Count some rows."""
        self.counts += np.bincount(rows[:, -1], minlength=len(self.counts))

    def merge(self, other: ClassCounts) -> None:
        """Add the counts of other rows."""
        self.counts += other.counts


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

    def update(self, rows: Rows) -> None:
        """Count some rows."""
        found = slots_of_rows(rows, self.tree, self.slots)
        kernels.count_in_nodes(rows, found, self.starts, self.tables)

    def merge(self, other: NodeHistograms) -> None:
        """Add the counts of other rows in the same nodes."""
        self.tables += other.tables


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
        """Return the codes of the rows, their classes, and the rows' order node by node.

        The pieces are given up on the way, since all of it twice might not fit.
        """
        n_rows = sum(found.shape[0] for _, found in self.pieces)
        codes = np.empty((n_rows, self.tree.n_codes.shape[0]), dtype=np.int32)
        outcomes = np.empty(n_rows, dtype=np.int64)
        slots = np.empty(n_rows, dtype=np.int32)
        end = n_rows
        while self.pieces:
            rows, found = self.pieces.pop()
            start = end - found.shape[0]
            codes[start:end], outcomes[start:end] = rows[:, :-1], rows[:, -1]
            slots[start:end] = found
            end = start
        return codes, outcomes, np.argsort(slots, kind="stable")
