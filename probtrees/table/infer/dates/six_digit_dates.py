"""Dates of six digits under the name of a date: 220131 is 2022-01-31, and so may be 310122.

Six digits may be anything, so the name of the column and all of its cells must say so. Where they
may as well be a day, a month and a year (010122), the pair that goes through a month is the day.
Where these cannot begin with years, they begin with days, or with months as Americans write them.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from probtrees.table.cells.dates import spell_dates
from probtrees.table.cells.periods import days_of_numbers
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, Texts
from probtrees.table.infer.recognise_numbers import Recognised
from probtrees.table.spelling import PLAIN
from probtrees.table.table_report import Finding, Fix
from probtrees.types import FloatArray

_CALLED = re.compile(
    r"(?<!candi)date(?!n)|datum|dátum|fecha|(\b|_)data(\b|_)|(\b|_)dato(\b|_)|päivä|дата|日期|日付|"
    r"(\b|_)(day|tag|dob)(\b|_)|yymmdd|jjmmtt|aammjj|aammdd|geburt|birth|naissance|nacimiento|"
    r"nascita|nascimento|admi(tted|ssion)|aufnahme|entlassung|discharge|valuta|"
    r"wertstellung",
    re.I,
)
_SIX = re.compile(r"\d{5,6}", re.A)
"""A number has lost its leading zero: 50131 is 050131."""
_LOWEST, _HIGHEST = 10_101, 991_231
_FEWEST, _FEWEST_DAYS, _LATE_DAY, _LAST_DAY = 8, 13, 28, 31


def is_called_date(name: str) -> bool:
    """Whether a column is named like a date.

    >>> is_called_date("Belegdatum"), is_called_date("candidate")
    (True, False)
    """
    return _CALLED.search(name) is not None


def six_digit_dates(name: str, column: RawColumn) -> Recognised | None:
    """Read a column as dates whose name and whose cells all say that it holds six digits of such.

    Months of six digits, 202201, come first.
    """
    if isinstance(column, Dates) or not is_called_date(name):
        return None
    if isinstance(column, Numbers) and (column.declared or not _may_be_some(column.values)):
        return None
    texts = column.as_texts()
    if texts.declared or texts.n_distinct < _FEWEST or not all(map(_SIX.fullmatch, texts.texts)):
        return None
    months = days_of_numbers(np.array(texts.texts, dtype=np.float64))
    if not np.isnan(months).any():
        return None
    spelling = replace(PLAIN, year_first=True)
    written = texts.written(spelling)
    if _begin_with_years(texts):
        dates, order = written.as_dates(), "year"
    else:
        dates, order = _with_year_last(texts, written)
    if not order or np.isnan(dates.distinct).any():
        return None
    first = int(dates.distinct.argmin())
    example = f"{texts.texts[first]} is {spell_dates(dates.distinct[first : first + 1])[0]}"
    told = Finding(
        name,
        "date spelling",
        f"Column {name!r} holds dates of six digits, {order} first ({example}), read as dates.",
        "Set its type to 'numeric' to take them as numbers.",
        "note",
        (Fix("Read as numbers", "type", "numeric"),),
    )
    return Recognised(dates, "date", (told,), replace(spelling, last_year=dates.last_year))


def _with_year_last(texts: Texts, written: Texts) -> tuple[Dates, str]:
    """Read dates that begin with days or months, and say which; nothing where they may not.

    They may not where all could begin with years as well, unless the first pair goes to the end of
    a month as days do and the last has few values, as years have.
    """
    by_day, by_month = written.as_dates(True), written.as_dates(False)
    is_day_first, is_month_first = (
        not np.isnan(dates.distinct).any() for dates in (by_day, by_month)
    )
    if is_day_first == is_month_first:
        return by_day, ""  # neither, or both
    first, last = _first_and_last(texts)
    are_days = max(first) >= _LATE_DAY and len(first) >= max(_FEWEST_DAYS, 2 * len(last))
    if not are_days and not np.isnan(written.as_dates().distinct).any():
        return by_day, ""
    return (by_day, "day") if is_day_first else (by_month, "month")


def _may_be_some(values: FloatArray) -> bool:
    known = values[~np.isnan(values)]
    return bool(((known % 1 == 0) & (known >= _LOWEST) & (known <= _HIGHEST)).all())


def _begin_with_years(texts: Texts) -> bool:
    """Whether the first two of six digits are the year: no day, or fewer than there are days."""
    first, last = _first_and_last(texts)
    if min(first) == 0 or max(first) > _LAST_DAY:
        return True
    return len(last) >= _FEWEST_DAYS and len(first) < len(last)


def _first_and_last(texts: Texts) -> tuple[set[int], set[int]]:
    """Return the first two and the last two of six digits."""
    padded = [text.zfill(6) for text in texts.texts]
    return {int(text[:2]) for text in padded}, {int(text[4:]) for text in padded}
