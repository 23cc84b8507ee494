"""Lines between the rows of a table that sum up those above them."""

from __future__ import annotations

import csv
import re
from typing import NamedTuple

from probtrees.table.formats.footer import TAIL, is_total_word
from probtrees.table.formats.sniff import Dialect
from probtrees.table.formats.table_source import TableSource
from probtrees.table.table_report import Finding, Fix
from probtrees.words import plural

_MOST_BYTES = 1 << 25
_BEGINS = re.compile(
    rb"^[ \t,;|\"]*(?:(?:sub|zwischen|sous|teil|grand|gesamt)?[ -]?(?:totale?s?|summen?))[^\n]*$",
    re.I | re.M,
)
_MOST_LINES = 20
_MOST_SHARE = 0.1
"""More lines than this share of all are values that people call totals."""


class Subtotals(NamedTuple):
    """A text without such lines, the numbers of these lines, and what the first of them says."""

    source: TableSource
    lines: tuple[int, ...]
    words: str

    def finding(self) -> Finding:
        """Say what is left out, and how to take it back."""
        one = len(self.lines) == 1
        are_rows = "is no row of the table and is" if one else "are no rows of the table and are"
        return Finding(
            None,
            "totals",
            f"{plural(len(self.lines), 'lines')} between the rows ({self.words!r}) {are_rows} left "
            "out.",
            "Take the totals as written to keep what stands there.",
            "note",
            (Fix("Keep such lines as rows", "as_written", "totals"),),
        )


def leave_out_subtotals(source: TableSource, dialect: Dialect, width: int) -> Subtotals | None:
    """Make lines blank that begin with a word for a total, and leave most of their cells empty.

    None if there are none, or if lines may end inside quotes.
    """
    if source.size > _MOST_BYTES or not _BEGINS.search(source.content()):
        return None
    if source.scan.has_line_end_in_quotes:
        return None
    content = source.content()
    found = [
        (match, cells)
        for match in _BEGINS.finditer(content, _end_of_line(content, dialect.skip_lines + 1))
        if (cells := _cells(match.group(), dialect))
        and 2 * len(cells) <= width
        and is_total_word(cells[0])
    ]
    while found and not _rows_follow(content, found[-1][0].end(), dialect, width):
        found.pop()  # the footer
    if not found or len(found) > max(2, _MOST_SHARE * content.count(b"\n")):
        return None
    starts = [match.start() for match, _ in found]
    lines = (1 + content.count(b"\n", 0, start) + source.lines_before for start in starts)
    ends = [0, *(match.end() for match, _ in found)]
    kept = [content[end:start] for end, start in zip(ends, starts, strict=False)]
    text = b"".join([*kept, content[ends[-1] :]]).decode("utf-8-sig", errors="replace")
    return Subtotals(source.in_utf8(text), tuple(lines), found[0][1][0])


def _rows_follow(content: bytes, end: int, dialect: Dialect, width: int) -> bool:
    """Whether one of the next lines has cells as rows have."""
    return any(
        2 * len(_cells(line, dialect)) > width
        for line in content[end : end + TAIL].splitlines()[:_MOST_LINES]
    )


def _end_of_line(content: bytes, number: int) -> int:
    """Return where a line ends, counted from 1."""
    end = 0
    for _ in range(number):
        end = content.find(b"\n", end) + 1
        if not end:
            return len(content)
    return end


def _cells(line: bytes, dialect: Dialect) -> list[str]:
    """Return the cells of a line that hold something."""
    text = line.decode("utf-8", errors="replace").strip("\r")
    reader = csv.reader([text], delimiter=dialect.delimiter, quotechar=dialect.quote or None)
    return [cell.strip() for cells in reader for cell in cells if cell.strip()]
