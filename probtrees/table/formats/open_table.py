"""Open a source of any kind and format as a raw table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from probtrees.errors import DataError
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.formats.arff import ARFF
from probtrees.table.formats.column_names import read_by_names
from probtrees.table.formats.decode import NotTextError, TextEncoding, decode, detect_encoding
from probtrees.table.formats.delimited import DELIMITED
from probtrees.table.formats.excel import EXCEL, read_joined
from probtrees.table.formats.feather import FEATHER
from probtrees.table.formats.format import Format, Sheets
from probtrees.table.formats.frame import is_frame, read_frame
from probtrees.table.formats.html_table import HTML
from probtrees.table.formats.json_records import JSON
from probtrees.table.formats.not_tables import refuse_no_table
from probtrees.table.formats.parquet import PARQUET
from probtrees.table.formats.same_columns import (
    ALL,
    MOST_LOOKED_AT,
    NEARLY,
    have_same_columns,
    join_sheets,
)
from probtrees.table.formats.sheet_currencies import SheetWords
from probtrees.table.formats.statistics import STATISTICS
from probtrees.table.formats.table_source import TableSource, open_source
from probtrees.table.formats.text.text_head import written_in
from probtrees.table.formats.zip_archive import ZIP_MARK, tables_in_zip
from probtrees.table.read_options import ReadOptions

FORMATS: tuple[Format, ...] = (DELIMITED, EXCEL, STATISTICS, JSON, FEATHER, HTML, ARFF, PARQUET)
"""All that can be read. A new one is a file beside this one and an entry here."""

FORMAT_NAMES = f"{', '.join(known.name for known in FORMATS[:-1])} or {FORMATS[-1].name}"
"""The formats in words: CSV, TSV, Excel, ... ARFF or Parquet."""

TABLE_SUFFIXES = tuple(suffix for known in FORMATS for suffix in known.suffixes)
"""How files are named that can only be tables."""

ALL_SUFFIXES = tuple(suffix for known in FORMATS for suffix in known.all_suffixes)
"""How files are named that may be tables."""

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

    @property
    def data_name(self) -> str:
        """What people call the data: the name of the file without its ending."""
        if not self.sha256:
            return "data"
        endings = "|".join(map(re.escape, ALL_SUFFIXES))
        return re.sub(rf"({endings})?(\.gz|\.zip)?$", "", self.name, flags=re.I)


def open_table(source: Any, options: ReadOptions, *, find_names: bool = False) -> OpenedTable:
    """Read a source; its content decides the format, not its name.

    Parameters
    ----------
    find_names : find the columns of the schema regardless of case, spaces and accents
    """
    if is_frame(source):
        raw = read_by_names(lambda how: read_frame(source, how), options, said_only=True)
        return OpenedTable(raw, "data frame", "")
    opened = open_source(source)
    raw = read_by_names(lambda how: _read_file(opened, how), options, said_only=not find_names)
    opened.check_unchanged()
    return OpenedTable(raw, opened.name, opened.sha256)


def _read_file(opened: TableSource, options: ReadOptions) -> RawTable:
    """Read a table, or that of an archive."""
    refuse_no_table(opened)
    if not _is_archive(opened):
        return _read(opened, options)
    sheets, packed = _member(opened, options.sheet)
    if options.sheet in (ALL, NEARLY) and len(sheets.names) > 1:
        return _read_all_members(opened, options, sheets.names)
    raw = _read(packed, replace(options, sheet=_inner_sheet(sheets, options.sheet)))
    raw = replace(raw, notes=(_archive_note(sheets), *raw.notes))
    if options.sheet is None and options.schema is None and sheets.alike:
        words = (_words_of(opened, name, options) for name in sheets.alike)
        offer = have_same_columns(sheets.alike, sheets.read, "files", words=words)
        raw = replace(raw, findings=(offer, *raw.findings))
    return raw


def _member(archive: TableSource, wanted: str | None) -> tuple[Sheets, TableSource]:
    """List the tables of an archive with those of the same columns, and unpack the wanted one."""
    named = None if wanted in (ALL, NEARLY) else wanted
    sheets, packed = tables_in_zip(archive, named, ALL_SUFFIXES)
    first = _first_line(packed)
    if not first or not 1 < len(sheets.names) <= MOST_LOOKED_AT:
        return sheets, packed
    members = ((name, tables_in_zip(archive, name, ALL_SUFFIXES)[1]) for name in sheets.names)
    alike = tuple(name for name, member in members if _first_line(member) == first)
    read = ALL if wanted in (ALL, NEARLY) else sheets.read
    return replace(sheets, read=read, alike=alike if len(alike) > 1 else ()), packed


def _words_of(archive: TableSource, name: str, options: ReadOptions) -> SheetWords:
    """Return what the beginning of a text in an archive says."""
    member = tables_in_zip(archive, name, ALL_SUFFIXES)[1]
    text = decode(member, detect_encoding(member, options.encoding))
    dialect = written_in(member.in_utf8(text), replace(options, encoding=None)).dialect
    return SheetWords(name, (dialect.title,), dialect.names, dialect.rows)


def _first_line(source: TableSource) -> bytes:
    """Return the line that may name the columns of a delimited text; empty for other formats."""
    head = source.head(_HEAD)
    is_text = _format_of(source.name, head) is DELIMITED
    lines = head.splitlines() if is_text else []
    return lines[0].strip() if lines else b""


def _read_all_members(archive: TableSource, options: ReadOptions, names: Sequence[str]) -> RawTable:
    """Read the texts of an archive that have the same columns as one table."""
    texts: dict[str, TableSource] = {}
    for name in names:
        member = tables_in_zip(archive, name, ALL_SUFFIXES)[1]
        if _format_of(member.name, member.head(_HEAD)) is DELIMITED:
            text = decode(member, detect_encoding(member, options.encoding))
            texts[name] = member.in_utf8(text)
    plain = replace(options, encoding=None)
    joined = join_sheets(texts, plain, archive.where, "files")
    return read_joined(archive, plain, joined, names, "files")


def _is_archive(source: TableSource) -> bool:
    """Whether a file is a zip archive that is no workbook."""
    head = source.head(_HEAD)
    return head.startswith(ZIP_MARK) and not _format_of(source.name, head).claims


def _inner_sheet(sheets: Sheets, wanted: str | None) -> str | None:
    """Return what is wanted of the table itself: where there are several, a wish names one."""
    return wanted if len(sheets.names) == 1 else None


def _archive_note(sheets: Sheets) -> str:
    others = ", ".join(repr(name) for name in sheets.names if name != sheets.read)
    also = f"; the archive also has {others}" if others else ""
    return f"Table {sheets.read!r} of the archive is read{also}."


def sheets_of(source: Any, wanted: str | None = None) -> Sheets | None:
    """List the tables of a workbook or an archive and name the one that is read.

    None if the file holds one table by its nature.
    """
    opened = open_source(source)
    if _is_archive(opened):
        sheets, opened = _member(opened, wanted)
        if len(sheets.names) > 1:
            return sheets
    known = _format_of(opened.name, opened.head(_HEAD))
    return None if known.sheets is None else known.sheets(opened, wanted)


def sheet_as_learnt(source: Any, learnt: str | None) -> str | None:
    """Return which sheets to read where a model was learnt from one, or from several as one table.

    Several are read only of a file that has several with the same columns.

    Parameters
    ----------
    learnt : the sheet of training, as in :class:`.ReadOptions`
    """
    if learnt not in (ALL, NEARLY) or is_frame(source):
        return None
    found = sheets_of(source)
    is_offered = found is not None and (bool(found.alike) or learnt == NEARLY)
    return learnt if is_offered and found is not None and len(found.names) > 1 else None


def encoding_of(source: Any, options: ReadOptions) -> TextEncoding | None:
    """Return what the text of a table is decoded by; None where that is beyond doubt."""
    opened = open_source(source)
    if _is_archive(opened):
        _, opened = _member(opened, options.sheet)
    if _format_of(opened.name, opened.head(_HEAD)) not in (DELIMITED, JSON, ARFF):
        return None
    found = detect_encoding(opened, options.encoding)
    return None if found.is_plain else found


def _read(source: TableSource, options: ReadOptions) -> RawTable:
    head = source.head(_HEAD)
    if not head:
        raise DataError(
            f"{source.where} must hold a table; it is empty. Choose another file, or save it again."
        )
    try:
        return _format_of(source.name, head).read(source, options)
    except NotTextError as problem:
        raise DataError(
            f"{source.where} must be a table in {FORMAT_NAMES} (each may be gzipped or in a zip "
            f"archive); it is {problem.kind}. Export the table as CSV and read that."
        ) from None


def _format_of(name: str, head: bytes) -> Format:
    """Find the format of a file; one of them takes what no other claims."""
    claiming = (known for known in FORMATS if known.claims is not None and known.claims(name, head))
    return next(claiming, None) or next(known for known in FORMATS if known.claims is None)
