"""Where a table comes from: a path, an open file, an upload; plain or gzipped.

What the program needs to know about a format that tables are written in stands here too.
"""

from __future__ import annotations

import copy
import hashlib
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from probtrees.errors import DataError, did_you_mean
from probtrees.machine.input_bytes import (
    GZIP_MARK,
    check_table_size,
    check_unpacked,
    gunzip,
    named_bytes,
    read_pipe,
)
from probtrees.machine.limits import machine_memory, shown_bytes
from probtrees.table.findings import Finding, Fix
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions

ZIP_MARK = b"PK\x03\x04"
"""How every zip archive begins, and every workbook that is one."""

_PIECE = 1 << 24
_NO_QUOTE_NOR_LINE_END = bytes(set(range(256)) - set(b'"\r\n'))


@dataclass(frozen=True)
class Sheets:
    """The tables that a file holds, and the one of them that is read."""

    names: tuple[str, ...]
    read: str

    def findings(self, kind: str, file: str) -> tuple[Finding, ...]:
        """Say which one is read, and offer the others; nothing where there is only one."""
        others = [name for name in self.names if name != self.read]
        words = f"{kind} {self.read!r} is read; the {file} also has {', '.join(map(repr, others))}."
        fixes = tuple(Fix(f"Read {name!r}", "sheet", name) for name in others[:3])
        return (Finding(None, None, words, fixes=fixes, kind="sheet"),) if others else ()


@dataclass(frozen=True)
class Format:
    """One way to write tables in files; :data:`.open_table.FORMATS` lists all of them.

    Attributes
    ----------
    name : what people call it
    suffixes : how its files are named, lower case
    read : reads a file of it
    claims : whether a file is of it, by its name and first bytes; None: takes what no other claims
    shared_suffixes : further names it goes by, which files that are no tables have too
    chunks : where a file can be cut to be read in parts: at its row groups, at line ends, or not
        at all
    sheets : lists the tables of a file that may hold several, given the one that is wanted
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[TableSource, ReadOptions], RawTable]
    claims: Callable[[str, bytes], bool] | None = None
    shared_suffixes: tuple[str, ...] = ()
    chunks: Literal["row groups", "lines"] | None = None
    sheets: Callable[[TableSource, str | None], Sheets] | None = None

    @property
    def all_suffixes(self) -> tuple[str, ...]:
        """All names its files go by."""
        return self.suffixes + self.shared_suffixes


def is_named(name: str, suffixes: tuple[str, ...]) -> bool:
    """Whether a file is named like this, gzipped or not.

    >>> is_named("Iris.ARFF.gz", (".arff",))
    True
    """
    return name.lower().removesuffix(".gz").endswith(suffixes)


@dataclass(frozen=True)
class TableSource:
    """The bytes of a table.

    Attributes
    ----------
    name : the file's name without its folder
    data : the bytes, decompressed
    sha256 : the hash of the bytes as they were given, before any decompression; none of a part
    rows_before : if the bytes are a part of the file, how many of its rows come before them
    packed_size : number of bytes as they were given; 0 if that is the same
    lines_before : how many lines people see above the first one of the bytes, as in a sheet
    """

    name: str
    data: bytes
    sha256: str = ""
    rows_before: int = 0
    packed_size: int = 0
    lines_before: int = 0

    @cached_property
    def is_utf8(self) -> bool:
        """Whether the bytes are text in UTF-8."""
        try:
            return self.data.isascii() or bool(self.data.decode("utf-8"))
        except UnicodeDecodeError:
            return False

    @cached_property
    def has_line_end_in_quotes(self) -> bool:
        """Whether a line end lies inside a quoted cell: after an odd number of quotes.

        All other bytes are left out, then pairs of quotes: one that is left before a line end
        opens a cell which goes on.
        """
        if b'"' not in self.data:
            return False
        marks = self.data.translate(None, delete=_NO_QUOTE_NOR_LINE_END)
        return b'"' in marks.replace(b'""', b"").rstrip(b'"')

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.data)

    def check_size(self, n_rows: int, n_columns: int) -> None:
        """Refuse a table that is too large, before it is read."""
        check_table_size(n_rows, n_columns, self.packed_size or self.size, self.name)

    def damaged(self, kind: str, reason: str) -> DataError:
        """Say that a file is not what it seems to be, or not all of it."""
        return DataError(
            f"{self.where} must be a complete {kind}; {reason.rstrip('.')}. Copy or save it again, "
            "or export the table as CSV."
        )

    def with_bytes(self, data: bytes, **changed: Any) -> TableSource:
        """Return the same table with other bytes: decoded, unpacked or without some lines."""
        return replace(self, data=data, packed_size=self.packed_size or self.size, **changed)

    @property
    def where(self) -> str:
        """The name as it is written in sentences."""
        from_row = f", from row {self.rows_before + 1:,} on," if self.rows_before else ""
        return f"{self.name!r}{from_row}"

    def open(self) -> pa.NativeFile:
        """Open the bytes for Arrow."""
        return pa.BufferReader(pa.py_buffer(self.data))


def open_source(source: Any) -> TableSource:
    """Find the bytes of a path, an open file, a (name, bytes) pair, or plain bytes."""
    if isinstance(source, (str, os.PathLike)):
        return _from_path(Path(source))
    given = named_bytes(source)
    if given is not None:
        return _from_bytes(*given)
    raise DataError(
        f"source={type(source).__name__} must be a path, an open file, a pair (name, bytes) or a "
        "frame of pandas, polars or pyarrow. Give one of these. Name its columns if it is an "
        "array: pandas.DataFrame(rows, columns=[...])."
    )


def _from_path(path: Path) -> TableSource:
    try:
        if path.is_dir():
            raise DataError(
                f"file={str(path)!r} must be a file; it is a folder. Name a file in it."
            )
        if not path.exists():
            beside = sorted(os.listdir(path.parent)) if path.parent.is_dir() else []
            advice = did_you_mean(path.name, beside)
            advice = advice if advice.startswith("Did you mean") else "Check the path."
            raise DataError(f"file={str(path)!r} must exist. {advice}")
        if not path.is_file():
            return _from_bytes(path.name, read_pipe(path))
        size = path.stat().st_size
        if size > machine_memory() // 2:
            raise DataError(
                f"file={str(path)!r} must fit into memory; it has {shown_bytes(size)}. Give fewer "
                "rows or columns, or grow it with --chunks."
            )
        data = path.read_bytes()
        if len(data) != size:
            raise DataError(
                f"file={str(path)!r} must stay as it is while it is read; it was changed "
                "meanwhile. Read it again once it is complete."
            )
        return _from_bytes(path.name, data)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataError(
            f"file={str(path)!r} must be readable; the system says: {reason}. Check the path and "
            "your permissions."
        ) from None


def _from_bytes(name: str, data: bytes) -> TableSource:
    found = TableSource(name, data, hashlib.sha256(data).hexdigest(), packed_size=len(data))
    if data[:2] != GZIP_MARK:
        return found
    try:
        return replace(found, data=gunzip(data, name))
    except (EOFError, zlib.error, OSError):
        raise found.damaged("gzip file", "it ends too early or is damaged") from None


def unpack(
    packed: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo], name: str, packed_size: int
) -> Iterator[bytes]:
    """Unpack members piece by piece: what they say about their size may be wrong."""
    size = 0
    for member in map(copy.copy, members):
        member.file_size = 1 << 60
        with packed.open(member) as file:
            while piece := file.read(_PIECE):
                size += len(piece)
                check_unpacked(size, packed_size, name)
                yield piece
