"""Lines of a delimited text that are no rows: titles, names of columns, units, a line of totals.

What is certain is left out and said. Two lines of names are joined on request only
(``header_lines=2``); ``header_lines=1`` takes the first line as it stands, 0 numbers the columns.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.table.findings import Finding, Fix, UnreadableTableError
from probtrees.table.formats.arrow import check_names
from probtrees.table.formats.sniff import (
    DELIMITERS,
    N_RECORDS,
    DecimalMark,
    Dialect,
    Record,
    decimal_mark,
    is_any_number,
    known_cells,
    lines_of,
    records_of,
    sniff_dialect,
    usual_width,
    with_tabs,
)
from probtrees.table.raw_table import Numbers, RawColumn
from probtrees.table.readings.units import unit_named

ROW_NAMES = "row names"
"""What the first column is called where R wrote it without a name."""

TAIL = 1 << 15
"""So many bytes at the end of a file are looked at for lines that are no rows."""

HEAD = 1 << 17
"""So many bytes tell how a file is written, unless its lines are long."""

LONGEST_HEAD = 1 << 26
"""So many bytes must hold the first lines."""

_LINES = 8
_MOST_ABOVE = 30
_FEWEST_RECORDS, _FEWEST_COLUMNS = 4, 3
_MOST_BELOW = 12
_MOST_IN_TITLE = 2
_LONGEST_SHOWN = 40
_NAMED_DELIMITER = re.compile(r"sep=(.)")
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)")
_TOTAL = re.compile(
    r"((grand|sub|sous|gesamt)?[ -]?totals?|sum|summe|(end|gesamt|zwischen|teil)summe|gesamt|"
    r"gesamtergebnis|insgesamt|average|avg\.?|ø|mean|mittelwert|durchschnitt|somme|suma|"
    r"(sub)?total(e|es|i|en|t|er)?|totaal|gemiddelde|moyenne|ensemble|media|promedio|média|razem|"
    r"ogółem|celkem|summa|genomsnitt|i alt|yhteensä|összesen|(genel )?toplam|итого|всего|σύνολο|"
    r"∑|合計|合计|总计|總計|합계)(:? .{0,30})?:?",
    re.I,
)


class Head(NamedTuple):
    """The first bytes of a file; ``complete`` says that these are all."""

    data: bytes
    complete: bool

    @classmethod
    def of(cls, first_bytes: Callable[[int], bytes]) -> Head:
        """Read as much as tells how a file is written: some whole lines, however long they are."""
        size = HEAD
        while True:
            data = first_bytes(size)
            enough = max(data.count(b"\n"), data.count(b"\r")) >= _LINES
            if len(data) < size or enough or size >= LONGEST_HEAD:
                return cls(data, len(data) < size)
            size <<= 3


@dataclass(frozen=True)
class TextHead:
    """How a delimited text is written, and where its rows begin.

    Attributes
    ----------
    dialect : what parts its cells
    names : its columns, each named once
    written : the cells of the line of names; empty where a column has none
    skip_lines : lines before the first row
    rows : the cells of the first rows
    findings : what was decided about the lines above, and what may be done about it
    open_columns : numbers of columns whose decimal commas might group thousands
    """

    dialect: Dialect
    names: tuple[str, ...]
    written: tuple[str, ...]
    skip_lines: int
    rows: tuple[tuple[str, ...], ...]
    findings: tuple[Finding, ...] = ()
    open_columns: tuple[int, ...] = ()

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The columns that the file gives no name, by the one they have here."""
        pairs = zip(self.names, self.written, strict=True)
        return tuple(name for name, written in pairs if not written)

    def cells(self, number: int) -> list[str]:
        """Return the cells of a column among the first rows that are not missing."""
        return known_cells(self.rows, number)

    def rows_start(self, data: bytes) -> int:
        """Return the byte of the file at which its first row begins, given its first bytes."""
        start = 0
        for _ in range(self.skip_lines):
            line = _LINE.match(data, start)
            start = len(data) if line is None else line.end()
        return start


def describe_text(
    head: Head, where: str, header_lines: int | None = None, lines_before: int = 0
) -> TextHead:
    """Find from its first bytes, in UTF-8, how a delimited text is written.

    Parameters
    ----------
    header_lines : how many lines name the columns; None: one, below titles that are left out
    lines_before : how many lines people see above the first one
    """
    lines = lines_of(head.data.decode("utf-8-sig", errors="ignore"))
    if not head.complete and len(lines) > 1:
        lines.pop()
    skip = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    named = _NAMED_DELIMITER.fullmatch(lines[skip].strip("\r\n")) if skip < len(lines) else None
    if named and named.group(1) in DELIMITERS:
        skip += 1
    dialect = sniff_dialect(lines[skip : skip + N_RECORDS])
    if named and skip:
        dialect = replace(dialect, delimiter=named.group(1), blanks=0)
    text = lines[skip:]
    if dialect.blanks:
        text = lines_of(with_tabs("".join(text), dialect.blanks))
    records = records_of(text, dialect)
    if not records:
        raise DataError(
            f"{where} must hold a table; it is empty. Choose another file, or save it again."
        )
    found = _find_names(records, header_lines, skip + lines_before)
    rows = tuple(record.cells for record in records[found.last + 1 :])
    mark = decimal_mark(rows, dialect.delimiter)
    begins = records[found.last].next_line if found.last >= 0 else 0
    described = TextHead(
        replace(dialect, decimal=mark.mark), found.names, found.names, skip + begins, rows
    )
    return _named(described, mark, found.findings, where, lines_before)


class _Names(NamedTuple):
    """The last record that is no row (-1: none), the names of the columns, and what to say."""

    last: int
    names: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def _find_names(records: Sequence[Record], n_lines: int | None, before: int) -> _Names:
    """Name the columns by as many lines as are asked for; by default leave out what is no row."""
    cells = [record.cells for record in records]
    if n_lines == 0:
        return _Names(-1, tuple(f"column {n + 1}" for n in range(usual_width(records))))
    if n_lines == 1:
        return _Names(0, _tidied(cells[0]))
    above = _title_records(records, n_lines)
    if n_lines is not None:
        last = min(above + n_lines, len(records)) - 1
        names = cells[last]
        for number in range(last - 1, above - 1, -1):
            names = join_names(cells[number], names)
        return _Names(last, _tidied(names))
    findings: tuple[Finding, ...] = ()
    if above:
        findings += (_title_finding(records[0].filled, before + records[above].line + 1),)
    last = above
    if _are_units(cells[above + 1 :]):
        findings += (_units_finding(records[above + 1].filled),)
        last += 1
    elif above + 1 < len(cells):
        findings += _two_lines(cells[above], cells[above + 1])
    return _Names(last, _tidied(cells[above]), findings)


def _tidied(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(cell.split()) for cell in cells)


def _title_records(records: Sequence[Record], n_lines: int | None) -> int:
    """Count the records above the names of the columns: they have few cells, or few filled ones.

    The names are the first record as wide as the table, and must look like names; otherwise
    nothing is left out, and what is wrong with the first line is said. Of two lines that are asked
    for the upper one may name groups of columns, with gaps.
    """
    width = usual_width(records)
    if len(records) < _FEWEST_RECORDS or width < 2:
        return 0
    most_filled = 1 if width < 2 * _MOST_IN_TITLE or (n_lines or 1) > 1 else _MOST_IN_TITLE
    for number, record in enumerate(records[:_MOST_ABOVE]):
        filled = record.filled
        fits = len(record.cells) == width or (number == 0 and len(record.cells) == width - 1)
        if fits and len(filled) > most_filled:
            is_group = n_lines is not None and not any(map(is_any_number, filled))
            return number if number and (is_group or _are_names(filled, width)) else 0
        if len(record.cells) > width:
            return 0
    return 0


def _are_names(cells: Sequence[str], width: int) -> bool:
    """Whether cells can name the columns: nearly all filled and different, mostly words."""
    n_words = sum(not is_any_number(cell) for cell in cells)
    n_repeated = len(cells) - len(set(cells))
    mostly_words = 2 * n_words >= len(cells) and n_repeated <= len(cells) // 4
    return mostly_words and len(cells) >= width - 1


def join_names(groups: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Put the group before each name; a group reaches over the empty cells to its right.

    A group above an empty cell is a name of its own and reaches no further.

    >>> join_names(["id", "Blood", "", "Age"], ["", "Na", "K", "age"])
    ('id', 'Blood Na', 'Blood K', 'Age')
    """
    joined, reaching = [], ""
    for group, name in zip_longest(map(str.strip, groups), map(str.strip, names), fillvalue=""):
        reaching = group or reaching
        same = reaching.casefold() == name.casefold()
        joined.append(reaching if same else f"{reaching} {name}".strip() if name else group)
        if not name:
            reaching = ""
    return tuple(joined)


def _are_units(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the line below the names holds nothing but units, one of them above numbers.

    >>> rows = [["a", "71", "0.2"], ["b", "64", "0.1"], ["c", "80", ""]]
    >>> _are_units([["", "kg", "mg/L"], *rows]), _are_units([["m", "kg", "tall"], *rows])
    (True, False)
    """
    if len(rows) < _FEWEST_RECORDS:
        return False
    units = {n: cell.strip() for n, cell in enumerate(rows[0]) if cell.strip()}
    if len(units) < 2 or not all(unit_named(unit.strip("[]()")) for unit in units.values()):
        return False
    below = {n: known_cells(rows[1:], n) for n in units}
    is_value = any(units[n] in cells for n, cells in below.items())
    return not is_value and any(
        cells and all(map(is_any_number, cells)) for cells in below.values()
    )


def _shown(words: Sequence[str]) -> str:
    text = ", ".join(words)
    return repr(text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "...")


def _title_finding(title: Sequence[str], line: int) -> Finding:
    return Finding(
        None,
        None,
        f"The names of the columns are taken from line {line}; what stands above them "
        f"({_shown(title)}) is left out.",
        "Set the number of header lines to 1 if the table begins with the first line.",
        fixes=(Fix("Begin with the first line", "header_lines", 1),),
        kind="title",
    )


def _units_finding(units: Sequence[str]) -> Finding:
    return Finding(
        None,
        None,
        f"The line below the names of the columns ({_shown(units)}) holds units and is left out.",
        "Set the number of header lines to 2 to join it to the names, or to 1 to keep it as a row.",
        fixes=(Fix("Join it to the names", "header_lines", 2),),
        kind="units",
    )


def _two_lines(names: Sequence[str], row: Sequence[str]) -> tuple[Finding, ...]:
    """Offer to join two lines where the upper one has gaps that the lower one, of words, fills.

    A first cell alone may be empty: R writes no name above the names of rows.
    """
    gaps = [n for n, name in enumerate(names) if n and not name.strip()]
    if not gaps or any(n >= len(row) or not row[n].strip() for n in gaps):
        return ()
    joined = join_names(names, row)
    if any(map(is_any_number, map(str.strip, row))) or len(set(joined)) < len(joined):
        return ()
    return (
        Finding(
            None,
            None,
            f"The names of the columns seem to stand in two lines, as in {joined[gaps[0]]!r}.",
            "Set the number of header lines to 2 to join them, if that is so.",
            "warning",
            (Fix("Join the two lines of names", "header_lines", 2),),
            "header lines",
        ),
    )


def _named(
    head: TextHead,
    mark: DecimalMark,
    findings: tuple[Finding, ...],
    where: str,
    lines_before: int,
) -> TextHead:
    """Give every column a name; rows that are one cell longer than their header are understood."""
    names = head.written
    if head.rows and all(len(row) == len(names) + 1 for row in head.rows):
        is_trailing = not any(row[-1].strip() for row in head.rows)
        names = (*names, "") if is_trailing else ("", *names)
    if any(is_any_number(name) and not name.lstrip("+-").isdigit() for name in names):
        raise UnreadableTableError(
            f"line {lines_before + head.skip_lines} of {where} must hold the names of the columns; "
            f"it looks like data: {', '.join(names[:4])}. Add a first line with names.",
            (_no_names_finding(names),),
        )
    if _may_be_a_row(names, head):
        findings += (_no_names_finding(names),)
    given = rename_repeated(names)
    findings += _repeated_findings(names, given)
    first = ROW_NAMES if names[0] == "" and len(names) > 1 and ROW_NAMES not in names else given[0]
    checked = check_names((first, *given[1:]), where)
    findings += tuple(_comma_finding(checked[n], head.cells(n)) for n in mark.open_columns)
    return replace(
        head, names=checked, written=names, findings=findings, open_columns=mark.open_columns
    )


def rename_repeated(names: Sequence[str]) -> tuple[str, ...]:
    """Give names that occur more than once a number each.

    >>> rename_repeated(["age", "dose", "age", "age"])
    ('age', 'dose', 'age (2)', 'age (3)')
    """
    given, taken, renamed = set(names), set[str](), []
    for name in names:
        number, new = 2, name
        while name and (new in taken or (new != name and new in given)):
            new, number = f"{name} ({number})", number + 1
        taken.add(new)
        renamed.append(new)
    return tuple(renamed)


def _repeated_findings(written: Sequence[str], names: Sequence[str]) -> tuple[Finding, ...]:
    """Report columns that share their name with one before them."""
    return tuple(
        Finding(
            name,
            None,
            f"Several columns are named {old!r}; this one is called {name!r} here.",
            "Give every column a name of its own to be sure which is which.",
            "warning",
            (Fix("Ignore this column", "role", "ignore", name),),
            "repeated name",
        )
        for old, name in zip(written, names, strict=True)
        if old != name
    )


def _may_be_a_row(names: Sequence[str], head: TextHead) -> bool:
    """Whether a line of names looks like the rows below: every name is a value of its column.

    Numbers above numbers may be values or years, so that at least one text must be there again.
    """
    if not all(names) or not head.rows:
        return False
    columns = [head.cells(number) for number in range(len(names))]
    again = [name in cells for name, cells in zip(names, columns, strict=True)]
    numbers = [
        is_any_number(name) and bool(cells) and all(map(is_any_number, cells))
        for name, cells in zip(names, columns, strict=True)
    ]
    texts = (found and not number for found, number in zip(again, numbers, strict=True))
    return any(texts) and all(map(max, again, numbers))


def _no_names_finding(first: Sequence[str]) -> Finding:
    return Finding(
        None,
        None,
        f"The first line looks like a row ({_shown(first[:4])}): no line seems to name the "
        "columns.",
        "Set the number of header lines to 0 to number them, if that is so.",
        "warning",
        (Fix("Number the columns", "header_lines", 0),),
        "no names",
    )


def _comma_finding(name: str, cells: Sequence[str]) -> Finding:
    """Ask whether commas before three digits are decimal marks, which nothing else tells."""
    cell = next((cell for cell in cells if "," in cell), "1,234")
    return Finding(
        name,
        "order",
        f"Numbers are written with a decimal comma: {cell!r} in column {name!r} is "
        f"{cell.replace(',', '.')}, though nothing else in the file tells whether commas group "
        "thousands.",
        "Set its type to 'thousands' if they do.",
        "warning",
        (Fix(f"Thousands: {cell} is {cell.replace(',', '')}", "type", "thousands", name),),
        "decimal comma",
    )


def settle_unnamed(columns: dict[str, RawColumn], unnamed: Sequence[str]) -> tuple[Finding, ...]:
    """Leave out nameless columns that are empty or count the rows; say what others are called."""
    findings: tuple[Finding, ...] = ()
    for name in unnamed:
        column = columns.get(name)
        if column is None:
            continue
        if bool(column.missing.all()):
            words = f"The {name} has neither a name nor a value and is left out."
            del columns[name]
        elif name == ROW_NAMES and _counts_rows(column):
            words = "The first column has no name and counts the rows; it is left out."
            del columns[name]
        else:
            words = f"A column without a name is called {name!r} here."
        findings += (Finding(None, None, words, kind="unnamed"),)
    return findings


def _counts_rows(column: RawColumn) -> bool:
    """Whether numbers count the rows from 0 or 1; some rows may be left out, as by a filter."""
    if not isinstance(column, Numbers) or not len(column.values):
        return False
    first = column.values[0]
    return first in (0, 1) and bool((np.diff(column.values) == 1).all())


class Footer(NamedTuple):
    """Lines at the end of a text: where they begin in bytes, what the first says, how many."""

    start: int
    words: str
    n_lines: int

    def finding(self) -> Finding:
        """Say what is left out."""
        one = self.n_lines == 1
        lines = "line" if one else f"{self.n_lines} lines"
        are_rows = "is no row of the table and is" if one else "are no rows of the table and are"
        return Finding(
            None,
            None,
            f"The last {lines} ({_shown([self.words])}) {are_rows} left out.",
            kind="totals",
        )


def find_footer(tail: bytes, head: TextHead, skip: int) -> Footer | None:
    """Find lines at the end of some text that are no rows.

    The last lines are looked at, from below: one whose first text calls it a total, which stands
    nowhere else in its column; one that ends long before all others do; or a single text below a
    blank line.

    Parameters
    ----------
    tail : the last bytes, in UTF-8
    skip : how many lines of these are not looked at: those above the rows, or one that is cut
    """
    if len(head.rows) < _FEWEST_RECORDS or head.dialect.blanks:
        return None
    lines = tail.splitlines(keepends=True)
    decoded = (line.decode("utf-8", errors="replace") for line in lines[skip:])
    quote, delimiter = head.dialect.quote, head.dialect.delimiter
    records: list[Record] = []
    with suppress(csv.Error):  # a cell is too long for this reader
        reader = csv.reader(decoded, delimiter=delimiter, quotechar=quote)
        before = 0
        for cells in reader:
            if any(map(str.strip, cells)):
                records.append(Record(tuple(cells), before, reader.line_num))
            before = reader.line_num
    n_rows = len(records)
    while n_rows > 1 and len(records) - n_rows < _MOST_BELOW:
        if not _is_footer(records, n_rows - 1, head):
            break
        n_rows -= 1
    n_lines = len(records) - n_rows
    if n_lines == 0 or len(head.rows) < n_lines + 2:
        return None
    begins = records[n_rows]
    start = sum(map(len, lines[: skip + begins.line]))
    return Footer(start, begins.filled[0], n_lines)


def _is_footer(records: Sequence[Record], number: int, head: TextHead) -> bool:
    """Whether a record is no row, given those above it."""
    record, above = records[number], records[number - 1]
    width = len(head.names)
    filled = [(n, cell.strip()) for n, cell in enumerate(record.cells) if cell.strip()]
    texts = [(n, text) for n, text in filled if re.search(r"[^\W\d_]|∑", text)]
    if texts:
        place, text = texts[0]
        column = (r.cells[place].strip() for r in records[:number] if place < len(r.cells))
        if _TOTAL.fullmatch(text):
            first = (row for row in head.rows if row != record.cells)
            return text not in column and text not in known_cells(list(first), place)
    if width < _FEWEST_COLUMNS:
        return False
    if 2 * len(record.cells) <= width:
        return True
    return len(filled) == 1 and bool(texts) and record.line > above.next_line
