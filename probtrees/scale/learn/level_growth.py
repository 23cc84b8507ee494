"""Growing a tree level by level from passes over coded rows."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from probtrees.errors import OptionError
from probtrees.grow.c45 import C45
from probtrees.grow.count_tree import CountTree
from probtrees.grow.split import growth_records as records
from probtrees.grow.split.growth import CodeGrower
from probtrees.scale.files.table_files import check_unchanged
from probtrees.scale.learn.growing_tree import GrowingTree
from probtrees.scale.passes.binned_columns import BinnedColumns, TreeForm
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.node_statistics import ClassCounts, Gathered, NodeHistograms, NodeRows
from probtrees.scale.passes.statistic import SomeStatistic
from probtrees.table.dataset import Dataset


@dataclass(frozen=True)
class Limits:
    """What may be held at a time.

    Attributes
    ----------
    rows : rows whose nodes are grown to the end in memory; larger nodes are split by counts
    table_bytes : tables of counts
    all_rows : the most rows of a table with which a tree can be pruned by raising branches, which
        takes all of them at once
    """

    rows: int
    table_bytes: int
    all_rows: int

    @classmethod
    def of_memory(cls, memory: int, n_features: int) -> Limits:
        """Share out the memory that the program and reading leave.

        A row in work takes its codes twice and about 100 bytes. Rows and tables are not held at
        the same time.
        """
        room = max(memory // 4, memory - _PROGRAM_BYTES)
        rows = room // 2 // (6 * n_features + 100)
        return cls(rows, room // 2, room // (14 * n_features + 150))


_PROGRAM_BYTES = 512 << 20
"""What the program, its libraries and two chunks on their way take, about."""


@dataclass(frozen=True)
class TreePasses:
    """Passes over the coded rows of a table, which the first one codes.

    Attributes
    ----------
    conductor : has them carried out, and announces them
    table, form : the rows
    """

    conductor: Conductor
    table: ChunkedTable
    form: TreeForm

    def run(self, what: str, begun: SomeStatistic) -> SomeStatistic:
        """Add all rows to a statistic."""
        with self.conductor.stage(what) as progress:
            make = partial(copy.copy, begun)
            found = self.conductor.runner.run(self.table, self.form, make, progress)
        check_unchanged(self.table.files)
        return found


class LevelGrowth:
    """Grows one tree.

    Parameters
    ----------
    columns : how rows are coded
    passes : the rows
    learner : the options of C4.5
    limits : how much may be held at a time
    """

    def __init__(
        self, columns: BinnedColumns, passes: TreePasses, learner: C45, limits: Limits
    ) -> None:
        self._columns = columns
        self._passes = passes
        self._learner = learner
        self._limits = limits
        none = np.zeros(len(columns.schema.classes), dtype=np.int64)
        self._class_counts = passes.run("coding rows", ClassCounts(none)).counts
        no_rows = np.empty((0, len(columns.tops)), dtype=np.int32)
        self._described = columns.as_records(no_rows, missing_as_value=True)
        self._n_codes = int((self._described.facts.n_codes + 1).sum())

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
        large: list[int] = []
        for node in nodes:
            if not tree.is_open(node, self._learner.min_leaf, self._learner.max_depth):
                continue
            (large if tree.n_rows(node) > self._limits.rows else small).append(node)
        return large

    def _gathered(self, tree: GrowingTree, nodes: Sequence[int]) -> Gathered:
        """Gather the rows of some nodes in one pass."""
        wanted = NodeRows(tree.as_code_tree(), tree.slots_of(nodes))
        return self._passes.run("gathering rows of nodes", wanted).side_by_side()

    def _split(self, tree: GrowingTree, nodes: Sequence[int]) -> list[int]:
        """Count the rows of some nodes in one pass and split them; return their children."""
        shape = (len(nodes), self._n_codes, self._class_counts.shape[0])
        starts = np.ascontiguousarray(self._described.facts.table_start)
        tables = np.zeros(shape, dtype=np.int64)
        begun = NodeHistograms(tree.as_code_tree(), tree.slots_of(nodes), starts, tables)
        tables = self._passes.run("counting rows in nodes", begun).tables
        counts = np.array([tree.nodes[node].counts for node in nodes])
        grower = self._grower(self._described)
        splits = grower.choose_splits(tables, counts, self._learner.min_leaf, self._columns.n_rows)
        children: list[int] = []
        for node, chosen, own in zip(nodes, splits, tables, strict=True):
            if chosen.column >= 0:
                children += tree.split(node, chosen, own)
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
        grower = self._grower(self._described._replace(codes=codes))
        with self._passes.conductor.stage("growing nodes in memory") as progress:
            below = grower.grow_below(
                items,
                np.cumsum(sizes) - sizes,
                np.array([tree.nodes[node].depth for node in nodes]),
                min_leaf=self._learner.min_leaf,
                max_depth=self._learner.max_depth,
                progress=lambda share: progress(share, ""),
            )
        tree.add_grown(np.array(nodes), below)
