"""Lines between the rows of a table that sum up those above them: totals, means, medians."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.footer import TAIL, is_statistic, is_total_word
from probtrees.table.formats.text.sniff import Dialect
from probtrees.table.table_report import Finding, Fix
from probtrees.words import plural

MOST_BYTES = 1 << 25
"""Texts that are larger are taken as they are."""
_SUM = rb"(?:sub|zwischen|sous|teil|grand|gesamt)?[ -]?(?:totale?s?|summen?)"
_WORDS = (
    "sum|somme|suma|razem|ogółem|gesamt|insgesamt|totaal|celkem|average|avg|mean|mittel|"
    "durchschnitt|moyenne|media|média|promedio|gemiddelde|medelvärde|genomsnitt|średnia|průměr|ø|"
    "median|médiane|s.d|sd|std|standa|écart|desviación|odchylenie|deviazione|min|mín|max|máx"
)
_OTHERS = f"{_WORDS}|{_WORDS.title()}|{_WORDS.upper()}".encode()
"""Bytes of letters beyond ASCII have no case, so it is spelled out."""
_BEGINS = re.compile(rb"^[ \t,;|\"]*(?:(%b)|%b)[^\n]*$" % (_SUM, _OTHERS), re.I | re.M)
_AMOUNT = re.compile(r"[<>~≤≥]?\s*[-+−(]?\s*[$€£]?\s*[\d.,]*\d")
_USUALLY = 0.9
_MOST_LINES = 20
_MOST_PLACES = 3
"""Groups are looked for in so many columns."""
_MOST_SHARE = 0.2
"""More lines than this share of all are values that people call totals."""


class Subtotals(NamedTuple):
    """A text without such lines, the numbers of these lines, and what the first of them says."""

    source: TableSource
    lines: tuple[int, ...]
    words: str
    which: str = "between the rows"

    def finding(self) -> Finding:
        """Say what is left out, and how to take it back."""
        one = len(self.lines) == 1
        are_rows = "is no row of the table and is" if one else "are no rows of the table and are"
        lines = f"{plural(len(self.lines), 'lines')} {self.which}"
        return Finding(
            None,
            "totals",
            f"{lines} ({self.words!r}) {are_rows} left out.",
            "Take the totals as written to keep what stands there.",
            "note",
            (Fix("Keep such lines as rows", "as_written", "totals"),),
        )


def leave_out_subtotals(source: TableSource, dialect: Dialect, width: int) -> Subtotals | None:
    """Leave lines out that begin with a word for a total and have few cells, or only numbers.

    None if there are none, or if lines may end inside quotes.
    """
    if source.size > MOST_BYTES or source.scan.has_line_end_in_quotes:
        return None
    content = source.content()
    start = end_of_line(content, dialect.skip_lines + 1)
    found = []
    for match in _BEGINS.finditer(content, start):
        record = _record(match.group(), dialect)
        cells = [cell for cell in record if cell]
        is_sum = match.group(1) and 2 * len(cells) <= width and is_total_word(cells[0])
        if is_sum or (cells and is_statistic(cells[0]) and _sums_up(record, dialect.rows)):
            found.append((match.span(), cells[0]))
    if not any(is_total_word(words) for _, words in found):
        found = []  # Max is a name, where nothing is called a mean
    while found and not _rows_follow(content, found[-1][0][1], dialect, width):
        found.pop()  # the footer
    found = sorted({*found, *_below_groups(content, start, dialect, width)})
    if not found or len(found) > max(2, _MOST_SHARE * content.count(b"\n")):
        return None
    return without_lines(source, [span for span, _ in found], found[0][1])


def _below_groups(
    content: bytes, start: int, dialect: Dialect, width: int
) -> list[tuple[tuple[int, int], str]]:
    """Find lines that sum up a group as spreadsheets do, whatever the word: "London Total".

    The line begins like the one above it and goes on with a word; it has few cells, or only
    numbers. There are two such lines, for two groups, with the same word.
    """
    if 2 * dialect.delimiter.encode() not in content:
        return []  # such lines have empty cells
    mark = re.escape(dialect.delimiter).encode()
    found = []
    for place in range(min(width - 1, _MOST_PLACES)):
        cell = rb'[^\n"%b]' % mark
        above = rb'^(?:%b*"?%b){%d}"?(?P<group>%b+)"?%b[^\n]*\n' % (cell, mark, place, cell, mark)
        below = rb'(?=(%b{%d}"?(?P=group) (?P<word>%b+)"?%b[^\n]*))' % (mark, place, cell, mark)
        for match in re.finditer(above + below, content[start:], re.M):
            record = _record(match.group(2), dialect)
            if _is_sum_of_group(record, dialect.rows, width):
                span = (start + match.start(2), start + match.end(2))
                found.append((span, record[place], match["word"]))
    often = Counter(word for _, _, word in found)
    return [(span, words) for span, words, word in found if often[word] > 1]


def _is_sum_of_group(record: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> bool:
    n_filled = sum(map(bool, record))
    return 1 < n_filled < width and (2 * n_filled <= width or _sums_up(record, rows))


def without_lines(
    source: TableSource,
    spans: Sequence[tuple[int, int]],
    words: str,
    which: str = "between the rows",
) -> Subtotals:
    """Return a text without some lines, which are given by where they begin and end in bytes."""
    content = source.content()
    before = [content.count(b"\n", 0, start) for start, _ in spans]
    lines = tuple(1 + n_above + source.lines_before for n_above in before)
    ends = [0, *(end for _, end in spans)]
    kept = [content[end:start] for end, (start, _) in zip(ends, spans, strict=False)]
    text = b"".join([*kept, content[ends[-1] :]]).decode("utf-8-sig", errors="replace")
    return Subtotals(source.in_utf8(text), lines, words, which)


def _rows_follow(content: bytes, end: int, dialect: Dialect, width: int) -> bool:
    """Whether one of the next lines has cells as rows have."""
    lines = content[end : end + TAIL].splitlines()[:_MOST_LINES]
    filled = ([cell for cell in _record(line, dialect) if cell] for line in lines)
    return any(2 * len(cells) > width and not is_statistic(cells[0]) for cells in filled)


def _sums_up(record: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a line has a name and then only numbers, unlike rows.

    These have texts in some other column, or digits in all their names.
    """
    place = next(n for n, cell in enumerate(record) if cell)
    amounts = [cell for cell in record[place + 1 :] if cell]
    if not amounts or not all(map(_AMOUNT.match, amounts)):
        return False
    plain = [row for row in rows if place < len(row) and not is_statistic(row[place].strip())]
    if all(re.search(r"\d", row[place]) for row in plain):
        return bool(plain)
    texts = (
        sum(n < len(row) and bool(row[n].strip()) and not _AMOUNT.match(row[n]) for row in plain)
        for n in range(place + 1, len(record))
    )
    return any(n_texts >= _USUALLY * len(plain) for n_texts in texts)


def end_of_line(content: bytes, number: int) -> int:
    """Return where a line ends, counted from 1."""
    end = 0
    for _ in range(number):
        end = content.find(b"\n", end) + 1
        if not end:
            return len(content)
    return end


def _record(line: bytes, dialect: Dialect) -> list[str]:
    """Return the cells of a line."""
    text = line.decode("utf-8", errors="replace").strip("\r")
    reader = csv.reader([text], delimiter=dialect.delimiter, quotechar=dialect.quote or None)
    return [cell.strip() for cells in reader for cell in cells]
