"""C4.5: a decision tree by gain ratio (Quinlan 1993)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.count_tree import NO_COLUMN, NO_NODE, CountTree, TreeArrays, make_arrays
from probtrees.dataset import Dataset
from probtrees.errors import DataError
from probtrees.grow import _c45_kernels as kernels
from probtrees.grow.column_codes import ColumnCodes, encode_columns
from probtrees.grow.prune import collapse, in_level_order
from probtrees.options import Options, option

Progress = Callable[[float], None]
"""Called now and then with the share of the work done; it may raise to cancel."""

_CELLS_PER_CALL = 20_000_000
"""Work between two calls of the progress function: some tenths of a second."""

_NO_LIMIT = 2**31 - 1

_TABLE_CELLS = 2**17


@dataclass(frozen=True)
class C45(Options):
    """Grow a tree by gain ratio."""

    name: ClassVar[str] = "c45"

    min_leaf: int = option(
        2, minimum=1, help="A split needs at least two branches with this many rows."
    )
    collapse: bool = option(
        True, help="Cut off splits that do not reduce the errors on the training rows."
    )
    missing: Literal["value", "fraction"] = option(
        "value",
        help="A missing value is a value of its own, or its row is split over all branches.",
    )
    max_depth: int | None = option(None, minimum=0, help="Splits between the root and a leaf.")

    def grow(self, data: Dataset, progress: Progress | None = None) -> CountTree:
        """Grow a tree from a table's rows."""
        tree = _Grower(data, self.missing, encode_columns(data)).run(self, progress)
        return collapse(tree) if self.collapse else tree


class _Grower:
    def __init__(self, data: Dataset, missing: str, encoded: ColumnCodes) -> None:
        self.data = data
        n_outcomes = data.n_classes
        number = np.argsort(encoded.n_codes, kind="stable")
        n_codes = encoded.n_codes[number].astype(np.int64)
        features = data.schema.features
        nominal = np.array([features[c].is_nominal for c in number], dtype=np.bool_)
        has_missing = encoded.has_missing[number]
        own_branch = has_missing & (missing == "value")
        many_values = nominal & ~(0.3 * data.n_rows - n_codes > kernels.CLOSE)
        in_mean = np.ones_like(many_values) if many_values.all() else ~many_values
        distinct = [encoded.distinct[c] for c in number]
        sizes = np.array([values.shape[0] for values in distinct], dtype=np.int64)
        ends = np.cumsum((n_codes + 1) * n_outcomes)
        n_tabled = int(np.searchsorted(ends, _TABLE_CELLS, side="right"))
        self.n_tabled = n_tabled
        self.n_cells = int(ends[n_tabled - 1]) if n_tabled else 0
        first_cell = np.where(
            np.arange(len(number)) < n_tabled, ends - (n_codes + 1) * n_outcomes, 0
        )
        step = np.where(np.arange(len(number)) < n_tabled, n_outcomes, 1)
        cells = np.empty((data.n_rows, len(number)), dtype=np.int32)
        for j, c in enumerate(number):
            cells[:, j] = first_cell[j] + encoded.codes[c] * step[j]
        missing_cell = np.where(
            has_missing & ~(nominal & own_branch), first_cell + n_codes * step, -1
        )
        self.columns = kernels.Columns(
            cells=cells,
            number=number,
            place=np.argsort(number),
            first_cell=first_cell,
            step=step,
            n_codes=n_codes,
            missing_cell=missing_cell,
            nominal=nominal,
            own_branch=own_branch,
            in_mean=in_mean,
            tight=np.array(
                [bool((values[:-1] + 1e-5 >= values[1:]).any()) for values in distinct],
                dtype=np.bool_,
            ),
            first_value=np.cumsum(sizes) - sizes,
            values=np.concatenate((*distinct, np.empty(0))),
        )
        self.has_fragments = bool((has_missing & ~own_branch).any())

    def run(self, options: C45, progress: Progress | None) -> CountTree:
        data, columns = self.data, self.columns
        labels = data.labels.astype(np.int32)
        weights = data.row_weights
        n_rows = data.n_rows
        n_classes = data.n_classes
        n_columns = columns.step.shape[0]
        tree = _room_for_nodes(256, n_classes)
        fragments = np.zeros((256, n_classes))
        items = kernels.Items(np.arange(n_rows, dtype=np.int32), labels, weights.astype(np.float64))
        tree.counts[0] = np.bincount(labels, weights=weights, minlength=n_classes)
        tree.weight[0] = weights.sum()
        fragments[0] = np.bincount(labels, minlength=n_classes)
        growth = kernels.Growth(
            np.array([1, 0]),
            np.array([1, 1]),
            np.zeros(256, np.int32),
            np.zeros(256, np.int64),
            np.zeros(256, np.int64),
            fragments,
        )
        rules = kernels.Rules(
            float(options.min_leaf),
            _NO_LIMIT if options.max_depth is None else options.max_depth,
            n_columns,
            self.n_tabled,
        )
        scratch = _scratch(columns, n_rows, n_classes, weights.sum(), self.n_cells)
        kernels.let_wait(0, 0, n_rows, tree, growth, rules)
        while True:
            status = kernels.grow_nodes(
                columns, items, tree, growth, rules, scratch, _CELLS_PER_CALL
            )
            if status == kernels.DONE:
                break
            if status == kernels.NEEDS_NODES:
                room = 2 * tree.parent.shape[0] + int(columns.n_codes.max()) + 2
                tree = TreeArrays(*(_longer(array, room) for array in tree))
                growth = growth._replace(
                    waiting=_longer(growth.waiting, room),
                    start=_longer(growth.start, room),
                    stop=_longer(growth.stop, room),
                    fragments=_longer(growth.fragments, room),
                )
            elif status == kernels.NEEDS_ITEMS:
                room = 2 * items.row.shape[0]
                items = kernels.Items(*(_longer(array, room) for array in items))
                scratch = _scratch(columns, room, n_classes, weights.sum(), self.n_cells)
            if progress is not None:
                top = growth.state[kernels.N_WAITING] - 1
                progress(min(1.0, max(0.0, 1.0 - growth.stop[top] / n_rows)))
        n_nodes = int(growth.state[kernels.N_NODES])
        arrays = TreeArrays(*(array[:n_nodes] for array in tree))
        return in_level_order(
            CountTree(
                data.schema.target_column,
                arrays,
                growth.fragments[:n_nodes] if self.has_fragments else None,
            )
        )


def _scratch(columns, n_items, n_outcomes, total, n_cells):
    n_columns = columns.step.shape[0]
    n_branches = int(columns.n_codes.max(initial=0)) + 3
    whole = np.arange(min(int(total), 10_000_000) + 2, dtype=np.float64)
    whole[1:] *= np.log(whole[1:])
    digits = (1 << kernels.RADIX_BITS) + 2
    f, i, j = np.float64, np.int32, np.int64
    return (
        kernels.Scratch(
            n_log_n=whole,
            table=np.zeros(n_cells),
            keys=np.zeros((2, n_items), j),
            digits=np.zeros(digits, j),
            low=np.zeros(n_outcomes),
            high=np.zeros(n_outcomes),
            order=np.arange(n_columns),
            branch=np.zeros(n_items, i),
            place=np.zeros(n_branches, j),
            share=np.zeros(n_branches),
        ),
        kernels.Moves(np.zeros(n_items, i), np.zeros(n_items, i), np.zeros(n_items)),
        kernels.Scores(
            np.zeros(n_columns), np.zeros(n_columns), np.zeros(n_columns, j), np.zeros(n_columns, j)
        ),
    )


def _room_for_nodes(n_nodes: int, n_outcomes: int) -> TreeArrays:
    return make_arrays(
        parent=np.full(n_nodes, NO_NODE),
        depth=np.zeros(n_nodes),
        first_child=np.full(n_nodes, NO_NODE),
        n_children=np.zeros(n_nodes),
        column=np.full(n_nodes, NO_COLUMN),
        threshold=np.full(n_nodes, math.nan),
        branch=np.zeros(n_nodes),
        weight=np.zeros(n_nodes),
        counts=np.zeros((n_nodes, n_outcomes)),
    )


def _longer(array, room):
    longer = np.zeros((room, *array.shape[1:]), dtype=array.dtype)
    longer[: array.shape[0]] = array
    return longer
