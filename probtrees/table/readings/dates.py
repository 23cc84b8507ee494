"""Dates: as people spell them, and what a model is given of them.

A model is given days since 1970-01-01, which are a number, and month and weekday, which are
categories because they go round: a cut "month at most 6" would put December far from January.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.arrow_arrays import LETTER, codes, flags, floats, mask_array
from probtrees.table.readings.marks import in_plain_signs
from probtrees.table.readings.numbers import parse_amounts
from probtrees.table.readings.reading import Asked, ColumnReading, Reading
from probtrees.table.readings.spellings import spellings
from probtrees.types import FloatArray

DatePart = Literal["days", "month", "weekday", "age", "span"]

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAYS_OF_YEAR = 365.25
_ROUNDING = 0.021
"""A birthday is the first day of a year of age, whatever leap years there were."""

DATE_CATEGORIES: dict[DatePart, tuple[str, ...] | None] = {
    "days": None,
    "month": MONTHS,
    "weekday": WEEKDAYS,
    "age": None,
    "span": None,
}


def today() -> int:
    """Return today, in days since 1970-01-01."""
    return (datetime.datetime.now(datetime.UTC).date() - datetime.date(1970, 1, 1)).days


def this_year() -> int:
    """Return the year of today."""
    return datetime.datetime.now(datetime.UTC).year


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
    if part in ("days", "span"):
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
    r"(?:Z| ?(?:UTC|GMT|[CWE]ES?T|MES?Z|BST|[ECMP][SD]T)?(?P<zone>[+-]\d{1,2}(?::?\d{2})?)?)?)?"
)
_YEAR = r"(?P<year>\d{4}|\d{2})"
_NAME = rf"(?P<name>{LETTER}{{3,14}})"
_WEEKDAY = rf"(?:{LETTER}{{2,10}}\.?,? )?"
_MONTH, _DAY = r"(?:0?[1-9]|1[0-2])", r"(?:0?[1-9]|[12]\d|3[01])"
_FULL_YEAR = r"(?P<year>(?:19|20)\d{2})"
_FORMS: dict[str, tuple[str, ...]] = {
    "date": (
        r"(?P<year>\d{4})(?:[-/]|\. ?)(?P<month>\d{1,2})(?:[-/]|\. ?)(?P<day>\d{1,2})\.?" + _TIME,
        rf"{_WEEKDAY}(?P<day>\d{{1,2}})(?:er|st|nd|rd|th)?[-./ ]*(?:de |of )?{_NAME}[-.,/ ]*"
        rf"(?:de )?{_YEAR}(?: [rг]\.)?" + _TIME,
        rf"{_WEEKDAY}{_NAME}\.? +(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? +(?P<year>\d{{4}})" + _TIME,
    ),
    "compact date": (_FULL_YEAR + r"(?P<month>\d{2})(?P<day>\d{2})" + _TIME,),
    "day first": (
        rf"(?P<day>{_DAY})(?:[-/]|\. ?)(?P<month>{_MONTH})(?:[-/]|\. ?){_YEAR}\.?" + _TIME,
    ),
    "month first": (rf"(?P<month>{_MONTH})[-/.](?P<day>{_DAY})[-/.]{_YEAR}" + _TIME,),
    "year and month": (
        rf"(?P<month>{_MONTH})[-/.]{_FULL_YEAR}",
        rf"{_FULL_YEAR}[-/.](?P<month>{_MONTH})",
        rf"{_NAME}\.?[-/. ](?:de )?{_FULL_YEAR}",
    ),
    "quarter": (
        rf"(?:[Qq]|Quartal |Quarter )(?P<quarter>[1-4])[-/. ]?{_FULL_YEAR}",
        rf"{_FULL_YEAR}[-/. ]?[Qq](?P<quarter>[1-4])",
    ),
}
_CERTAIN = ("date", "compact date", "year and month", "quarter")
_SHORT_YEARS = 100
_YEARS_AHEAD = 10
"""Two-digit years are read as so many years ahead at most, where none would lie beyond that."""
_OLD_LAST_YEAR = 2068
_LONGEST_MONTH, _MOST_DAYS = 31, 16
"""Fewer different numbers do not show that they are days."""


def parse_dates(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read dates as days since 1970-01-01; NaN where a text is none.

    Whatever the reading is, all texts are read that leave no doubt; 3/4/2020 is read by its
    ``day_first``. Years of two digits are the hundred years up to ``last_year``.

    >>> texts = pa.array(["1970-01-02", "2 Jan 1970 12:00", "Feb 1970", "3/1/1970"])
    >>> parse_dates(texts, ColumnReading("date")).tolist()
    [1.0, 1.5, 31.0, nan]
    >>> parse_dates(texts, ColumnReading("day first", day_first=True)).tolist()
    [1.0, 1.5, 31.0, 2.0]
    """
    texts = in_plain_signs(texts)
    days = np.full(len(texts), np.nan)
    order = {True: "day first", False: "month first", None: ""}[reading.day_first]
    names = dict.fromkeys((reading.name, *_CERTAIN, order))
    for form in (form for name in names for form in _FORMS.get(name, ())):
        left = np.isnan(days)
        if not left.any():
            break
        days[left] = _days(texts.filter(mask_array(left)), form, reading.last_year)
    return days


def _days(texts: pa.StringArray, form: str, last_year: int) -> FloatArray:
    """Read texts of one form; NaN where a text has another, or the calendar has no such day."""
    parts = pc.extract_regex(texts, f"^(?:{form})$")
    if parts.null_count == len(parts):
        return np.full(len(texts), np.nan)
    fields = _Fields(parts)
    day = fields.number("day", 1.0)
    if fields.has("quarter"):
        month = 3 * fields.number("quarter") - 2
    else:
        month = fields.month_by_name() if fields.has("name") else fields.number("month")
    year = fields.number("year")
    year = _with_century(year, last_year or _last_year(year) or this_year())
    valid = (month >= 1) & (month <= 12) & (day >= 1) & ~np.isnan(year)
    months = np.where(valid, (year - 1970) * 12 + month - 1, 0).astype("datetime64[M]")
    start = months.astype("datetime64[D]")
    after = (months + np.timedelta64(1, "M")).astype("datetime64[D]")
    valid &= day <= (after - start).astype(np.float64)
    part = fields.part_of_day() if fields.has("hour") else 0.0
    return np.where(valid, start.astype(np.float64) + day - 1 + part, np.nan)


class _Fields:
    """The named parts of a date, one entry per text."""

    def __init__(self, parts: pa.StructArray) -> None:
        self.parts = parts

    def has(self, name: str) -> bool:
        """Whether the form has a part."""
        return bool(self.parts.type.get_field_index(name) >= 0)

    def number(self, name: str, default: float = np.nan) -> FloatArray:
        """Read a part as a number; ``default`` where a text lacks the part."""
        if not self.has(name):
            return np.where(flags(pc.is_valid(self.parts)), default, np.nan)
        return _numbers(pc.struct_field(self.parts, name), default)

    def begins(self, name: str, pattern: str) -> NDArray[np.bool_]:
        """Find where a part begins with some letter."""
        return flags(pc.match_substring_regex(pc.struct_field(self.parts, name), f"^{pattern}"))

    def month_by_name(self) -> FloatArray:
        """Read the names of months, by how they begin; the longest beginning decides."""
        names = pc.utf8_lower(pc.struct_field(self.parts, "name")).dictionary_encode()
        numbers = [month_named(name) for name in names.dictionary.to_pylist()]
        return np.array([*numbers, np.nan])[codes(names.indices)]

    def part_of_day(self) -> FloatArray:
        """Return the time of day, in days."""
        hour, minute = self.number("hour", 0.0), self.number("minute", 0.0)
        second = self.number("second", 0.0)
        afternoon = self.begins("noon", "[Pp]")
        hour = np.where(afternoon | self.begins("noon", "[Aa]"), hour % 12 + 12 * afternoon, hour)
        seconds = hour * 3600 + minute * 60 + second - self._zone()
        end_of_day = (hour == 24) & (minute == 0) & (second == 0)
        return np.where(((hour < 24) | end_of_day) & (minute < 60), seconds / 86400, np.nan)

    def _zone(self) -> FloatArray:
        """Seconds a stated time zone is ahead of UTC; 0 where none is stated."""
        zone = pc.replace_substring(pc.struct_field(self.parts, "zone"), ":", "")
        stated = _numbers(pc.replace_substring(zone, "+", ""), 0.0)
        in_hours = flags(pc.match_substring_regex(zone, "^.{0,3}$"))  # GMT+1
        stated = np.where(in_hours, 100 * stated, stated)
        hours = np.trunc(stated / 100)
        return np.asarray(hours * 3600 + (stated - hours * 100) * 60, dtype=np.float64)


@cache
def month_named(name: str) -> float:
    """Return the number of a month by its name, in small letters; NaN where it is none.

    >>> month_named("märz"), month_named("juil"), month_named("dec"), month_named("marketing")
    (3.0, 7.0, 12.0, nan)
    """
    for month, words in spellings("month").items():
        for word in words:
            if name == word or (word.endswith("*") and name.startswith(word[:-1])):
                return float(month)
    return float("nan")


def _numbers(field: pa.StringArray, default: float) -> FloatArray:
    """Read digits as numbers; ``default`` where there are none."""
    given = pc.match_substring_regex(field, ".")
    numbers = np.full(len(field), default)
    numbers[flags(given)] = floats(pc.cast(field.filter(given), pa.float64()))
    return numbers


def _with_century(years: FloatArray, last_year: int) -> FloatArray:
    """Let years of two digits be those of the hundred years up to one.

    >>> _with_century(np.array([26.0, 27.0, 1985.0]), 2026).tolist()
    [2026.0, 1927.0, 1985.0]
    """
    first = last_year - _SHORT_YEARS + 1
    return np.where(years < _SHORT_YEARS, first + (years - first) % _SHORT_YEARS, years)


def _find(name: str) -> Callable[[pa.StringArray, ColumnReading], ColumnReading | Asked]:
    """Return what finds how years of two digits are meant, and tells what only looks like dates."""

    def find(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading | Asked:
        plain: list[str] = texts.to_pylist()
        matches = [m for form in forms for text in plain if (m := form.fullmatch(text))]
        dates = [match[0] for match in matches]
        if name == "year and month" and _are_seasons(dates):
            return ""
        if name == "day first" and (_are_american(dates) or _begin_with_years(matches)):
            return ""
        day_first = {"day first": True, "month first": False}.get(name)
        years = np.array([float(match["year"]) for match in matches])
        return ColumnReading(name, reading.decimal, "", day_first, _last_year(years))

    forms = [re.compile(form, re.A) for form in _FORMS[name]]
    return find


def _are_seasons(texts: Sequence[str]) -> bool:
    """Whether 2010/11 is followed by 2011/12: the second year goes on from the first.

    >>> _are_seasons(["2009/10", "2010/11"]), _are_seasons(["2009/10", "2010/10"])
    (True, False)
    """
    pairs = [(text[2:4], text[5:]) for text in texts if text[:4].isdigit()]
    return len(pairs) > 1 and all((int(one) + 1) % 100 == int(two) for one, two in pairs)


def _are_american(texts: Sequence[str]) -> bool:
    """Whether slashes part dates that may all begin with the month."""
    return all(re.match(f"{_MONTH}/{_DAY}/", text) for text in texts)


def _begin_with_years(dates: Sequence[re.Match[str]]) -> bool:
    """Whether 20-03-27 seems to begin with the year: the last number goes through months."""
    days, years = ({int(match[part]) for match in dates} for part in ("day", "year"))
    may_be_days = min(years, default=0) >= 1 and max(years, default=0) <= _LONGEST_MONTH
    return may_be_days and len(years) >= _MOST_DAYS and 2 * len(days) <= len(years)


def _last_year(years: FloatArray) -> int:
    """Choose the latest year that two digits stand for; 0 where no year has two."""
    short = years[years < _SHORT_YEARS]
    if not len(short):
        return 0
    now = this_year()
    beyond = _with_century(short, _OLD_LAST_YEAR) > now + _YEARS_AHEAD
    return now if beyond.any() else now + _YEARS_AHEAD


_DIGITS_OF_DAY, _DIGITS_OF_MONTH = (19_000_101, 21_001_231), (190_001, 210_012)
_SECONDS, _MILLISECONDS = (9.4e8, 4.2e9), (9.4e11, 4.2e12)
"""Seconds and milliseconds since 1970 from 2000 to 2100, as machines write times."""
_EXCEL_DAYS, _EXCEL_1970 = (4_000, 60_000), 25_569
"""Days as Excel counts them, from 1910 to 2064, and that of 1970-01-01."""


def days_of_numbers(values: FloatArray) -> FloatArray:
    """Read 20231206, 202312 and seconds since 1970 as dates; NaN elsewhere.

    >>> days_of_numbers(np.array([19700102.0, 197002.0, 7.0])).tolist()
    [1.0, 31.0, nan]
    """
    days = np.full(len(values), np.nan)
    whole = np.floor(values) == values
    of_day = whole & (values >= _DIGITS_OF_DAY[0]) & (values <= _DIGITS_OF_DAY[1])
    of_month = whole & (values >= _DIGITS_OF_MONTH[0]) & (values <= _DIGITS_OF_MONTH[1])
    digits = np.where(of_day, values, np.where(of_month, 100 * values + 1, 19_700_101))
    year, month, day = digits // 10_000, digits // 100 % 100, digits % 100
    valid = (of_day | of_month) & (month >= 1) & (month <= 12) & (day >= 1)
    begin, after = _month_begins(year, month, valid), _month_begins(year, month + 1, valid)
    days = np.where(valid & (begin + day - 1 < after), begin + day - 1, np.nan)
    for (first, last), in_a_day in ((_SECONDS, 86_400), (_MILLISECONDS, 86_400_000)):
        days = np.where((values >= first) & (values <= last), values / in_a_day, days)
    return days


def _month_begins(year: FloatArray, month: FloatArray, valid: NDArray[np.bool_]) -> FloatArray:
    months = np.where(valid, (year - 1970) * 12 + month - 1, 0).astype("datetime64[M]")
    return months.astype("datetime64[D]").astype(np.float64)


def days_of_excel(values: FloatArray) -> FloatArray:
    """Read days as Excel counts them as days since 1970-01-01; NaN where they are out of question.

    >>> days_of_excel(np.array([25570.0, 44011.5, 7.0])).tolist()
    [1.0, 18442.5, nan]
    """
    possible = (values >= _EXCEL_DAYS[0]) & (values <= _EXCEL_DAYS[1])
    return np.where(possible, values - _EXCEL_1970, np.nan)


def _parse_excel(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    counted = days_of_excel(parse_amounts(texts, ColumnReading(decimal=reading.decimal)))
    return np.where(np.isnan(counted), parse_dates(texts, reading), counted)


_SENTENCES = {
    "date": "dates such as 2023-01-05, 5 Jan 2023 or January 5, 2023",
    "compact date": "dates such as 20230105",
    "day first": "dates whose day comes first",
    "month first": "dates whose month comes first",
    "year and month": "months, each read as its first day",
    "quarter": "quarters, each read as its first day",
}
_RIVALS = {"day first": "month first", "month first": "day first"}
DATE_READINGS: tuple[Reading, ...] = (
    *(
        Reading(
            name,
            "date",
            "|".join(forms),
            parse_dates,
            _SENTENCES[name],
            find=_find(name),
            rival=_RIVALS.get(name, ""),
        )
        for name, forms in _FORMS.items()
    ),
    Reading(
        "excel days", "date", r"\d+(?:[.,]\d+)?", _parse_excel, "days as Excel counts them", False
    ),
)
