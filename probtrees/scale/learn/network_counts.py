"""What the passes of a network learner count: pairs of attributes, tables, losses.

Each is updated chunk by chunk and merged with what was counted elsewhere. Rows that count once
are added exactly, so no result depends on the chunks, on their order, or on where they were
counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count import _mutual_information_kernels as kernels
from probtrees.grow.count.cpt import count_table, number_prefixes
from probtrees.grow.count.leave_one_out import LeftOutTable, PrefixCounts, count_numbers
from probtrees.grow.count.mutual_information import Information, WithClass
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.grow.count_tree import NO_COLUMN, CountTree
from probtrees.grow.dag import Dag
from probtrees.scale.passes.cell_counts import MOST_DENSE, CellCounts, CellFinder
from probtrees.scale.passes.statistic import Statistic
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Schema


@dataclass
class PairCounts(Statistic):
    """Every attribute's values by class and, unless left out, every pair's.

    Attributes
    ----------
    with_class : attributes by class
    first_pair : int64[n_attributes, n_attributes], where the cells of a pair start; -1: it is
        not among them
    cells : float64, the cells of all pairs of few combinations
    sparse : the other pairs
    """

    with_class: WithClass
    first_pair: NDArray[np.int64]
    cells: NDArray[np.float64]
    sparse: dict[tuple[int, int], CellCounts]

    kept_arrays = ("with_class.counts", "with_class.class_counts", "cells", "sparse")

    @classmethod
    def empty(cls, schema: Schema, cuts: Cuts, *, pairs: bool, memory: int) -> PairCounts:
        """Begin with no rows."""
        n_values = cuts.apply_to_schema(schema).n_values.astype(np.int64)
        n_attributes = len(n_values) - 1
        first_pair = np.full((n_attributes, n_attributes), -1, dtype=np.int64)
        sparse = {}
        n_cells = 0
        for i in range(n_attributes if pairs else 0):
            for j in range(i + 1, n_attributes):
                size = int(n_values[i]) * int(n_values[j]) * int(n_values[-1])
                if size > MOST_DENSE:
                    sparse[i, j] = CellCounts.empty((i, n_attributes, j), n_values)
                else:
                    first_pair[i, j] = n_cells
                    n_cells += size
        _check_memory(8 * n_cells, memory, "pairs of attributes")
        return cls(WithClass.empty(n_values), first_pair, np.zeros(n_cells), sparse)

    def update(self, table: NominalRows) -> None:
        """Add the rows of a chunk."""
        self.with_class.update(table)
        if len(self.cells):
            kernels.count_pairs(table, self.first_pair, self.cells)
        for counts in self.sparse.values():
            counts.update(table)

    def merge(self, other: PairCounts) -> None:
        """Add what was counted elsewhere."""
        self.with_class.merge(other.with_class)
        self.cells += other.cells
        for pair, counts in self.sparse.items():
            counts.merge(other.sparse[pair])

    def information(self) -> Information:
        """Measure what attributes say about the class and about each other."""
        counted = self.with_class
        found = counted.information()
        given = (counted.first_cell, counted.counts, counted.class_counts)
        if counted.total > 0:
            kernels.information_of_pairs(
                *given, counted.total, self.first_pair, self.cells, found.pairwise
            )
        for (i, j), counts in self.sparse.items():
            own, other = (
                counted.counts[counted.first_cell[c] : counted.first_cell[c + 1]] for c in (i, j)
            )
            total = kernels.information_of_keys(*counts.listed(), own, other, counted.class_counts)
            found.pairwise[i, j] = found.pairwise[j, i] = max(total / counted.total, 0.0)
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
        self.class_counts += other.class_counts
        for column, counts in self.tables.items():
            counts.merge(other.tables[column])
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

    def left_out_tables(self) -> list[tuple[LeftOutTable, CellFinder]]:
        """Prepare every attribute's table for the leave-one-out pass, in order."""
        return [self._left_out(column) for column in self.tables]

    def _left_out(self, column: int) -> tuple[LeftOutTable, CellFinder]:
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
