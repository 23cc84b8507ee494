"""Write one sheet of a workbook as CSV. Run as a script: a workbook on stdin, the answer on stdout.

The answer is a line of JSON (names of the sheets, which one follows, or what is wrong) and then
the sheet as CSV, so that a sheet is read by the very code that reads what people save as CSV. Only
values that stand in the file are taken: formulas and macros are never run.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any

import python_calamine as calamine

_MOST_BLANK = 5000


def answer(content: bytes, wanted: str) -> tuple[dict[str, Any], str]:
    """Return what is to be known about a workbook, and the wanted sheet as CSV."""
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
        sheets = [
            about.name
            for about in book.sheets_metadata
            if about.typ == calamine.SheetTypeEnum.WorkSheet
        ]
        sheet, name = _choose(book, sheets, wanted)
    except calamine.PasswordError:
        return {"problem": "password"}, ""
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError, OSError) as error:
        return {"problem": "damaged", "reason": str(error)}, ""
    if sheet is None:
        return {"problem": "sheet" if wanted else "empty", "sheets": sheets}, ""
    text, above, blank = sheet_as_csv(sheet)
    return {"sheets": sheets, "sheet": name, "above": above, "blank": blank}, text


def _choose(
    book: calamine.CalamineWorkbook, sheets: list[str], wanted: str
) -> tuple[calamine.CalamineSheet | None, str]:
    """Find a sheet by its name or its number; without a wish the first that holds a table."""
    if wanted and wanted not in sheets:
        number = int(wanted) if wanted.isdecimal() and len(wanted) < 7 else 0
        if not 1 <= number <= len(sheets):
            return None, ""
        wanted = sheets[number - 1]
    first: tuple[calamine.CalamineSheet | None, str] = (None, "")
    for name in [wanted] if wanted else sheets:
        sheet = book.get_sheet_by_name(name)
        if sheet.height > 1 or wanted:
            return sheet, name
        if sheet.height and first[0] is None:
            first = (sheet, name)
    return first


def sheet_as_csv(sheet: calamine.CalamineSheet) -> tuple[str, int, list[int]]:
    """Write the used range; blank rows inside it become blank lines.

    Returns
    -------
    the text, how many lines of the sheet lie above it, and which lines are blank inside it: by
    their numbers, up to some thousands of them
    """
    spans = [_span(row) for row in sheet.iter_rows()]
    used = [span for span in spans if span[1]]
    left = min((span[0] for span in used), default=0)
    right = max((span[1] for span in used), default=0)
    text = io.StringIO()
    text.write("sep=,\n")
    above = next((number for number, (_, end) in enumerate(spans) if end), 0)
    for number, row in enumerate(sheet.iter_rows()):
        if number >= above:
            text.write(_line(row[left:right]) if spans[number][1] else "")
            text.write("\n")
    blank = [n for n, (_, end) in enumerate(spans, start=1) if not end and n > above]
    return text.getvalue(), above, blank[:_MOST_BLANK]


def _span(row: list[Any]) -> tuple[int, int]:
    """Return the first cell that is not empty, and the one after the last; 0, 0 if all are."""
    end = len(row)
    while end and row[end - 1] == "":
        end -= 1
    start = 0
    while start < end and row[start] == "":
        start += 1
    return start, end


def _line(cells: Iterable[Any]) -> str:
    return ",".join(map(_spell, cells))


def _spell(cell: Any) -> str:
    """Write a value the way it would be typed."""
    if isinstance(cell, str):
        plain = cell.replace("\0", "").replace('"', '""')
        return f'"{plain}"' if plain else ""
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        return str(cell.date() if cell.time() == time() else cell.replace(microsecond=0))
    if isinstance(cell, timedelta):
        return repr(cell.total_seconds())
    return str(cell) if isinstance(cell, date | time | int) else ""


if __name__ == "__main__":
    known, csv = answer(sys.stdin.buffer.read(), sys.argv[1])
    sys.stdout.buffer.write(json.dumps(known).encode() + b"\n" + csv.encode("utf-8", "replace"))
