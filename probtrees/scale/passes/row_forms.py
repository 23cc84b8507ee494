"""In which form a pass is given its rows, and how workers hold that form between passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.scale.passes.binned_columns import BinnedColumns, Rows
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset, Schema

BLOCK_ROWS = 1 << 16
"""Rows are held in blocks of so many, few enough for several tasks to share those of a part."""


class RowForm(Protocol):
    """Turns the rows of a table into what a statistic is updated with."""

    def read(self, table: ChunkedTable, part: Any) -> Iterator[Any]:
        """Yield the rows of a part, some at a time."""
        ...

    def n_rows(self, chunk: Any) -> int:
        """Count the rows of a chunk."""
        ...


@runtime_checkable
class HoldableForm(RowForm, Protocol):
    """A form that several passes want their rows in, so that workers do well to hold them."""

    def row_bytes(self, schema: Schema) -> int:
        """Return the bytes of a packed row."""
        ...

    def pack(self, chunk: Any) -> list[Any]:
        """Make a chunk small, in blocks, to be held until the next pass."""
        ...

    def unpack(self, block: Any) -> Any:
        """Return the chunk that a block is."""
        ...


@dataclass(frozen=True)
class DatasetForm:
    """Rows as they are: numbers, and codes of categories. No two passes want them so."""

    def read(self, table: ChunkedTable, part: Any) -> Iterator[Dataset]:
        """Yield the rows of a part, some at a time."""
        return table.read(part)

    def n_rows(self, chunk: Dataset) -> int:
        """Count the rows of a chunk."""
        return chunk.n_rows


class PackedRows(NamedTuple):
    """:class:`~probtrees.grow.count.nominal_rows.NominalRows` with codes as short as can be."""

    codes: NDArray[np.unsignedinteger]
    n_values: NDArray[np.int64]
    weights: NDArray[np.float64] | None


@dataclass(frozen=True)
class NetworkForm:
    """Codes column by column, numbers cut.

    Attributes
    ----------
    cuts : where
    """

    cuts: Cuts

    def read(self, table: ChunkedTable, part: Any) -> Iterator[NominalRows]:
        """Yield the rows of a part, some at a time."""
        return table.read_codes(part, self.cuts)

    def n_rows(self, chunk: NominalRows) -> int:
        """Count the rows of a chunk."""
        return int(chunk.codes.shape[1])

    def row_bytes(self, schema: Schema) -> int:
        """Return the bytes of a packed row, with a weight."""
        n_values = self.cuts.apply_to_schema(schema).n_values
        return len(n_values) * _short(n_values).itemsize + 8

    def pack(self, chunk: NominalRows) -> list[PackedRows]:
        """Make a chunk small, in blocks, to be held until the next pass."""
        kind = _short(chunk.n_values)
        all_once = bool((chunk.weights == 1.0).all())
        return [
            PackedRows(
                chunk.codes[:, rows].astype(kind),
                chunk.n_values,
                None if all_once else chunk.weights[rows],
            )
            for rows in _blocks(self.n_rows(chunk))
        ]

    def unpack(self, block: PackedRows) -> NominalRows:
        """Return the chunk that a block is."""
        codes = block.codes.astype(np.int32)
        weights = np.ones(codes.shape[1]) if block.weights is None else block.weights
        return NominalRows(codes, block.n_values, weights)


@dataclass(frozen=True)
class EnsembleForm:
    """Codes column by column, numbers cut by each of several networks; rows are read once.

    They are not held between passes: they would take as many times the memory.
    """

    cuts: tuple[Cuts, ...]

    def read(self, table: ChunkedTable, part: Any) -> Iterator[tuple[NominalRows, ...]]:
        """Yield the rows of a part, some at a time, once for every network."""
        return table.read_codes_of_each(part, self.cuts)

    def n_rows(self, chunk: tuple[NominalRows, ...]) -> int:
        """Count the rows of a chunk."""
        return int(chunk[0].codes.shape[1])


def _short(n_values: NDArray[Any]) -> np.dtype[np.unsignedinteger]:
    """Return the shortest type that holds all codes."""
    return np.min_scalar_type(int(n_values.max(initial=1)) - 1)


@dataclass(frozen=True)
class TreeForm:
    """Codes row by row, numbers by their bins.

    Attributes
    ----------
    columns : the bins
    """

    columns: BinnedColumns

    def read(self, table: ChunkedTable, part: Any) -> Iterator[Rows]:
        """Yield the rows of a part, some at a time."""
        for chunk in table.read(part):
            yield self.columns.encode(chunk)

    def n_rows(self, chunk: Rows) -> int:
        """Count the rows of a chunk."""
        return int(chunk.shape[0])

    def row_bytes(self, schema: Schema) -> int:
        """Return the bytes of a row."""
        return schema.n_columns * int(self.columns.row_type.itemsize)

    def pack(self, chunk: Rows) -> list[Rows]:
        """Cut a chunk into blocks; its codes are short already."""
        return [chunk[rows] for rows in _blocks(self.n_rows(chunk))]

    def unpack(self, block: Rows) -> Rows:
        """Return the chunk that a block is."""
        return block


def _blocks(n_rows: int) -> list[slice]:
    return [slice(start, start + BLOCK_ROWS) for start in range(0, n_rows, BLOCK_ROWS)]
