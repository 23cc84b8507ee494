"""Growing the splits of a tree: room for the kernels, and the loop around them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree, TreeArrays, in_level_order, lone_leaves
from probtrees.grow.split import _c45_kernels as kernels
from probtrees.grow.split import growth_records as records
from probtrees.grow.split.column_codes import ColumnCodes, encode_columns
from probtrees.grow.split.plain_growth import grow_nodes_plainly
from probtrees.machine.kernel_cache import compiles
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray, ShareDone

_CELLS_PER_CALL = 10_000_000
"""Table cells looked at between two calls of the progress function."""

_PLAIN_CELLS_PER_CALL = 50_000
"""The same where nothing may be compiled."""

_TABLE_CELLS = 2**17
"""Cells of the tables in which a node's rows are counted; they should fit into the cache."""

_LARGEST_WHOLE = 2**22
"""Up to this weight n*ln(n) is looked up."""

_NO_LIMIT = 2**31 - 1


class CodeGrower:
    """Grows nodes whose rows are given as codes.

    Parameters
    ----------
    columns : the rows
    n_classes : how many outcomes there are
    target : the column number of the class
    """

    def __init__(self, columns: records.Columns, n_classes: int, target: int) -> None:
        facts = columns.facts
        self._columns = columns
        self._n_classes = n_classes
        self._target = target
        ends = np.cumsum((facts.n_codes + 1) * n_classes)
        self._n_tabled = int(np.searchsorted(ends, _TABLE_CELLS, side="right"))
        self._most_branches = 1 + int(np.where(facts.nominal, facts.n_codes, 2).max(initial=2))
        self._splits_rows = bool((facts.has_missing & ~facts.own_branch).any())

    def grow_below(
        self,
        items: np.recarray,
        starts: IntArray,
        depths: IntArray,
        *,
        min_leaf: int,
        max_depth: int | None = None,
        progress: ShareDone | None = None,
    ) -> TreeArrays:
        """Grow several nodes that are to be split, as deep as it goes.

        Parameters
        ----------
        items : the nodes' rows, node after node, all of weight 1
        starts : where each node's items start
        depths : how deep in the tree the nodes are

        Returns
        -------
        The given nodes, followed by all nodes below them
        """
        n_roots = starts.shape[0]
        room = 2 * n_roots + 256
        tree, growth = self._room_for_nodes(room, 0)
        stops = np.append(starts[1:], items.shape[0])
        np.add.at(
            tree.counts,
            (np.repeat(np.arange(n_roots), stops - starts), items.outcome),
            items.weight,
        )
        tree.weight[:n_roots] = stops - starts
        tree.depth[:n_roots] = depths
        growth.waiting.node[:n_roots] = np.arange(n_roots)
        growth.waiting.start[:n_roots] = starts
        growth.waiting.stop[:n_roots] = stops
        growth.state[:] = n_roots
        rules = self._rules(items, float(min_leaf), max_depth)
        tree, growth = self._grow(items, tree, growth, rules, progress)
        # Copied, so that the room for more nodes is given up.
        return TreeArrays._make(array[: growth.state[kernels.N_NODES]].copy() for array in tree)

    def choose_splits(
        self, tables: IntArray, counts: IntArray, min_leaf: int, n_rows: int
    ) -> np.recarray:
        """Choose the splits of nodes of which only counts are known.

        Parameters
        ----------
        tables : int64[n_nodes, codes of all columns, n_classes], rows per code and outcome; the
            codes of a column start at ``facts.table_start``
        counts : int64[n_nodes, n_classes], rows per outcome
        n_rows : the rows of the whole tree
        """
        facts = self._columns.facts
        splits = records.make_records(tables.shape[0], records.SPLIT)
        widest = int(facts.n_codes.max(initial=0)) + 1
        none = records.make_records(0, records.item(np.int64))
        scratch = self._scratch(none, n_rows, widest * self._n_classes)
        scratch = scratch._replace(table=np.zeros(tables.shape[1:], dtype=np.int64))
        kernels.choose_splits(tables, counts, self._columns, float(min_leaf), scratch, splits)
        return splits

    def _rules(self, items: np.recarray, min_leaf: float, max_depth: int | None) -> records.Rules:
        return records.Rules(
            min_leaf=min_leaf,
            max_depth=_NO_LIMIT if max_depth is None else max_depth,
            columns_per_node=self._columns.places.shape[0],
            n_tabled=self._n_tabled,
            n_items=items.shape[0],
            all_weigh_one=bool((items.weight == 1).all()) and not self._splits_rows,
            middle_slack=0.0,
        )

    def _grow(
        self,
        items: np.recarray,
        tree: TreeArrays,
        growth: records.Growth,
        rules: records.Rules,
        progress: ShareDone | None,
    ) -> tuple[TreeArrays, records.Growth]:
        """Split the nodes that wait, and those below, making room as it is needed."""
        n_rows = int(items.weight.sum())
        scratch = self._scratch(items, n_rows, items.shape[0])
        grow = kernels.grow_nodes if compiles() else grow_nodes_plainly
        cells = _CELLS_PER_CALL if compiles() else _PLAIN_CELLS_PER_CALL
        while True:
            status = grow(self._columns, items, tree, growth, rules, scratch, cells)
            if status == kernels.DONE:
                break
            if status == kernels.NEEDS_NODES:
                room = 2 * tree.parent.shape[0] + self._most_branches
                tree, growth = _more_nodes(tree, growth, room)
            elif status == kernels.NEEDS_ITEMS:
                items = _longer(items, 2 * items.shape[0])
                scratch = self._scratch(items, n_rows, items.shape[0])
            elif progress is not None:
                unfinished = growth.waiting[growth.state[kernels.N_WAITING] - 1].stop
                progress(max(0.0, 1.0 - float(unfinished) / rules.n_items))
        if progress is not None:
            progress(1.0)
        return tree, growth

    def _room_for_nodes(self, room: int, seed: int) -> tuple[TreeArrays, records.Growth]:
        """Make room for some nodes."""
        n_classes = self._n_classes
        growth = records.Growth(
            state=np.zeros(2, dtype=np.int64),
            seeds=np.random.default_rng(seed).integers(1, 2**31 - 250, size=2),
            waiting=records.make_records(room, records.WAITING),
            fragments=np.zeros((room, n_classes)),
        )
        return lone_leaves(room, n_classes), growth

    def _scratch(self, items: np.recarray, n_rows: int, n_moves: int) -> records.Scratch:
        """Make room to work in for nodes of up to as many items."""
        facts = self._columns.facts
        n_items = items.shape[0]
        n_classes = self._n_classes
        weight = items.weight.dtype.type
        n_codes = int((facts.n_codes[: self._n_tabled] + 1).sum())
        whole = np.arange(min(n_rows, _LARGEST_WHOLE) + 1, dtype=np.float64)
        return records.Scratch(
            n_log_n=whole * np.log(np.maximum(whole, 1.0)),
            table=np.zeros((n_codes, n_classes), dtype=weight),
            keys=np.empty((2, n_items), dtype=np.int64),
            digits=np.empty(1 << kernels.RADIX_BITS, dtype=np.int64),
            sides=records.make_records(n_classes, records.sides(weight)),
            moves=records.make_records(n_moves, records.move(weight)),
            scores=records.make_records(facts.shape[0], records.SCORE),
            order=np.arange(facts.shape[0]),
            branch_of=np.empty(n_items, dtype=np.int32),
            branches=records.make_records(self._most_branches + 1, records.BRANCH),
            dealt=records.make_records(n_items, items.dtype),
        )


class Grower(CodeGrower):
    """Grows trees from one table; encoding it is done once.

    Parameters
    ----------
    data : the training rows
    missing_as_value : whether a missing value leads down a branch of its own; otherwise its row
        is split over all branches
    """

    def __init__(self, data: Dataset, *, missing_as_value: bool) -> None:
        encoded = encode_columns(data)
        by_size = np.argsort(encoded.n_codes, kind="stable")
        columns = records.Columns(
            codes=np.ascontiguousarray(encoded.codes[by_size].T),
            facts=column_facts(encoded, data.row_weights.sum(), by_size, missing_as_value),
            places=np.argsort(by_size),
            values=np.concatenate([*(encoded.distinct[column] for column in by_size), np.empty(0)]),
        )
        super().__init__(columns, data.n_classes, data.schema.target_column)
        self._data = data
        self._distinct = encoded.distinct

    def grow(
        self,
        *,
        min_leaf: int,
        max_depth: int | None = None,
        middle_slack: float = 0.0,
        row_weights: FloatArray | None = None,
        columns_per_node: int | None = None,
        seed: int = 0,
        progress: ShareDone | None = None,
    ) -> CountTree:
        """Grow a tree as deep as it goes."""
        items = self._first_items(self._data.row_weights if row_weights is None else row_weights)
        rules = self._rules(items, float(min_leaf), max_depth)._replace(middle_slack=middle_slack)
        if columns_per_node is not None:
            rules = rules._replace(columns_per_node=columns_per_node)
        tree, growth = self._grow(items, *self._room_for_nodes(256, seed), rules, progress)
        return self._finished(tree, growth)

    def columns_with_close_values(self, slack: float) -> list[int]:
        """List the numeric columns that have values closer to each other than the slack."""
        with np.errstate(over="ignore"):  # the largest numbers are infinitely far apart
            return [
                column
                for column, values in enumerate(self._distinct)
                if not self._data.schema.columns[column].is_nominal
                and (np.diff(values) < slack).any()
            ]

    def _first_items(self, weights: FloatArray) -> np.recarray:
        """List the rows that have a weight; whole weights that stay whole are kept as such."""
        rows = np.flatnonzero(weights > 0.0)
        kept = weights[rows]
        whole = not self._splits_rows and kept.sum() < 2**53 and (kept == np.floor(kept)).all()
        items = records.make_records(rows.shape[0], records.item(np.int64 if whole else np.float64))
        items.row = rows
        items.outcome = self._data.values[rows, -1]
        items.weight = kept
        return items

    def _finished(self, tree: TreeArrays, growth: records.Growth) -> CountTree:
        """Give back the nodes made, level by level."""
        n_nodes = int(growth.state[kernels.N_NODES])
        return in_level_order(
            self._target,
            TreeArrays._make(array[:n_nodes] for array in tree),
            growth.fragments[:n_nodes] if self._splits_rows else None,
        )


def part_of(progress: ShareDone | None, start: float, stop: float) -> ShareDone | None:
    """Report the progress of a part of the work as that of the whole."""
    if progress is None:
        return None
    return lambda share: progress(start + share * (stop - start))


def column_facts(
    encoded: ColumnCodes, n_rows: float, by_size: NDArray[np.intp], missing_as_value: bool
) -> np.recarray:
    """Describe the columns to the kernels, those with few codes first."""
    facts = records.make_records(by_size.shape[0], records.COLUMN_FACTS)
    facts.number = by_size
    facts.n_codes = encoded.n_codes[by_size]
    facts.table_start = np.cumsum(facts.n_codes + 1) - (facts.n_codes + 1)
    n_values = np.where(encoded.nominal, 0, encoded.n_codes)[by_size]
    facts.value_start = np.cumsum(n_values) - n_values
    facts.nominal = encoded.nominal[by_size]
    facts.has_missing = encoded.has_missing[by_size]
    facts.own_branch = facts.has_missing & missing_as_value
    # A column with nearly as many categories as rows would always seem the most informative.
    has_few_values = ~facts.nominal | (0.3 * n_rows - facts.n_codes > kernels.CLOSE)
    facts.in_mean = has_few_values | ~has_few_values.any()
    neighbours = ((encoded.distinct[c][:-1], encoded.distinct[c][1:]) for c in by_size)
    facts.tight = [bool((low + 1e-5 >= high).any()) for low, high in neighbours]
    return facts


def _more_nodes(
    tree: TreeArrays, growth: records.Growth, room: int
) -> tuple[TreeArrays, records.Growth]:
    """Move the tree and the stack to where there is room for more nodes."""
    longer = growth._replace(
        waiting=_longer(growth.waiting, room), fragments=_longer(growth.fragments, room)
    )
    return TreeArrays._make(_longer(array, room) for array in tree), longer


def _longer(array: Any, room: int) -> Any:
    """Copy an array into a longer one of the same kind."""
    longer = np.zeros((room, *array.shape[1:]), dtype=array.dtype).view(type(array))
    longer[: array.shape[0]] = array
    return longer
