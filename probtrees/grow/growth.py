"""Growing the splits of a tree: room for the kernels, and the loop around them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.count_tree import NO_COLUMN, NO_NODE, CountTree, TreeArrays, make_arrays
from probtrees.dataset import Dataset
from probtrees.grow import _c45_kernels as kernels
from probtrees.grow import growth_records as records
from probtrees.grow.column_codes import ColumnCodes, encode_columns
from probtrees.grow.level_order import in_level_order

Progress = Callable[[float], None]
"""Called now and then with the share of the work done; it may raise to cancel."""

_CELLS_PER_CALL = 10_000_000
"""Table cells looked at between two calls of the progress function."""

_TABLE_CELLS = 2**17
"""Cells of the tables in which a node's rows are counted; they should fit into the cache."""

_LARGEST_WHOLE = 2**22
"""Up to this weight n*ln(n) is looked up."""

_NO_LIMIT = 2**31 - 1


class Grower:
    """Grows trees from one table; encoding it is done once.

    Parameters
    ----------
    data : the training rows
    missing_as_value : whether a missing value leads down a branch of its own; otherwise its row
        is split over all branches
    """

    def __init__(self, data: Dataset, *, missing_as_value: bool) -> None:
        self._data = data
        encoded = encode_columns(data)
        by_size = np.argsort(encoded.n_codes, kind="stable")
        facts = _column_facts(encoded, data.n_rows, by_size, missing_as_value)
        ends = np.cumsum((facts.n_codes + 1) * data.n_classes)
        self._n_tabled = int(np.searchsorted(ends, _TABLE_CELLS, side="right"))
        self._columns = records.Columns(
            codes=np.ascontiguousarray(encoded.codes[by_size].T),
            facts=facts,
            places=np.argsort(by_size),
            values=np.concatenate([*(encoded.distinct[column] for column in by_size), np.empty(0)]),
        )
        self._distinct = encoded.distinct
        self._most_branches = 1 + int(np.where(facts.nominal, facts.n_codes, 2).max(initial=2))
        self._splits_rows = bool((facts.has_missing & ~facts.own_branch).any())

    def grow(
        self,
        *,
        min_leaf: int,
        max_depth: int | None = None,
        middle_slack: float = 0.0,
        row_weights: NDArray[np.float64] | None = None,
        columns_per_node: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> CountTree:
        """Grow a tree as deep as it goes."""
        n_columns = self._columns.places.shape[0]
        items = self._first_items(self._data.row_weights if row_weights is None else row_weights)
        rules = records.Rules(
            min_leaf=float(min_leaf),
            max_depth=_NO_LIMIT if max_depth is None else max_depth,
            columns_per_node=n_columns if columns_per_node is None else columns_per_node,
            n_tabled=self._n_tabled,
            n_items=items.shape[0],
            all_weigh_one=bool((items.weight == 1).all()) and not self._splits_rows,
            middle_slack=middle_slack,
        )
        tree, growth = self._room_for_nodes(256, seed)
        scratch = self._scratch(items)
        while True:
            status = kernels.grow_nodes(
                self._columns, items, tree, growth, rules, scratch, _CELLS_PER_CALL
            )
            if status == kernels.DONE:
                break
            if status == kernels.NEEDS_NODES:
                room = 2 * tree.parent.shape[0] + self._most_branches
                tree, growth = _more_nodes(tree, growth, room)
            elif status == kernels.NEEDS_ITEMS:
                items = _longer(items, 2 * items.shape[0])
                scratch = self._scratch(items)
            elif progress is not None:
                unfinished = growth.waiting[growth.state[kernels.N_WAITING] - 1].stop
                progress(max(0.0, 1.0 - float(unfinished) / rules.n_items))
        if progress is not None:
            progress(1.0)
        return self._finished(tree, growth)

    def columns_with_close_values(self, slack: float) -> list[int]:
        """List the numeric columns that have values closer to each other than the slack."""
        return [
            column
            for column, values in enumerate(self._distinct)
            if not self._data.schema.columns[column].is_nominal and (np.diff(values) < slack).any()
        ]

    def _first_items(self, weights: NDArray[np.float64]) -> np.recarray:
        """List the rows that have a weight; whole weights that stay whole are kept as such."""
        rows = np.flatnonzero(weights > 0.0)
        kept = weights[rows]
        whole = not self._splits_rows and kept.sum() < 2**53 and (kept == np.floor(kept)).all()
        items = records.make_records(rows.shape[0], records.item(np.int64 if whole else np.float64))
        items.row = rows
        items.outcome = self._data.values[rows, -1]
        items.weight = kept
        return items

    def _room_for_nodes(self, room: int, seed: int) -> tuple[TreeArrays, records.Growth]:
        """Make room for some nodes."""
        n_classes = self._data.n_classes
        tree = make_arrays(
            parent=np.full(room, NO_NODE),
            depth=np.zeros(room),
            first_child=np.full(room, NO_NODE),
            n_children=np.zeros(room),
            column=np.full(room, NO_COLUMN),
            threshold=np.full(room, math.nan),
            branch=np.zeros(room),
            weight=np.zeros(room),
            counts=np.zeros((room, n_classes)),
        )
        growth = records.Growth(
            state=np.zeros(2, dtype=np.int64),
            seeds=np.random.default_rng(seed).integers(1, 2**31 - 250, size=2),
            waiting=records.make_records(room, records.WAITING),
            fragments=np.zeros((room, n_classes)),
        )
        return tree, growth

    def _scratch(self, items: np.recarray) -> records.Scratch:
        """Make room to work in for nodes of up to as many items."""
        facts = self._columns.facts
        n_items = items.shape[0]
        n_classes = self._data.n_classes
        weight = items.weight.dtype.type
        n_codes = int((facts.n_codes[: self._n_tabled] + 1).sum())
        whole = np.arange(min(int(items.weight.sum()), _LARGEST_WHOLE) + 1, dtype=np.float64)
        return records.Scratch(
            n_log_n=whole * np.log(np.maximum(whole, 1.0)),
            table=np.zeros((n_codes, n_classes), dtype=weight),
            keys=np.empty((2, n_items), dtype=np.int64),
            digits=np.empty(1 << kernels.RADIX_BITS, dtype=np.int64),
            sides=records.make_records(n_classes, records.sides(weight)),
            moves=records.make_records(n_items, records.move(weight)),
            scores=records.make_records(facts.shape[0], records.SCORE),
            order=np.arange(facts.shape[0]),
            branch_of=np.empty(n_items, dtype=np.int32),
            branches=records.make_records(self._most_branches + 1, records.BRANCH),
            dealt=records.make_records(n_items, items.dtype),
        )

    def _finished(self, tree: TreeArrays, growth: records.Growth) -> CountTree:
        """Give back the nodes made, level by level."""
        n_nodes = int(growth.state[kernels.N_NODES])
        return in_level_order(
            self._data.schema.target_column,
            TreeArrays._make(array[:n_nodes] for array in tree),
            growth.fragments[:n_nodes] if self._splits_rows else None,
        )


def part_of(progress: Progress | None, start: float, stop: float) -> Progress | None:
    """Report the progress of a part of the work as that of the whole."""
    if progress is None:
        return None
    return lambda share: progress(start + share * (stop - start))


def _column_facts(
    encoded: ColumnCodes, n_rows: int, by_size: NDArray[np.intp], missing_as_value: bool
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
