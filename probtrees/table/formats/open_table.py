"""Open a source of any kind and format as a raw table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from probtrees.errors import DataError
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.formats.arff import looks_like_arff, read_arff
from probtrees.table.formats.decode import decode, detect_encoding
from probtrees.table.formats.delimited import read_delimited
from probtrees.table.formats.frame import is_frame, read_frame
from probtrees.table.formats.parquet import PARQUET_MARK, read_parquet
from probtrees.table.formats.table_source import TableSource, open_source
from probtrees.table.read_options import ReadOptions

_HEAD = 1 << 16


@dataclass(frozen=True)
class OpenedTable:
    """A raw table, the name of its file and the hash of its bytes (empty for a frame)."""

    raw: RawTable
    name: str
    sha256: str

    @property
    def where(self) -> str:
        """The name as it is written in sentences."""
        return repr(self.name) if self.sha256 else f"the {self.name}"


def open_table(source: Any, options: ReadOptions) -> OpenedTable:
    """Read a source; its content decides the format, not its name."""
    if is_frame(source):
        return OpenedTable(read_frame(source, options), "data frame", "")
    opened = open_source(source)
    return OpenedTable(_read(opened, options), opened.name, opened.sha256)


def _read(source: TableSource, options: ReadOptions) -> RawTable:
    head = source.head(_HEAD)
    if not head:
        raise DataError(
            f"{source.where} must hold a table; it is empty. Choose another file, or save it again."
        )
    if head.startswith(PARQUET_MARK):
        return read_parquet(source, options)
    if source.name.lower().removesuffix(".gz").endswith((".parquet", ".pq")):
        raise DataError(
            f"{source.where} must be a Parquet file; it does not begin like one. Copy or write it "
            "again."
        )
    if looks_like_arff(head.decode("latin-1").replace("\0", "").lstrip("ÿþï»¿")):
        return read_arff(decode(source, detect_encoding(source)), source.where)
    return read_delimited(source, options)
