"""Several tables in one sheet or text, with blank lines or blank columns between them.

A blank line may also stand inside a table, and a blank column may only be there for the eye. So
which of the tables is meant is asked, never guessed.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from probtrees.errors import DataError
from probtrees.table.cells.spelled_numbers import all_are_numbers
from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.footer import is_total_word
from probtrees.table.formats.text.sniff import Dialect
from probtrees.table.table_report import Finding, Fix

LOOKED_AT = 1 << 22
"""So many bytes of a text are looked at for further tables."""

_MOST_BYTES = 1 << 25
_BLANK_LINE = re.compile(rb"\n[ \t,;|\"]*\r?\n[ \t,;|\"]*[^ \t,;|\"\s]")
_BETWEEN_CELLS = b' \t,;|"'
_FEWEST_ROWS = 2
_FEWEST_COLUMNS = 2
_MOST_IN_TITLE = 3
_MOST_OFFERED = 6
_DEEPEST = 4
_MOST_ROWS = 100

Line = tuple[str, ...]
"""The cells of a record; none where the line is blank."""


class FoundTable(NamedTuple):
    """Where a table lies in a text: its records, its columns, and how it is called.

    ``first`` and ``last`` are lines as people count them, ``columns`` the names of the first ones.
    """

    top: int
    bottom: int
    left: int
    right: int
    first: int = 0
    last: int = 0
    columns: str = ""


class _Text(NamedTuple):
    """The records of a text; ``lines`` are the numbers of their first lines."""

    records: list[Line]
    lines: list[int]

    @classmethod
    def of(cls, text: str, dialect: Dialect) -> _Text:
        lines = io.StringIO(text, newline="")
        reader = csv.reader(lines, delimiter=dialect.delimiter, quotechar=dialect.quote or None)
        found = cls([], [])
        begins = 1
        with suppress(csv.Error):  # a cell is too long for this reader: what came before is seen
            for cells in reader:
                is_blank = not any(cell.strip() for cell in cells)
                found.records.append(() if is_blank else tuple(cells))
                found.lines.append(begins)
                begins = reader.line_num + 1
        return found

    def cell(self, row: int, column: int) -> str:
        cells = self.records[row]
        return cells[column].strip() if column < len(cells) else ""

    def filled(self, row: int, part: FoundTable) -> list[str]:
        """Return the cells of a record that hold something, within a part."""
        cells = (cell.strip() for cell in self.records[row][part.left : part.right])
        return [cell for cell in cells if cell]


def tables_in(source: TableSource, dialect: Dialect) -> tuple[FoundTable, ...]:
    """Find the tables of a text; none unless there are several.

    Only the beginning of a long text is looked at.
    """
    head = source.head(LOOKED_AT)
    if not _BLANK_LINE.search(head, _first_line_end(head)) and not _has_blank_column(dialect):
        return ()
    found = _find(head.decode("utf-8-sig", errors="replace"), dialect)
    return found if len(found) > 1 else ()


def cut_to(source: TableSource, dialect: Dialect, number: int) -> TableSource:
    """Return the text of one table of several, written like the whole; its first number is 1."""
    if source.size > _MOST_BYTES:
        raise DataError(
            f"table={number!r} must be of a text of at most {_MOST_BYTES >> 20} MB; "
            f"{source.where} is larger. Save the table as a file of its own."
        )
    whole = source.content().decode("utf-8-sig", errors="replace")
    tables = _find(whole, dialect)
    if not 1 <= number <= len(tables):
        raise DataError(
            f"table={number!r} must be one of the tables of {source.where}: "
            f"{_how_many(tables, source.lines_before)}. Choose one of these, or none."
        )
    part = tables[number - 1]
    text = _Text.of(whole, dialect)
    file = io.StringIO()
    file.write(f"sep={dialect.delimiter}\n")
    writer = csv.writer(
        file, delimiter=dialect.delimiter, quotechar=dialect.quote or '"', lineterminator="\n"
    )
    for row in range(part.top, part.bottom):
        cells = text.records[row][part.left : part.right]
        if any(cell.strip() for cell in cells):
            padding = part.right - part.left - len(cells)
            writer.writerow((*cells, *padding * ("",)))
        else:
            file.write("\n")
    above = source.lines_before + text.lines[part.top] - 2
    return replace(source.in_utf8(file.getvalue()), lines_before=above)


class JoinedTables(NamedTuple):
    """Tables of the same columns as one text, and the lines of the file that are left out."""

    source: TableSource
    blank_lines: tuple[int, ...]
    finding: Finding


def join_stacked(source: TableSource, dialect: Dialect) -> JoinedTables | None:
    """Leave out lines that name the columns again, and what stands between a table and the next.

    That are blank lines, titles of one cell, totals of the table above, and units below the names.
    Lines left out become blank ones, so that rows keep their lines. None if the names stand there
    once.
    """
    if source.size > _MOST_BYTES or not _names_again(source.content(), dialect):
        return None
    text = _Text.of(source.content().decode("utf-8-sig", errors="replace"), dialect)
    names = tuple(name.strip() for name in dialect.names)
    at = [n for n, record in enumerate(text.records) if _trim(record) == names]
    repeated = at[1:]
    skipped = {row for again in repeated for row in _between(text, again, at[0])}
    skipped.update(row for again in repeated for row in _described_again(text, again, dialect))
    if not repeated:
        return None
    file = io.StringIO()
    writer = csv.writer(
        file, delimiter=dialect.delimiter, quotechar=dialect.quote or '"', lineterminator="\n"
    )
    for row, record in enumerate(text.records):
        if record and row not in skipped:
            writer.writerow(record)
        else:
            file.write("\n")
    blank = (n for n, record in enumerate(text.records) if n in skipped or not record)
    lines = tuple(text.lines[row] + source.lines_before for row in blank)
    places = [text.lines[row] + source.lines_before for row in repeated]
    return JoinedTables(source.in_utf8(file.getvalue()), lines, _stacked_finding(places))


def _names_again(content: bytes, dialect: Dialect) -> bool:
    """Whether the line of names stands there more than once, as a quick look tells."""
    end = 0
    filled = []
    for _ in range(dialect.skip_lines + 1):
        start, end = end, content.find(b"\n", end) + 1
        if not end:
            return False
        line = content[start:end].removeprefix(codecs.BOM_UTF8).strip()
        filled += [line] if line.strip(_BETWEEN_CELLS) else []
    # Lines that describe the columns stand below their names.
    names = filled[-1 - len(dialect.described) :][:1]
    return any(len(n) > _FEWEST_COLUMNS and content.find(b"\n" + n, end - 1) >= 0 for n in names)


def _described_again(text: _Text, names: int, dialect: Dialect) -> list[int]:
    """Return the lines of units that stand below names, as they do below the first ones."""
    below = [row for row in range(names + 1, len(text.records)) if text.records[row]]
    found = []
    for row, line in zip(below, dialect.described, strict=False):
        if _trim(text.records[row]) != _trim(line):
            break
        found.append(row)
    return found


def _trim(record: Line) -> Line:
    return tuple(cell.strip() for cell in record)


def _between(text: _Text, names: int, first: int) -> range:
    """Return the lines from the end of the table above to the names, these included."""
    row = names - 1
    n_titles = 0
    while row > first:
        filled = [cell.strip() for cell in text.records[row] if cell.strip()]
        n_titles += len(filled) == 1
        is_total = bool(filled) and is_total_word(filled[0])
        if (len(filled) > 1 and not is_total) or n_titles > _MOST_IN_TITLE:
            break
        row -= 1
    return range(row + 1, names + 1)


def _stacked_finding(lines: Sequence[int]) -> Finding:
    shown = ", ".join(f"{line:,}" for line in lines[:_MOST_OFFERED])
    more = ", ..." if len(lines) > _MOST_OFFERED else ""
    where = f"line {shown}" if len(lines) == 1 else f"lines {shown}{more}"
    return Finding(
        None,
        "stacked",
        f"The names of the columns stand there again in {where}: tables of the same columns are "
        "read as one, without what stands between them.",
        "Take names as written if these lines are rows.",
        "note",
        (Fix("Keep all lines as rows", "as_written", "names"),),
    )


def tables_finding(tables: Sequence[FoundTable], lines_before: int) -> Finding:
    """Offer to read one of several tables."""
    offered = enumerate(tables[:_MOST_OFFERED], start=1)
    return Finding(
        None,
        "tables",
        f"There seem to be several tables: {_how_many(tables, lines_before)}.",
        "Choose one of them by its number; otherwise all are read as one.",
        "warning",
        tuple(Fix(f"Read table {number} only", "table", number) for number, _ in offered),
    )


def _how_many(tables: Sequence[FoundTable], lines_before: int) -> str:
    if len(tables) < 2:
        return "it has only one"
    shown = [
        f"{number} (lines {table.first + lines_before:,} to {table.last + lines_before:,}: "
        f"{table.columns})"
        for number, table in enumerate(tables[:_MOST_OFFERED], start=1)
    ]
    more = len(tables) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _first_line_end(head: bytes) -> int:
    """Return where the first line that holds something ends."""
    found = re.compile(rb"[^\s,;|\"][^\n]*").search(head)
    return found.end() if found else len(head)


def _has_blank_column(dialect: Dialect) -> bool:
    """Whether a column without a name and without cells stands between others."""
    names = [name.strip() for name in dialect.names]
    inner = range(_FEWEST_COLUMNS, len(names) - _FEWEST_COLUMNS)
    return any(not names[n] and not dialect.cells(n) for n in inner)


def _find(content: str, dialect: Dialect) -> tuple[FoundTable, ...]:
    text = _Text.of(content, dialect)
    width = max(map(len, text.records), default=0)
    begin = 1 if text.records and text.records[0] and _names_separator(text.records[0]) else 0
    whole = FoundTable(begin, len(text.records), 0, width)
    return tuple(_described(part, text) for part in _split(text, whole))


def _names_separator(record: Line) -> bool:
    return record[0].startswith("sep=")


def _described(part: FoundTable, text: _Text) -> FoundTable:
    """Add to a part how people call it."""
    names = text.filled(part.top + _title_lines(text, part), part)
    columns = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
    return part._replace(
        first=text.lines[part.top], last=text.lines[part.bottom - 1], columns=columns
    )


def _split(text: _Text, part: FoundTable, depth: int = 0) -> list[FoundTable]:
    """Cut a part at blank lines and blank columns, as long as each piece is a table."""
    trimmed = _trimmed(text, part)
    if trimmed is None:
        return []
    for cut in (_at_blank_lines, _at_blank_columns) if depth < _DEEPEST else ():
        pieces = cut(text, trimmed)
        if len(pieces) > 1:
            return [found for piece in pieces for found in _split(text, piece, depth + 1)]
    return [trimmed]


def _trimmed(text: _Text, part: FoundTable) -> FoundTable | None:
    """Leave out blank lines and columns around a part."""
    rows = [row for row in range(part.top, part.bottom) if text.filled(row, part)]
    if not rows:
        return None
    part = part._replace(top=rows[0], bottom=rows[-1] + 1)
    used = [n for n in range(part.left, part.right) if any(text.cell(row, n) for row in rows)]
    return part._replace(left=used[0], right=used[-1] + 1)


def _at_blank_lines(text: _Text, part: FoundTable) -> list[FoundTable]:
    """Cut before every run of lines that begins with names; other runs join the one above."""
    runs: list[FoundTable] = []
    previous_blank = True
    for row in range(part.top, part.bottom):
        is_blank = not text.filled(row, part)
        if not is_blank and previous_blank:
            runs.append(part._replace(top=row, bottom=row + 1))
        elif not is_blank:
            runs[-1] = runs[-1]._replace(bottom=row + 1)
        previous_blank = is_blank
    pieces: list[FoundTable] = []
    held: FoundTable | None = None  # a title waits for the table below it
    for run in runs:
        whole = run if held is None else run._replace(top=held.top)
        if _is_table(text, whole, pieces[-1] if pieces else None):
            pieces.append(whole)
            held = None
        elif not pieces or _is_title(text, run):
            held = whole
        else:
            pieces[-1] = pieces[-1]._replace(bottom=run.bottom)
            held = None
    if held is not None and pieces:
        pieces[-1] = pieces[-1]._replace(bottom=held.bottom)
    if pieces:
        pieces[0] = pieces[0]._replace(top=part.top)
    return pieces


def _at_blank_columns(text: _Text, part: FoundTable) -> list[FoundTable]:
    """Cut at columns without a cell, if there are tables on both sides."""
    rows = range(part.top, part.bottom)
    pieces = []
    left = part.left
    for column in range(part.left, part.right + 1):
        if column < part.right and any(text.cell(row, column) for row in rows):
            continue
        if column > left:
            pieces.append(part._replace(left=left, right=column))
        left = column + 1
    trimmed = [_trimmed(text, piece) for piece in pieces]
    if all(piece is not None and _is_table(text, piece, None) for piece in trimmed):
        return pieces
    return [part]


def _is_title(text: _Text, run: FoundTable) -> bool:
    """Whether a run of lines is a title: few lines of one cell."""
    rows = range(run.top, run.bottom)
    return len(rows) <= _MOST_IN_TITLE and all(len(text.filled(row, run)) == 1 for row in rows)


def _title_lines(text: _Text, part: FoundTable) -> int:
    """Count the lines above the names: blank ones, and those of a single cell."""
    rows = range(part.top, part.bottom)
    return next((n for n, row in enumerate(rows) if len(text.filled(row, part)) > 1), 0)


def _is_table(text: _Text, part: FoundTable, above: FoundTable | None) -> bool:
    """Whether a part has names and rows of its own.

    Below another table it must also differ from rows of that one: its names are words above
    numbers, are those of the other again, or name another number of columns.
    """
    begin = part.top + _title_lines(text, part)
    names = text.filled(begin, part)
    rows = [row for row in range(begin + 1, part.bottom) if text.filled(row, part)]
    are_names = len(names) >= _FEWEST_COLUMNS and len(set(names)) == len(names)
    if len(rows) < _FEWEST_ROWS or not are_names or any(_are_numbers([name]) for name in names):
        return False
    if above is None:
        return True
    names_above = text.filled(above.top + _title_lines(text, above), above)
    columns = [
        [cell for row in rows[:_MOST_ROWS] if (cell := text.cell(row, column))]
        for column in range(part.left, part.right)
    ]
    differ = len(names) != len(names_above) or any(map(_are_numbers, columns))
    return differ or names == names_above


def _are_numbers(cells: Sequence[str]) -> bool:
    return bool(cells) and (all_are_numbers(cells) or all_are_numbers(cells, ","))
