"""Dates: as people spell them, and what a model is given of them.

A model is given days since 1970-01-01, which are a number, and month and weekday, which are
categories because they go round: a cut "month at most 6" would put December far from January.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.arrow_arrays import LETTER, floats
from probtrees.table.readings.numbers import in_plain_signs
from probtrees.table.readings.reading import ORDERS, Asked, ColumnReading, Reading
from probtrees.table.readings.spellings import spellings
from probtrees.types import FloatArray

DatePart = Literal["days", "month", "weekday", "age", "span"]

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAYS_OF_YEAR = 365.25
_DAY_0 = date(1970, 1, 1).toordinal()
_ROUNDING = 0.021
"""A birthday is the first day of a year of age, whatever leap years there were."""

DATE_CATEGORIES = {"month": MONTHS, "weekday": WEEKDAYS}


def today() -> int:
    """Return today, in days since 1970-01-01."""
    return datetime.now(UTC).toordinal() - _DAY_0


def this_year() -> int:
    """Return the year of today."""
    return datetime.now(UTC).year


def spell_dates(days: FloatArray) -> list[str]:
    """Write days since 1970-01-01 as 2020-12-31, with the time of day where some have one."""
    seconds: NDArray[np.datetime64] = np.round(days * 86400).astype("datetime64[s]")
    unit: Literal["D", "s"] = "D" if (days == np.floor(days)).all() else "s"
    return [str(text).replace("T", " ") for text in np.datetime_as_string(seconds, unit=unit)]


def ages_of(born: FloatArray, seen: FloatArray | float) -> FloatArray:
    """Return ages in years with one decimal, of births and dates in days since 1970-01-01.

    >>> ages_of(np.array([0.0, 3652.5]), 7305.0).tolist()
    [20.0, 10.0]
    """
    return np.floor((seen - born) / DAYS_OF_YEAR * 10.0 + _ROUNDING) / 10.0


def date_part(days: FloatArray, part: DatePart) -> FloatArray:
    """Take a part of dates given as days since 1970-01-01, which was a Thursday.

    >>> date_part(np.array([0.5, 31.0]), "weekday").tolist()
    [3.0, 6.0]
    """
    if part == "days":
        return days
    missing = np.isnan(days)
    whole = np.floor(np.where(missing, 0.0, days)).astype(np.int64)
    if part == "weekday":
        found = (whole + 3) % len(WEEKDAYS)
    else:
        found = whole.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) % len(MONTHS)
    return np.where(missing, np.nan, found)


_TIME = (
    r"(?:(?:,? ?[T ]|:)(?P<hour>\d{1,2})[:h.](?P<minute>\d{2})"
    r"(?:[:.](?P<second>\d{2}(?:\.\d+)?)(?:,\d+)?)?(?: ?Uhr)?(?: ?(?P<noon>[AaPp])\.?[Mm]\.?)?"
    r"(?:Z| ?(?:UTC|GMT|[CWE]ES?T|MES?Z|BST|[ECMP][SD]T)?"
    r"(?:(?P<zone>[+-]\d{1,2})(?::?(?P<zone_minute>\d{2}))?)?)?)?"
)
_YEAR = r"(?P<year>\d{4}|\d{2})"
_NAME, _WEEKDAY = rf"(?P<name>{LETTER}{{3,14}})", rf"(?:{LETTER}{{2,10}}\.?,? )?"
_MONTH, _DAY = r"(?P<month>0?[1-9]|1[0-2])", r"(?P<day>0?[1-9]|[12]\d|3[01])"
_FORMS: dict[str, tuple[str, ...]] = {
    "date": (
        r"(?P<year>\d{4})(?:[-/]|\. ?)(?P<month>\d{1,2})(?:[-/]|\. ?)(?P<day>\d{1,2})\.?" + _TIME,
        rf"{_WEEKDAY}(?P<day>\d{{1,2}})(?:er|st|nd|rd|th)?[-./ ]*(?:de |of )?{_NAME}[-.,/ ]*"
        rf"(?:de )?{_YEAR}(?: [rг]\.)?" + _TIME,
        rf"{_WEEKDAY}{_NAME}\.? +(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? +(?P<year>\d{{4}})" + _TIME,
        r"(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})" + _TIME,
    ),
    "day first": (rf"{_DAY}(?:[-/]|\. ?){_MONTH}(?:[-/]|\. ?){_YEAR}\.?" + _TIME,),
    "month first": (rf"{_MONTH}[-/.]{_DAY}[-/.]{_YEAR}" + _TIME,),
}
_PATTERNS = {name: [re.compile(form, re.A) for form in forms] for name, forms in _FORMS.items()}
_YEARS_AHEAD, _OLD_LAST_YEAR = 10, 2068
"""Two-digit years are read as so many years ahead at most, where none would lie beyond that."""
_MOST_DAYS = 16
"""Fewer different numbers do not show that they are days."""


def parse_dates(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read dates as days since 1970-01-01; NaN where a text is none.

    Whatever the reading is, all texts are read that leave no doubt; 3/4/2020 is read by its
    ``day_first``. Years of two digits are the hundred years up to ``last_year``.

    >>> texts = pa.array(["1970-01-02", "2 Jan 1970 12:00", "3/1/1970"])
    >>> parse_dates(texts, ColumnReading("date")).tolist()
    [1.0, 1.5, nan]
    >>> parse_dates(texts, ColumnReading("day first", day_first=True)).tolist()
    [1.0, 1.5, 2.0]
    """
    texts = in_plain_signs(texts)
    try:  # quickly, if all are written as ISO 8601 has it
        seconds = floats(pc.cast(pc.cast(texts, pa.timestamp("s")), pa.int64()))
    except pa.ArrowInvalid:
        pass
    else:
        return np.floor(seconds / 86400) + seconds % 86400 / 86400
    names = dict.fromkeys((reading.name, "date", ORDERS[reading.day_first]))
    forms = [form for name in names for form in _PATTERNS.get(name, ())]
    matches = [_first_match(forms, text) for text in texts.to_pylist()]
    last_year = reading.last_year or _last_year(matches) or this_year()
    return np.array([_day(match, last_year) for match in matches], dtype=np.float64)


def _first_match(forms: Sequence[re.Pattern[str]], text: str) -> re.Match[str] | None:
    return next((match for form in forms if (match := form.fullmatch(text))), None)


def _day(match: re.Match[str] | None, last_year: int) -> float:
    """Return the day of a date, with the time as a part of it; NaN if the calendar has no such."""
    if match is None:
        return float("nan")
    part = match.groupdict()
    month = month_named(part["name"].lower()) if "name" in part else int(part["month"])
    year, hour, minute = (int(part.get(name) or 0) for name in ("year", "hour", "minute"))
    try:
        year = _with_century(year, last_year)
        day = date(year, month, int(part["day"])).toordinal() - _DAY_0
    except ValueError:
        return float("nan")
    second = float(part.get("second") or 0)
    if noon := part.get("noon"):
        hour = hour % 12 + 12 * (noon in "Pp")
    if minute >= 60 or hour > 24 or (hour == 24 and (minute or second)):
        return float("nan")
    zone, more = part.get("zone") or "0", int(part.get("zone_minute") or 0)
    ahead = 3600 * int(zone) + 60 * (-more if "-" in zone else more)
    return day + (hour * 3600 + minute * 60 + second - ahead) / 86400


@cache
def month_named(name: str) -> int:
    """Return the number of a month by its name, in small letters; 0 where it is none.

    >>> month_named("märz"), month_named("juil"), month_named("dec"), month_named("marketing")
    (3, 7, 12, 0)
    """
    for month, words in spellings("month").items():
        for word in words:
            if name == word or (word.endswith("*") and name.startswith(word[:-1])):
                return int(month)
    return 0


def _with_century(year: int, last_year: int) -> int:
    """Let a year of two digits be one of the hundred years up to some year.

    >>> [_with_century(year, 2026) for year in (26, 27, 1985)]
    [2026, 1927, 1985]
    """
    return year if year >= 100 else last_year - (last_year - year) % 100


def _last_year(matches: Sequence[re.Match[str] | None]) -> int:
    """Choose the latest year that two digits stand for; 0 where no year has two."""
    short = {int(match["year"]) for match in matches if match and len(match["year"]) == 2}
    now = this_year()
    beyond = any(_with_century(year, _OLD_LAST_YEAR) > now + _YEARS_AHEAD for year in short)
    return 0 if not short else now if beyond else now + _YEARS_AHEAD


def _find_date(texts: Sequence[str], known: ColumnReading) -> ColumnReading | Asked:
    """Find how years of two digits are meant; tell what only looks like dates."""
    forms = _PATTERNS[known.name]
    matches = [match for text in texts if (match := _first_match(forms, text))]
    dates = [match[0] for match in matches]
    if known.day_first and all(re.match(f"{_MONTH}/{_DAY}/", text) for text in dates):
        return ""  # slashes part dates that may all begin with the month
    days, years = ({int(match[part]) for match in matches} for part in ("day", "year"))
    # 20-03-27 seems to begin with the year where the last number goes through months.
    if known.day_first and max(years) <= 31 and len(years) >= max(_MOST_DAYS, 2 * len(days)):
        return ""
    return replace(known, last_year=_last_year(matches))


DATE_READINGS = tuple(
    Reading(
        name, "date", "|".join(_FORMS[name]), parse_dates, sentence, True, _find_date, "", first
    )
    for name, sentence, first in (
        ("date", "dates such as 2023-01-05, 5 Jan 2023 or January 5, 2023", None),
        ("day first", "dates whose day comes first", True),
        ("month first", "dates whose month comes first", False),
    )
)
