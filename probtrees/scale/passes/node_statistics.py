"""How often every code meets every class in the open nodes of a tree: counts that add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.scale.passes import _node_statistics_kernels as kernels
from probtrees.scale.passes.binned_columns import Rows


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


def slots_of_rows(rows: Rows, tree: CodeTree, slots: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the slot of the node every row arrives at, -1 where that has none."""
    found = np.empty(rows.shape[0], dtype=np.int64)
    kernels.find_slots(rows, tree, slots, found)
    return found


@dataclass
class NodeHistograms:
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
        kernels.count_codes(rows, found, self.starts, self.tables)

    def merge(self, other: NodeHistograms) -> None:
        """Add the counts of other rows in the same nodes."""
        self.tables += other.tables

    def fresh(self) -> NodeHistograms:
        """Begin again with no rows."""
        return replace(self, tables=np.zeros_like(self.tables))

    def sealed(self) -> NodeHistograms:
        """Return what travels back from a task."""
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the counts, to be kept in a file."""
        return {"tables": self.tables}

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        self.tables = kept["tables"]
