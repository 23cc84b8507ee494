"""The parts that a large table is cut into, and how they are read: some rows at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as arrow_parquet

from probtrees.scale.files.held_files import place_of
from probtrees.scale.files.table_files import DAMAGED, TableFile, damaged_parquet
from probtrees.scale.files.text_blocks import piece_starts, read_text
from probtrees.table.formats.arrow import raw_column, read_frame
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions

NumberedRows = tuple[int, RawTable]
"""Raw rows, and the number of the first of them within its stretch of the table."""


@dataclass(frozen=True)
class FilePart:
    """What one task reads: some row groups of a Parquet file, or a piece of a text file.

    Attributes
    ----------
    stretch : a number that grows through the table; rows are numbered within a stretch, which is
        a Parquet file or a piece of text
    path : where the file is, for workers that were started in another folder too
    format : as in :class:`TableFile`
    n_rows : rows of the part; None if not known
    weight : its share of the work, in bytes of the file
    groups : the row groups of Parquet
    first_row : the number of the part's first row within its stretch
    start, stop : the bytes of text; ``stop`` is None for the end of the file
    """

    stretch: int
    path: str
    format: Literal["parquet", "text"]
    n_rows: int | None
    weight: float
    groups: tuple[int, ...] = ()
    first_row: int = 0
    start: int = 0
    stop: int | None = None


PIECE_BYTES = 1 << 25
"""Longer text is cut, so that several workers can read one file."""


def parts_of(
    files: Sequence[TableFile], rows_at_once: int, layout: ReadOptions
) -> tuple[FilePart, ...]:
    """Cut files into parts of about so many rows; a row group stays whole."""
    parts: list[FilePart] = []
    for file in files:
        stretch = parts[-1].stretch + 1 if parts else 0
        if file.format == "text":
            parts.extend(_cut_text(stretch, file, layout))
        else:
            parts.extend(_cut_parquet(stretch, file, rows_at_once))
    return tuple(parts)


def _cut_text(stretch: int, file: TableFile, layout: ReadOptions) -> Iterator[FilePart]:
    path = os.path.abspath(file.path)
    starts = piece_starts(path, PIECE_BYTES, layout)
    for number, (start, stop) in enumerate(zip_longest(starts, starts[1:])):
        weight = float((file.size if stop is None else stop) - start)
        yield FilePart(stretch + number, path, "text", None, weight, start=start, stop=stop)


def _cut_parquet(stretch: int, file: TableFile, rows: int) -> Iterator[FilePart]:
    path = os.path.abspath(file.path)
    total = max(sum(file.group_rows), 1)
    groups: list[int] = []
    start = gathered = 0

    def gathered_part() -> FilePart:
        weight = file.size * gathered / total
        return FilePart(stretch, path, "parquet", gathered, weight, tuple(groups), start)

    for group, n_rows in enumerate(file.group_rows):
        if groups and gathered + n_rows > rows:
            yield gathered_part()
            groups, start, gathered = [], start + gathered, 0
        groups.append(group)
        gathered += n_rows
    if gathered:
        yield gathered_part()


@dataclass(frozen=True)
class FileReader:
    """Reads parts of files.

    Attributes
    ----------
    rows_at_once : rows of Parquet held at a time
    block_bytes : bytes of text held at a time
    """

    rows_at_once: int
    block_bytes: int

    def read(self, part: FilePart, options: ReadOptions) -> Iterator[NumberedRows]:
        """Yield the rows of a part, some at a time."""
        if part.format == "text":
            return read_text(part.path, options, self.block_bytes, part.start, part.stop)
        return self._read_parquet(part, options)

    def _read_parquet(self, part: FilePart, options: ReadOptions) -> Iterator[NumberedRows]:
        row = part.first_row
        stop = row + (part.n_rows or 0)
        try:
            for batch in self._batches(part, options):
                table = pa.Table.from_batches([batch])
                table.validate(full=True)  # Arrow believes what a file says: codes may be anything
                yield row, _raw(table, part.path, options)
                row += batch.num_rows
        except DAMAGED as error:
            raise damaged_parquet(part.path, f"rows {row + 1:,} to {stop:,}", error) from None

    def _batches(self, part: FilePart, options: ReadOptions) -> Iterator[pa.RecordBatch]:
        path = place_of(part.path)
        with arrow_parquet.ParquetFile(path, pre_buffer=False) as file:
            kept = [field for field in file.schema_arrow if _is_kept(field.name, options)]
            texts = [field.name for field in kept if pa.types.is_string(field.type)]
        with arrow_parquet.ParquetFile(
            path, read_dictionary=texts, pre_buffer=False, memory_map=False
        ) as file:
            yield from file.iter_batches(
                self.rows_at_once,
                row_groups=list(part.groups),
                columns=[field.name for field in kept],
                use_threads=False,
            )


def _is_kept(name: str, options: ReadOptions) -> bool:
    return options.keeps(name) and not name.startswith("__index_")


def _raw(table: pa.Table, path: str, options: ReadOptions) -> RawTable:
    columns = {name: raw_column(table[name], name, repr(path)) for name in table.column_names}
    return RawTable(columns, table.num_rows, tuple(table.column_names))


@dataclass(frozen=True)
class FramePart:
    """One partition of a distributed data frame; ``frame`` is set where the task runs."""

    stretch: int
    frame: Any
    weight: float = 1.0
    n_rows: None = None


@dataclass(frozen=True)
class FrameReader:
    """Reads partitions of a data frame."""

    def read(self, part: FramePart, options: ReadOptions) -> Iterator[NumberedRows]:
        """Yield the rows of a partition, computed now if no task did that before."""
        frame = part.frame.compute() if hasattr(part.frame, "compute") else part.frame
        if len(frame):
            yield 0, read_frame(frame, options)


PartReader = FileReader | FrameReader
"""Reads parts; a task on another machine receives one together with its part."""
