"""The passes that growing a tree asks for, over rows of codes.

On one machine the rows are coded once and spooled. On a cluster the workers hold the coded rows
if they fit, or code them again in every pass; only counts, and the coded rows of nodes small enough
to be grown in memory, travel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.node_statistics import NodeHistograms, NodeRows
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
