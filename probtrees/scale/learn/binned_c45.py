"""C4.5 on more rows than fit into memory: numbers in bins, large nodes split by counts alone."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError, OptionError
from probtrees.grow.c45 import C45, GrowReport
from probtrees.grow.count_tree import CountTree
from probtrees.grow.prune import collapse, prune_by_counts
from probtrees.grow.shaped_tree import ShapedTree
from probtrees.grow.split import growth_records as records
from probtrees.grow.split.growth import CodeGrower
from probtrees.options import option
from probtrees.scale.files.table_files import DEFAULT_MEMORY
from probtrees.scale.learn.growing_tree import (
    ClassCounts,
    Gathered,
    GrowingTree,
    NodeHistograms,
    NodeRows,
)
from probtrees.scale.passes.binned_columns import BinnedColumns, ColumnScan, TreeForm
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.statistic import SAMPLE_ROWS, RowForm, SomeStatistic


@dataclass(frozen=True)
class Limits:
    """What may be held at a time.

    Attributes
    ----------
    rows : rows whose nodes are grown to the end in memory; larger nodes are split by counts
    table_bytes : tables of counts
    """

    rows: int
    table_bytes: int

    @classmethod
    def of_memory(cls, memory: int, n_features: int) -> Limits:
        """Share out the memory that the program and reading leave.

        A row in work takes its codes twice and about 100 bytes. Rows and tables are not held at
        the same time.
        """
        room = max(memory // 4, memory - _PROGRAM_BYTES)
        rows = room // 2 // (6 * n_features + 100)
        return cls(rows, room // 2)


_PROGRAM_BYTES = 512 << 20
"""What the program, its libraries and two chunks on their way take, about."""


class LevelGrowth:
    """Grows one tree.

    Parameters
    ----------
    columns : how rows are coded
    table : the rows; the first pass codes them
    conductor : has the passes carried out, and announces them
    learner : the options of C4.5
    limits : how much may be held at a time
    """

    def __init__(
        self,
        columns: BinnedColumns,
        table: ChunkedTable,
        conductor: Conductor,
        learner: C45,
        limits: Limits,
    ) -> None:
        self.columns = columns
        self._rows, self._conductor = (table, TreeForm(columns)), conductor
        self._learner = learner
        self._limits = limits
        none = np.zeros(len(columns.schema.classes), dtype=np.int64)
        self._class_counts = self.count("coding rows", ClassCounts(none)).counts
        no_rows = np.empty((0, len(columns.tops)), dtype=np.int32)
        self._described = columns.as_records(no_rows, missing_as_value=True)
        self._n_codes = int((self._described.facts.n_codes + 1).sum())

    def count(self, what: str, begun: SomeStatistic) -> SomeStatistic:
        """Add all coded rows to a statistic."""
        return self._conductor.carry_out(what, *self._rows, partial(copy.copy, begun))

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
        return tree.finished(self.columns.schema.target_column)

    def all_counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where the codes of every column begin, and how many rows have which code."""
        root = GrowingTree(self._described, self._class_counts)
        return self._described.facts.table_start, self._counted(root, [0])[0].sum(axis=1)

    def _tables_at_once(self) -> int:
        """Return the nodes whose counts fit into memory together."""
        node_bytes = 8 * self._n_codes * len(self.columns.schema.classes)
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
        return self.count("gathering rows of nodes", wanted).side_by_side()

    def _counted(self, tree: GrowingTree, nodes: Sequence[int]) -> NDArray[np.int64]:
        """Count the rows of some nodes in one pass, by code and class."""
        shape = (len(nodes), self._n_codes, self._class_counts.shape[0])
        starts = np.ascontiguousarray(self._described.facts.table_start)
        tables = np.zeros(shape, dtype=np.int64)
        begun = NodeHistograms(tree.as_code_tree(), tree.slots_of(nodes), starts, tables)
        return self.count("counting rows in nodes", begun).tables

    def _split(self, tree: GrowingTree, nodes: Sequence[int]) -> list[int]:
        """Split some nodes by their counts; return their children."""
        tables = self._counted(tree, nodes)
        counts = np.array([tree.nodes[node].counts for node in nodes])
        grower = self._grower(self._described)
        splits = grower.choose_splits(tables, counts, self._learner.min_leaf, self.columns.n_rows)
        children: list[int] = []
        for node, chosen, own in zip(nodes, splits, tables, strict=True):
            if chosen.column >= 0:
                children += tree.split(node, chosen, own)
        return children

    def _grower(self, described: records.Columns) -> CodeGrower:
        schema = self.columns.schema
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
        with self._conductor.stage("growing nodes in memory") as progress:
            below = grower.grow_below(
                items,
                np.cumsum(sizes) - sizes,
                np.array([tree.nodes[node].depth for node in nodes]),
                min_leaf=self._learner.min_leaf,
                max_depth=self._learner.max_depth,
                progress=lambda share: progress(share, ""),
            )
        tree.grown.append((np.array(nodes), below))


DEFAULT_BINS = 256
MOST_BINS = 1 << 15


@dataclass(frozen=True)
class BinnedC45(C45):
    """C4.5 on numbers cut into bins, so that it can be grown from counts.

    Where no numeric column has more different values than there are bins, the tree is the one
    of :class:`~probtrees.grow.c45.C45`, node for node.
    """

    bins: int = option(
        DEFAULT_BINS,
        minimum=2,
        maximum=MOST_BINS,
        help="Into how many bins with like numbers of rows a numeric column is cut at most.",
    )


@dataclass(frozen=True)
class BinnedShapedTree(ShapedTree, BinnedC45):
    """A shaped tree on numbers cut into bins."""


def binned(learner: C45) -> BinnedC45:
    """Return the same options with bins."""
    kind = BinnedShapedTree if isinstance(learner, ShapedTree) else BinnedC45
    return learner if isinstance(learner, BinnedC45) else kind(**learner.to_dict())


def grow_with_report(
    table: ChunkedTable, learner: BinnedC45, conductor: Conductor, memory: int = DEFAULT_MEMORY
) -> tuple[CountTree, GrowReport]:
    """Grow a C4.5 tree from a table that is read in chunks, and report what cutting back removed.

    Two passes over the table: one lists or samples the numbers of every column, one turns the
    rows into codes, a byte or two per cell, which are set aside on disk. A node with more rows
    than fit into memory is split by its counts per column, code and class, one pass over the
    coded rows for all such nodes of a level, more if their counts do not fit. The others are
    grown to the end in memory, as many nodes per pass as fit. On a cluster the workers hold the
    coded rows if they fit, or read them in every pass.

    Both ways choose splits as :class:`~probtrees.grow.c45.C45` does, so where no numeric column
    has more than ``bins`` different values the tree is the same, node for node. Otherwise it is
    C4.5 among thresholds at the tops of the bins. Neither the chunks nor the memory change it.

    Parameters
    ----------
    table : the rows
    learner : the options of C4.5, and the number of bins
    conductor : has the passes carried out, and announces them
    memory : bytes that may be used at a time

    Raises
    ------
    OptionError : for options of C4.5 that need all rows at once
    """
    limits = Limits.of_memory(memory, len(table.schema.features))
    return finished(growing(table, learner, limits, conductor), learner)


def finished(growth: LevelGrowth, learner: C45) -> tuple[CountTree, GrowReport]:
    """Grow a tree and cut it back; report what that removed."""
    grown = growth.grow()
    collapsed = collapse(grown) if learner.collapse else grown
    pruned = collapsed
    if learner.prune != "none":
        pruned = prune_by_counts(collapsed, learner.confidence)
    return pruned, GrowReport.of(grown, collapsed, pruned)


def check_options(learner: C45) -> None:
    """Refuse options that cannot be followed exactly without all rows at once."""
    needs_all = {
        "separate_rows=True must be false": learner.separate_rows,
        "prune='reduced-error' must be 'none' or 'pessimistic'": learner.prune == "reduced-error",
        "subtree_raising=True must be false": learner.prune == "pessimistic"
        and learner.subtree_raising,
        f"middle_slack={learner.middle_slack:g} must be 0": learner.middle_slack > 0.0,
        "increasing and decreasing must be empty": bool(
            getattr(learner, "increasing", "") or getattr(learner, "decreasing", "")
        ),
    }
    refuse_in_chunks(needs_all, "it needs all rows at once")


def refuse_in_chunks(rules: Mapping[str, bool], reason: str) -> None:
    """Refuse the first option that breaks its rule."""
    for rule, is_broken in rules.items():
        if is_broken:
            raise OptionError(f"{rule} in chunks: {reason}. Change it, or leave out --chunks.")


def growing(
    table: ChunkedTable, learner: BinnedC45, limits: Limits, conductor: Conductor
) -> LevelGrowth:
    """Look at the columns, code the rows, and give what grows a tree from them."""
    check_options(learner)
    if table.n_rows == 0:
        raise DataError("rows=0 must be at least 1. Give the table rows to grow from.")
    columns = BinnedColumns.of_scan(_look_at_columns(table, learner.bins, conductor), table.n_rows)
    if learner.missing == "fraction" and columns.has_missing.any():
        name = table.schema.features[int(np.argmax(columns.has_missing))].name
        raise OptionError(
            f"missing='fraction' must be 'value' where a tree is grown in chunks, since {name!r} "
            "has missing values, and rows split over branches could not be counted exactly."
        )
    return LevelGrowth(columns, table, conductor, learner, limits)


def _look_at_columns(table: ChunkedTable, bins: int, conductor: Conductor) -> ColumnScan:
    """List or sample the numbers; of nominal columns all is known."""
    if all(column.is_nominal for column in table.schema.features):
        scan = ColumnScan.of(table.schema, bins)
        scan.has_missing[list(table.missing)] = True
        return scan
    make = partial(ColumnScan.of, table.schema, bins)
    return conductor.run("columns", (bins, SAMPLE_ROWS), table, RowForm(), make)
