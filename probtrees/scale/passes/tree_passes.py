"""Passes over coded rows: counting them in the open nodes of a tree, or gathering those of a node.

On one machine the rows are coded once and set aside. On a cluster the workers hold the coded rows
if they fit, or code them anew in every pass; only counts, and the coded rows of nodes small enough
to be grown in memory, travel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from probtrees.scale.passes.binned_columns import Rows
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.node_statistics import CodeTree, NodeHistograms, slots_of_rows
from probtrees.scale.passes.row_forms import TreeForm
from probtrees.scale.passes.row_spool import RowSpool


class TreePasses(Protocol):
    """What growing a tree asks of the rows."""

    def count(self, begun: NodeHistograms) -> NodeHistograms:
        """Count all rows."""
        ...

    def gather(self, begun: NodeRows) -> NodeRows:
        """Gather all rows that arrive at some nodes."""
        ...


@dataclass
class NodeRows:
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

    def fresh(self) -> NodeRows:
        """Begin again with no rows."""
        return NodeRows(self.tree, self.slots)

    def sealed(self) -> NodeRows:
        """Return what travels back from a task."""
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the rows, to be kept in a file."""
        return {
            "rows": np.concatenate([rows for rows, _ in self.pieces]),
            "found": np.concatenate([found for _, found in self.pieces]),
        }

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        self.pieces = [(kept["rows"], kept["found"])]

    def side_by_side(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
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


SomeCounts = TypeVar("SomeCounts", NodeHistograms, NodeRows)


@dataclass(frozen=True)
class SpooledPasses:
    """Passes over rows that were coded before.

    Attributes
    ----------
    rows : the coded rows
    beat : called now and then; it may raise to cancel
    """

    rows: RowSpool
    beat: Callable[[], None]

    def count(self, begun: NodeHistograms) -> NodeHistograms:
        """Count all rows."""
        self._pass(begun)
        return begun

    def gather(self, begun: NodeRows) -> NodeRows:
        """Gather all rows that arrive at some nodes."""
        self._pass(begun)
        return begun

    def _pass(self, begun: NodeHistograms | NodeRows) -> None:
        for block in self.rows.blocks():
            begun.update(block)
            self.beat()


@dataclass(frozen=True)
class ConductedPasses:
    """Passes over rows that are coded, and held if they fit, where the conductor says.

    Attributes
    ----------
    table : the rows
    form : how they are coded
    conductor : has the passes carried out
    """

    table: ChunkedTable
    form: TreeForm
    conductor: Conductor

    def count(self, begun: NodeHistograms) -> NodeHistograms:
        """Count all rows."""
        return self._run("nodes", begun)

    def gather(self, begun: NodeRows) -> NodeRows:
        """Gather all rows that arrive at some nodes."""
        return self._run("rows", begun)

    def _run(self, name: str, begun: SomeCounts) -> SomeCounts:
        made_from = (
            [tops.tobytes() for tops in self.form.columns.tops],
            [array.tobytes() for array in begun.tree],
            begun.slots.tobytes(),
        )
        return self.conductor.run(name, made_from, self.table, self.form, partial(_same, begun))


def _same(begun: SomeCounts) -> SomeCounts:
    return begun
