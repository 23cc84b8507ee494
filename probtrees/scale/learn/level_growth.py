"""Growing a tree level by level from passes over coded rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import OptionError
from probtrees.grow.c45 import C45
from probtrees.grow.count_tree import CountTree
from probtrees.grow.split import growth_records as records
from probtrees.grow.split.growth import CodeGrower
from probtrees.scale.learn.growing_tree import GrowingTree
from probtrees.scale.passes.binned_columns import BinnedColumns
from probtrees.scale.passes.node_statistics import Gathered, NodeHistograms, NodeRows
from probtrees.table.dataset import Dataset
from probtrees.types import Progress


@dataclass(frozen=True)
class Limits:
    """What may be held at a time.

    Attributes
    ----------
    rows : rows whose nodes are grown to the end in memory; larger nodes are split by counts
    table_bytes : tables of counts
    spool_bytes : coded rows, before they are set aside on disk
    all_rows : the most rows of a table with which a tree can be pruned by raising branches, which
        takes all of them at once
    """

    rows: int
    table_bytes: int
    spool_bytes: int
    all_rows: int

    @classmethod
    def of_memory(cls, memory: int, n_features: int) -> Limits:
        """Share out the memory that the program and reading leave.

        A row in work takes its codes twice and about 100 bytes. Rows and tables are not held at
        the same time.
        """
        room = max(memory // 4, memory - _PROGRAM_BYTES)
        rows = room // 2 // (6 * n_features + 100)
        return cls(rows, room // 2, room // 4, room // (14 * n_features + 150))


_PROGRAM_BYTES = 512 << 20
"""What the program, its libraries and two chunks on their way take, about."""


TreePasses = Callable[[Any, Callable[[], None]], Any]
"""Adds all coded rows to a statistic of nodes; calls what it is given now and then, to cancel."""


class LevelGrowth:
    """Grows one tree.

    Parameters
    ----------
    columns : how rows are coded
    passes : the rows
    class_counts : int64[n_classes], how many there are of each class
    learner : the options of C4.5
    limits : how much may be held at a time
    progress : receives the share of the rows that lie in finished nodes; may raise to cancel
    """

    def __init__(
        self,
        columns: BinnedColumns,
        passes: TreePasses,
        class_counts: NDArray[np.int64],
        learner: C45,
        limits: Limits,
        progress: Progress,
    ) -> None:
        self._columns = columns
        self._passes = passes
        self._class_counts = class_counts
        self._learner = learner
        self._limits = limits
        self._progress = progress
        no_rows = np.empty((0, len(columns.tops)), dtype=np.int32)
        self._described = columns.as_records(no_rows, missing_as_value=True)
        self._n_codes = int((self._described.facts.n_codes + 1).sum())
        self._n_settled = 0.0

    def grow(self) -> CountTree:
        """Split large nodes level by level, then grow the small ones to the end."""
        tree = GrowingTree(self._described, self._class_counts)
        small: list[int] = []
        level = self._sorted_out(tree, range(1), small)
        n_at_once = self._tables_at_once() if level else 1
        while level:
            below: list[int] = []
            for first in range(0, len(level), n_at_once):
                below += self._split(tree, level[first : first + n_at_once])
            level = self._sorted_out(tree, below, small)
        # Small nodes wait until no large one is left, so that a pass gathers as many as fit.
        for batch in self._batches(tree, small):
            self._grow_in_memory(tree, batch)
        return tree.finished(self._columns.schema.target_column)

    def all_rows(self) -> Dataset:
        """Return all rows, numbers as the tops of their bins: a tree sends them the same way."""
        root = GrowingTree(self._described, self._class_counts)
        codes, outcomes, _ = self._gathered(root, [0])
        values = np.empty((codes.shape[0], len(self._columns.tops) + 1))
        values[:, -1] = outcomes
        for place, column in enumerate(self._columns.by_size):
            values[:, column] = self._columns.decode(column, codes[:, place])
        return Dataset(self._columns.schema, values, repeats=None)

    def _tables_at_once(self) -> int:
        """Return the nodes whose counts fit into memory together."""
        node_bytes = 8 * self._n_codes * len(self._columns.schema.classes)
        if node_bytes > self._limits.table_bytes:
            raise OptionError(
                f"memory must be at least {1 + (node_bytes >> 18):,} MB for the counts of one node "
                "of this table. Give more, or use fewer bins."
            )
        return self._limits.table_bytes // max(1, node_bytes)

    def _sorted_out(self, tree: GrowingTree, nodes: Sequence[int], small: list[int]) -> list[int]:
        """Give the nodes to be split by counts; note the ones for memory; leave the leaves."""
        large = []
        for node in nodes:
            n_rows = tree.n_rows(node)
            if not tree.is_open(node, self._learner.min_leaf, self._learner.max_depth):
                self._settle(n_rows)
            elif n_rows > self._limits.rows:
                large.append(node)
            else:
                small.append(node)
        return large

    def _settle(self, n_rows: float) -> None:
        """Note that rows lie in finished nodes."""
        self._n_settled += n_rows
        self._beat()

    def _beat(self) -> None:
        """Report the share that is done, also while it stays, so that work can be cancelled."""
        self._progress(min(1.0, self._n_settled / max(1, self._columns.n_rows)), "growing")

    def _gathered(self, tree: GrowingTree, nodes: Sequence[int]) -> Gathered:
        """Gather the rows of some nodes in one pass."""
        wanted = NodeRows(tree.as_code_tree(), tree.slots_of(nodes))
        gathered: NodeRows = self._passes(wanted, self._beat)
        return gathered.side_by_side()

    def _split(self, tree: GrowingTree, nodes: Sequence[int]) -> list[int]:
        """Count the rows of some nodes in one pass and split them; return their children."""
        shape = (len(nodes), self._n_codes, self._class_counts.shape[0])
        starts = np.ascontiguousarray(self._described.facts.table_start)
        tables = np.zeros(shape, dtype=np.int64)
        begun = NodeHistograms(tree.as_code_tree(), tree.slots_of(nodes), starts, tables)
        tables = self._passes(begun, self._beat).tables
        counts = np.array([tree.nodes[node].counts for node in nodes])
        grower = self._grower(self._described)
        splits = grower.choose_splits(tables, counts, self._learner.min_leaf, self._columns.n_rows)
        children: list[int] = []
        for node, chosen, own in zip(nodes, splits, tables, strict=True):
            if chosen.column >= 0:
                children += tree.split(node, chosen, own)
            else:
                self._settle(tree.n_rows(node))
        return children

    def _grower(self, described: records.Columns) -> CodeGrower:
        schema = self._columns.schema
        return CodeGrower(described, len(schema.classes), schema.target_column)

    def _batches(self, tree: GrowingTree, nodes: Sequence[int]) -> Iterator[list[int]]:
        """Group nodes whose rows fit into memory together."""
        batch: list[int] = []
        n_rows = 0
        for node in nodes:
            own = tree.n_rows(node)
            if batch and n_rows + own > self._limits.rows:
                yield batch
                batch, n_rows = [], 0
            batch.append(node)
            n_rows += own
        if batch:
            yield batch

    def _grow_in_memory(self, tree: GrowingTree, nodes: list[int]) -> None:
        """Gather the rows of some nodes in one pass and grow these nodes to the end."""
        codes, outcomes, order = self._gathered(tree, nodes)
        items = records.make_records(len(codes), records.item(np.int64))
        items.row, items.outcome, items.weight = order, outcomes[order], 1
        sizes = np.array([tree.n_rows(node) for node in nodes])
        before = self._n_settled

        def report(share: float) -> None:
            self._n_settled = before
            self._settle(share * len(codes))

        below = self._grower(self._described._replace(codes=codes)).grow_below(
            items,
            np.cumsum(sizes) - sizes,
            np.array([tree.nodes[node].depth for node in nodes]),
            min_leaf=self._learner.min_leaf,
            max_depth=self._learner.max_depth,
            progress=report,
        )
        tree.add_grown(np.array(nodes), below)
        report(1.0)
