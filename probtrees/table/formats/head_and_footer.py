"""Lines of a delimited text that are no rows: titles, names of columns, units, a line of totals.

What is certain is left out and said. Two lines of names are joined on request only
(``header_lines=2``); ``header_lines=1`` takes the first line as it stands, 0 numbers the columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from probtrees.errors import DataError
from probtrees.table.findings import Finding, Fix, UnreadableTableError
from probtrees.table.formats.arrow import name_columns
from probtrees.table.formats.sniff import (
    DELIMITERS,
    N_RECORDS,
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
from probtrees.table.raw_table import ROW_NAMES
from probtrees.table.readings.spellings import spellings

TAIL = 1 << 15
"""So many bytes at the end of a file are looked at for a line of totals."""

HEAD = 1 << 17
"""So many bytes tell how a file is written, unless its lines are long."""

LONGEST_HEAD = 1 << 26
"""So many bytes must hold the first lines."""

_FEWEST_LINES, _FEWEST_RECORDS = 8, 4
_MOST_ABOVE, _MOST_IN_TITLE = 30, 2
_NAMED_DELIMITER = re.compile(r"sep=(.)[\r\n]*")
_BEHIND_TOTAL = re.compile(r":?(?: .{0,30})?:?")


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
            enough = max(data.count(b"\n"), data.count(b"\r")) >= _FEWEST_LINES
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
    """

    dialect: Dialect
    names: tuple[str, ...]
    written: tuple[str, ...]
    skip_lines: int
    rows: tuple[tuple[str, ...], ...]
    findings: tuple[Finding, ...] = ()

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The columns that the file gives no name, by the one they have here."""
        pairs = zip(self.names, self.written, strict=True)
        return tuple(name for name, written in pairs if not written)

    @cached_property
    def columns(self) -> list[list[str]]:
        """The cells of each column among the first rows that are not missing."""
        return known_cells(self.rows, len(self.names))

    def rows_start(self, data: bytes) -> int:
        """Return the byte of the file at which its first row begins, given its first bytes."""
        return sum(map(len, data.splitlines(keepends=True)[: self.skip_lines]))


def describe_text(
    head: Head, where: str, header_lines: int | None = None, lines_before: int = 0
) -> TextHead:
    """Find from its first bytes, in UTF-8, how a delimited text is written.

    Unless it is said how many lines name the columns, one does, below titles that are left out.
    """
    lines = lines_of(head.data.decode("utf-8-sig", errors="ignore"))
    if not head.complete and len(lines) > 1:
        lines.pop()
    skip = next((number for number, line in enumerate(lines) if line.strip()), 0)
    named = _NAMED_DELIMITER.fullmatch(lines[skip]) if lines else None
    if named and named[1] in DELIMITERS:
        skip += 1
    dialect = sniff_dialect(lines[skip : skip + N_RECORDS], named[1] if named else "")
    text = lines[skip:]
    if dialect.blanks:
        text = lines_of(with_tabs("".join(text), dialect.blanks))
    records = records_of(text, dialect)
    if not records:
        raise DataError(
            f"{where} must hold a table; it is empty. Choose another file, or save it again."
        )
    last, names, findings = _find_names(records, header_lines, skip + lines_before)
    rows = tuple(record.cells for record in records[last + 1 :])
    dialect = replace(dialect, decimal=decimal_mark(rows))
    skip += records[last].next_line if last >= 0 else 0
    found = TextHead(dialect, names, names, skip, rows, findings)
    return _with_names(found, f"line {lines_before + skip} of {where}")


def _find_names(
    records: Sequence[Record], n_lines: int | None, before: int
) -> tuple[int, tuple[str, ...], tuple[Finding, ...]]:
    """Find the last record that is no row (-1: none), names of columns, and what to say."""
    cells = [record.cells for record in records]
    if n_lines == 0:
        return -1, tuple(f"column {n + 1}" for n in range(usual_width(records))), ()
    above = 0 if n_lines == 1 else _title_records(records, n_lines or 1)
    while above and n_lines and any(map(is_any_number, cells[above : above + n_lines][-1])):
        above -= 1  # Of the lines that are asked for none is a row: a title names a group then.
    last = min(above + (n_lines or 1), len(records)) - 1
    names = cells[last]
    for number in range(last - 1, above - 1, -1):
        names = join_names(cells[number], names)
    names = tuple(" ".join(name.split()) for name in names)
    if n_lines is not None or not above:
        return last, names, ()
    words = (
        f"The names of the columns are taken from line {before + records[above].line + 1}; "
        f"what stands above them ({_shown(records[0].filled)}) is left out."
    )
    fixes = (Fix("Begin with the first line", "header_lines", 1),)
    return last, names, (Finding(None, None, words, fixes=fixes, kind="title"),)


def _title_records(records: Sequence[Record], n_lines: int) -> int:
    """Count the records above the names of the columns: they have few cells, or few filled ones.

    The names are the first record as wide as the table, and must look like names; otherwise
    nothing is left out, and what is wrong with the first line is said. Of two lines that are asked
    for the upper one may name groups of columns, with gaps.
    """
    width = usual_width(records)
    if len(records) < _FEWEST_RECORDS or width < 2:
        return 0
    most_filled = 1 if width < 2 * _MOST_IN_TITLE or n_lines > 1 else _MOST_IN_TITLE
    for number, record in enumerate(records[:_MOST_ABOVE]):
        filled = record.filled
        fits = len(record.cells) == width or (number == 0 and len(record.cells) == width - 1)
        # R writes no name above the names of rows: "","x" is no title.
        if fits and (len(filled) > most_filled or all(map(str.strip, record.cells[1:]))):
            n_words = sum(not is_any_number(cell) for cell in filled)
            n_repeated = len(filled) - len(set(filled))
            is_group = n_lines > 1 and n_words == len(filled)
            mostly_words = 2 * n_words >= len(filled) and n_repeated <= len(filled) // 4
            return number if is_group or (mostly_words and len(filled) >= width - 1) else 0
        if len(record.cells) > width:
            return 0
    return 0


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


def _shown(words: Sequence[str]) -> str:
    text = ", ".join(words)
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _with_names(head: TextHead, line: str) -> TextHead:
    """Give every column a name; rows that are one cell longer than their header are understood."""
    names = head.written
    if head.rows and all(len(row) == len(names) + 1 for row in head.rows):
        is_trailing = not any(row[-1].strip() for row in head.rows)
        names = (*names, "") if is_trailing else ("", *names)
    words = f"The first line looks like a row ({_shown(names[:4])}): no line names the columns."
    fixes = (Fix("Number the columns", "header_lines", 0),)
    offer = Finding(None, None, words, "warning", fixes, "no names")
    decimals = (is_any_number(name) and not name.lstrip("+-").isdigit() for name in names)
    if names[0] and any(decimals):
        raise UnreadableTableError(
            f"{line} must hold the names of the columns; it looks like data: "
            f"{', '.join(names[:4])}. Add a first line with names.",
            (offer,),
        )
    given = name_columns(names)
    if not names[0] and len(names) > 1 and ROW_NAMES not in names:
        given = (ROW_NAMES, *given[1:])
    found = replace(head, names=given, written=names)
    return replace(found, findings=(*head.findings, offer)) if _may_be_a_row(found) else found


def _may_be_a_row(head: TextHead) -> bool:
    """Whether the names look like the rows below: every one is a value of its column.

    Numbers above numbers may be values or years, so that at least one text must be there again.
    """
    texts_again = False
    for name, cells in zip(head.written, head.columns, strict=True):
        are_numbers = is_any_number(name) and bool(cells) and all(map(is_any_number, cells))
        if not name or not (are_numbers or name in cells):
            return False
        texts_again = texts_again or not are_numbers
    return texts_again


class Footer(NamedTuple):
    """A line of totals at the end of a text: where it begins in bytes, and its cells."""

    start: int
    cells: tuple[str, ...]

    def finding(self) -> Finding:
        """Say what is left out."""
        first = _shown([next(filter(None, map(str.strip, self.cells)), "")])
        words = f"The last line ({first}) holds totals and is left out."
        return Finding(None, None, words, kind="totals")


def find_footer(tail: bytes, head: TextHead, skip: int) -> Footer | None:
    """Find a line of totals at the end of some text.

    The first text of the last line begins with a word for a total, with few others behind it, and
    stands nowhere else in its column. Lines are skipped above the rows, or where one is cut.
    """
    lines = tail.splitlines(keepends=True)
    decoded = [line.decode("utf-8", errors="replace") for line in lines[skip:]]
    *above, last = records_of(decoded, head.dialect, len(lines) + 1) or [Record((), 0, 0)]
    texts = [(n, c.strip()) for n, c in enumerate(last.cells) if re.search(r"[^\W\d_]|∑", c)]
    if len(head.rows) < _FEWEST_RECORDS or not texts:
        return None
    place, text = texts[0]
    words = (word for word in spellings("total")["total"] if text.casefold().startswith(word))
    if not any(_BEHIND_TOTAL.fullmatch(text.casefold(), len(word)) for word in words):
        return None
    rows = (*head.rows, *(record.cells for record in above))
    others = (row for row in rows if row != last.cells and place < len(row))
    if any(row[place].strip() == text for row in others):
        return None
    return Footer(sum(map(len, lines[: skip + last.line])), last.cells)
