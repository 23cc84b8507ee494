"""Read one sheet of a workbook: Excel's formats and OpenDocument's.

A sheet becomes the CSV that a person would have saved from it, and is then read like any other:
what files people have (title lines, spelled numbers, unnamed columns) is understood in one place.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probtrees.errors import DataError, did_you_mean
from probtrees.machine.guarded_process import ProcessFailed, answer_of
from probtrees.machine.input_bytes import HARMLESS
from probtrees.table.findings import Finding, Fix
from probtrees.table.formats.delimited import read_delimited
from probtrees.table.formats.head_and_footer import Head, describe_text, find_footer
from probtrees.table.formats.source import Format, Sheets, TableSource, is_named
from probtrees.table.formats.zip_archive import ZIP_MARK, unpack
from probtrees.table.raw_table import RawTable

if TYPE_CHECKING:
    from probtrees.table.read_options import ReadOptions

ALL = "all"
"""What to say instead of a sheet to read all that have the same columns as one table."""

_SHEET = "sheet"
_SUFFIXES = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
_OLD_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_INSIDE = (b"[Content_Types].xml", b"xl/", b"opendocument.spreadsheet", b"_rels/.rels", b"docProps")
_SCRIPT = Path(__file__).with_name("foreign_files.py")
_MOST_DEFLATED = 1032
"""No byte packed by zip's usual method unpacks to more bytes than this."""


def ask_foreign(what: str, wanted: str, content: bytes) -> tuple[dict[str, Any], bytes]:
    """Let a guarded process unpack a file: return what is known about it, and its table.

    Parameters
    ----------
    what : "workbook" or "statistics"
    wanted : the sheet, or the program that wrote the file
    """
    head, _, table = answer_of(_SCRIPT, [what, wanted], content).partition(b"\n")
    known: dict[str, Any] = json.loads(head)
    return known, table


def read_excel(source: TableSource, options: ReadOptions) -> RawTable:
    """Read the sheet that is wanted, or the first one that holds a table."""
    known, table = _open(source, options.sheet or "")
    options = replace(options, encoding=None)
    sheets, sheet = known["sheets"], known["sheet"]
    if sheet == ALL and ALL not in sheets:
        text, used = _joined(source, dict(zip(sheets, table.split(b"\0"), strict=True)))
        raw = read_delimited(text, replace(options, header_lines=1))
        words = f"Sheets {', '.join(map(repr, used))} are read as one table."
        left = [repr(name) for name in sheets if name not in used]
        words += f" Left out, since they have other columns: {', '.join(left)}." if left else ""
        return replace(raw, findings=(Finding(None, None, words, kind="sheet"), *raw.findings))
    # The CSV begins with a line that names its separator, and lacks blank rows above the table.
    raw = read_delimited(source.with_bytes(table, lines_before=known["above"] - 1), options)
    if len(sheets) > 1:
        raw = replace(raw, findings=(_finding(known, options), *raw.findings))
    return raw


def _finding(known: dict[str, Any], options: ReadOptions) -> Finding:
    """Say which of several sheets is read, and why if it is not the first."""
    sheet, sheets, alike = known["sheet"], known["sheets"], known["alike"]
    others = [name for name in sheets if name != sheet]
    why = ", since it holds the table" if options.sheet is None and sheet != sheets[0] else ""
    fixes = [Fix(f"Read sheet {name!r}", "sheet", name) for name in others[:3]]
    if alike:
        fixes.insert(0, Fix(f"Read all {len(alike)} of the same columns", "sheet", ALL))
    return Finding(
        None,
        None,
        f"Sheet {sheet!r} is read{why}; the workbook also has {', '.join(map(repr, others))}.",
        "Several have the same columns and can be read as one table." if alike else "",
        fixes=tuple(fixes),
        kind="sheet",
    )


def _joined(source: TableSource, sheets: dict[str, bytes]) -> tuple[TableSource, list[str]]:
    """Put the rows of sheets that have the same columns below each other, with the sheet's name."""
    used: list[str] = []
    names: tuple[str, ...] = ()
    lines: list[bytes] = []
    for sheet, text in sheets.items():
        if text.count(b"\n") < 2:
            continue
        head = describe_text(Head(text, complete=True), f"sheet {sheet!r} of {source.where}")
        if not names:
            quoted = ('"' + name.replace('"', '""') + '"' for name in (*head.names, _SHEET))
            names = head.names
            lines.append(",".join(quoted).encode())
        if head.names != names:
            continue
        footer = find_footer(text, head, head.skip_lines)
        rows = text[: footer.start if footer else None].split(b"\n")[head.skip_lines :]
        cell = ',"' + sheet.replace('"', '""') + '"'
        missing = len(names) - len(head.written)
        lines += [row + b"," * missing + cell.encode() for row in rows if row.strip(b",")]
        used.append(sheet)
    return source.with_bytes(b"sep=,\n" + b"\n".join(lines) + b"\n", lines_before=-1), used


def sheets_of_workbook(source: TableSource, wanted: str | None) -> Sheets:
    """List the sheets, and name the one that is read."""
    known, _ = _open(source, wanted or "")
    return Sheets(tuple(known["sheets"]), known["sheet"], tuple(known["alike"]))


def _open(source: TableSource, wanted: str) -> tuple[dict[str, Any], bytes]:
    """Return what is known about a workbook, and the wanted sheet as CSV."""
    content = source.content()
    if content.startswith(ZIP_MARK):
        _check_unpacked(content, source)
    try:
        known, table = ask_foreign("workbook", wanted, content)
    except ProcessFailed as failure:
        raise DataError(_why(source, failure)) from None
    if "problem" in known:
        raise DataError(_problem(source, wanted, known))
    return known, table


def _problem(source: TableSource, wanted: str, known: dict[str, Any]) -> str:
    """Say what is wrong with a workbook."""
    if known["problem"] == "sheet":
        return (
            f"sheet={wanted!r} must be a sheet of {source.where}, by its name or its "
            f"number. {did_you_mean(wanted, known['sheets'])}"
        )
    if known["problem"] == "password":
        return f"{source.where} must not be locked; it asks for a password. Save it without one."
    if known["problem"] == "empty":
        return f"{source.where} must hold a table; its sheets are empty. Choose another file."
    return (
        f"{source.where} must be a complete Excel or OpenDocument workbook; reading it failed: "
        f"{known['reason']}. Open it and save it again, or save the sheet as CSV."
    )


def _why(source: TableSource, failure: ProcessFailed) -> str:
    if failure.out_of_memory or failure.late:
        what = "memory" if failure.out_of_memory else "time"
        return (
            f"{source.where} must not take more {what} than a table of its size; cells far "
            "outside the table may be the cause. Copy the table to a new sheet, or save it as CSV."
        )
    return (
        f"{source.where} must be a complete Excel or OpenDocument workbook; reading it failed. "
        "Open it and save it again, or save the sheet as CSV."
    )


def _check_unpacked(content: bytes, source: TableSource) -> None:
    """Refuse a workbook that unpacks to very much more than any table does.

    What the members say about their size may be wrong, so where it matters they are unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            members = packed.infolist()
            if sum(m.compress_size for m in members) * _MOST_DEFLATED < HARMLESS:
                return
            size = 0
            for member in members:
                for piece in unpack(packed, member, source.name, len(content), size):
                    size += len(piece)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        return  # damaged, or locked: the reader of workbooks says so


def _is_workbook(name: str, head: bytes) -> bool:
    """Whether a file is packed as workbooks are; one that is only named so may hold text."""
    if head.startswith(ZIP_MARK):
        return is_named(name, _SUFFIXES) or any(mark in head[:4096] for mark in _INSIDE)
    return head.startswith(_OLD_MARK)


EXCEL = Format(
    "Excel, OpenDocument", _SUFFIXES, read_excel, _is_workbook, sheets=sheets_of_workbook
)
