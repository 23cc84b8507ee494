"""Write one sheet of a workbook as CSV. Run as a script: a workbook on stdin, the answer on stdout.

The answer is a line of JSON (names of the sheets, which one follows, or what is wrong) and then
the sheet as CSV, so that a sheet is read by the very code that reads what people save as CSV. Only
values that stand in the file are taken: formulas and macros are never run.
"""

from __future__ import annotations

import html
import io
import json
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import reduce
from itertools import islice
from typing import Any, NamedTuple

import python_calamine as calamine

_MOST_BLANK = 5000
_FIRST_LINES = 100
_NEARLY = "nearly-all"
_ALL, _MOST_COMPARED, _FEWEST_NAMES = "all", 24, 4
_SMALL, _MUCH_LARGER = 100, 5
"""A table of fewer cells may be no data, if another sheet has so many times as many."""

_SAID = re.compile(rb"""([\w:-]+)\s*=\s*["']([^"']*)["']""")
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*[^>/])>(?:<(?:\w+:)?f\b.*?)??<(?:\w+:)?v>([^<]*)<", re.S)
_FAILED = re.compile(
    rb"<(?:\w+:)?c r=.([A-Z]+)(\d+).(?=[^>]* t=.e.)[^>]*>(?:<(?:\w+:)?f\b[^>]*>(?:[^<]*"
    rb"</(?:\w+:)?f>)?)?<(?:\w+:)?v>(#(?:DIV/0!|N/A|NAME\?|NULL!|NUM!|REF!|VALUE!))<"
)
_FORMAT = re.compile(rb"<(?:\w+:)?numFmt\b([^>]*)>")
_STYLE = re.compile(rb"<(?:\w+:)?xf\b([^>]*)>")
_SHEET = re.compile(rb"<(?:\w+:)?sheet\b([^>]*)>")
_TABLE = re.compile(rb"<table:table\b([^>]*)>(.*?)</table:table>", re.S)
_ODS_CELL = re.compile(rb"<table:(?:covered-)?table-cell\b([^>]*)>")
_ODS_MONEY = re.compile(rb'office:currency="([A-Z]{3})"')
_MAY_BE_MONEY = re.compile(r"[A-Z]{3}|[$\u20a0-\u20bf£¥]")
_MOST_REPEATED = 20_000
_LINE_END = re.compile(r"[ \t]*(?:_x000D_)?[\r\n]+[ \t]*")
Span = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last cell of several that are merged, each by its row and column."""
_LINK = re.compile(rb"<(?:\w+:)?Relationship\b([^>]*)>")


def answer(content: bytes, wanted: str) -> tuple[dict[str, Any], str]:
    """Return what is to be known about a workbook, and the wanted sheet as CSV."""
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
        sheets = [
            about.name
            for about in book.sheets_metadata
            if about.typ == calamine.SheetTypeEnum.WorkSheet
        ]
        if wanted in (_ALL, _NEARLY) and wanted not in sheets:
            return _all_sheets(book, sheets, content)
        sheet, name = _choose(book, sheets, wanted)
        alike, near, lines = _alike(book, sheets, name, sheet) if sheet else ([], [], {})
    except calamine.PasswordError:
        return {"problem": "password"}, ""
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError, OSError) as error:
        return {"problem": "damaged", "reason": str(error)}, ""
    if sheet is None:
        return {"problem": "sheet" if wanted else "empty", "sheets": sheets}, ""
    written = _written(sheet, content, name)
    about = {"above": written.above, "blank": written.blank, "merged": [written.merged]}
    about |= {"lines": lines, "shown": {n: shown_money(content, n) for n in lines}}
    return {"sheets": sheets, "sheet": name, "alike": alike, "near": near, **about}, written.text


def _written(sheet: calamine.CalamineSheet, content: bytes, name: str) -> WrittenSheet:
    percent, spans = percent_columns(content, name), merged_cells(content, name)
    return sheet_as_csv(sheet, percent, spans, failed_cells(content, name))


def _all_sheets(
    book: calamine.CalamineWorkbook, sheets: list[str], content: bytes
) -> tuple[dict[str, Any], str]:
    """Write every sheet, with a sign between them that no cell holds."""
    written = [_written(book.get_sheet_by_name(name), content, name) for name in sheets]
    places = {"above": [s.above for s in written], "merged": [s.merged for s in written]}
    shown = [shown_money(content, name) for name in sheets]
    known = {"sheets": sheets, "sheet": _ALL, "alike": sheets, "near": [], "shown": shown, **places}
    return known, "\0".join(sheet.text for sheet in written)


def _alike(
    book: calamine.CalamineWorkbook, sheets: list[str], name: str, sheet: calamine.CalamineSheet
) -> tuple[list[str], list[list[str]], dict[str, list[list[str]]]]:
    """List the sheets that have the names of the columns of one of them, this one included.

    In which order they stand does not count, nor do case and signs: "Weight_kg", "weight (kg)".
    The second list has the sheets that differ in one name, with that name and the one in its place.
    Of all of them the first lines follow.
    """
    first = _names_of(_first_rows(sheet)) if 1 < len(sheets) <= _MOST_COMPARED else ()
    if not first or not all(isinstance(cell, str) for cell in first):
        return [], [], {}
    wanted = _letters_of(first)
    found, near, lines = [], [], {}
    for other in sheets:
        rows = _first_rows(book.get_sheet_by_name(other))
        if other == name or any(_letters_of(row) == wanted for row in rows):
            found.append(other)
        elif renamed := next(filter(None, (_renamed(row, first) for row in rows)), None):
            near.append([other, *renamed])
        else:
            continue
        lines[other] = [list(map(str, row)) for row in rows]
    return found if len(found) > 1 else [], near, lines if len(lines) > 1 else {}


def _renamed(row: tuple[Any, ...], names: tuple[Any, ...]) -> tuple[str, str] | None:
    """Return the only cell of a line that is no name of a column, and the name in its place."""
    if len(row) != len(names) or len(names) < _FEWEST_NAMES:
        return None
    differ = [
        (str(cell), str(name))
        for cell, name in zip(row, names, strict=True)
        if _letters_of((cell,)) != _letters_of((name,))
    ]
    return differ[0] if len(differ) == 1 and all(differ[0]) else None


def _letters_of(row: tuple[Any, ...]) -> list[str]:
    return sorted("".join(filter(str.isalnum, str(cell))).casefold() for cell in row)


def _names_of(rows: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the line that may name the columns: the first of several cells.

    Where it has gaps and the next one has none, it groups the columns that the next one names.
    """
    start = next((n for n, row in enumerate(rows) if len(list(filter(None, row))) > 1), len(rows))
    first, below = (*rows[start : start + 2], (), ())[:2]
    groups = not all(first) and all(isinstance(cell, str) and cell for cell in below)
    return below if groups and len(below) >= len(first) else first


def _first_rows(sheet: calamine.CalamineSheet) -> list[tuple[Any, ...]]:
    rows = list(islice(sheet.iter_rows(), _FIRST_LINES))
    return [tuple(row[slice(*_span(row))]) for row in rows]


def _choose(
    book: calamine.CalamineWorkbook, sheets: list[str], wanted: str
) -> tuple[calamine.CalamineSheet | None, str]:
    """Find a sheet by its name or its number; without a wish the first that holds a table.

    If that table is so small or so narrow that it may be a list of explanations, another sheet is
    taken that holds a much larger one.
    """
    if wanted and wanted not in sheets:
        number = int(wanted) if wanted.isdecimal() and len(wanted) < 7 else 0
        if not 1 <= number <= len(sheets):
            return None, ""
        wanted = sheets[number - 1]
    best: tuple[calamine.CalamineSheet | None, str] = (None, "")
    best_fit = 0
    for name in [wanted] if wanted else sheets:
        sheet = book.get_sheet_by_name(name)
        fit = 3 if wanted or _holds_table(sheet) else min(sheet.height, 2)
        if fit > best_fit:
            best, best_fit = (sheet, name), fit
        if best_fit == 3:
            break
    if wanted or best[0] is None:
        return best
    own = _n_cells(best[0])
    if own >= _SMALL and _width(best[0]) > 2:
        return best
    others = [(book.get_sheet_by_name(name), name) for name in sheets if name != best[1]]
    sizes = {name: _n_cells(sheet) for sheet, name in others}
    larger = [other for other in others if sizes[other[1]] >= _MUCH_LARGER * max(own, 1)]
    return _usual_one(larger, sizes) if larger else best


def _usual_one(
    found: list[tuple[calamine.CalamineSheet, str]], sizes: dict[str, int]
) -> tuple[calamine.CalamineSheet, str]:
    """Choose the largest sheet, of several that are about as large one with the usual columns."""
    most = max(sizes[name] for _, name in found)
    large = [each for each in found if 2 * sizes[each[1]] > most]
    letters = {name: tuple(_letters_of(_names_of(_first_rows(sheet)))) for sheet, name in large}
    shared = Counter(letters.values())
    if max(shared.values()) == 1:
        return max(large, key=lambda each: sizes[each[1]])
    return max(large, key=lambda each: shared[letters[each[1]]])


def _n_cells(sheet: calamine.CalamineSheet) -> int:
    """Count the cells of lines that have several."""
    filled = (sum(cell != "" for cell in row) for row in sheet.iter_rows())
    return sum(n_cells for n_cells in filled if n_cells > 1)


def _width(sheet: calamine.CalamineSheet) -> int:
    """Return how many cells a line usually has."""
    lines = sorted(_filled(sheet))
    return lines[len(lines) // 2] if lines else 0


def _holds_table(sheet: calamine.CalamineSheet) -> bool:
    """Whether most lines have several cells, as those of a sheet of explanations do not."""
    lines = _filled(sheet)
    return len(lines) > 2 and 2 * sum(n_cells > 1 for n_cells in lines) > len(lines)


def _filled(sheet: calamine.CalamineSheet) -> list[int]:
    rows = islice(sheet.iter_rows(), _FIRST_LINES)
    return [n_cells for row in rows if (n_cells := sum(cell != "" for cell in row))]


def percent_columns(content: bytes, sheet: str) -> frozenset[int]:
    """Find the columns of a sheet of which all numbers are shown as percent, counted from 0.

    Values say nothing about how they are shown, but people see "88.7%" where .887 stands in the
    file, and save it so as CSV. Only .xlsx and .ods tell; of a file that does not fit, nothing is
    known.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if "content.xml" in packed.namelist():
                return _open_document_percent(packed.read("content.xml"), sheet)
            styles = enumerate(_formats_of_styles(packed.read("xl/styles.xml")))
            percent = {style for style, code in styles if "%" in code}
            if not percent:
                return frozenset()
            cells = _CELL.finditer(packed.read(_sheet_path(packed, sheet)))
    except (zipfile.BadZipFile, KeyError, StopIteration):
        return frozenset()
    shown: dict[bytes, bool] = {}
    for cell in cells:
        said = dict(_SAID.findall(cell.group(1)))
        place = re.match(rb"[A-Z]+", said.get(b"r", b""))
        if place and said.get(b"t", b"n") == b"n" and cell.group(2):
            is_percent = int(said.get(b"s", b"0")) in percent
            shown[place.group()] = shown.get(place.group(), True) and is_percent
    return frozenset(_column_number(place) for place, is_so in shown.items() if is_so)


def _open_document_percent(content: bytes, sheet: str) -> frozenset[int]:
    """Find the same in an OpenDocument file, whose cells say themselves that they are percent."""
    shown: dict[int, bool] = {}
    for row in _open_document_rows(content, sheet):
        place = 0
        for said in (dict(_SAID.findall(cell)) for cell in _ODS_CELL.findall(row)):
            repeated = int(said.get(b"table:number-columns-repeated", b"1"))
            kind = said.get(b"office:value-type", b"")
            if kind in (b"float", b"percentage"):
                for number in range(place, place + min(repeated, _MOST_REPEATED)):
                    shown[number] = shown.get(number, True) and kind == b"percentage"
            place += repeated
    return frozenset(number for number, is_so in shown.items() if is_so)


def merged_cells(content: bytes, sheet: str) -> list[Span]:
    """Find the cells of an OpenDocument sheet that reach over several rows."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            rows = _open_document_rows(packed.read("content.xml"), sheet)
    except (zipfile.BadZipFile, KeyError, StopIteration):
        return []
    found: list[Span] = []
    number = 0
    for row in rows:
        place = 0
        for said in (dict(_SAID.findall(cell)) for cell in _ODS_CELL.findall(row)):
            down = int(said.get(b"table:number-rows-spanned", b"1"))
            if down > 1:
                found.append(((number, place), (number + down - 1, place)))
            place += int(said.get(b"table:number-columns-repeated", b"1"))
        own = dict(_SAID.findall(row.partition(b">")[0]))
        number += int(own.get(b"table:number-rows-repeated", b"1"))
    return found


def _open_document_rows(content: bytes, sheet: str) -> list[bytes]:
    """Return the rows of a sheet as they stand in an OpenDocument file."""
    tables = ((dict(_SAID.findall(said)), rows) for said, rows in _TABLE.findall(content))
    name = b"table:name"
    found = (r for said, r in tables if html.unescape(said.get(name, b"").decode()) == sheet)
    rows: bytes = next(found)
    return rows.split(b"<table:table-row")[1:]


def failed_cells(content: bytes, sheet: str) -> dict[tuple[int, int], str]:
    """Find the cells of an .xlsx sheet whose formulas failed: the reader takes them for empty."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            cells = _FAILED.findall(packed.read(_sheet_path(packed, sheet)))
    except (zipfile.BadZipFile, KeyError, StopIteration):
        return {}
    return {(int(row) - 1, _column_number(place)): text.decode() for place, row, text in cells}


def shown_money(content: bytes, sheet: str) -> list[str]:
    """List how numbers of a sheet are shown, as formats or codes, where these may name money.

    Values say nothing about it: people see "12.50 €" where 12.5 stands in the file.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if "content.xml" in packed.namelist():
                rows = b"".join(_open_document_rows(packed.read("content.xml"), sheet))
                return sorted({code.decode() for code in _ODS_MONEY.findall(rows)})
            codes = _formats_of_styles(packed.read("xl/styles.xml"))
            if not any(map(_MAY_BE_MONEY.search, codes)):
                return []
            cells = _CELL.finditer(packed.read(_sheet_path(packed, sheet)))
    except (zipfile.BadZipFile, KeyError, StopIteration):
        return []
    said = (dict(_SAID.findall(cell.group(1))) for cell in cells if cell.group(2))
    used = {int(one.get(b"s", b"0")) for one in said if one.get(b"t", b"n") == b"n"}
    shown = {code for style, code in enumerate(codes) if style in used}
    return sorted(filter(_MAY_BE_MONEY.search, shown))


def _formats_of_styles(styles: bytes) -> list[str]:
    """List how each style of cells shows a number: the code of its format, where that is known."""
    formats = {9: "0%", 10: "0.00%"}
    for said in (dict(_SAID.findall(found)) for found in _FORMAT.findall(styles)):
        code = html.unescape(said.get(b"formatCode", b"").decode("utf-8", "replace"))
        formats[int(said.get(b"numFmtId", b"0"))] = code
    block = re.search(rb"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", styles, re.S)
    found = _STYLE.findall(block.group()) if block else []
    numbers = [int(dict(_SAID.findall(style)).get(b"numFmtId", b"0")) for style in found]
    return [formats.get(number, "") for number in numbers]


def _sheet_path(packed: zipfile.ZipFile, sheet: str) -> str:
    """Find where a workbook keeps a sheet."""
    sheets = _SHEET.findall(packed.read("xl/workbook.xml"))
    said = (dict(_SAID.findall(found)) for found in sheets)
    named = next(s for s in said if html.unescape(s.get(b"name", b"").decode()) == sheet)
    rel = next(value for name, value in named.items() if name.endswith(b":id"))
    links = _LINK.findall(packed.read("xl/_rels/workbook.xml.rels"))
    linked = (dict(_SAID.findall(found)) for found in links)
    target = next(link[b"Target"].decode() for link in linked if link.get(b"Id") == rel)
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"


def _column_number(place: bytes) -> int:
    """Count the columns from 0.

    >>> _column_number(b"A"), _column_number(b"AB")
    (0, 27)
    """
    return reduce(lambda number, letter: 26 * number + letter - ord("A") + 1, place, 0) - 1


class WrittenSheet(NamedTuple):
    """A sheet as CSV: its text, and what the text does not tell.

    Parameters
    ----------
    above : how many lines of the sheet lie above the text
    blank : which lines are blank inside it: by their numbers, up to some thousands of them
    merged : cells that reach over several lines: the first and the last line of the text, both
        counted from 0, and the column
    """

    text: str
    above: int
    blank: list[int]
    merged: list[tuple[int, int, int]]


def sheet_as_csv(
    sheet: calamine.CalamineSheet,
    percent: frozenset[int] = frozenset(),
    spans: Sequence[Span] = (),
    failed: Mapping[tuple[int, int], str] | None = None,
) -> WrittenSheet:
    """Write the used range; blank rows inside it become blank lines.

    Parameters
    ----------
    percent : the columns whose numbers are shown as percent
    spans : the cells that are merged, where the reader does not tell
    failed : what stands in cells whose formulas failed, by row and column
    """
    lines, failed = [_span(row) for row in sheet.iter_rows()], failed or {}
    used = [line for line in lines if line[1]]
    left = min((line[0] for line in used), default=0)
    right = max((line[1] for line in used), default=0)
    start = sheet.start[1] if sheet.start else 0  # rows are given from the first, columns are not
    as_percent = {number - start for number in percent}
    text = io.StringIO()
    text.write("sep=,\n")
    above = next((number for number, (_, end) in enumerate(lines) if end), 0)
    for number, row in enumerate(sheet.iter_rows()):
        if number >= above:
            cells = (
                failed.get((number, start + n)) or _spell(cell, n in as_percent)
                for n, cell in enumerate(row[:right])
                if n >= left
            )
            text.write(",".join(cells) if lines[number][1] else "")
            text.write("\n")
    blank = [n for n, (_, end) in enumerate(lines, start=1) if not end and n > above]
    # The text begins with a line that names its separator.
    merged = [
        (first - above + 1, last - above + 1, column - start - left)
        for (first, column), (last, _) in sheet.merged_cell_ranges or spans
        if above <= first < last and start + left <= column < start + right
    ]
    return WrittenSheet(text.getvalue(), above, blank[:_MOST_BLANK], merged)


def _span(row: list[Any]) -> tuple[int, int]:
    """Return the first cell that is not empty, and the one after the last; 0, 0 if all are."""
    start = next((n for n, cell in enumerate(row) if cell != ""), 0)
    return start, next((n for n in range(len(row), 0, -1) if row[n - 1] != ""), 0)


def _spell(cell: Any, as_percent: bool) -> str:
    """Write a value the way it would be typed."""
    if isinstance(cell, str):
        # A line of the text is a row of the sheet, so lines within a cell are joined.
        plain = _LINE_END.sub(" ", cell.replace("\0", "").replace('"', '""'))
        return f'"{plain}"' if plain else ""
    if as_percent and isinstance(cell, float | int) and not isinstance(cell, bool):
        return f"{100 * cell:.12g}%"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        return str(cell.date() if cell.time() == time() else cell.replace(microsecond=0))
    if isinstance(cell, timedelta):
        return _duration(cell.total_seconds())
    return str(cell) if isinstance(cell, date | time | int) else ""


def _duration(seconds: float) -> str:
    """Write a duration as hours, minutes and seconds; a negative one as a number of hours."""
    if seconds < 0:
        return repr(seconds / 3600)
    minutes, rest = divmod(round(seconds, 3), 60)
    return f"{int(minutes // 60)}:{int(minutes % 60):02d}:{rest:06.3f}".removesuffix(".000")


if __name__ == "__main__":
    known, csv = answer(sys.stdin.buffer.read(), sys.argv[1])
    sys.stdout.buffer.write(json.dumps(known).encode() + b"\n" + csv.encode("utf-8", "replace"))
