"""How often combinations of values occur: counts of parts of a table add up to those of all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.scale.passes import _cell_counts_kernels as kernels
from probtrees.scale.passes.statistic import Arrays, Statistic
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
        if self.keys is None:
            self.counts[kept["keys"]] = kept["counts"]
        else:
            self.keys, self.counts = kept["keys"], kept["counts"]


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
