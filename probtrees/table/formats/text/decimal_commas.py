"""Whether the commas of a delimited file are decimal marks, or group thousands: 1,5 and 2,070.

A comma before exactly three digits may be either. What stands elsewhere in the file tells which:
points and commas of other cells, also beside a currency, a unit or within brackets, and hundreds
without a comma in the same column. Where nothing does, commas are decimal marks, and it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probtrees.table.cells.special_numbers.scale_words import CURRENCY
from probtrees.table.cells.spelled_numbers import all_are_numbers
from probtrees.table.formats.missing_spellings import MISSING_SPELLINGS
from probtrees.table.table_report import Finding, Fix

_MISSING = frozenset(MISSING_SPELLINGS)
_N_TRIED = 100
_DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+([eE][+-]?\d+)?")
_DECIMAL_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
_BELOW_THOUSAND = re.compile(r"[+-]?(0?\.\d+|\d+\.(\d{1,2}|\d{4,}))")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_HUNDREDS = re.compile(r"[+-]?[1-9]\d{2,}")
_SPACE = "[ \u00a0\u202f]?"
_AROUND = re.compile(
    rf"\(?[+−-]?(?:{CURRENCY})?{_SPACE}[+−-]?(\d[\d.,]*){_SPACE}"
    rf"(?!uhr|klo|kl\b|h\b)(?P<unit>(?:{CURRENCY}|[%‰°]|[^\W\d_]{{1,8}}[²³.]?)"
    r"(?:/\d{0,3}[^\W\d_]{1,8}[²³.]?)?)?\)?-?",
    re.I,
)
"""A number with what may stand around it, which is no time of day (13.15 Uhr)."""
_MONEY = re.compile(CURRENCY, re.I)
_HAS_MARK = {
    mark: re.compile(
        rf"(?:\d+|\d{{1,3}}(?:{group}\d{{3}})+){point}(?:\d{{1,2}}|\d{{4,}})"
        rf"|\d{{1,3}}(?:{group}\d{{3}}){{2,}}(?:{point}\d+)?"
    )
    for mark, point, group in ((".", r"\.", ","), (",", ",", r"\."))
}
"""Numbers that have a decimal mark for sure, or whose other mark groups millions."""
_ENOUGH = 3
_FEWEST_GROUPED = 3


class DecimalMark(NamedTuple):
    """The decimal mark of a file.

    ``either`` are the columns whose commas might group thousands as well though they are taken for
    decimal marks; ``is_open`` says that nothing else in the file tells which.
    """

    mark: str
    either: tuple[int, ...] = ()
    is_open: bool = False


def decimal_mark(rows: Sequence[tuple[str, ...]], delimiter: str) -> DecimalMark:
    """Find a decimal comma: a column of numbers only if the comma is taken for the point.

    >>> decimal_mark([("2,070", "1.5"), ("1,563", "2.5")], ";").mark
    '.'
    >>> decimal_mark([("2,070", "a"), ("1,563", "b")], ";")
    DecimalMark(mark=',', either=(0,), is_open=True)
    """
    width = max((len(row) for row in rows), default=0)
    either, sure, points = [], 0, 0
    for number in range(width):
        cells = _cells(rows[:_N_TRIED], number)
        if not cells:
            continue
        has_comma = any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
        if has_comma and all_are_numbers(cells, ","):
            if not all("," not in cell or _GROUPED.fullmatch(cell) for cell in cells):
                sure += 1
            elif any(map(_BELOW_THOUSAND.fullmatch, cells)):  # 0.75 beside 1,250
                points += 1
            elif delimiter != ",":
                either.append(number)
        elif any(_DECIMAL_POINT.fullmatch(cell) for cell in cells):
            points += all_are_numbers(cells)
    if points or not (either or sure):
        return DecimalMark(".")
    if sure or not either:
        return DecimalMark(",", tuple(either))
    return _by_other_cells(rows, width, tuple(either))


def _by_other_cells(
    rows: Sequence[tuple[str, ...]], width: int, either: tuple[int, ...]
) -> DecimalMark:
    """Decide by all cells what commas before three digits are, where no plain number tells."""
    columns = [_cells(rows, number) for number in range(width)]
    others = [cells for number, cells in enumerate(columns) if number not in either]
    n_with = {mark: sum(have_mark(cells, mark) for cells in others) for mark in ".,"}
    if n_with["."] and not n_with[","]:
        return DecimalMark(".")
    if n_with[","] and not n_with["."]:
        return DecimalMark(",", either)
    if any(_hundreds_lack_commas(columns[number]) for number in either):
        return DecimalMark(".")
    return DecimalMark(",", either, is_open=True)


def _cells(rows: Sequence[tuple[str, ...]], number: int) -> list[str]:
    """Return the cells of a column that are not missing."""
    cells = (row[number].strip() for row in rows if number < len(row))
    return [cell for cell in cells if cell not in _MISSING]


def have_mark(cells: Sequence[str], mark: str) -> bool:
    """Whether a decimal mark stands in many cells, whatever stands around their numbers.

    >>> have_mark(["£44.84", "(12.50)", "£1,234.00", "free"], ".")
    True
    """
    found = [match[1] for cell in cells if (match := _AROUND.fullmatch(cell))]
    n_with = sum(_HAS_MARK[mark].fullmatch(body) is not None for body in found)
    return n_with >= min(_ENOUGH, len(cells)) and 2 * n_with >= len(found) and n_with > 0


def without_unit(cells: Sequence[str]) -> Sequence[str]:
    """Return the numbers of cells that all have one and the same unit; else the cells themselves.

    Amounts of money are left as they are.

    >>> without_unit(["147.364 km", "2.500 km"]), without_unit(["1.659 €"])
    (['147.364', '2.500'], ['1.659 €'])
    """
    found = [match for cell in cells if (match := _AROUND.fullmatch(cell))]
    units = {match["unit"] for match in found}
    is_one = len(found) == len(cells) and len(units) == 1 and None not in units
    if not is_one or any(_MONEY.fullmatch(unit) for unit in units):
        return cells
    starts = [cell[: match.start(1)].strip() for cell, match in zip(cells, found, strict=True)]
    return [
        f"{'-' * (start in '−-' and bool(start))}{match[1]}"
        for start, match in zip(starts, found, strict=True)
    ]


def _hundreds_lack_commas(cells: Sequence[str]) -> bool:
    """Whether 828 stands beside 2,070: who writes that zero would write 828,000 too."""
    grouped = [cell for cell in cells if _GROUPED.fullmatch(cell)]
    n_hundreds = sum(_HUNDREDS.fullmatch(cell) is not None for cell in cells)
    zeros = any(cell.endswith("0") for cell in grouped)
    return len(grouped) >= _FEWEST_GROUPED and n_hundreds >= (1 if zeros else 2)


def comma_finding(name: str, cells: Sequence[str], is_open: bool) -> Finding:
    """Say, or ask, that commas before three digits are decimal marks."""
    cell = next(cell for cell in cells if "," in cell)
    read = f"{cell!r} in column {name!r} is {cell.replace(',', '.')}"
    why = ", though nothing else in the file tells whether commas group thousands"
    return Finding(
        None,
        "decimal comma",
        f"Numbers are written with a decimal comma: {read}{why if is_open else ''}.",
        "Take commas as written if they group thousands.",
        "warning" if is_open else "note",
        (Fix(f"Thousands: {cell} is {cell.replace(',', '')}", "as_written", "commas"),),
    )
