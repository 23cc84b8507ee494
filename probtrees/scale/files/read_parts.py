"""Read what one task is given: raw rows, a bounded number at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as arrow_parquet

from probtrees.scale.files.file_errors import damaged_parquet
from probtrees.scale.files.table_files import DAMAGED, Part
from probtrees.scale.files.text_blocks import read_text
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.formats.arrow_columns import raw_column
from probtrees.table.formats.frame import read_frame
from probtrees.table.read_options import ReadOptions

NumberedRows = tuple[int, RawTable]
"""Raw rows, and the number of the first of them within its stretch of the table."""


class PartReader(Protocol):
    """Reads parts; a task on another machine receives one together with its part."""

    def read(self, part: Any, options: ReadOptions) -> Iterator[NumberedRows]:
        """Yield the rows of a part, some at a time."""
        ...


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

    def read(self, part: Part, options: ReadOptions) -> Iterator[NumberedRows]:
        """Yield the rows of a part, some at a time."""
        if part.format == "text":
            return read_text(part.path, options, self.block_bytes, part.start, part.stop)
        return self._read_parquet(part, options)

    def _read_parquet(self, part: Part, options: ReadOptions) -> Iterator[NumberedRows]:
        row = part.first_row
        stop = row + (part.n_rows or 0)
        try:
            for batch in self._batches(part, options):
                table = pa.Table.from_batches([batch])
                yield row, _raw(table, part.path, options)
                row += batch.num_rows
        except DAMAGED as error:
            raise damaged_parquet(part.path, f"rows {row + 1:,} to {stop:,}", error) from None

    def _batches(self, part: Part, options: ReadOptions) -> Iterator[pa.RecordBatch]:
        with arrow_parquet.ParquetFile(part.path, pre_buffer=False) as file:
            kept = [field for field in file.schema_arrow if _is_kept(field.name, options)]
            texts = [field.name for field in kept if pa.types.is_string(field.type)]
        with arrow_parquet.ParquetFile(
            part.path, read_dictionary=texts, pre_buffer=False, memory_map=False
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
