"""Columns whose points group thousands in a file that has no decimal comma of its own: 48.147.

By itself 48.147 is a number with three decimals. Where another column of the file is written with a
decimal comma (25,00€), and all cells have three digits behind every point, it is 48147. So it is
where 992 or 4725 stands beside 2.840: who writes that zero would write 992.000 too. And 2.021 is a
year under the name of one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.decimal_marks import has_decimal_points
from probtrees.table.formats.text.sniff import Dialect
from probtrees.table.read_options import ReadOptions

_GROUPED = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+")
_WHOLE = re.compile(r"[+-]?\d+")
_NO_PRICE = re.compile(r"[+-]?\d{2,3}\.\d{3}|[+-]?\d{1,3}(?:\.\d{3}){2,}|[+-]?\d{3,}")
"""48.147, 1.048.147, or 992 among 2.840, where a price of a litre would be 0.992."""
_WITH_COMMA = re.compile(r"\D{0,4}\d{1,3}(?:\.?\d{3})*,\d{1,2}\D{0,4}")
_HUNDREDS = re.compile(r"[+-]?[1-9]\d{2,}")
_YEAR = re.compile(r"1\.[89]\d\d|2\.0\d\d")
_CALLED_YEAR = re.compile(r"year|yr|\w*jahr|année|an|año|ano|anno|rok|år|jaar|vuosi|год", re.I)
_WORDS = re.compile(r"[^\W\d_]+")
_ENOUGH, _MANY = 3, 20


def columns_in_thousands(
    dialect: Dialect, names: Sequence[str], options: ReadOptions
) -> frozenset[int]:
    """Return which columns are written so, by their first cells; a model knows its own."""
    if dialect.decimal != ".":
        return frozenset()
    numbers = range(len(names))
    if options.schema is not None:
        with_comma = {
            column.source_name
            for column in options.schema.columns
            if column.spelling.decimal == "," and not column.is_nominal
        }
        known = {n: _stripped(dialect, n) for n in numbers if names[n] in with_comma}
        return frozenset(
            n
            for n, cells in known.items()
            if any(map(_GROUPED.fullmatch, cells)) and not has_decimal_points(text_array(cells))
        )
    years = frozenset(n for n in numbers if _are_years(names[n], _stripped(dialect, n)))
    found = frozenset(n for n in numbers if _are_thousands(_stripped(dialect, n)))
    if any(_have_no_decimals(_stripped(dialect, n)) for n in found):
        return frozenset(n for n in numbers if _are_grouped(_stripped(dialect, n)))
    others = (n for n in numbers if n not in found)
    return found | years if any(_have_commas(_stripped(dialect, n)) for n in others) else years


def _are_years(name: str, cells: Collection[str]) -> bool:
    """Whether all cells are years under the name of one, with a point in them: 2.021.

    >>> _are_years("Jahr", ["2.021"] * 4), _are_years("litre", ["1.959"] * 4)
    (True, False)
    """
    is_called = any(map(_CALLED_YEAR.fullmatch, _WORDS.findall(name)))
    return is_called and len(cells) >= _ENOUGH and all(map(_YEAR.fullmatch, cells))


def _stripped(dialect: Dialect, number: int) -> list[str]:
    return [cell.strip() for cell in dialect.cells(number) if cell.strip()]


def _are_thousands(cells: Collection[str]) -> bool:
    """Whether all cells are whole with points in groups, not all like the price of a litre."""
    return _are_grouped(cells) and any(map(_NO_PRICE.fullmatch, cells))


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


def _have_commas(cells: Collection[str]) -> bool:
    """Whether at least half of the cells are numbers with a decimal comma."""
    found = sum(_WITH_COMMA.fullmatch(cell) is not None for cell in cells)
    return found >= _ENOUGH and 2 * found >= len(cells)
