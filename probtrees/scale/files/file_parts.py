"""The parts that a large table is cut into, and how they are read: some rows at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as arrow_parquet

from probtrees.errors import OptionError
from probtrees.scale.files.allowed_folder import place_of
from probtrees.scale.files.table_files import DAMAGED, TableFile, damaged_parquet
from probtrees.scale.files.text_blocks import read_text
from probtrees.table.formats.arrow import raw_column, read_frame
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions

DEFAULT_MEMORY = 2 * 1024**3
"""Bytes that learning may take by default."""

_LEAST_MEMORY = 256 * 1024**2
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}

_MOST_ROWS = 1 << 18
"""Larger chunks are no faster: they leave the processor's cache."""

_BLOCK_BYTES = 1 << 24
"""Text that is read at a time."""

NumberedRows = tuple[int, RawTable]
"""Raw rows, and the number of the first of them within its file."""


def memory_bytes(memory: int | str) -> int:
    """Read an amount of memory.

    >>> memory_bytes("2GB"), memory_bytes("500 MB")
    (2147483648, 524288000)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", str(memory).lower())
    if match is None:
        raise OptionError(f"memory={memory!r} must be an amount such as 2GB or 500MB.")
    amount = int(float(match[1]) * _UNITS[match[2]])
    if amount < _LEAST_MEMORY:
        raise OptionError(
            f"memory={memory!r} must be at least 256MB, which the program itself takes."
        )
    return amount


@dataclass(frozen=True)
class FilePart:
    """What one task reads: some row groups of a Parquet file, or a text file.

    Attributes
    ----------
    stretch : the number of the file, within which rows are numbered
    path : where the file is, for workers that were started in another folder too
    n_rows : rows of the part; of text a guess
    groups : the row groups of Parquet; empty for text
    first_row : the number of the part's first row within its file
    """

    stretch: int
    path: str
    n_rows: int
    groups: tuple[int, ...] = ()
    first_row: int = 0


def parts_of(files: Sequence[TableFile], rows_at_once: int) -> tuple[FilePart, ...]:
    """Cut Parquet files into parts of about so many rows; a row group or a text stays whole."""
    parts: list[FilePart] = []
    for number, file in enumerate(files):
        if file.format == "text":
            n_rows = int(file.size / file.row_bytes)
            parts.append(FilePart(number, os.path.abspath(file.path), n_rows))
        else:
            parts += _cut_parquet(number, file, rows_at_once)
    return tuple(parts)


def _cut_parquet(stretch: int, file: TableFile, rows: int) -> Iterator[FilePart]:
    path = os.path.abspath(file.path)
    groups: tuple[int, ...] = ()
    start = gathered = 0
    for group, n_rows in enumerate(file.group_rows):
        if groups and gathered + n_rows > rows:
            yield FilePart(stretch, path, gathered, groups, start)
            groups, start, gathered = (), start + gathered, 0
        groups, gathered = (*groups, group), gathered + n_rows
    if gathered:
        yield FilePart(stretch, path, gathered, groups, start)


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

    @classmethod
    def of_memory(cls, memory: int, n_columns: int) -> FileReader:
        """Choose how much is read at a time: several chunks fit into a part of the memory."""
        rows = memory // 8 // (32 * max(n_columns, 1))
        return cls(min(max(rows, 1024), _MOST_ROWS), min(memory // 128, _BLOCK_BYTES))

    def read(self, part: FilePart, options: ReadOptions) -> Iterator[NumberedRows]:
        """Yield the rows of a part, some at a time."""
        if not part.groups:
            return read_text(part.path, options, self.block_bytes)
        return self._read_parquet(part, options)

    def _read_parquet(self, part: FilePart, options: ReadOptions) -> Iterator[NumberedRows]:
        row, where = part.first_row, repr(part.path)
        stop = row + part.n_rows
        try:
            for batch in self._batches(part, options):
                table = pa.Table.from_batches([batch])
                table.validate(full=True)  # Arrow believes what a file says: codes may be anything
                names = tuple(table.column_names)
                columns = {name: raw_column(table[name], name, where) for name in names}
                yield row, RawTable(columns, table.num_rows, names)
                row += batch.num_rows
        except DAMAGED as error:
            raise damaged_parquet(part.path, f"rows {row + 1:,} to {stop:,}", error) from None

    def _batches(self, part: FilePart, options: ReadOptions) -> Iterator[pa.RecordBatch]:
        path = place_of(part.path)
        with arrow_parquet.ParquetFile(path, pre_buffer=False) as file:
            kept = [
                field
                for field in file.schema_arrow
                if options.keeps(field.name) and not field.name.startswith("__index_")
            ]
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


@dataclass(frozen=True)
class FramePart:
    """One partition of a distributed data frame; ``frame`` is set where the task runs."""

    stretch: int
    frame: Any
    n_rows: int = 1


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
