"""Lines below the rows of a table that are no rows: totals, sources, dates of an export.

They are found in the text, before its cells are read: a footer seldom has as many cells as a row.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.sniff import Dialect
from probtrees.table.table_report import Finding, Fix

TAIL = 1 << 16
"""So many bytes at the end of a file are looked at."""

_TOTAL = re.compile(
    r"((grand|sub|sous|gesamt)?[ -]?totals?|sum|summe|(end|gesamt|zwischen|teil)summe|gesamt|"
    r"gesamtergebnis|insgesamt|average|avg\.?|ø|medelvärde|mean|mittelwert|mw\.?|durchschnitt|somme|suma|(sub)?totale|totaal|gemiddelde|"
    r"moyenne|media|promedio|média|razem|ogółem|średnia|celkem|průměr|summa|genomsnitt|"
    r"en tout|ensemble|total(e|es|i|en|t|er|ul|ità)?|samlet|i alt|yhteensä|summat?|"
    r"keskiarvo|összesen|mindösszesen|átlag|toplam|genel toplam|ortalama|spolu|skupaj|ukupno|"
    r"prosjek|kokku|kopā|iš viso|viso|medie|suma końcowa|gjennomsnitt|gennemsnit|jumlah|"
    r"tổng( cộng)?|итого|всего|итог|сумма|среднее|общо|всичко|разом|усього|всього|укупно|"
    r"σύνολο|άθροισμα|σ|∑|合計|合计|總計|总计|総計|小計|小计|计|計|平均|均值|합계|총계|소계|평균|รวม|סה\"כ|المجموع)"
    r"(:? .{0,30})?:?",
    re.I,
)
_SPREAD = re.compile(
    r"median[ae]?|médiane|mediaan|s\.?d\.?|std\.?( ?dev\.?)?|stdev|stdabw\.?|standard deviation|"
    r"standardabweichung|écart[- ]type|desviación (estándar|típica)|deviazione standard|"
    r"odchylenie( standardowe)?|standaardafwijking|standardavvikelse|(min|max|mín|máx)(imum)?\.?",
    re.I,
)
"""What often stands below a mean; alone it may be a name (Max) or a value."""
_FEWEST_ROWS = 4
_MOST_LINES = 12
_FEWEST_COLUMNS = 3


class Footer(NamedTuple):
    """Lines at the end of a text: where they begin in bytes, what the first says, how many."""

    start: int
    words: str
    n_lines: int

    def finding(self) -> Finding:
        """Say what is left out, and how to take it back."""
        words = self.words if len(self.words) <= 40 else self.words[:37] + "..."
        one = self.n_lines == 1
        lines = "line" if one else f"{self.n_lines} lines"
        are_rows = "is no row of the table and is" if one else "are no rows of the table and are"
        return Finding(
            None,
            "totals",
            f"The last {lines} ({words!r}) {are_rows} left out.",
            "Take the totals as written to keep what stands there.",
            "note",
            (Fix(f"Keep the last {lines}", "as_written", "totals"),),
        )


def is_total_word(text: str) -> bool:
    """Whether a text calls a line a total."""
    return _TOTAL.fullmatch(text) is not None


def is_statistic(text: str) -> bool:
    """Whether a text calls a line a total, or what stands beside totals: a median, a minimum."""
    return is_total_word(text) or _SPREAD.fullmatch(text) is not None


class _Record(NamedTuple):
    """Cells of a line, and whether it, or single texts right above it, stand below a blank line."""

    cells: tuple[str, ...]
    first_line: int
    set_apart: bool

    @property
    def filled(self) -> list[tuple[int, str]]:
        """The cells that hold something, with their places."""
        return [(n, cell.strip()) for n, cell in enumerate(self.cells) if cell.strip()]


def footer_of(source: TableSource, dialect: Dialect, width: int) -> Footer | None:
    """Find the footer of a file; none where a line may end inside quotes out of sight."""
    start = max(0, source.size - TAIL)
    if start and source.scan.has_line_end_in_quotes:
        return None
    skip = 1 if start else dialect.skip_lines + 1
    found = find_footer(source.tail(TAIL), dialect, width, skip)
    return None if found is None else found._replace(start=start + found.start)


def find_footer(tail: bytes, dialect: Dialect, width: int, skip: int = 0) -> Footer | None:
    """Find lines at the end of some text that are no rows.

    The last rows are looked at, from below: one whose first text calls it a total; one of a few
    numbers without the first cell, which all others have; one that ends long before all others;
    or one with a single text, longer than those above it, set apart by a blank line, or not in
    the first cell, which all others have. Its text must stand nowhere else in its column:
    "total" may also be a value.

    Parameters
    ----------
    width : the number of columns
    skip : how many lines of the text are not looked at
    """
    if len(dialect.rows) < _FEWEST_ROWS:
        return None
    lines = tail.splitlines(keepends=True)
    records = _records(lines[skip:], dialect)
    n_rows = len(records)
    while n_rows and len(records) - n_rows < _MOST_LINES:
        below = {record.cells for record in records[n_rows:]}
        first = (row for row in dialect.rows if row not in below)
        above = [*first, *(record.cells for record in records[: n_rows - 1])]
        if not _is_footer(records[n_rows - 1], above, width):
            break
        n_rows -= 1
    n_lines = len(records) - n_rows
    if n_lines == 0 or len(dialect.rows) < n_lines + 2:
        return None
    begins = records[n_rows]
    start = sum(map(len, lines[: skip + begins.first_line]))
    return Footer(start, begins.filled[0][1], n_lines)


def _records(lines: Sequence[bytes], dialect: Dialect) -> list[_Record]:
    decoded = [line.decode("utf-8", errors="replace") for line in lines]
    reader = csv.reader(decoded, delimiter=dialect.delimiter, quotechar=dialect.quote)
    records: list[_Record] = []
    begins, is_apart = 0, False
    with suppress(csv.Error):  # a cell is too long for this reader: nothing is left out
        for cells in reader:
            if any(cell.strip() for cell in cells):
                records.append(_Record(tuple(cells), begins, is_apart))
                is_apart = is_apart and len(records[-1].filled) == 1
            else:
                is_apart = True
            begins = reader.line_num
        return records
    return []


def _is_footer(record: _Record, above: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a record is no row, given those above it (the first and the last ones)."""
    filled = record.filled
    texts = [(n, text) for n, text in filled if re.search(r"[^\W\d_]|∑", text)]
    if not texts:
        return _is_nameless(record, above, width) or _is_cut_short(record, above, width)
    place, text = texts[0]
    # The record itself is among the first rows of a short file.
    same = sum(place < len(row) and row[place].strip() == text for row in above)
    if same > (record.cells in above):
        return False
    beside = above[-1][place].strip() if place < len(above[-1]) else ""
    if is_total_word(text) or (is_statistic(text) and is_statistic(beside)):
        return True
    if width < _FEWEST_COLUMNS or len(filled) > 1:
        return _is_cut_short(record, above, width)
    rows = [row for row in above if sum(bool(cell.strip()) for cell in row) > 1]
    if place > 0:
        return len(rows) >= _FEWEST_ROWS and all(row[0].strip() for row in rows)
    longest = max((len(row[0].strip()) for row in rows if row), default=0)
    is_remark = record.set_apart or (" " in text and len(text) > 2 * longest)
    return is_remark or _is_cut_short(record, above, width)


def _is_cut_short(record: _Record, above: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a record ends long before all others do, as the trailer of an extract (TRL|5000).

    Those right above it may do so too: "End of report" below "Count: 1,100".
    """
    n_above = len(above)
    while n_above and 2 * len(above[n_above - 1]) <= width:
        n_above -= 1
    # The record itself, and what stands right above it, are among the first rows of a short file.
    ending = {record.cells, *map(tuple, above[n_above:])}
    others = [row for row in above[:n_above] if tuple(row) not in ending]
    are_whole = len(others) >= _FEWEST_ROWS and all(len(row) == width for row in others)
    return width >= _FEWEST_COLUMNS and 2 * len(record.cells) <= width and are_whole


def _is_nameless(record: _Record, above: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a record of numbers sums up others: it lacks most cells, and the first alone does.

    What others have as well, such as a class alone, sums up nothing.
    """
    filled = record.filled
    if not filled or 2 * len(filled) > width or filled[0][0] == 0 or width < _FEWEST_COLUMNS:
        return False
    others = [row for row in above if row != record.cells]
    known = [{row[place].strip() for row in others if place < len(row)} for place, _ in filled]
    if all(text in texts for (_, text), texts in zip(filled, known, strict=True)):
        return False
    return len(others) >= _FEWEST_ROWS and all(row and row[0].strip() for row in others)
