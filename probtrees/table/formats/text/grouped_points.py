"""Columns whose points group thousands in a file that has no decimal comma of its own: 48.147.

By itself 48.147 is a number with three decimals. Where another column of the file is written with a
decimal comma (25,00€), and all cells have three digits behind every point, it is 48147; 8.024 is
8024 too, unless yet another column has decimal points. So it is where 992 or 4725 stands beside
2.840: who writes that zero would write 992.000 too. And 2.021 is a year under the name of one.
Where nothing tells in a text with tabs or semicolons, points are decimal marks, and it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.decimal_marks import has_decimal_points
from probtrees.table.formats.text.decimal_commas import have_mark, without_unit
from probtrees.table.formats.text.sniff import Dialect
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding, Fix

_GROUPED = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+")
_BY_COMMA = re.compile(r"[+-]?\d{1,3},\d{3}")
_WHOLE = re.compile(r"[+-]?\d+")
_NO_PRICE = re.compile(r"[+-]?\d{2,3}\.\d{3}|[+-]?\d{1,3}(?:\.\d{3}){2,}|[+-]?\d{3,}")
"""48.147, 1.048.147, or 992 among 2.840, where a price of a litre would be 0.992."""
_WITH_COMMA = re.compile(r"\D{0,4}\d{1,3}(?:\.?\d{3})*,\d{1,2}\D{0,4}")
_HUNDREDS = re.compile(r"[+-]?[1-9]\d{2,}")
_YEAR = re.compile(r"1\.[89]\d\d|2\.0\d\d")
_CALLED_YEAR = re.compile(r"year|yr|\w*jahr|année|an|año|ano|anno|rok|år|jaar|vuosi|год", re.I)
_WORDS = re.compile(r"[^\W\d_]+")
_BELOW_ONE = re.compile(r"[+-]?0\.")
_EUROPEAN = (";", "\t")
"""What parts cells where a comma is a decimal mark, and may elsewhere."""
_ENOUGH, _MANY = 3, 20

POINTS = "grouped points"
"""The kind of a finding about points before three digits."""


class GroupedPoints(NamedTuple):
    """The columns of a file whose points group thousands.

    ``either`` are those whose points might be decimal marks as well, whichever way they are taken;
    ``is_open`` says that nothing in the file tells which.
    """

    columns: frozenset[int] = frozenset()
    either: frozenset[int] = frozenset()
    is_open: bool = False


def columns_in_thousands(
    dialect: Dialect, names: Sequence[str], options: ReadOptions
) -> GroupedPoints:
    """Return which columns are written so, by their first cells; a model knows its own."""
    if dialect.decimal != ".":
        return GroupedPoints()
    cells = [_stripped(dialect, number) for number in range(len(names))]
    if options.schema is not None:
        with_comma = {
            column.source_name
            for column in options.schema.columns
            if column.spelling.decimal == "," and not column.is_nominal
        }
        return GroupedPoints(
            frozenset(
                n
                for n, name in enumerate(names)
                if name in with_comma
                and any(map(_GROUPED.fullmatch, cells[n]))
                and not has_decimal_points(text_array(cells[n]))
            )
        )
    years = frozenset(n for n, name in enumerate(names) if _are_years(name, cells[n]))
    bare = [without_unit(some) for some in cells]
    if "commas" not in options.as_written:
        years |= _decimals_beside_units(bare, cells)
    found, is_open = _told_by_the_rest(bare, dialect.delimiter)
    if "points" in options.as_written:
        return GroupedPoints(years | found if is_open else years)
    return GroupedPoints(years if is_open else years | found, found - years, is_open)


def _told_by_the_rest(
    cells: Sequence[Sequence[str]], delimiter: str
) -> tuple[frozenset[int], bool]:
    """Find columns whose points group thousands by the rest of the file, or may if nothing tells.

    >>> _told_by_the_rest([["8.024", "2.282", "7.873"], ["64,8", "58,2", "66,0"]], ";")
    (frozenset({0}), False)
    """
    grouped = frozenset(n for n, some in enumerate(cells) if _are_grouped(some))
    whole = frozenset(n for n in grouped if not any(map(_BELOW_ONE.match, cells[n])))
    found = frozenset(n for n in whole if any(map(_NO_PRICE.fullmatch, cells[n])))
    if any(_have_no_decimals(cells[n]) for n in found):
        return whole, False
    others = [some for n, some in enumerate(cells) if n not in grouped]
    has_points = any(have_mark(some, ".") for some in others)
    if any(map(_have_commas, others)):
        return found if has_points or whole != grouped else grouped, False
    is_open = delimiter in _EUROPEAN and whole == grouped and not has_points
    asked = (n for n in grouped if sum("." in cell for cell in cells[n]) >= _MANY)
    return frozenset(asked if is_open else ()), is_open


def _decimals_beside_units(
    bare: Sequence[Sequence[str]], cells: Sequence[Sequence[str]]
) -> frozenset[int]:
    """Find columns like "6,412 kg" in a file whose other numbers have a decimal comma for sure.

    >>> weights, hours = ["6,412 kg", "7,100 kg", "5,223 kg"], ["4,72 Std", "9,98 Std", "4,04 Std"]
    >>> bare = [["6,412", "7,100", "5,223"], ["4,72", "9,98", "4,04"]]
    >>> _decimals_beside_units(bare, [weights, hours])
    frozenset({0})
    """
    in_units = [n for n, some in enumerate(bare) if some is not cells[n]]
    found = [
        n for n in in_units if len(bare[n]) >= _ENOUGH and all(map(_BY_COMMA.fullmatch, bare[n]))
    ]
    others = [some for n, some in enumerate(cells) if n not in found]
    told = any(map(_have_commas, others)) and not any(have_mark(some, ".") for some in others)
    return frozenset(found if told else ())


def points_finding(
    names: Sequence[str], dialect: Dialect, points: GroupedPoints
) -> tuple[Finding, ...]:
    """Say, or ask, what points before three digits are in columns where they may be either."""
    if not points.either:
        return ()
    number = min(points.either)
    cell = next(cell for cell in _stripped(dialect, number) if "." in cell)
    thousands, others = f"{cell} is {cell.replace('.', '')}", len(points.either) - 1
    where = f"column {names[number]!r}" + (f" and {others} more" if others else "")
    if points.is_open:
        sentence = (
            f"Points are taken for decimal marks: {cell!r} in {where} is {cell}, though nothing "
            "else in the file tells whether points group thousands."
        )
        label, meant = f"Thousands: {thousands}", "they group thousands"
    else:
        sentence = f"Points group thousands: {thousands} in {where}, as the rest of the file tells."
        label, meant = "Points are decimal marks", "they are decimal marks"
    return (
        Finding(
            None,
            POINTS,
            sentence,
            f"Read points the other way if {meant} (--as-written points).",
            "warning" if points.is_open else "note",
            (Fix(label, "as_written", "points"),),
        ),
    )


def _are_years(name: str, cells: Collection[str]) -> bool:
    """Whether all cells are years under the name of one, with a point in them: 2.021.

    >>> _are_years("Jahr", ["2.021"] * 4), _are_years("litre", ["1.959"] * 4)
    (True, False)
    """
    is_called = any(map(_CALLED_YEAR.fullmatch, _WORDS.findall(name)))
    return is_called and len(cells) >= _ENOUGH and all(map(_YEAR.fullmatch, cells))


def _stripped(dialect: Dialect, number: int) -> list[str]:
    return [cell.strip() for cell in dialect.cells(number) if cell.strip()]


def _are_grouped(cells: Collection[str]) -> bool:
    """Whether all cells are whole if points group their digits, and some have one."""
    grouped = sum(_GROUPED.fullmatch(cell) is not None for cell in cells)
    if grouped < _ENOUGH:
        return False
    return all(_GROUPED.fullmatch(cell) or _WHOLE.fullmatch(cell) for cell in cells)


def _have_no_decimals(cells: Collection[str]) -> bool:
    """Whether hundreds have no point beside thousands that end in zeros behind theirs."""
    grouped = [cell for cell in cells if _GROUPED.fullmatch(cell)]
    small = any(cell.lstrip("+-").startswith("0") for cell in grouped)
    hundreds = any(map(_HUNDREDS.fullmatch, cells))
    return (
        hundreds
        and not small
        and len(grouped) >= _MANY
        and any(cell.endswith("0") for cell in grouped)
    )


def _have_commas(cells: Sequence[str]) -> bool:
    """Whether at least half of the cells are numbers with a decimal comma."""
    found = sum(_WITH_COMMA.fullmatch(cell) is not None for cell in cells)
    return (found >= _ENOUGH and 2 * found >= len(cells)) or have_mark(cells, ",")
