"""Lines that are the sums or means of the rows above them, whatever they are called.

Excel writes "Nord Ergebnis" below the rows of each group, and people write nothing at all. That a
line is no row can be computed: it lacks a cell that rows have, and all its numbers are the sums,
the means or the counts of the rows since the last such line, or of all rows.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.spelled_numbers import parse_numbers, without_money
from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.footer import is_statistic
from probtrees.table.formats.text.sniff import Dialect
from probtrees.table.formats.text.subtotals import Subtotals, end_of_line, without_lines
from probtrees.types import FloatArray, IntArray

_MOST_BYTES = 1 << 20
_USUALLY = 0.9
_MOSTLY = 0.8
_MOST_SHARE, _MOST_LINES = 0.2, 300
_FEWEST_ROWS = 3
_MOST_TEXTS = 2
_ENOUGH_ALONE = 5
_MANY = 30
"""Of so many rows one number is told as their mean, if it has more decimals than they have."""


def leave_out_sums(source: TableSource, dialect: Dialect, width: int) -> Subtotals | None:
    """Leave lines out that sum up the rows above them; None if there are none."""
    if source.size > _MOST_BYTES or source.scan.has_line_end_in_quotes:
        return None
    content = source.content()
    begin = end_of_line(content, dialect.skip_lines + 1)
    lines = content[begin:].splitlines(keepends=True)
    cells = _cells(lines, dialect, width)
    found = [] if cells is None else _Lines.of(cells, dialect.decimal).sums()
    if not found or cells is None:
        return None
    starts = np.cumsum([begin, *map(len, lines)]).tolist()
    words = next(cell for cell in cells[found[0]].tolist() if cell)
    spans = [(starts[n], starts[n + 1]) for n in found]
    return without_lines(source, spans, words, "of sums or means")


def _cells(lines: Sequence[bytes], dialect: Dialect, width: int) -> NDArray[np.str_] | None:
    """Return the cells of all lines, short ones filled up; None if lines are no records."""
    texts = [line.decode("utf-8", errors="replace") for line in lines]
    reader = csv.reader(texts, delimiter=dialect.delimiter, quotechar=dialect.quote or None)
    try:
        records = [[cell.strip() for cell in record[:width]] for record in reader]
    except csv.Error:
        return None
    if len(records) != len(lines) or not records:
        return None
    return np.array([record + [""] * (width - len(record)) for record in records])


def _without_money(texts: list[str]) -> list[str]:
    """Take currencies off a column of amounts."""
    some = [without_money(text) for text in texts[:_MANY]]
    return texts if some == texts[:_MANY] else [without_money(text) for text in texts]


class _Rows(NamedTuple):
    """Some rows: how many, and of every column of amounts what they sum up to."""

    n_rows: int
    totals: FloatArray
    counts: IntArray
    largest: FloatArray
    decimals: IntArray

    def and_these(self, others: _Rows) -> _Rows:
        """Sum up these rows and others."""
        return _Rows(
            self.n_rows + others.n_rows,
            self.totals + others.totals,
            self.counts + others.counts,
            np.maximum(self.largest, others.largest),
            np.maximum(self.decimals, others.decimals),
        )


@dataclass(frozen=True)
class _Lines:
    """All lines below the names: their numbers, and which of them may be no rows."""

    cells: NDArray[np.str_]
    amounts: FloatArray
    decimals: IntArray
    lacking: NDArray[np.bool_]

    @classmethod
    def of(cls, cells: NDArray[np.str_], decimal: str) -> _Lines:
        """Read the columns that mostly hold numbers."""
        filled = cells != ""
        rows = filled.any(axis=1)
        usual = filled[rows].mean(axis=0) >= _USUALLY if rows.any() else filled[0]
        lacking = rows & (usual & ~filled).any(axis=1)
        none = cls(cells, np.zeros((len(cells), 0)), np.zeros((len(cells), 0), np.int64), lacking)
        most = min(max(2, _MOST_SHARE * rows.sum()), _MOST_LINES)
        if not lacking.any() or lacking.sum() > most:
            return none
        plain = [_without_money(column) for column in cells.T.tolist()]
        read = [parse_numbers(text_array(column), decimal) for column in plain]
        known = [filled[:, n] & ~lacking for n in range(len(read))]
        which = [
            n
            for n, numbers in enumerate(read)
            if known[n].any() and (~np.isnan(numbers[known[n]])).mean() >= _MOSTLY
        ]
        if not which:
            return none
        behind = [[len(text.partition(decimal)[2]) for text in plain[n]] for n in which]
        return cls(cells, np.array([read[n] for n in which]).T, np.array(behind).T, lacking)

    def sums(self) -> list[int]:
        """Return the lines that sum up others."""
        if not self.amounts.shape[1]:
            return []
        found: list[int] = []
        block = every = before = self._rows(0, 0)
        start = 0
        for line in [*np.flatnonzero(self.lacking).tolist(), len(self.cells)]:
            between = self._rows(start, line)
            block, every, start = block.and_these(between), every.and_these(between), line + 1
            if line == len(self.cells):
                break
            of_sums = any(self._sums_up(line, rows) for rows in (block, every, before))
            named = is_statistic(next(filter(None, self.cells[line].tolist())))
            if of_sums or named:
                found += [line] if of_sums and not named else []
                before, block = block if block.n_rows else before, self._rows(0, 0)
            else:
                own = self._rows(line, line + 1)
                block, every = block.and_these(own), every.and_these(own)
        return found

    def _rows(self, start: int, stop: int) -> _Rows:
        """Sum up some rows."""
        amounts = self.amounts[start:stop]
        known = ~np.isnan(amounts)
        return _Rows(
            int((self.cells[start:stop] != "").any(axis=1).sum()),
            np.where(known, amounts, 0.0).sum(axis=0),
            known.sum(axis=0),
            np.where(known, np.abs(amounts), 0.0).max(axis=0, initial=0.0),
            self.decimals[start:stop].max(axis=0, initial=0),
        )

    def _sums_up(self, line: int, rows: _Rows) -> bool:
        """Whether all numbers of a line are sums, means or counts of some rows."""
        held = ~np.isnan(self.amounts[line])
        n_texts = (self.cells[line] != "").sum() - held.sum()
        if rows.n_rows < _FEWEST_ROWS or not held.any() or n_texts > _MOST_TEXTS:
            return False
        own, decimals = self.amounts[line][held], self.decimals[line][held]
        totals, counts = rows.totals[held], rows.counts[held]
        if not counts.all():
            return False
        close = 0.5 * 10.0**-decimals + 1e-9 * np.abs(own)
        if (np.abs(own - totals) <= close).all():
            larger = int((np.abs(own) > rows.largest[held]).sum())
            return larger > 1 or (larger == 1 and rows.n_rows >= _ENOUGH_ALONE)
        if (np.abs(own - totals / counts) <= close).all():
            finer = bool((decimals > rows.decimals[held]).any())
            return finer and (len(own) > 1 or rows.n_rows >= _MANY)
        return bool((own == counts).all()) and len(own) > 1
