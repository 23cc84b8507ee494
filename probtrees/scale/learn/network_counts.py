"""What the passes of a network learner count: pairs of attributes, tables, losses.

Each is updated chunk by chunk and merged with what was counted elsewhere. Rows that count once
are added exactly, so no result depends on the chunks, on their order, or on where they were
counted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count import _mutual_information_kernels as mutual
from probtrees.grow.count.cpt import count_table, number_prefixes
from probtrees.grow.count.leave_one_out import LeftOutTable, PrefixCounts, count_numbers
from probtrees.grow.count.mutual_information import Information, WithClass
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.grow.count_tree import NO_COLUMN, CountTree
from probtrees.grow.dag import Dag
from probtrees.scale import _row_kernels as kernels
from probtrees.scale.passes.statistic import Arrays, Statistic, fitting
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray, IntArray

MOST_DENSE = 1 << 20
"""Up to so many combinations every one has a cell of its own; of more, only those that occur."""

_TOGETHER = 1 << 20


@dataclass
class CellCounts(Statistic):
    """The weight of rows by their combination of values in some columns.

    A combination is numbered with its last column fastest. With few combinations ``counts`` has
    a cell for each; with many, ``keys`` lists those that occur, ascending.

    Attributes
    ----------
    columns : the columns, by number in the table that is counted
    n_values : int64[len(columns)], the values of each
    counts : float64, the weights
    keys : int64, the combinations ``counts`` belongs to; None if to all in turn
    """

    columns: tuple[int, ...]
    n_values: IntArray
    counts: FloatArray
    keys: IntArray | None = None
    _pending: list[tuple[IntArray, FloatArray]] = field(default_factory=list, repr=False)

    @classmethod
    def empty(cls, columns: tuple[int, ...], n_values: IntArray) -> CellCounts:
        """Begin with no rows; ``n_values`` are those of all columns of the table."""
        own = np.ascontiguousarray(n_values[list(columns)])
        n_cells = math.prod(own.tolist())
        if n_cells >= 2**62:
            raise DataError(
                "attributes with so many values have too many combinations to be counted in "
                "chunks. Choose a smaller k, or group values."
            )
        if n_cells <= MOST_DENSE:
            return cls(columns, own, np.zeros(n_cells))
        return cls(columns, own, np.empty(0), np.empty(0, dtype=np.int64))

    def update(self, table: NominalRows) -> None:
        """Add the rows of a chunk."""
        columns = np.array(self.columns, dtype=np.int64)
        if self.keys is None:
            kernels.count_cells(table.codes, table.weights, columns, self.n_values, self.counts)
            return
        keys = np.empty(table.codes.shape[1], dtype=np.int64)
        kernels.number_cells(table.codes, columns, self.n_values, keys)
        # Sorting into the list costs as much as the list is long, so that is put off until as many
        # keys wait as are listed, and at least a million.
        distinct, inverse = np.unique(keys, return_inverse=True)
        self._pending.append((distinct, _weigh(inverse, table.weights, len(distinct))))
        if sum(len(keys) for keys, _ in self._pending) > max(_TOGETHER, len(self.keys)):
            self.settle()

    def merge(self, other: CellCounts) -> None:
        """Add what was counted elsewhere."""
        if self.keys is None:
            self.counts += other.counts
            return
        other.settle()
        assert other.keys is not None
        self._pending.append((other.keys, other.counts))
        self.settle()

    def settle(self) -> None:
        """Sort what came in since the last time into the list."""
        if self.keys is None or not self._pending:
            return
        keys = np.concatenate([self.keys, *(keys for keys, _ in self._pending)])
        counts = np.concatenate([self.counts, *(counts for _, counts in self._pending)])
        self._pending.clear()
        self.keys, inverse = np.unique(keys, return_inverse=True)
        self.counts = _weigh(inverse, counts, len(self.keys))

    def listed(self) -> tuple[IntArray, FloatArray]:
        """Return the combinations that occur, ascending, and their counts."""
        self.settle()
        if self.keys is not None:
            return self.keys, self.counts
        keys = np.flatnonzero(self.counts)
        return keys, self.counts[keys]

    def codes_of(self, keys: IntArray) -> NDArray[np.int32]:
        """Take combinations apart: int32[len(columns), len(keys)]."""
        codes = np.empty((len(self.columns), len(keys)), dtype=np.int32)
        rest = keys
        for place in range(len(self.columns) - 1, -1, -1):
            rest, codes[place] = np.divmod(rest, self.n_values[place])
        return codes

    def arrays(self) -> Arrays:
        """Return what was counted, to be kept in a file."""
        keys, counts = self.listed()
        return {"keys": keys, "counts": counts}

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        keys = fitting(kept, "keys", np.empty(0, dtype=np.int64))
        counts = fitting(kept, "counts", np.empty(0))
        n_cells = math.prod(self.n_values.tolist())
        if len(keys) != len(counts) or keys.min(initial=0) < 0 or keys.max(initial=0) >= n_cells:
            raise ValueError("keys do not fit")
        if self.keys is None:
            self.counts[keys] = counts
        else:
            self.keys, self.counts = keys, counts


def _weigh(numbers: NDArray[np.intp], weights: FloatArray, n_numbers: int) -> FloatArray:
    """Add weights up by number."""
    return np.bincount(numbers, weights=weights, minlength=n_numbers).astype(np.float64)


class CellFinder:
    """Finds the place of every row's combination of values in a list of combinations."""

    def __init__(self, columns: tuple[int, ...], n_values: IntArray, keys: IntArray) -> None:
        self.columns = np.array(columns, dtype=np.int64)
        self.n_values = n_values
        self.keys = keys
        self.number_of: NDArray[np.int32] | None = None
        n_cells = math.prod(n_values.tolist())
        if n_cells <= MOST_DENSE:
            self.number_of = np.full(n_cells, -1, dtype=np.int32)
            self.number_of[keys] = np.arange(len(keys), dtype=np.int32)

    def places(self, table: NominalRows) -> NDArray[np.int32]:
        """Look every row up, and refuse one whose combination is not listed."""
        keys = np.empty(table.codes.shape[1], dtype=np.int64)
        kernels.number_cells(table.codes, self.columns, self.n_values, keys)
        if self.number_of is not None:
            places = self.number_of[keys]
            is_listed = places >= 0
        else:
            places = np.searchsorted(self.keys, keys).astype(np.int32)
            is_listed = self.keys[np.minimum(places, len(self.keys) - 1)] == keys
        if not is_listed.all():
            raise DataError(
                "the rows must not change between two passes; a combination of values was not "
                "there before. Leave the files alone while a model is grown."
            )
        return places


@dataclass
class PairCounts(Statistic):
    """Every attribute's values by class and, unless left out, every pair's.

    Attributes
    ----------
    with_class : attributes by class
    first_pair : int64[n_attributes, n_attributes], where the cells of a pair start; -1: it is
        not among them
    cells : float64, the cells of all pairs
    """

    with_class: WithClass
    first_pair: NDArray[np.int64]
    cells: NDArray[np.float64]

    kept_arrays = ("with_class.counts", "with_class.class_counts", "cells")

    @classmethod
    def empty(cls, schema: Schema, cuts: Cuts, *, pairs: bool, memory: int) -> PairCounts:
        """Begin with no rows."""
        n_values = cuts.apply_to_schema(schema).n_values.astype(np.int64)
        n_attributes = len(n_values) - 1
        of_pairs = np.outer(n_values[:-1], n_values[:-1]) * n_values[-1]
        sizes = np.triu(of_pairs, 1 if pairs else n_attributes)
        first_pair = np.where(sizes > 0, np.cumsum(sizes).reshape(sizes.shape) - sizes, -1)
        n_cells = int(sizes.sum())
        _check_memory(8 * n_cells, memory, "pairs of attributes")
        return cls(WithClass.empty(n_values), first_pair, np.zeros(n_cells))

    def update(self, table: NominalRows) -> None:
        """Add the rows of a chunk."""
        self.with_class.update(table)
        if len(self.cells):
            mutual.count_pairs(table, self.first_pair, self.cells)

    def information(self) -> Information:
        """Measure what attributes say about the class and about each other."""
        counted = self.with_class
        found = counted.information()
        given = (counted.first_cell, counted.counts, counted.class_counts)
        if counted.total > 0:
            mutual.information_of_pairs(
                *given, counted.total, self.first_pair, self.cells, found.pairwise
            )
        return found


@dataclass
class TableCounts(Statistic):
    """The tables of a network: every column's values by class and parents.

    Attributes
    ----------
    dag : the network
    names, n_values : of all columns, the class last
    class_counts : the weight of every class
    tables : for every attribute its parents, its own values and the class, counted together
    memory : bytes the counts may take
    """

    dag: Dag
    names: tuple[str, ...]
    n_values: NDArray[np.int64]
    class_counts: NDArray[np.float64]
    tables: dict[int, CellCounts]
    memory: int

    kept_arrays = ("class_counts", "tables")

    @classmethod
    def empty(cls, schema: Schema, cuts: Cuts, dag: Dag, memory: int) -> TableCounts:
        """Begin with no rows."""
        n_values = cuts.apply_to_schema(schema).n_values.astype(np.int64)
        class_column = len(n_values) - 1
        tables = {
            column: CellCounts.empty((*parents[1:], column, class_column), n_values)
            for column, parents in dag.parents.items()
            if column != class_column
        }
        class_counts = np.zeros(int(n_values[-1]))
        return cls(dag, schema.names, n_values, class_counts, tables, memory)

    def update(self, table: NominalRows) -> None:
        """Add the rows of a chunk."""
        self.class_counts += np.bincount(
            table.codes[-1], weights=table.weights, minlength=len(self.class_counts)
        )
        for counts in self.tables.values():
            counts.update(table)
        self._check()

    def merge(self, other: TableCounts) -> None:
        """Add what was counted elsewhere."""
        super().merge(other)
        self._check()

    def _check(self) -> None:
        listed = sum(16 * len(c.counts) for c in self.tables.values() if c.keys is not None)
        _check_memory(listed, self.memory, "tables")

    def count_trees(self, dag: Dag) -> tuple[CountTree, ...]:
        """Make the tables of a network whose parents are the first ones of those counted.

        Every combination that occurs stands for its rows, with their number as its weight: the
        trees are those that counting the rows themselves would make.
        """
        return tuple(
            self._count_tree(column, len(parents)) for column, parents in dag.parents.items()
        )

    def _count_tree(self, column: int, n_parents: int) -> CountTree:
        class_column = len(self.n_values) - 1
        if column == class_column:
            rows = np.flatnonzero(self.class_counts).astype(np.int32)
            table = NominalRows(rows[None, :], self.n_values[-1:], self.class_counts[rows])
            return _renumber(count_table(table, self.names[-1], 0, ()), (class_column,))
        counts = self.tables[column]
        keys, weights = counts.listed()
        table = NominalRows(counts.codes_of(keys), counts.n_values, weights)
        target = len(counts.columns) - 2
        path = (target + 1, *range(n_parents - 1))
        return _renumber(count_table(table, self.names[column], target, path), counts.columns)

    def left_out(self, column: int) -> tuple[LeftOutTable, CellFinder]:
        """Prepare an attribute's table for the leave-one-out pass."""
        # The class is the fastest digit of a key: dividing by the classes leaves the cell that
        # all classes of a combination share.
        counts = self.tables[column]
        keys, weights = counts.listed()
        n_classes = len(self.class_counts)
        cells = np.unique(keys // n_classes)
        codes = counts.codes_of(cells * n_classes)
        table = NominalRows(codes, counts.n_values, np.ones(len(cells)))
        target = len(counts.columns) - 2
        prefixes = number_prefixes(table, target, tuple(range(target)))
        of_key = np.searchsorted(cells, keys // n_classes)
        labels = (keys % n_classes).astype(np.int32)
        in_contexts, in_cells = (
            count_numbers(
                labels, weights, np.ascontiguousarray(numbers[:, of_key]), first, n_classes
            )
            for numbers, first in (
                (prefixes.contexts, prefixes.first_context),
                (prefixes.cells, prefixes.first_cell),
            )
        )
        left_out = LeftOutTable(column, prefixes, PrefixCounts(in_contexts, in_cells))
        return left_out, CellFinder(counts.columns[:-1], counts.n_values[:-1], cells)


def _renumber(tree: CountTree, columns: tuple[int, ...]) -> CountTree:
    """Name the columns of a tree by their numbers in the whole table."""
    numbers = np.array([*columns, NO_COLUMN], dtype=np.int32)
    arrays = tree.arrays._replace(column=numbers[tree.arrays.column])
    return CountTree(columns[tree.target], arrays)


def _check_memory(needed: int, memory: int, what: str) -> None:
    if needed > memory // 2:
        raise DataError(
            f"memory={memory // 2**20}MB must hold the counts of {what}, which take "
            f"{needed / 2**20:,.0f} MB, twice. Allow more memory, choose a smaller k, or group "
            "values of columns that have many."
        )
