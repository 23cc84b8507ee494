"""Read one sheet of a workbook: Excel's formats and OpenDocument's.

A sheet becomes the CSV that a person would have saved from it, and is then read like any other:
what files people have (title lines, spelled numbers, unnamed columns) is understood in one place.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from probtrees.errors import DataError, did_you_mean
from probtrees.machine.guarded_process import ProcessFailed, answer_of
from probtrees.machine.input_bytes import HARMLESS, check_unpacked
from probtrees.table.cells.raw_table import Numbers, RawTable, Texts
from probtrees.table.cells.spelled_numbers import CLOCK
from probtrees.table.dataset import Schema
from probtrees.table.formats.delimited import read_delimited
from probtrees.table.formats.format import Format, Sheets, is_named
from probtrees.table.formats.same_columns import (
    ALL,
    ORIGIN,
    JoinedSheets,
    have_same_columns,
    join_sheets,
    joined_finding,
    left_out_finding,
    not_joined,
    says_the_same,
)
from probtrees.table.formats.sheet_currencies import words_in
from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.footer import is_total_word
from probtrees.table.formats.text.text_head import written_in
from probtrees.table.read_fields import HABITS
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import OFFERED, Finding, Fix
from probtrees.words import plural

_SUFFIXES = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
_ZIP_MARK = b"PK\x03\x04"
_OLD_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_INSIDE = (b"[Content_Types].xml", b"xl/", b"opendocument.spreadsheet", b"_rels/.rels", b"docProps")
_SCRIPT = Path(__file__).with_name("workbook_process.py")
_MOST_DEFLATED = 1032
"""No byte packed by zip's usual method unpacks to more bytes than this."""


def read_excel(source: TableSource, options: ReadOptions) -> RawTable:
    """Read the sheet that is wanted, or the first one that holds a table."""
    known, table = _open(source, options.sheet or "")
    if known["sheet"] == ALL and ALL not in known["sheets"]:
        return _read_all(source, options, known, table)
    # The CSV begins with a line that names its separator, and lacks blank rows above the table.
    above = known["above"] - 1
    text = replace(source, size=len(table), path=None, data=table, lines_before=above)
    text, filled = _fill_down(text, known["merged"][0], options)
    raw = read_delimited(text, replace(options, encoding=None))
    if options.schema is not None:
        _undo_marks(raw, options.schema)
    notes = _sheet_note(known["sheet"], known["sheets"], is_chosen=options.sheet is None)
    blank = tuple(known["blank"]) if raw.blank_lines is None else raw.blank_lines
    findings = raw.findings
    if known["alike"] and options.sheet is None and options.schema is None:
        words = [words_in(n, lines, known["shown"][n]) for n, lines in known["lines"].items()]
        offer = have_same_columns(
            known["alike"], known["sheet"], "sheets", known["near"], known["sheets"], words
        )
        findings = (offer, *findings)
    elif options.sheet is None and options.schema is None:
        findings += not_joined(known["near"], known["sheet"])
    raw = replace(raw, notes=(*notes, *raw.notes), findings=findings, blank_lines=blank)
    return _with_merged(raw, filled, options)


def _read_all(
    source: TableSource, options: ReadOptions, known: dict[str, Any], tables: bytes
) -> RawTable:
    """Read the sheets that have the same columns as one table."""
    texts, filled = {}, 0
    written = tables.decode("utf-8").split("\0")
    separate = zip(known["sheets"], written, known["above"], known["merged"], strict=True)
    for sheet, table, above, merged in separate:
        text = replace(source.in_utf8(table), lines_before=above - 1)
        text, n_cells = _fill_down(text, merged, options)
        texts[sheet] = text
        filled += n_cells
    plain = replace(options, encoding=None)
    shown = dict(zip(known["sheets"], known["shown"], strict=True))
    joined = join_sheets(texts, plain, source.where, "sheets", shown)
    return _with_merged(
        read_joined(source, plain, joined, known["sheets"], "sheets"), filled, options
    )


def _fill_down(
    text: TableSource, merged: Sequence[tuple[int, int, int]], options: ReadOptions
) -> tuple[TableSource, int]:
    """Repeat what stands in merged cells in every line they reach over, and count the cells.

    Cells that begin above the first row belong to titles and names, which are read as they are.
    Blank lines and totals inside stay what they are.
    """
    if not merged or "merged" in options.as_written:
        return text, 0
    written = written_in(text, replace(options, header_lines=max(options.header_lines, 1)))
    first_row = written.dialect.skip_lines + (options.header_lines > 0)
    reader = csv.reader(io.StringIO(text.content().decode("utf-8"), newline=""))
    records, begins, n_filled = [], [0], 0
    for record in reader:
        records.append(record)
        begins.append(reader.line_num)  # a cell may hold several lines
    for first, last, column in merged:
        if begins[first] < first_row:
            continue
        for record in records[first + 1 : last + 1]:
            words = next((cell for cell in record if cell.strip()), "")
            if words and not record[column] and not is_total_word(words):
                record[column] = records[first][column]
                n_filled += bool(record[column])
    filled = io.StringIO()
    csv.writer(filled, lineterminator="\n").writerows(records)
    return (text.in_utf8(filled.getvalue()), n_filled) if n_filled else (text, 0)


def _with_merged(raw: RawTable, n_filled: int, options: ReadOptions) -> RawTable:
    """Say how many cells have the value of a merged one, and how to take it back."""
    if not n_filled:
        return raw
    finding = Finding(
        None,
        "merged",
        f"Merged cells of the sheet are filled down over their rows: {plural(n_filled, 'cells')}.",
        "Take merged cells as written to leave all but the first empty.",
        "note",
        (Fix("Leave them empty", "as_written", "merged"),),
    )
    if options.schema is not None:
        return replace(raw, notes=(finding.sentence, *raw.notes))
    return replace(raw, findings=(finding, *raw.findings))


def read_joined(
    source: TableSource,
    options: ReadOptions,
    joined: JoinedSheets,
    sheets: Sequence[str],
    what: str,
) -> RawTable:
    """Read a text that was made of several sheets or files.

    Which of their lines are rows is settled, so that nothing more is looked for.
    """
    settled = {*options.as_written, "title", "totals", "names"}
    plain = replace(options, header_lines=1, as_written=tuple(h for h in HABITS if h in settled))
    raw = read_delimited(source.in_utf8(joined.text), plain)
    others = [name for name in sheets if name not in joined.used]
    finding = joined_finding(joined.used, others, what)
    if options.schema is not None:
        said = (found.sentence for found in joined.findings if found.kind not in OFFERED)
        return replace(raw, notes=(finding.sentence, *said, *raw.notes))
    left = left_out_finding(others, joined.near, what)
    return replace(raw, findings=(*left, finding, *joined.findings, *raw.findings), origin=ORIGIN)


def _undo_marks(raw: RawTable, schema: Schema) -> None:
    """Give a model that was learnt from bare values these again: shares of 1, and seconds."""
    for column in schema.features:
        found = raw.columns.get(column.source_name)
        if not isinstance(found, Texts) or column.is_nominal or column.spelling.unit:
            continue
        factor = {"%": 0.01, CLOCK: 3600.0}.get(found.numbers.spelling.unit)
        if factor is not None and column.date_part is None:
            raw.columns[column.source_name] = Numbers(found.as_numbers().values * factor)


def sheets_of_workbook(source: TableSource, wanted: str | None) -> Sheets:
    """List the sheets, and name the one that is read."""
    known, _ = _open(source, wanted or "")
    return Sheets(tuple(known["sheets"]), known["sheet"], tuple(known["alike"]))


def _open(source: TableSource, wanted: str) -> tuple[dict[str, Any], bytes]:
    """Return what is known about a workbook, and the wanted sheet as CSV."""
    content = source.content()
    if content.startswith(_ZIP_MARK):
        _check_unpacked(content, source)
    try:
        answer = answer_of(_SCRIPT, [wanted], content)
    except ProcessFailed as failure:
        raise DataError(_why(source, failure)) from None
    head, _, table = answer.partition(b"\n")
    known: dict[str, Any] = json.loads(head)
    if "problem" in known:
        raise DataError(_problem(source, wanted, known))
    matched = [sheet for sheet, there, here in known["near"] if says_the_same(there, here)]
    if matched:
        alike = {known["sheet"], *known["alike"], *matched}
        known["alike"] = [sheet for sheet in known["sheets"] if sheet in alike]
    return known, table


def _sheet_note(sheet: str, sheets: list[str], *, is_chosen: bool) -> tuple[str, ...]:
    """Say which of several sheets is read, and why if it is not the first."""
    if len(sheets) < 2:
        return ()
    others = ", ".join(repr(name) for name in sheets if name != sheet)
    why = ", since it holds the table" if is_chosen and sheet != sheets[0] else ""
    return (f"Sheet {sheet!r} is read{why}; the workbook also has {others}.",)


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
            packed_size = sum(member.compress_size for member in members)
            if packed_size * _MOST_DEFLATED < HARMLESS:
                return
            size = 0
            for member in members:
                unlimited = copy.copy(member)
                unlimited.file_size = 1 << 60
                with packed.open(unlimited) as file:
                    while piece := file.read(1 << 24):
                        size += len(piece)
                        check_unpacked(size, len(content), source.name)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        return  # damaged, or locked: the reader of workbooks says so


def _is_workbook(name: str, head: bytes) -> bool:
    """Whether a file is packed as workbooks are; one that is only named so may hold text."""
    if head.startswith(_ZIP_MARK):
        return is_named(name, _SUFFIXES) or any(mark in head[:4096] for mark in _INSIDE)
    return head.startswith(_OLD_MARK)


EXCEL = Format(
    "Excel, OpenDocument", _SUFFIXES, read_excel, _is_workbook, sheets=sheets_of_workbook
)
