"""Numbers of a column as the column is written: plain, dates, clock times, with a unit.

Pictures, rules, paths, forms and reports write the numbers of the data by this one function.
"""

from __future__ import annotations

import numpy as np

from probtrees.table.readings.dates import spell_dates
from probtrees.table.readings.spellings import CLOCK, is_money

_MOST_DAYS = 4e6
"""Days that are further from 1970 are no dates that people write."""

_MOST_DECIMALS = 6
"""A number with more digits behind the point was computed, as where months became years."""
_SMALL, _LARGE = 1e-3, 100.0


def spell(number: float) -> str:
    """Write a number the short way.

    >>> spell(3.0), spell(0.1)
    ('3', '0.1')
    """
    whole = np.isfinite(number) and number == int(number) and abs(number) < 1e15
    return str(int(number)) if whole else repr(float(number))


def number_of(text: str) -> float | None:
    """Return the number that a text is, with a point or a comma; None where it is none."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None


def number_text(value: float, unit: str = "") -> str:
    """Print a number of the data without float noise, and as its column is written.

    ``unit`` is that of the column: dates, clock times, percentages and money are written as such.

    >>> number_text(0.1 + 0.2), number_text(54.0), number_text(-1.5e-7)
    ('0.3', '54', '-1.5e-07')
    >>> number_text(10476, "date"), number_text(14.866666666667, "h:mm"), number_text(59.6, "%")
    ('1998-09-07', '14:52', '59.6 %')
    >>> number_text(-1.5, "h:mm")
    '-1:30'
    >>> number_text(294000, "£"), number_text(-1571.675, "€"), number_text(3267, "R$")
    ('£294,000', '-1,571.675 €', 'R$ 3,267')
    >>> number_text(float("inf"), "$"), number_text(float("-inf"), "h:mm")
    ('inf', '-inf')
    """
    if not np.isfinite(value):
        return f"{value}"  # the open end of a range
    if unit == "date" and abs(value) < _MOST_DAYS:
        return spell_dates(np.array([value]))[0].removesuffix(":00")
    if unit == CLOCK:
        minutes, seconds = divmod(round(abs(value) * 3600), 60)
        sign = "-" if value < 0 and (minutes or seconds) else ""
        text = f"{sign}{minutes // 60}:{minutes % 60:02d}"
        return f"{text}:{seconds:02d}" if seconds else text
    plain = f"{value:.12g}"
    if not is_money(unit):
        return f"{plain} {unit}" if unit else plain
    amount = f"{abs(value):,.12g}"
    sign = "-" if value < 0 else ""
    if unit != "€" and (len(unit) == 1 or unit.endswith("$")):
        return f"{sign}{unit}{' ' * (len(unit) > 1)}{amount}"
    return f"{sign}{amount} {unit}"


def short_text(value: float, unit: str = "") -> str:
    """Print a number to be looked at only: one that was computed, 24.9166666667, with few digits.

    >>> short_text(24 + 11 / 12, "years"), short_text(1043.123456789), short_text(0.125)
    ('24.92 years', '1043.12', '0.125')
    >>> short_text(0.1 + 0.2), short_text(1.23456e-7)
    ('0.3', '1.23456e-07')
    """
    n_decimals = len(f"{float(f'{value:.12g}'):.12f}".rstrip("0").partition(".")[2])
    is_endless = n_decimals > _MOST_DECIMALS and abs(value) >= _SMALL
    if unit not in ("date", CLOCK) and is_endless and np.isfinite(value):
        value = float(f"{value:.4g}" if abs(value) < _LARGE else f"{value:.2f}")
    return number_text(value, unit)


def field_text(value: float, unit: str = "") -> str:
    """Print a number for a field to be typed in: dates and times as such, others without a unit.

    >>> field_text(294000, "£"), field_text(14.5, "h:mm")
    ('294000', '14:30')
    """
    return number_text(value, unit if unit in ("date", CLOCK, "%") else "")
