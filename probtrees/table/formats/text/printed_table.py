"""Texts that are printed tables: cells between bars and rules, columns of blanks, rows in quotes.

Databases, SAP and Markdown draw tables with bars and rules; older programs and R write every
column at its place, or one blank between cells; a spreadsheet that took a row for one cell saves
it in quotes. All of them become text with tabs, which is then read like any other.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.printed_pages import (
    Row,
    places_of,
    rows_of_pages,
    with_whole_words,
)
from probtrees.table.formats.text.sniff import DELIMITERS
from probtrees.table.table_report import Finding, Fix
from probtrees.words import plural

_HEAD = 1 << 16
_BARS = "|│║"
_STROKES = "-=─━═"
_RULE = re.compile(rf"[\s{_BARS}+:{re.escape(_STROKES)}┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╟╢╪]{{3,}}")
_MOST_ABOVE = 12
"""A rule stands among so many lines from the top, or the table is not drawn with any."""
_FEWEST_LINES, _FEWEST_IN_BLANKS = 4, 8
_ALIKE = 0.9
"""Share of the lines that must be written alike."""
_MOST_AROUND = 6
"""Parts of a text above a table of blanks, or below it, that may be something else."""
_MOST_BYTES = 1 << 26
_ROW_IN_QUOTES = re.compile(r'"((?:[^"]|"")*)"[;,]*')


class PrintedTable(NamedTuple):
    """A table with tabs between its cells, and what was done about the text.

    Attributes
    ----------
    dropped : the lines of the file, counted from 1, that are no rows though they follow the names
    """

    source: TableSource
    dropped: tuple[int, ...]
    finding: Finding


def printed_table(source: TableSource, n_columns: int) -> PrintedTable | None:
    """Find the cells of a printed table; None if the text is something else.

    Parameters
    ----------
    n_columns : that were found in it as it is; blanks part cells only where nothing else does
    """
    if source.size > _MOST_BYTES:
        return None
    head = source.head(_HEAD).decode("utf-8-sig", errors="ignore").splitlines()
    if source.size > _HEAD:
        head = head[:-1]
    for looks_so, rows_of, words in (
        (_is_drawn, _drawn_rows, "It is drawn with bars and rules, between which the cells stand."),
        (_is_in_quotes, _quoted_rows, "Every row stands in quotes, which are taken away."),
    ):
        if looks_so(head):
            return _with_tabs(source, rows_of(_lines(source)), words)
    if n_columns > 1 or any("\t" in line for line in head):
        return None
    lines = _lines(source)
    words = "Its columns are parted by blanks."
    rows = rows_of_pages(lines)
    if not rows:
        ways = (_parted_rows(lines), _placed_rows(lines))
        rows = max(ways, key=lambda way: len(way[0][1]) if way else 0)
    else:
        n_left = sum(bool(line.strip()) for line in lines) - len(rows)
        words += f" {plural(n_left, 'lines')} of page heads, names and sums are left out."
    return _with_tabs(source, rows, words) if rows else None


def _lines(source: TableSource) -> list[str]:
    return source.content().decode("utf-8-sig", errors="replace").splitlines()


def _with_tabs(source: TableSource, rows: Iterable[Row], words: str) -> PrintedTable:
    file = io.StringIO()
    writer = csv.writer(file, delimiter="\t", lineterminator="\n")
    kept = []
    for number, cells in rows:
        kept.append(number)
        writer.writerow(cells)
    first, last = (kept[0], kept[-1]) if kept else (0, 0)
    dropped = sorted(set(range(first, last)).difference(kept))
    before = source.lines_before + first
    finding = Finding(
        None,
        "printed",
        f"The text is a printed table. {words}",
        "Take the layout as written if that is wrong.",
        fixes=(Fix("Read the lines as they are", "as_written", "layout"),),
    )
    return PrintedTable(
        replace(source.in_utf8(file.getvalue()), lines_before=before),
        tuple(source.lines_before + number + 1 for number in dropped),
        finding,
    )


def _is_rule(line: str) -> bool:
    """Whether a line is drawn.

    >>> [_is_rule(line) for line in ("+----+---+", "|:---|---:|", "-5", " a | b ")]
    [True, True, False, False]
    """
    return _RULE.fullmatch(line) is not None and sum(map(line.count, _STROKES)) >= 3


def _bar_of(lines: Iterable[str]) -> str:
    """Return the bar that most lines have."""
    counts = Counter(bar for line in lines for bar in _BARS if bar in line)
    return counts.most_common(1)[0][0] if counts else "|"


def _is_drawn(head: Sequence[str]) -> bool:
    """Whether a rule stands near the top, and nearly all lines have as many bars."""
    filled = [line for line in head if line.strip()]
    if not any(map(_is_rule, filled[:_MOST_ABOVE])):
        return False
    rows = [line for line in filled if not _is_rule(line)]
    bar = _bar_of(rows)
    n_bars = Counter(line.count(bar) for line in rows if bar in line)
    if sum(n_bars.values()) < _FEWEST_LINES:
        return False
    _, most = n_bars.most_common(1)[0]
    return most >= _ALIKE * sum(n_bars.values()) and most >= len(rows) / 2


def _drawn_rows(lines: Sequence[str]) -> Iterator[Row]:
    """Cut lines at their bars; rules, other lines, totals and repeated names are left out."""
    rows = [(number, line) for number, line in enumerate(lines) if not _is_rule(line)]
    bar = _bar_of(line for _, line in rows)
    rows = [(number, line.strip()) for number, line in rows if bar in line]
    framed = sum(line.startswith(bar) and line.endswith(bar) for _, line in rows) > len(rows) / 2
    names: list[str] | None = None
    for number, line in rows:
        text = line.removeprefix(bar).removesuffix(bar) if framed else line
        cells = [cell.strip().replace("\0", bar) for cell in _escaped(text, bar).split(bar)]
        is_total = cells[0] != "" and set(cells[0]) == {"*"}  # as SAP marks sums
        if cells != names and not is_total:
            yield number, cells
        names = cells if names is None else names


def _escaped(text: str, bar: str) -> str:
    """Hide bars that belong to a cell, as Markdown writes them."""
    return text.replace(f"\\{bar}", "\0")


def _is_in_quotes(head: Sequence[str]) -> bool:
    """Whether every line is one cell in quotes that holds as many delimiters as the others."""
    filled = [line.strip() for line in head if line.strip()]
    found = [_ROW_IN_QUOTES.fullmatch(line) for line in filled]
    inner = [match.group(1) for match in found if match is not None]
    if len(inner) < max(_FEWEST_LINES, _ALIKE * len(filled)):
        return False
    counts = (inner[0].count(mark) for mark in DELIMITERS)
    mark, n_marks = max(zip(DELIMITERS, counts, strict=True), key=lambda pair: pair[1])
    same = sum(len(_cells(line.replace('""', '"'), mark)) == n_marks + 1 for line in inner)
    return n_marks > 0 and same >= _ALIKE * len(inner)


def _cells(line: str, mark: str) -> list[str]:
    """Cut a line; one that is too long for this reader has no cells."""
    with suppress(csv.Error):
        return next(csv.reader([line], delimiter=mark, skipinitialspace=mark == " "), [])
    return []


def _quoted_rows(lines: Sequence[str]) -> Iterator[Row]:
    mark = ""
    for number, line in enumerate(lines):
        found = _ROW_IN_QUOTES.fullmatch(line.strip())
        if line.strip():
            text = line.strip() if found is None else found.group(1).replace('""', '"')
            mark = mark or max(DELIMITERS, key=text.count)
            yield number, _cells(text, mark)


def _placed_rows(lines: Sequence[str]) -> list[Row]:
    """Cut lines where all of them are blank, if a name stands above every column then.

    Of texts with blank lines or rules the part is taken that has most columns, and of these the
    longest.
    """
    rows = [(n, line) for n, line in enumerate(lines) if line.strip() and not _is_rule(line)]
    gaps = [at for at in range(1, len(rows)) if rows[at][0] - rows[at - 1][0] > 1]
    bounds = [0, *gaps, len(rows)]
    parts = [rows[a:b] for a in bounds[:_MOST_AROUND] for b in bounds[-_MOST_AROUND:]]
    found: list[Row] = []
    for part in sorted(parts, key=len, reverse=True):
        if len(part) < max(_FEWEST_IN_BLANKS, len(rows) / 2):
            break
        places = places_of(line for _, line in part)
        places = with_whole_words(places, part[0][1], [line for _, line in part[1:]])
        cut = [(n, [line[begin:end].strip() for begin, end in places]) for n, line in part]
        names = cut[0][1]
        if all(names[1:]) and len(names) > (len(found[0][1]) if found else 1):
            found = cut
    return found


def _parted_rows(lines: Sequence[str]) -> list[Row]:
    """Cut lines at their blanks, if all of them then have as many cells; rows may have a name."""
    filled = [(number, line) for number, line in enumerate(lines) if line.strip()]
    rows = [(number, _cells(line.strip(), " ")) for number, line in filled]
    if len(rows) < _FEWEST_IN_BLANKS:
        return []
    (_, names), widths = rows[0], {len(cells) for _, cells in rows[1:]}
    if widths == {len(names) + 1} and len(names) > 1:  # as R writes the names of rows
        return [(rows[0][0], ["", *names]), *rows[1:]]
    return rows if widths == {len(names)} and len(names) > 1 else []
