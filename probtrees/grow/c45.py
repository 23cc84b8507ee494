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
        return collapse(_Grower(data, self.missing, encode_columns(data)).run(self, progress))


class _Grower:
    def __init__(self, data: Dataset, missing: str, encoded: ColumnCodes) -> None:
        self.data = data
        n_codes = encoded.n_codes
        nominal = np.array([column.is_nominal for column in data.schema.features], dtype=np.bool_)
        own_branch = encoded.has_missing & (missing == "value")
        many_values = nominal & ~(0.3 * data.n_rows - n_codes > kernels.CLOSE)
        in_mean = np.ones_like(many_values) if many_values.all() else ~many_values
        sizes = np.array([values.shape[0] for values in encoded.distinct], dtype=np.int64)
        self.columns = kernels.Columns(
            codes=encoded.codes,
            n_codes=n_codes,
            nominal=nominal,
            own_branch=own_branch,
            in_mean=in_mean,
            tight=np.array(
                [bool((values[:-1] + 1e-5 >= values[1:]).any()) for values in encoded.distinct],
                dtype=np.bool_,
            ),
            first_value=np.cumsum(sizes) - sizes,
            values=np.concatenate((*encoded.distinct, np.empty(0))),
        )
        self.has_fragments = bool((encoded.has_missing & ~own_branch).any())

    def run(self, options: C45, progress: Progress | None) -> CountTree:
        data, columns = self.data, self.columns
        labels = data.labels.astype(np.int32)
        weights = data.row_weights
        n_rows = data.n_rows
        n_classes = data.n_classes
        n_columns = columns.codes.shape[0]
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
        )
        scratch = _scratch(columns, n_rows, n_classes, weights.sum())
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
                scratch = _scratch(columns, room, n_classes, weights.sum())
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


def _scratch(columns, n_items, n_outcomes, total):
    n_columns = columns.codes.shape[0]
    n_branches = int(columns.n_codes.max(initial=0)) + 3
    whole = np.arange(min(int(total), 10_000_000) + 2, dtype=np.float64)
    whole[1:] *= np.log(whole[1:])
    digits = (1 << kernels.RADIX_BITS) + 2
    f, i, j = np.float64, np.int32, np.int64
    return kernels.Scratch(
        n_log_n=whole,
        codes=np.zeros(n_items, i),
        keys=np.zeros(n_items, j),
        spare_keys=np.zeros(n_items, j),
        move_code=np.zeros(n_items, i),
        move_outcome=np.zeros(n_items, i),
        move_weight=np.zeros(n_items, f),
        table=np.zeros(kernels.TABLE_SHARE * n_items, f),
        digits=np.zeros(digits, j),
        low=np.zeros(n_outcomes),
        high=np.zeros(n_outcomes),
        gain=np.zeros(n_columns),
        ratio=np.zeros(n_columns),
        cut_below=np.zeros(n_columns, j),
        cut_above=np.zeros(n_columns, j),
        column=np.arange(n_columns),
        place=np.zeros(n_branches, j),
        share=np.zeros(n_branches),
        row=np.zeros(n_items, i),
        outcome=np.zeros(n_items, i),
        weight=np.zeros(n_items),
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
