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
from typing import Any

import pyarrow as pa

from probtrees.errors import DataError
from probtrees.machine.guarded_process import ProcessFailed, answer_of
from probtrees.machine.input_bytes import HARMLESS
from probtrees.table.formats.arrow import from_table, name_columns
from probtrees.table.formats.delimited import read_delimited
from probtrees.table.formats.source import ZIP_MARK, Format, Sheets, TableSource, is_named, unpack
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions

_SUFFIXES = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
_OLD_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_INSIDE = (b"[Content_Types].xml", b"xl/", b"opendocument.spreadsheet", b"_rels/.rels", b"docProps")
_SCRIPT = Path(__file__).with_name("foreign_files.py")
_MOST_DEFLATED = 1032
"""No byte packed by zip's usual method unpacks to more bytes than this."""


def _ask_foreign(what: str, source: TableSource, wanted: str) -> tuple[dict[str, Any], bytes]:
    """Let a guarded process unpack a file: return what is known about it, and its table."""
    try:
        script = ["workbook" if what == "workbook" else "statistics", wanted]  # a sheet, a kind
        head, _, table = answer_of(_SCRIPT, script, source.data).partition(b"\n")
        known: dict[str, Any] = json.loads(head)
    except ProcessFailed as failure:
        known, table = {"damaged": str(failure)}, b""
        if failure.burst:
            known["problem"] = (
                "must not take more memory or time than a table of its size; cells far outside the "
                "table may be the cause. Copy the table to a new sheet, or save it as CSV."
            )
    if "problem" in known:
        raise DataError(f"{source.where} {known['problem']}")
    if "damaged" in known:
        raise source.damaged(what, known["damaged"] or "no reason is known")
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
    if source.data.startswith(ZIP_MARK):
        _check_unpacked(source)
    return _ask_foreign("workbook", source, wanted)


def _check_unpacked(source: TableSource) -> None:
    """Refuse a workbook that unpacks to very much more than any table does.

    What the members say about their size may be wrong, so where it matters they are unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as packed:
            members = packed.infolist()
            if sum(m.compress_size for m in members) * _MOST_DEFLATED < HARMLESS:
                return
            for _ in unpack(packed, members, source.name, source.size):
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
    "dta": ("Stata", ".dta"),
    "sav": ("SPSS", ".sav", ".zsav"),
    "por": ("SPSS", ".por"),
    "xport": ("SAS", ".xpt"),
    "sas7bdat": ("SAS", ".sas7bdat"),
}
"""The program and the suffixes of every format, by its name in pyreadstat."""
_SAS_MARK = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")


def read_statistics(source: TableSource, options: ReadOptions) -> RawTable:
    """Read a file; value labels become categories, values declared as missing are missing."""
    kind = _kind(source.name, source.data[:4096])
    known, body = _ask_foreign(f"{_KINDS[kind][0]} file", source, kind)
    table = pa.ipc.open_stream(body).read_all()
    raw = from_table(table, options, source.where, declared=True)
    written = dict(zip(name_columns(table.column_names), table.column_names, strict=True))
    said = {name: known["labels"].get(own, "").strip() for name, own in written.items()}
    values = {name: known["value labels"].get(own) or () for name, own in written.items()}
    return replace(
        raw,
        labels={name: label for name, label in said.items() if label not in ("", name)},
        value_labels={n: tuple((c, t) for c, t in pairs) for n, pairs in values.items() if pairs},
    )


def _kind(name: str, head: bytes) -> str:
    """Tell the formats apart: by how their files begin, else by their names."""
    marks = {
        "sav": head.startswith((b"$FL2", b"$FL3")),
        "por": b"ASCII SPSS PORT FILE" in head[:300],
        "dta": head.startswith(b"<stata_dta>"),
        "sas7bdat": head[12:32] == _SAS_MARK,
        "xport": head.startswith(b"HEADER RECORD*******LIB"),
    }
    by_name = (kind for kind, (_, *ends) in _KINDS.items() if is_named(name, tuple(ends)))
    return next((kind for kind, is_so in marks.items() if is_so), None) or next(by_name, "")


STATISTICS = Format(
    "Stata, SPSS, SAS",
    tuple(suffix for _, *suffixes in _KINDS.values() for suffix in suffixes),
    read_statistics,
    lambda name, head: bool(_kind(name, head)),
)
