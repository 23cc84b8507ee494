"""Dates that a workbook or an export shows as the numbers Excel keeps them as: 44011 is 2020-06-29.

Under the name of a date that is offered; nothing is read so unless somebody asks for it. Days and
months without a year (31.07) look like numbers too, and are asked about.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from probtrees.table.cells.dates import spell_dates
from probtrees.table.cells.periods import are_excel_days, days_of_excel, look_like_excel_days
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.infer.dates.six_digit_dates import is_called_date
from probtrees.table.infer.recognise_numbers import Recognised
from probtrees.table.spelling import PLAIN
from probtrees.table.table_report import Finding, Fix

EXCEL_DAYS = "days of Excel"
"""The kind of the findings about such a column."""
_DAYS, _MONTHS = 31, 12
_FEWEST_DAYS = 30
_ROUNDING = 1e-9


def offer_excel_days(name: str, found: Recognised) -> Recognised:
    """Say of numbers that they look like days as Excel counts them, under the name of a date."""
    column = found.column
    if found.type not in ("numeric", "identifier") or not isinstance(column, Numbers):
        return found
    if column.declared or not look_like_excel_days(name, column.values):
        return found
    so = "it is ignored" if found.type == "identifier" else "it is now a number"
    finding = Finding(
        name,
        EXCEL_DAYS,
        f"Column {name!r} looks like days counted by Excel ({_example(column)}); {so}.",
        "Read it as dates (type 'date').",
        "warning",
        (Fix("Read as dates", "type", "date"), Fix("Keep the numbers", "type", "numeric")),
    )
    return replace(found, findings=(*found.findings, finding))


def ask_about_days(name: str, found: Recognised) -> Recognised:
    """Ask about numbers that are all a day and a month: 31.07 is not more than 16.08.

    Under the name of a date they have no point between, 3107, as bookkeepers write them.

    >>> days = np.array([day + month / 100 for day in range(1, 29) for month in (2, 7, 12)])
    >>> len(ask_about_days("Tag", Recognised(Numbers(days), "numeric")).findings)
    1
    """
    column = found.column
    if found.type != "numeric" or not isinstance(column, Numbers) or column.declared:
        return found
    known = np.unique(column.values[~column.missing])
    if len(known) < _FEWEST_DAYS or np.isinf(known).any():
        return found
    written = f"{known[-1]:05.2f}"
    if is_called_date(name) and (known % 1 == 0).all():
        known, written = known / 100, f"{known[-1]:04.0f}"
    day, month = np.floor(known), np.round((known - np.floor(known)) * 100)
    if np.abs(day + month / 100 - known).max() > _ROUNDING:
        return found
    calendar = ((day, _DAYS), (month, _MONTHS))
    if any(part.min() < 1 or part.max() > most for part, most in calendar):
        return found
    if day.max() <= _MONTHS or len(np.unique(month)) == 1:
        return found
    finding = Finding(
        name,
        "days without a year",
        f"Column {name!r} looks like days and months without a year ({written}); it is now "
        "a number, of which the end of each month is more than the middle of the next.",
        "Write the dates with their years, ignore the column, or treat it as categories.",
        "warning",
        (Fix("Ignore this column", "role", "ignore"), Fix("Keep the numbers", "type", "numeric")),
    )
    return replace(found, findings=(*found.findings, finding))


def read_excel_days(name: str, column: RawColumn) -> Recognised | None:
    """Read a column as dates, as somebody said, if all its cells are days as Excel counts them."""
    if isinstance(column, Dates):
        return None
    numbers = column.as_numbers()
    if (numbers.missing & ~column.missing).any() or not are_excel_days(numbers.values):
        return None
    spelling = replace(PLAIN, serial=True)
    sentence = f"Column {name!r} is read as days counted by Excel: {_example(numbers)}."
    back = Fix("Read as numbers", "type", "numeric")
    note = Finding(name, EXCEL_DAYS, sentence, severity="note", fixes=(back,))
    return Recognised(numbers.written(spelling).as_dates(), "date", (note,), spelling)


def _example(column: Numbers) -> str:
    """Write one of the numbers, and the date it is."""
    known = column.values[~column.missing][:1]
    return f"{spell(float(known[0]))} is {spell_dates(days_of_excel(np.floor(known)))[0]}"
