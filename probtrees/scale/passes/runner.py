"""In which form a pass is given its rows, and how one process carries the pass out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.scale.passes.binned_columns import BinnedColumns, Rows
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.statistic import SomeStatistic
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Schema
from probtrees.table.read_options import ReadOptions
from probtrees.types import Progress

BLOCK_ROWS = 1 << 16
"""Rows are held in blocks of so many, few enough for several tasks to share those of a part."""

Counted = tuple[int, Any]
"""Rows in some form, and how many there are."""


class RowForm:
    """Turns the rows of a table into what a statistic is updated with."""

    def read(self, table: Any, part: Any) -> Iterator[Counted]:
        """Yield the rows of a part, some at a time."""
        raise NotImplementedError

    def row_bytes(self, schema: Schema) -> int | None:
        """Return the bytes of a packed row; None: workers do not hold such rows between passes."""
        return None

    def pack(self, chunk: Any) -> list[Any]:
        """Make a chunk small, in blocks, to be held until the next pass."""
        return [chunk]

    def unpack(self, block: Any) -> Any:
        """Return the chunk that a block is."""
        return block


@dataclass(frozen=True)
class RawForm(RowForm):
    """Rows as they are written, with the number of their stretch: for the first look."""

    options: ReadOptions

    def read(self, table: Any, part: Any) -> Iterator[Counted]:
        """Yield the rows of a part, some at a time."""
        for _, raw in table.reader.read(part, self.options):
            yield raw.n_rows, (part.stretch, raw)


@dataclass(frozen=True)
class DatasetForm(RowForm):
    """Numbers, and codes of categories. No two passes want rows so."""

    def read(self, table: ChunkedTable, part: Any) -> Iterator[Counted]:
        """Yield the rows of a part, some at a time."""
        for rows in table.read(part):
            yield rows.n_rows, rows


class PackedRows(NamedTuple):
    """:class:`~probtrees.grow.count.nominal_rows.NominalRows` with codes as short as can be."""

    codes: NDArray[np.unsignedinteger]
    n_values: NDArray[np.int64]
    weights: NDArray[np.float64] | None


@dataclass(frozen=True)
class NetworkForm(RowForm):
    """Codes column by column, numbers cut by each of one or several networks; rows are read once.

    Those of several networks are not held between passes: they would take as many times the
    memory.
    """

    cuts: tuple[Cuts, ...]

    def read(self, table: ChunkedTable, part: Any) -> Iterator[Counted]:
        """Yield the rows of a part, some at a time, once for every network."""
        for tables in table.read_codes(part, self.cuts):
            yield tables[0].codes.shape[1], tables

    def row_bytes(self, schema: Schema) -> int | None:
        """Return the bytes of a packed row, with a weight."""
        if len(self.cuts) > 1:
            return None
        n_values = self.cuts[0].apply_to_schema(schema).n_values
        return len(n_values) * _short(n_values).itemsize + 8

    def pack(self, chunk: tuple[NominalRows]) -> list[Any]:
        """Make the codes short."""
        (table,) = chunk
        codes, all_once = table.codes.astype(_short(table.n_values)), (table.weights == 1.0).all()
        return [
            PackedRows(codes[:, rows], table.n_values, None if all_once else table.weights[rows])
            for rows in _blocks(codes.shape[1])
        ]

    def unpack(self, block: PackedRows) -> tuple[NominalRows]:
        """Make the codes as long as kernels want them."""
        codes = np.ascontiguousarray(block.codes, dtype=np.int32)
        weights = np.ones(codes.shape[1]) if block.weights is None else block.weights
        return (NominalRows(codes, block.n_values, weights),)


def _short(n_values: NDArray[Any]) -> np.dtype[np.unsignedinteger]:
    """Return the shortest type that holds all codes."""
    return np.min_scalar_type(int(n_values.max(initial=1)) - 1)


@dataclass(frozen=True)
class TreeForm(RowForm):
    """Codes row by row, numbers by their bins."""

    columns: BinnedColumns

    def read(self, table: ChunkedTable, part: Any) -> Iterator[Counted]:
        """Yield the rows of a part, some at a time."""
        for rows in table.read(part):
            yield rows.n_rows, self.columns.encode(rows)

    def row_bytes(self, schema: Schema) -> int:
        """Return the bytes of a row."""
        return schema.n_columns * int(self.columns.row_type.itemsize)

    def pack(self, chunk: Rows) -> list[Any]:
        """Cut a chunk into blocks; its codes are short already."""
        return [chunk[rows] for rows in _blocks(chunk.shape[0])]


def _blocks(n_rows: int) -> list[slice]:
    return [slice(start, start + BLOCK_ROWS) for start in range(0, n_rows, BLOCK_ROWS)]


class Meter:
    """Turns rows that were read into a share of the work and a speed."""

    def __init__(self, progress: Progress, whole: int) -> None:
        self._progress = progress
        self._whole = max(whole, 1)
        self._rows = 0
        self._start = time.monotonic()

    def add(self, rows: int) -> None:
        """Note that rows were read."""
        self._rows += rows
        seconds = max(time.monotonic() - self._start, 1e-6)
        self.say(f"{self._rows:,} rows, {self._rows / seconds:,.0f} rows per second")

    def say(self, detail: str) -> None:
        """Report the share again, with other words."""
        self._progress(min(self._rows / self._whole, 1.0), detail)

    def finish(self) -> None:
        """Report that all is done: how many rows a text has is a guess until then."""
        self._progress(1.0, "")


class OneProcess:
    """One process: a thread reads ahead while this one counts."""

    def run(
        self, table: Any, form: RowForm, make: Callable[[], SomeStatistic], progress: Progress
    ) -> SomeStatistic:
        """Add all rows, in the given form, to what ``make`` gives."""
        statistic, meter = make(), Meter(progress, table.n_rows)
        chunks = (chunk for part in table.parts for chunk in form.read(table, part))
        for n_rows, chunk in read_ahead(chunks):
            statistic.update(chunk)
            meter.add(n_rows)
        meter.finish()
        return statistic


Item = TypeVar("Item")

_NO_MORE: Any = object()


def read_ahead(items: Iterator[Item]) -> Iterator[Item]:
    """Yield items; a thread makes the next one while the one before is used.

    >>> list(read_ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    with ThreadPoolExecutor(1) as reader:
        ahead = reader.submit(next, items, _NO_MORE)
        while (item := ahead.result()) is not _NO_MORE:
            ahead = reader.submit(next, items, _NO_MORE)
            yield item
