"""Guess how a delimited file is written, from its first lines."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest
from typing import NamedTuple

from probtrees.errors import DataError
from probtrees.table.cells.spelled_numbers import all_are_numbers
from probtrees.table.formats.missing_spellings import MISSING_SPELLINGS
from probtrees.table.formats.text.decimal_commas import DecimalMark, decimal_mark
from probtrees.table.formats.text.header_lines import (
    all_are_words,
    is_line_of_logger,
    is_second_line,
    join_names,
    n_describing,
    names_groups,
)

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_N_RECORDS = 400
_N_TRIED = 100
_MISSING = frozenset(MISSING_SPELLINGS)
_MOST_ABOVE = 30
"""So many records are looked at for the names of the columns."""
_FEWEST_RECORDS = 4
_MOST_IN_TITLE = 2
_NAMED_DELIMITER = re.compile(r"sep=(.)")


@dataclass(frozen=True)
class Dialect:
    """How the cells of a delimited file are separated, and what the first rows look like.

    Attributes
    ----------
    delimiter, quote, decimal : the characters in use; ``quote`` is "" if cells are never quoted
    skip_lines : lines before the last one that is no row
    names : the cells of that line
    rows : the cells of the first rows
    title : the first of the lines before the names, if these are no blank lines
    lines_before : lines of the file before the text that was looked at
    joined : the names by two lines, if a second line seems to name the columns too
    described : the cells of lines below the names that are no rows
    is_alone : whether no other line than such a one could be joined to that of the names
    either, comma_is_open : columns whose decimal commas might group thousands, and whether nothing
        tells which; see :class:`.DecimalMark`
    """

    delimiter: str
    quote: str
    decimal: str
    skip_lines: int
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    lines_before: int = 0
    joined: tuple[str, ...] = ()
    described: tuple[tuple[str, ...], ...] = ()
    is_alone: bool = True
    either: tuple[int, ...] = ()
    comma_is_open: bool = False

    @property
    def names_line(self) -> int:
        """The line of the file above the first row, counted from 1: that of the names mostly."""
        return self.lines_before + self.skip_lines + 1

    @property
    def keeps_comma_free(self) -> bool:
        """Whether numbers have a decimal comma, or semicolons leave room for one."""
        return self.decimal == "," or self.delimiter == ";"

    def cells(self, number: int) -> list[str]:
        """Return the non-missing cells of a column among the first rows."""
        return self._columns[number] if number < len(self._columns) else []

    @cached_property
    def _columns(self) -> list[list[str]]:
        columns = (map(str.strip, column) for column in zip_longest(*self.rows, fillvalue=""))
        return [[cell for cell in column if cell not in _MISSING] for column in columns]


def sniff(
    head: str,
    where: str,
    *,
    complete: bool,
    title: bool = True,
    header_lines: int = 1,
    commas: bool = True,
) -> Dialect:
    """Find delimiter, quote and decimal mark, and where the table begins.

    Parameters
    ----------
    head : the beginning of the file
    complete : whether that is the whole file
    title : whether lines above the names of the columns are looked for
    header_lines : how many lines hold these names
    commas : whether a decimal comma is looked for; else commas group thousands
    """
    lines = head.splitlines(keepends=True)
    if not complete and len(lines) > 1:
        lines.pop()
    skip = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    lines = lines[skip:]
    if not lines:
        raise DataError(
            f"{where} must hold a table; it is empty. Choose another file, or save it again."
        )
    named = _NAMED_DELIMITER.fullmatch(lines[0].strip("\r\n"))
    if named and named.group(1) in DELIMITERS:
        skip, lines = skip + 1, lines[1:]
    quote = _quote(lines)
    delimiter = named.group(1) if named else _delimiter(lines, quote, title)
    records = _records(lines, delimiter, quote)
    if not records:
        raise DataError(f"{where} must hold a table; it is empty. Choose another file.")
    above = _title_records(records, header_lines) if title else 0
    header = _header(records, above, header_lines)
    n_below = n_describing([record.cells for record in records[header.last + 1 :]]) if title else 0
    described = tuple(record.cells for record in records[header.last + 1 :][:n_below])
    if described:
        joined = header.joined if header.is_grouped else ()
        header = header._replace(last=header.last + n_below, joined=joined)
    skip += records[header.last].line
    rows = tuple(record.cells for record in records[header.last + 1 :])
    words = " ".join(filter(None, records[0].cells)).strip() if header.first else ""
    decimal = decimal_mark(rows, delimiter) if commas else DecimalMark(".")
    return Dialect(
        delimiter,
        quote,
        decimal.mark,
        skip,
        tuple(" ".join(name.splitlines()) for name in header.names),
        rows,
        words,
        joined=header.joined,
        described=described,
        is_alone=header_lines <= 1 and not header.is_grouped,
        either=decimal.either,
        comma_is_open=decimal.is_open,
    )


class _Header(NamedTuple):
    """Where the names of the columns begin and end, these, and what two lines would make them.

    ``is_grouped`` says whether the other line stands above and groups them.
    """

    first: int
    last: int
    names: tuple[str, ...]
    joined: tuple[str, ...] = ()
    is_grouped: bool = False


def _header(records: Sequence[_Record], above: int, n_lines: int) -> _Header:
    """Name the columns by as many lines as are asked for; by one, look for a second."""
    cells = [record.cells for record in records]
    above += n_lines > 0 and _groups_complete_names(cells[above:])
    follows = above > 0 and records[above].line == records[above - 1].line + 1
    grouped = follows and names_groups(cells[above - 1])
    goes_on = not grouped and _goes_on(cells[above : above + 2], cells[above + 2 :])
    if n_lines == 1:
        joined: tuple[str, ...] = ()
        if grouped or goes_on:
            upper = above - 1 if grouped else above
            joined = join_names(cells[upper], cells[upper + 1])
        return _Header(above, above, cells[above], joined, grouped)
    # Asked for, a line that might be a title counts as one of names, unless the next one does.
    first = above - 1 if follows and not goes_on else above
    last = min(first + n_lines, len(records)) - 1
    names = cells[last]
    for number in range(last - 1, first - 1, -1):
        names = join_names(cells[number], names)
    return _Header(first, last, names)


def _groups_complete_names(cells: Sequence[tuple[str, ...]]) -> bool:
    """Whether a line of groups, some of merged cells, stands above one that names all columns."""
    if not _goes_on(cells[:2], cells[2:]) or all(cell.strip() for cell in cells[0][1:]):
        return False
    names = [cell.strip() for cell in cells[1]]
    complete = all(names) and len(set(names)) == len(names) >= len(cells[0])
    return complete and names_groups(cells[0])


def _goes_on(lines: Sequence[tuple[str, ...]], rows: Sequence[tuple[str, ...]]) -> bool:
    return len(lines) == 2 and is_second_line(lines[0], lines[1], rows)


def _quote(lines: Sequence[str]) -> str:
    """Find which character encloses cells; a single quote must do so in most lines."""
    text = "".join(lines[:_N_RECORDS])
    if '"' in text:
        return '"'
    enclosed = re.compile(r"(?:^|[,;\t|])'[^'\r\n]*'(?:[,;\t|\r\n]|$)")
    some = lines[1:100]
    n_enclosed = sum(1 for line in some if enclosed.search(line))
    return "'" if some and n_enclosed > len(some) / 2 else '"'


def _delimiter(lines: Sequence[str], quote: str, title: bool) -> str:
    """Choose the delimiter that cuts the rows into as many cells as the line of names.

    Of several, one that needs no line to be a title: decimal commas cut rows alike, too. Cells hold
    semicolons rather than tabs.
    """

    def agreement(delimiter: str) -> tuple[float, int, int, bool]:
        records = _records(lines[:_N_TRIED], delimiter, quote)
        above = _title_records(records) if title else 0
        records = records[above:]
        width = len(records[0].cells) if records else 1
        if width < 2:
            return (0.0, 0, 0, False)
        same = sum(len(record.cells) == width for record in records[1:])
        return ((same + 1) / len(records), -above, width, delimiter == "\t")

    return max(DELIMITERS, key=agreement)


class _Record(NamedTuple):
    """The cells of a record, and the number of lines before it."""

    cells: tuple[str, ...]
    line: int


def _records(lines: Sequence[str], delimiter: str, quote: str) -> list[_Record]:
    reader = csv.reader(lines, delimiter=delimiter, quotechar=quote)
    records = []
    before = 0
    with suppress(csv.Error):  # a cell is too long for this reader: what came before tells enough
        for cells in islice(reader, _N_RECORDS):
            records.append(_Record(tuple(cells), before))
            before = reader.line_num
    return [record for record in records if any(map(str.strip, record.cells))]


def _title_records(records: Sequence[_Record], n_lines: int = 1) -> int:
    """Count the records above the names of the columns: they have few cells, or few filled ones.

    The names are the first record as wide as the table, and must look like names; otherwise
    nothing is left out, and what is wrong with the first line is said.
    """
    if len(records) < _FEWEST_RECORDS:
        return 0
    if is_line_of_logger(records[2].cells):
        return 1  # its first line may have as many cells as the table
    width = Counter(len(record.cells) for record in records[1:]).most_common(1)[0][0]
    if width < 2:
        return 0
    most_filled = 1 if width < 2 * _MOST_IN_TITLE else _MOST_IN_TITLE
    for number, (cells, _) in enumerate(records[:_MOST_ABOVE]):
        filled = [cell for cell in cells if cell.strip()]
        fits = len(cells) == width or (number == 0 and len(cells) == width - 1)
        if fits and len(filled) > most_filled:
            are_names = (
                _are_names(filled, width)
                or _are_groups(filled, records[number + 1 :], width)
                or (n_lines > 1 and _are_merged(cells, records[number + 1 :], width))
                or _are_grouped(records[: number + 1], width)
            )
            return number if are_names else 0
        if len(cells) > width and not (number == 0 and _describes_file(records, width)):
            return 0
    return 0


def _describes_file(records: Sequence[_Record], width: int) -> bool:
    """Whether a first line of more cells than the table describes the file, as programs write it.

    The next one names the columns: words, some above numbers.
    """
    names, rows = records[1].cells, [record.cells for record in records[2:_N_TRIED]]
    filled = [cell for cell in names if cell.strip()]
    if len(names) != width or not all_are_words(names) or not _are_names(filled, width):
        return False
    columns = zip(*(row for row in rows if len(row) == width), strict=True)
    known = [[cell.strip() for cell in column if cell.strip()] for column in columns]
    return any(cells and 2 * sum(map(_is_number, cells)) > len(cells) for cells in known)


def _is_number(cell: str) -> bool:
    return all_are_numbers([cell]) or all_are_numbers([cell], ",")


def _are_grouped(records: Sequence[_Record], width: int) -> bool:
    """Whether the last record names the columns together with the groups right above it."""
    if len(records) < 2 or records[-1].line != records[-2].line + 1:
        return False
    groups, names = records[-2].cells, records[-1].cells
    together = [name for name in join_names(groups, names) if name]
    return names_groups(groups) and all_are_words(names) and _are_names(together, width)


def _are_names(cells: Sequence[str], width: int) -> bool:
    """Whether cells can name the columns: nearly all filled and different, mostly words."""
    n_words = sum(not all_are_numbers([cell.strip()]) for cell in cells)
    n_repeated = len(cells) - len(set(cells))
    mostly_words = 2 * n_words >= len(cells) and n_repeated <= len(cells) // 4
    return mostly_words and len(cells) >= width - 1


def _are_groups(cells: Sequence[str], below: Sequence[_Record], width: int) -> bool:
    """Whether cells can group columns that the next record names."""
    named = [cell for cell in below[0].cells if cell.strip()] if below else []
    return all_are_words(cells) and all_are_words(named) and _are_names(named, width)


def _are_merged(cells: tuple[str, ...], below: Sequence[_Record], width: int) -> bool:
    """Whether cells name columns, or group those that the next record names, all of them."""
    lines = (cells, *(record.cells for record in below))
    if not _goes_on(lines[:2], lines[2:]):
        return False
    together = join_names(*lines[:2])
    return all(together) and _are_names(together, width)
