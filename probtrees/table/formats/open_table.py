"""Open a source of any kind and format as a raw table; in a zip archive the one that is named."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass, replace
from typing import Any

from probtrees.errors import DataError, did_you_mean
from probtrees.table.formats.arff import ARFF
from probtrees.table.formats.arrow import FEATHER, PARQUET, is_frame, read_frame
from probtrees.table.formats.delimited import DELIMITED
from probtrees.table.formats.json_records import JSON
from probtrees.table.formats.other_programs import EXCEL, STATISTICS
from probtrees.table.formats.source import (
    ZIP_MARK,
    Format,
    Sheets,
    TableSource,
    open_source,
    unpack,
)
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions

FORMATS: tuple[Format, ...] = (DELIMITED, EXCEL, STATISTICS, JSON, FEATHER, ARFF, PARQUET)
"""All that can be read. A new one is a file beside this one and an entry here."""

FORMAT_NAMES = f"{', '.join(known.name for known in FORMATS[:-1])} or {FORMATS[-1].name}"
"""The formats in words: CSV, TSV, Excel, ... ARFF or Parquet."""

TABLE_SUFFIXES = tuple(suffix for known in FORMATS for suffix in known.suffixes)
"""How files are named that can only be tables."""

ALL_SUFFIXES = tuple(suffix for known in FORMATS for suffix in known.all_suffixes)
"""How files are named that may be tables."""

_HEAD = 1 << 16
_NO_TABLE = re.compile(rb"%PDF-\d|\{\\rtf|<!doctype html|<html", re.I)
"""How texts begin that people have tables in but that are none."""


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

    @property
    def data_name(self) -> str:
        """What people call the data: the name of the file without its ending."""
        if not self.sha256:
            return "data"
        endings = "|".join(map(re.escape, ALL_SUFFIXES))
        return re.sub(rf"({endings})?(\.gz|\.zip)?$", "", self.name, flags=re.I)


def open_table(source: Any, options: ReadOptions) -> OpenedTable:
    """Read a source; its content decides the format, not its name."""
    if is_frame(source):
        return OpenedTable(read_frame(source, options), "data frame", "")
    opened = open_source(source)
    return OpenedTable(_read_file(opened, options), opened.name, opened.sha256)


def sheets_of(source: Any, wanted: str | None = None) -> Sheets | None:
    """List the tables of a workbook or an archive and name the one that is read.

    None if the file holds one table by its nature.
    """
    opened = open_source(source)
    if _is_archive(opened):
        sheets, opened = _open_archive(opened, wanted)
        if len(sheets.names) > 1:
            return sheets
    known = _format_of(opened)
    return None if known.sheets is None else known.sheets(opened, wanted)


def _read_file(opened: TableSource, options: ReadOptions) -> RawTable:
    """Read a table, or that of an archive."""
    if _NO_TABLE.match(opened.data[: 1 << 10].lstrip(b"\xef\xbb\xbf \r\n")):
        raise DataError(
            f"{opened.where} must be a table; it is a document. Copy or export the table in it, "
            "and save that as .xlsx or .csv."
        )
    if not _is_archive(opened):
        return _read(opened, options)
    sheets, packed = _open_archive(opened, options.sheet)
    # Where there are several tables a wish names one; else it names a sheet of the only one.
    inner = options.sheet if len(sheets.names) == 1 else None
    raw = _read(packed, replace(options, sheet=inner))
    return replace(raw, findings=(*sheets.findings("Table", "archive"), *raw.findings))


def _read(source: TableSource, options: ReadOptions) -> RawTable:
    if not source.size:
        raise DataError(
            f"{source.where} must hold a table; it is empty. Choose another file, or save it again."
        )
    return _format_of(source).read(source, options)


def _format_of(source: TableSource) -> Format:
    """Find the format of a file; one of them takes what no other claims."""
    name, head = source.name, source.data[:_HEAD]
    claiming = (known for known in FORMATS if known.claims is not None and known.claims(name, head))
    return next(claiming, None) or next(known for known in FORMATS if known.claims is None)


def _is_archive(source: TableSource) -> bool:
    """Whether a file is a zip archive that is no workbook."""
    return source.data[: len(ZIP_MARK)] == ZIP_MARK and not _format_of(source).claims


_MOST_MEMBERS = 10_000
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError),  # packed in another way, locked
)


def _open_archive(source: TableSource, wanted: str | None) -> tuple[Sheets, TableSource]:
    """List the tables of a zip archive, and unpack the one that is wanted, or the first."""
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as packed:
            members = {m.filename: m for m in packed.infolist()[:_MOST_MEMBERS] if _is_table(m)}
            if not members:
                raise DataError(
                    f"{source.where} must hold a table; the archive has none. Pack a file such as "
                    "table.csv, or choose the file itself."
                )
            name = _choose(list(members), wanted, source.where)
            packed_size = max(members[name].compress_size, 1)
            data = b"".join(unpack(packed, [members[name]], source.name, packed_size))
    except _UNREADABLE:
        raise DataError(
            f"{source.where} must be a complete zip archive without a password; it is locked, ends "
            "too early or is damaged. Pack it again, or choose the file in it."
        ) from None
    return Sheets(tuple(members), name), source.with_bytes(data, name=posixpath.basename(name))


def _is_table(member: zipfile.ZipInfo) -> bool:
    """Whether a member may be a table: not a folder, nor what computers add for themselves."""
    name = member.filename
    hidden = any(part.startswith((".", "__")) for part in name.split("/"))
    return not hidden and name.lower().endswith(ALL_SUFFIXES) and member.file_size > 0


def _choose(names: list[str], wanted: str | None, where: str) -> str:
    if wanted is None or wanted in names or len(names) == 1:
        return wanted if wanted in names else names[0]
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 7 else 0
    if not 1 <= number <= len(names):
        raise DataError(
            f"sheet={wanted!r} must be a table in {where}, by its name or its number. "
            f"{did_you_mean(wanted, names)}"
        )
    return names[number - 1]
