"""Rows drawn evenly from a whole table, the same ones however it is read.

Every row has a number, and every number a hash; the rows with the smallest hashes are the
sample. So samples of parts merge into the sample of the whole, no order or chunking changes it,
and a table with fewer rows than the sample holds is the sample. Of n rows drawn, the share of
rows below any value is off by about 0.5 / sqrt(n): 0.11 % for 200,000 rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from probtrees.machine.splitmix import splitmix64
from probtrees.scale.passes.statistic import KeptStatistic
from probtrees.table.dataset import Dataset, Schema

SAMPLE_ROWS = 200_000
"""Rows that cuts are found from; in smaller tables all rows."""


@dataclass
class RowSample(KeptStatistic):
    """The rows with the smallest hashes so far.

    Attributes
    ----------
    schema : the columns
    most : how many rows to keep
    values, weights, rows : of the rows kept; hashes: theirs
    """

    schema: Schema
    most: int
    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    hashes: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, dtype=np.uint64))

    kept_arrays = ("values", "weights", "rows", "hashes")

    @classmethod
    def empty(cls, schema: Schema, most: int = SAMPLE_ROWS) -> RowSample:
        """Begin with no rows."""
        none = np.empty((0, schema.n_columns))
        return cls(schema, most, none, np.empty(0), np.empty(0, dtype=np.int64))

    def fresh(self) -> RowSample:
        """Begin again with no rows."""
        return RowSample.empty(self.schema, self.most)

    def update(self, data: Dataset) -> None:
        """Look at the rows of a chunk; ``source_rows`` number them through the whole table."""
        hashes = hash_rows(data.row_numbers)
        chosen = np.arange(data.n_rows)
        # Once the sample is full most rows are out by their hash alone, without being copied.
        if len(self.hashes) >= self.most:
            chosen = np.flatnonzero(hashes < self.hashes[-1])
        self._add(
            data.values[chosen], data.row_weights[chosen], data.row_numbers[chosen], hashes[chosen]
        )

    def merge(self, other: RowSample) -> None:
        """Look at the rows chosen elsewhere."""
        self._add(other.values, other.weights, other.rows, other.hashes)

    def _add(
        self,
        values: NDArray[np.float64],
        weights: NDArray[np.float64],
        rows: NDArray[np.int64],
        hashes: NDArray[np.uint64],
    ) -> None:
        every = np.concatenate([self.hashes, hashes])
        order = np.argsort(every, kind="stable")[: self.most]
        self.hashes = every[order]
        self.values = np.concatenate([self.values, values])[order]
        self.weights = np.concatenate([self.weights, weights])[order]
        self.rows = np.concatenate([self.rows, rows])[order]

    def dataset(self) -> Dataset:
        """Return the rows in the order of the table."""
        order = np.argsort(self.rows)
        weights = self.weights[order]
        return Dataset(
            self.schema,
            np.ascontiguousarray(self.values[order]),
            weights=None if (weights == 1.0).all() else weights,
            source_rows=self.rows[order],
            repeats=None,
        )


def hash_rows(rows: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Scatter row numbers over all 64-bit numbers, no two onto one."""
    return splitmix64(rows.astype(np.uint64))
