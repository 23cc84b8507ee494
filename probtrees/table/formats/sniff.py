"""Guess how a delimited file is written, from its first lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from probtrees.errors import DataError
from probtrees.table.cells.spelled_numbers import all_are_numbers
from probtrees.table.formats.missing_spellings import MISSING_SPELLINGS

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_N_RECORDS = 400
_N_TRIED = 100
_MISSING = frozenset(MISSING_SPELLINGS)
_DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+([eE][+-]?\d+)?")
_DECIMAL_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
_NAMED_DELIMITER = re.compile(r"sep=(.)")


@dataclass(frozen=True)
class Dialect:
    """How the cells of a delimited file are separated, and what the first rows look like.

    Attributes
    ----------
    delimiter, quote, decimal : the characters in use; ``quote`` is "" if cells are never quoted
    skip_lines : lines before the line of names
    names : the cells of that line
    rows : the cells of the first rows
    """

    delimiter: str
    quote: str
    decimal: str
    skip_lines: int
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def cells(self, number: int) -> list[str]:
        """Return the non-missing cells of a column among the first rows."""
        column = (row[number].strip() for row in self.rows if number < len(row))
        return [cell for cell in column if cell not in _MISSING]


def sniff(head: str, where: str, *, complete: bool) -> Dialect:
    """Find delimiter, quote and decimal mark; ``complete`` says that ``head`` is the whole file."""
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
    delimiter = named.group(1) if named else _delimiter(lines, quote)
    records = _records(lines, delimiter, quote)
    if not records:
        raise DataError(f"{where} must hold a table; it is empty. Choose another file.")
    names, rows = records[0], records[1:]
    decimal = _decimal(rows[:_N_TRIED], delimiter)
    return Dialect(delimiter, quote, decimal, skip, names, tuple(rows))


def _quote(lines: Sequence[str]) -> str:
    """Find which character encloses cells; a single quote must do so in most lines."""
    text = "".join(lines[:_N_RECORDS])
    if '"' in text:
        return '"'
    enclosed = re.compile(r"(?:^|[,;\t|])'[^'\r\n]*'(?:[,;\t|\r\n]|$)")
    some = lines[1:100]
    n_enclosed = sum(1 for line in some if enclosed.search(line))
    return "'" if some and n_enclosed > len(some) / 2 else '"'


def _delimiter(lines: Sequence[str], quote: str) -> str:
    """Choose the delimiter that cuts the rows into as many cells as the line of names."""

    def agreement(delimiter: str) -> tuple[float, int]:
        records = _records(lines[:_N_TRIED], delimiter, quote)
        width = len(records[0]) if records else 1
        if width < 2:
            return (0.0, 0)
        same = sum(len(record) == width for record in records[1:])
        return ((same + 1) / len(records), width)

    return max(DELIMITERS, key=agreement)


def _records(lines: Sequence[str], delimiter: str, quote: str) -> list[tuple[str, ...]]:
    reader = csv.reader(lines, delimiter=delimiter, quotechar=quote)
    records: list[tuple[str, ...]] = []
    with suppress(csv.Error):  # a cell is too long for this reader: what came before tells enough
        records.extend(tuple(record) for record in islice(reader, _N_RECORDS) if record)
    return [record for record in records if any(cell.strip() for cell in record)]


def _decimal(rows: Sequence[tuple[str, ...]], delimiter: str) -> str:
    """Find a decimal comma: a column of numbers only if the comma is taken for the point."""
    width = max((len(row) for row in rows), default=0)
    commas = points = 0
    for number in range(width):
        cells = [row[number].strip() for row in rows if number < len(row)]
        cells = [cell for cell in cells if cell not in _MISSING]
        if not cells:
            continue
        has_comma = any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
        if has_comma and all_are_numbers(cells, ","):
            grouped = delimiter == "," and all("," not in c or _is_grouped(c) for c in cells)
            commas += not grouped
        elif any(_DECIMAL_POINT.fullmatch(cell) for cell in cells):
            points += all_are_numbers(cells)
    return "," if commas and not points else "."


def _is_grouped(cell: str) -> bool:
    """Whether the commas of a number group its thousands: 1,234 rather than 1,5."""
    return re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", cell) is not None
