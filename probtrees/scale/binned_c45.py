"""C4.5 on more rows than fit into memory: numbers in bins, large nodes split by counts alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from probtrees.count_tree import CountTree
from probtrees.dataset import Dataset, Schema
from probtrees.errors import DataError, OptionError
from probtrees.experiment.recipe import Progress
from probtrees.grow import growth_records as records
from probtrees.grow.c45 import C45, GrowReport, tree_size
from probtrees.grow.growth import CodeGrower
from probtrees.grow.prune import collapse, prune_by_counts
from probtrees.scale.binned_columns import BinnedColumns, ColumnScan, check_rows
from probtrees.scale.binned_rows import BinnedRows
from probtrees.scale.growing_tree import GrowingTree
from probtrees.scale.node_histograms import NodeHistograms, slots_of_rows

DEFAULT_BINS = 256
MOST_BINS = 1 << 15

_SCAN, _ENCODE = 0.2, 0.4
"""The share of the work that is done after looking at the columns, and after coding the rows."""


class Chunked(Protocol):
    """A table that is read in chunks, see :class:`~probtrees.scale.chunks.ChunkedTable`."""

    @property
    def schema(self) -> Schema:
        """The columns, the class last."""
        ...

    @property
    def n_rows(self) -> int:
        """All rows."""
        ...

    @property
    def missing(self) -> Sequence[int]:
        """The features with missing values."""
        ...

    def chunks(self) -> Iterator[Dataset]:
        """Yield all rows, some at a time."""
        ...


@dataclass(frozen=True)
class Limits:
    """What may be held at a time.

    Attributes
    ----------
    rows : rows whose nodes are grown to the end in memory; larger nodes are split by counts
    table_bytes : tables of counts
    spool_bytes : coded rows, before they are set aside on disk
    """

    rows: int
    table_bytes: int
    spool_bytes: int

    @classmethod
    def of_memory(cls, memory: int, n_features: int) -> Limits:
        """Share out the memory; a row in work takes its codes twice and about 100 bytes."""
        return cls(memory // 2 // (5 * n_features + 100), memory // 4, memory // 8)


def grow_binned_c45(
    table: Chunked,
    learner: C45,
    bins: int = DEFAULT_BINS,
    memory: int = 2 << 30,
    progress: Progress | None = None,
) -> CountTree:
    """Grow a C4.5 tree from a table that is read in chunks; see :func:`grow_with_report`."""
    return grow_with_report(table, learner, bins, memory, progress)[0]


def grow_with_report(
    table: Chunked,
    learner: C45,
    bins: int = DEFAULT_BINS,
    memory: int = 2 << 30,
    progress: Progress | None = None,
) -> tuple[CountTree, GrowReport]:
    """Grow a C4.5 tree from a table that is read in chunks, and tell what cutting back removed.

    Two passes over the table: one sketches the quantiles of the numeric columns, one turns the
    rows into codes, a byte or two per cell, which are set aside on disk. A node with more rows
    than fit into memory is split by its counts per column, code and class, one pass over the
    coded rows for all such nodes of a level, more if their counts do not fit. The others are
    grown to the end in memory, as many nodes per pass as fit.

    Both ways choose splits as :class:`~probtrees.grow.c45.C45` does, so where no numeric column
    has more than ``bins`` different values the tree is the same, node for node. Otherwise it is
    C4.5 among thresholds at the tops of the bins. Neither the chunks nor the memory change it.

    Parameters
    ----------
    table : the rows
    learner : the options of C4.5
    bins : into how many bins of like size a numeric column is cut at most
    memory : bytes that may be used at a time
    progress : told the share of the work that is done and what is being done; may raise to cancel

    Raises
    ------
    OptionError : for options of C4.5 that need all rows at once
    """
    if not 2 <= bins <= MOST_BINS:
        raise OptionError(f"bins={bins} must be from 2 to {MOST_BINS}.")
    limits = Limits.of_memory(memory, len(table.schema.features))
    return _cut_back(grow_nodes(table, learner, bins, limits, progress), learner)


def check_options(learner: C45) -> None:
    """Refuse options that cannot be followed exactly without all rows at once."""
    refused = {
        "separate_rows=True must be false": learner.separate_rows,
        "prune='reduced-error' must be none or pessimistic": learner.prune == "reduced-error",
        "subtree_raising=True must be false with pessimistic pruning": learner.prune
        == "pessimistic"
        and learner.subtree_raising,
        f"middle_slack={learner.middle_slack:g} must be 0": learner.middle_slack > 0.0,
    }
    for sentence, is_so in refused.items():
        if is_so:
            raise OptionError(
                f"{sentence} where a tree is grown in chunks, since it needs all rows at once."
            )


def grow_nodes(
    table: Chunked, learner: C45, bins: int, limits: Limits, progress: Progress | None
) -> CountTree:
    """Grow the tree as deep as it goes."""
    check_options(learner)
    columns = _look_at_columns(table, bins, progress)
    if learner.missing == "fraction" and columns.has_missing.any():
        name = table.schema.features[int(np.argmax(columns.has_missing))].name
        raise OptionError(
            f"missing='fraction' must be 'value' where a tree is grown in chunks, since {name!r} "
            "has missing values, and the rows split over branches could not be counted exactly."
        )
    with BinnedRows(
        len(columns.tops) + 1, columns.row_type, min(limits.spool_bytes, 1 << 31)
    ) as rows:
        for chunk in table.chunks():
            check_rows(chunk, rows.n_rows)
            rows.append(columns.encode(chunk))
            _tell(progress, _SCAN, _ENCODE, rows.n_rows / table.n_rows, "coding rows")
        return _LevelGrowth(columns, rows, learner, limits, progress).grow()


def _look_at_columns(table: Chunked, bins: int, progress: Progress | None) -> BinnedColumns:
    """Sketch the numeric columns; nominal ones are known already."""
    if table.n_rows == 0:
        raise DataError("rows=0 must be at least 1. Give the table rows to grow from.")
    scan = ColumnScan.of(table.schema)
    if all(column.is_nominal for column in table.schema.features):
        scan.has_missing[list(table.missing)] = True
        scan.n_rows = table.n_rows
    else:
        for chunk in table.chunks():
            scan.update(chunk)
            _tell(progress, 0.0, _SCAN, scan.n_rows / table.n_rows, "looking at columns")
    return BinnedColumns.of_scan(table.schema, scan, bins)


class _LevelGrowth:
    """Grows one tree from coded rows."""

    def __init__(
        self,
        columns: BinnedColumns,
        rows: BinnedRows,
        learner: C45,
        limits: Limits,
        progress: Progress | None,
    ) -> None:
        self._columns = columns
        self._rows = rows
        self._learner = learner
        self._limits = limits
        self._progress = progress
        n_features = len(columns.tops)
        self._n_classes = len(columns.schema.classes)
        self._described = columns.as_records(
            np.empty((0, n_features), dtype=np.int32), missing_as_value=True
        )
        self._n_codes = int((self._described.facts.n_codes + 1).sum())
        self._node_bytes = max(1, 8 * self._n_codes * self._n_classes)
        self._n_settled = 0

    def grow(self) -> CountTree:
        """Split large nodes level by level, then grow the small ones to the end."""
        tree = GrowingTree(self._described, [self._count_classes()])
        small: list[int] = []
        level = self._sorted_out(tree, range(1), small)
        n_at_once = self._limits.table_bytes // self._node_bytes
        if level and n_at_once == 0:
            raise OptionError(
                f"memory must be at least {self._node_bytes >> 18:,} MB for the counts of one node "
                "of this table. Give more, or use fewer bins."
            )
        while level:
            below: list[int] = []
            for first in range(0, len(level), n_at_once):
                below += self._split(tree, level[first : first + n_at_once])
            level = self._sorted_out(tree, below, small)
        for batch in self._batches(tree, small):
            self._grow_in_memory(tree, batch)
        return tree.finished(self._columns.schema.target_column)

    def _count_classes(self) -> NDArray[np.int64]:
        counts = np.zeros(self._n_classes, dtype=np.int64)
        for block in self._rows.blocks():
            counts += np.bincount(block[:, -1], minlength=self._n_classes)
        return counts

    def _sorted_out(self, tree: GrowingTree, nodes: Sequence[int], small: list[int]) -> list[int]:
        """Give the nodes to be split by counts; note the ones for memory; leave the leaves."""
        large = []
        for node in nodes:
            n_rows = int(tree.counts[node].sum())
            if not tree.is_open(node, self._learner.min_leaf, self._learner.max_depth):
                self._settle(n_rows)
            elif n_rows > self._limits.rows:
                large.append(node)
            else:
                small.append(node)
        return large

    def _settle(self, n_rows: int) -> None:
        self._n_settled += n_rows
        _tell(self._progress, _ENCODE, 1.0, self._n_settled / self._rows.n_rows, "growing")

    def _split(self, tree: GrowingTree, nodes: Sequence[int]) -> list[int]:
        """Count the rows of some nodes in one pass and split them; return their children."""
        slots = np.full(len(tree.counts), -1)
        slots[list(nodes)] = np.arange(len(nodes))
        histograms = NodeHistograms(
            tree.as_code_tree(),
            slots,
            np.ascontiguousarray(self._described.facts.table_start),
            np.zeros((len(nodes), self._n_codes, self._n_classes), dtype=np.int64),
        )
        for block in self._rows.blocks():
            histograms.update(block)
            self._settle(0)
        counts = np.array([tree.counts[node] for node in nodes])
        grower = self._grower(self._described)
        splits = grower.choose_splits(
            histograms.tables, counts, self._learner.min_leaf, self._rows.n_rows
        )
        children: list[int] = []
        for node, chosen, own in zip(nodes, splits, histograms.tables, strict=True):
            if chosen.column >= 0:
                children += tree.split(node, chosen, own)
            else:
                self._settle(int(tree.counts[node].sum()))
        return children

    def _grower(self, described: records.Columns) -> CodeGrower:
        return CodeGrower(described, self._n_classes, self._columns.schema.target_column)

    def _batches(self, tree: GrowingTree, nodes: Sequence[int]) -> Iterator[list[int]]:
        """Group nodes whose rows fit into memory together."""
        batch: list[int] = []
        n_rows = 0
        for node in nodes:
            own = int(tree.counts[node].sum())
            if batch and n_rows + own > self._limits.rows:
                yield batch
                batch, n_rows = [], 0
            batch.append(node)
            n_rows += own
        if batch:
            yield batch

    def _grow_in_memory(self, tree: GrowingTree, nodes: list[int]) -> None:
        """Gather the rows of some nodes in one pass and grow these nodes to the end."""
        sizes = np.array([int(tree.counts[node].sum()) for node in nodes])
        starts = np.cumsum(sizes) - sizes
        n_rows = int(sizes.sum())
        slots = np.full(len(tree.counts), -1)
        slots[nodes] = np.arange(len(nodes))
        routes = tree.as_code_tree()
        codes = np.empty((n_rows, len(self._columns.tops)), dtype=np.int32)
        items = records.make_records(n_rows, records.item(np.int64))
        items.row, items.weight = np.arange(n_rows), 1
        places = starts.copy()
        for block in self._rows.blocks():
            found = slots_of_rows(block, routes, slots)
            order = np.argsort(found, kind="stable")[np.count_nonzero(found < 0) :]
            here = np.bincount(found[order], minlength=len(nodes))
            # Rows of a node go behind those it has already, in the order they come.
            first = np.repeat(places - (np.cumsum(here) - here), here)
            where = first + np.arange(order.shape[0])
            codes[where] = block[order, :-1]
            items.outcome[where] = block[order, -1]
            places += here
        described = self._described._replace(codes=codes)
        before = self._n_settled
        report = None
        if self._progress is not None:

            def report(share: float) -> None:
                self._n_settled = before + int(share * n_rows)
                self._settle(0)

        below = self._grower(described).grow_below(
            items,
            starts,
            np.array([tree.depth[node] for node in nodes]),
            min_leaf=self._learner.min_leaf,
            max_depth=self._learner.max_depth,
            progress=report,
        )
        tree.add_grown(np.array(nodes), below)
        self._n_settled = before + n_rows
        self._settle(0)


def _cut_back(grown: CountTree, learner: C45) -> tuple[CountTree, GrowReport]:
    """Collapse and prune by the counts."""
    collapsed = collapse(grown) if learner.collapse else grown
    pruned = collapsed
    if learner.prune == "pessimistic":
        pruned = prune_by_counts(collapsed, learner.confidence)
    return pruned, GrowReport(tree_size(grown), tree_size(collapsed), tree_size(pruned))


def _tell(progress: Progress | None, start: float, stop: float, share: float, what: str) -> None:
    if progress is not None:
        progress(start + min(1.0, share) * (stop - start), what)
