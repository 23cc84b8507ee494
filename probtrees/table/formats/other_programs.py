"""Read files of other programs: workbooks (Excel, OpenDocument), and Stata, SPSS and SAS.

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

import pyarrow as pa

from probtrees.errors import DataError, did_you_mean
from probtrees.machine.guarded_process import ProcessFailed, answer_of
from probtrees.machine.input_bytes import HARMLESS
from probtrees.table.formats.arrow import check_names, raw_column
from probtrees.table.formats.delimited import read_delimited
from probtrees.table.formats.source import ZIP_MARK, Format, Sheets, TableSource, is_named, unpack
from probtrees.table.raw_table import RawTable

if TYPE_CHECKING:
    from probtrees.table.read_options import ReadOptions


_SUFFIXES = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
_OLD_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_INSIDE = (b"[Content_Types].xml", b"xl/", b"opendocument.spreadsheet", b"_rels/.rels", b"docProps")
_SCRIPT = Path(__file__).with_name("foreign_files.py")
_MOST_DEFLATED = 1032
"""No byte packed by zip's usual method unpacks to more bytes than this."""


_PROBLEMS = {
    "sheet": "must have sheet={wanted!r}, by its name or its number. ",
    "large": "must not take more memory or time than a table of its size; cells far outside the "
    "table may be the cause. Copy the table to a new sheet, or save it as CSV.",
    "password": "must not be locked; it asks for a password. Save it without one.",
    "empty": "must hold a table; its sheets are empty. Choose another file.",
}
"""What may be wrong with a workbook, and what to do."""


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
    # The CSV begins with a line that names its separator, and lacks blank rows above the table.
    raw = read_delimited(source.with_bytes(table, lines_before=known["above"] - 1), options)
    sheets = Sheets(tuple(known["sheets"]), known["sheet"])
    return replace(raw, findings=(*sheets.findings("Sheet", "workbook"), *raw.findings))


def sheets_of_workbook(source: TableSource, wanted: str | None) -> Sheets:
    """List the sheets, and name the one that is read."""
    known, _ = _open(source, wanted or "")
    return Sheets(tuple(known["sheets"]), known["sheet"])


def _open(source: TableSource, wanted: str) -> tuple[dict[str, Any], bytes]:
    """Return what is known about a workbook, and the wanted sheet as CSV."""
    content = source.data
    if content.startswith(ZIP_MARK):
        _check_unpacked(content, source)
    try:
        known, table = ask_foreign("workbook", wanted, content)
    except ProcessFailed as failure:
        is_large = failure.out_of_memory or failure.late
        known, table = {"problem": "large" if is_large else "", "reason": str(failure)}, b""
    if "problem" not in known:
        return known, table
    if not known["problem"]:
        raise source.damaged("Excel or OpenDocument workbook", known["reason"])
    names = known["sheets"] if known["problem"] == "sheet" else ()
    words = _PROBLEMS[known["problem"]].format(wanted=wanted)
    raise DataError(f"{source.where} {words}{did_you_mean(wanted, names) if names else ''}")


def _check_unpacked(content: bytes, source: TableSource) -> None:
    """Refuse a workbook that unpacks to very much more than any table does.

    What the members say about their size may be wrong, so where it matters they are unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            members = packed.infolist()
            if sum(m.compress_size for m in members) * _MOST_DEFLATED < HARMLESS:
                return
            for _ in unpack(packed, members, source.name, len(content)):
                pass
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


_KINDS = {
    ".dta": "Stata",
    ".sav": "SPSS",
    ".zsav": "SPSS",
    ".por": "SPSS portable",
    ".xpt": "SAS transport",
    ".sas7bdat": "SAS",
}
_SAS_MARK = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")


def read_statistics(source: TableSource, options: ReadOptions) -> RawTable:
    """Read a file; value labels become categories, values declared as missing are missing."""
    content = source.data
    kind = _kind(source.name, content[:4096])
    try:
        known, body = ask_foreign("statistics", kind, content)
    except ProcessFailed as failure:
        known = {"problem": str(failure)}
    if "problem" in known:
        raise source.damaged(f"{kind.split(maxsplit=1)[0]} file", known["problem"])
    table = pa.ipc.open_stream(body).read_all()
    names = check_names([name.strip() for name in table.column_names], source.where)
    written = dict(zip(names, table.column_names, strict=True))
    said = {name: known["labels"].get(own, "").strip() for name, own in written.items()}
    values = {name: known["value labels"].get(own) or () for name, own in written.items()}
    missing = {name: tuple(known["missing"].get(own, ())) for name, own in written.items()}
    return RawTable(
        {
            name: raw_column(table[number], name, source.where, declared=True)
            for number, name in enumerate(names)
            if options.keeps(name)
        },
        table.num_rows,
        names,
        labels={name: label for name, label in said.items() if label not in ("", name)},
        value_labels={n: tuple((c, t) for c, t in pairs) for n, pairs in values.items() if pairs},
        missing={name: texts for name, texts in missing.items() if texts},
    )


def _kind(name: str, head: bytes) -> str:
    """Tell the programs apart: by how their files begin, else by their names."""
    marks = {
        "SPSS": head.startswith((b"$FL2", b"$FL3")),
        "SPSS portable": b"ASCII SPSS PORT FILE" in head[:300],
        "Stata": head.startswith(b"<stata_dta>"),
        "SAS": head[12:32] == _SAS_MARK,
        "SAS transport": head.startswith(b"HEADER RECORD*******LIB"),
    }
    by_name = (kind for suffix, kind in _KINDS.items() if is_named(name, (suffix,)))
    return next((kind for kind, is_so in marks.items() if is_so), None) or next(by_name, "")


STATISTICS = Format(
    "Stata, SPSS, SAS", tuple(_KINDS), read_statistics, lambda name, head: bool(_kind(name, head))
)
