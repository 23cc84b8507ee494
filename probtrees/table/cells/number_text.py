"""Numbers of a column as the column is written: plain, dates, clock times, with a unit.

Pictures, rules, paths, forms and reports write the numbers of the data by this one function.
"""

from __future__ import annotations

import numpy as np

from probtrees.table.cells.dates import spell_dates
from probtrees.table.cells.special_numbers.written_amounts import NUMBER
from probtrees.table.cells.spelled_numbers import CLOCK
from probtrees.table.cells.unit_names import is_money, shown_unit

_MOST_DAYS = 4e6
"""Days that are further from 1970 are no dates that people write."""

_MOST_DECIMALS = 6
"""A number with more digits behind the point was computed, as where months became years."""
_SMALL, _LARGE = 1e-3, 100.0


def number_text(value: float, unit: str = "") -> str:
    """Print a number of the data without float noise, and as its column is written.

    ``unit`` is that of the column: dates, clock times, percentages and money are written as such,
    money as its file does it where that is known: "R$ #".

    >>> number_text(0.1 + 0.2), number_text(54.0), number_text(-1.5e-7)
    ('0.3', '54', '-1.5e-07')
    >>> number_text(10476, "date"), number_text(14.866666666667, "h:mm"), number_text(59.6, "%")
    ('1998-09-07', '14:52', '59.6 %')
    >>> number_text(-1.5, "h:mm")
    '-1:30'
    >>> number_text(294000, "£"), number_text(-1571.675, "€"), number_text(12, "mmhg")
    ('£294,000', '-1,571.675 €', '12 mmHg')
    >>> number_text(3267, "R$ #"), number_text(-12, "€#"), number_text(3267, "r$")
    ('R$ 3,267', '-€12', 'R$ 3,267')
    """
    if unit == "date" and abs(value) < _MOST_DAYS:
        return spell_dates(np.array([value]))[0].removesuffix(":00")
    if unit == CLOCK:
        minutes, seconds = divmod(round(abs(value) * 3600), 60)
        sign = "-" if value < 0 and (minutes or seconds) else ""
        text = f"{sign}{minutes // 60}:{minutes % 60:02d}"
        return f"{text}:{seconds:02d}" if seconds else text
    plain, name = f"{value:.12g}", shown_unit(unit)
    if NUMBER not in unit and not is_money(unit):
        return f"{plain} {name}" if name else plain
    amount = plain.lstrip("-") if "e" in plain else _grouped(plain.lstrip("-"))
    sign = "-" if value < 0 else ""
    if NUMBER not in unit:
        unit = f"{NUMBER} {name}"
        if name.endswith("$") or len(name) == 1:
            unit = f"{name} {NUMBER}" if len(name) > 1 else f"{name}{NUMBER}"
        unit = f"{NUMBER} {name}" if name == "€" else unit
    return sign + unit.replace(NUMBER, amount)


def short_text(value: float, unit: str = "") -> str:
    """Print a number to be looked at only: one that was computed, 24.9166666667, with few digits.

    >>> short_text(24 + 11 / 12, "an"), short_text(1043.123456789), short_text(0.125)
    ('24.92 ans', '1043.12', '0.125')
    """
    return number_text(value if unit in ("date", CLOCK) else without_endless(value), unit)


def without_endless(value: float) -> float:
    """Return a number of very many decimals, as where months became years, with a few.

    >>> without_endless(29.333333333333), without_endless(0.1 + 0.2), without_endless(1.23456e-7)
    (29.33, 0.3, 1.23456e-07)
    """
    value = float(f"{value:.12g}")
    n_decimals = len(f"{value:.12f}".rstrip("0").partition(".")[2])
    if not np.isfinite(value) or n_decimals <= _MOST_DECIMALS or abs(value) < _SMALL:
        return value
    return float(f"{value:.4g}" if abs(value) < _LARGE else f"{value:.2f}")


def field_text(value: float, unit: str = "") -> str:
    """Print a number for a field to be typed in: dates and times as such, others without a unit.

    >>> field_text(294000, "£"), field_text(14.5, "h:mm")
    ('294000', '14:30')
    """
    return number_text(value, unit if unit in ("date", CLOCK, "%") else "")


def _grouped(digits: str) -> str:
    whole, point, part = digits.partition(".")
    return f"{int(whole):,}{point}{part}"
