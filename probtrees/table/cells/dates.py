"""Dates: as people spell them, and what a model is given of them.

Spellings are recognised on whole columns of distinct texts. A model is given days since
1970-01-01, which are a number, and month and weekday, which are categories because they go
round: a cut "month at most 6" would put December far from January.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import LETTER, flags, floats
from probtrees.table.cells.other_dates.month_names import month_of_names
from probtrees.table.cells.other_dates.plain_dates import in_plain_dates
from probtrees.table.cells.periods import parse_periods, parse_short_months
from probtrees.table.dataset import DatePart
from probtrees.types import FloatArray

_TIME = (
    r"(?:(?:,? ?[T ]|:)(?P<hour>\d{1,2})[:h.](?P<minute>\d{2})"
    r"(?:[:.](?P<second>\d{2}(?:\.\d+)?)(?:,\d+)?)?(?: ?Uhr)?"
    r"(?: ?(?P<noon>[AaPp][Mm]))?"
    r"(?:Z| ?(?:UTC|GMT|[CWE]ES?T|MES?Z|BST|[ECMP][SD]T)?(?P<zone>[+-]\d{1,2}(?::?\d{2})?)?)?)?$"
)
_YEAR_FIRST = (
    r"^(?P<year>\d{4})(?:[-/]|\. ?)(?P<month>\d{1,2})(?:[-/]|\. ?)(?P<day>\d{1,2})\.?" + _TIME
)
_COMPACT = r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})" + _TIME
_YEAR_LAST = (
    r"^(?P<first>\d{1,2})(?P<mark>[-/.]) ?(?P<second_>\d{1,2})[-/.] ?(?P<year>\d{4}|\d{2})\.?"
    + _TIME
)
_SHORT = r"^(\d{2})([-/.])(\d{2})[-/.](\d{2})(\D.*)?$"
_NAME = rf"(?P<name>{LETTER}{{3,12}})"
_DAY_NAMED = (
    rf"^(?P<day>\d{{1,2}})(?:er|st|nd|rd|th)?[-./ ]*(?:de )?{_NAME}[-.,/ ]*(?:de )?"
    r"(?P<year>\d{4}|\d{2})" + _TIME
)
_NAME_DAY = rf"^{_NAME}\.? +(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? +(?P<year>\d{{4}})" + _TIME
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_HAS_ROMAN = r"^\d{1,2}[-./ ] ?[IVX]{1,4}[-./ ] ?\d{2}"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DIGIT = "[0-9٠-٩۰-۹०-९๐-๙０-９]"
_SOME_DIGITS = rf"{_DIGIT}.*{_DIGIT}"
"""No date has fewer. Its own patterns are long: where none can match, building them is spared."""

OLD_YEARS = (1290, 1480)
"""The Persian year is 621 behind ours, the Islamic one 579."""
THAI_YEARS, THAI_AHEAD = (2443, 2643), 543
"""Years from 1900 to 2100 as Thailand counts them."""
_LONGEST_MONTH, _MOST_DAYS = 31, 16
"""Fewer different numbers do not show that they are days."""
_MONTH_BEGINS = {1.0, 15.0}
_SHORT_YEARS = 100
YEARS_AHEAD = 10
"""Two-digit years are read as so many years ahead at most, where none would lie beyond that."""

_OLD_LAST_YEAR = 2068
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


@dataclass(frozen=True)
class ParsedDates:
    """Days since 1970-01-01 (NaN where a text is no date), and how 3/4/2020 was understood.

    ``assumed`` says that nothing in the column decided between day and month first. ``last_year``
    is the latest year that two digits stand for, 0 where all years have four. ``periods`` says that
    some texts are a month, a quarter or a week, ``year_first`` that 20-03-04 is in 2020.
    """

    days: FloatArray
    day_first: bool | None = None
    assumed: bool = False
    last_year: int = 0
    periods: bool = False
    year_first: bool = False


@dataclass(frozen=True)
class DateHabit:
    """How the dates of a column are read where they do not say it themselves.

    Attributes
    ----------
    day_first : whether 3/4/2020 is in April; None to find out
    because : what in the table says so; nothing where a person said it
    last_year : the latest year that two digits stand for; 0 to find out
    """

    day_first: bool | None = None
    because: str = ""
    last_year: int = 0


NO_HABIT = DateHabit()
_SIX_DIGITS = ((r"^(\d\d)(\d\d)(\d\d)$", r"\1-\2-\3"), (r"^(\d)(\d\d)(\d\d)$", r"0\1-\2-\3"))
"""200304, and 50304 for 050304, where it is known that the year comes first."""


def today() -> int:
    """Return today, in days since 1970-01-01."""
    return (datetime.datetime.now(datetime.UTC).date() - datetime.date(1970, 1, 1)).days


def this_year() -> int:
    """Return the year of today."""
    return datetime.datetime.now(datetime.UTC).year


def parse_dates(
    texts: pa.StringArray,
    day_first: bool | None = None,
    last_year: int = 0,
    *,
    year_first: bool = False,
) -> ParsedDates:
    """Read every text as a date, with or without a time of day.

    Understood are 2020-03-04, 2020/3/4, 20200304, 2020年3月4日, 令和2年3月4日, 4.3.2020,
    4. 3. 2020, 4-Mar-2020, Mar 4, 2020, 04MAR2020, 4.III.2020,
    months, quarters and weeks (see :func:`.parse_periods`), and 3/4/2020, whose order is taken from
    ``day_first`` or else from the column: a number above 12 must be a day. If none is, points and
    dashes mean day first, slashes month first. The year comes first (20-03-04) if that is said, or
    if the last of the three numbers goes through a month as days do. Years of two digits are the
    hundred years up to ``last_year``, or else those up to ten years from now; where some would lie
    beyond, as birthdays do, they are the hundred years up to this one.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> parse_dates(text_array(["1970-01-02", "1970-01-02 12:00"])).days.tolist()
    [1.0, 1.5]
    """
    days = np.full(len(texts), np.nan)
    if not flags(pc.match_substring_regex(texts, _SOME_DIGITS)).any():
        return ParsedDates(days)
    texts = _with_plain_months(in_plain_dates(texts))
    if year_first:
        for digits, parted in _SIX_DIGITS:
            texts = pc.replace_substring_regex(texts, digits, parted)
    patterns = (_YEAR_FIRST, _DAY_NAMED, _NAME_DAY, _COMPACT, _YEAR_LAST)
    fields = {pattern: _Fields.of(texts, pattern) for pattern in patterns}
    short = fields[_YEAR_LAST] if day_first is None else None
    year_first = short is not None and (year_first or short.begin_with_years())
    if short is not None and year_first:
        turned = pc.replace_substring_regex(texts, _SHORT, r"\4\2\3\2\1\5")
        fields[_YEAR_LAST] = _Fields.of(turned, _YEAR_LAST)
    months = parse_short_months(texts, last_year, this_year() + YEARS_AHEAD)
    if months is not None:
        return ParsedDates(months, last_year=last_year or this_year() + YEARS_AHEAD, periods=True)
    last_year = _last_year([found for found in fields.values() if found is not None], last_year)
    for pattern in patterns[:-1]:
        found = fields[pattern]
        if found is not None:
            month = found.month_by_name() if found.has("name") else found.number("month")
            _fill(days, found.days(month, found.number("day"), last_year))
    found = fields[_YEAR_LAST]
    some_left = bool(np.isnan(days).any())
    begun = parse_periods(texts) if some_left else np.full(len(texts), np.nan)
    periods = bool((~np.isnan(begun) & np.isnan(days)).any())
    _fill(days, begun)
    if found is None:
        return ParsedDates(days, last_year=last_year, periods=periods)
    if year_first:
        _fill(days, found.days(found.number("second_"), found.number("first"), last_year))
        return ParsedDates(days, last_year=last_year, periods=periods, year_first=True)
    first, second = found.number("first"), found.number("second_")
    assumed = day_first is None and not ((first > 12).any() or (second > 12).any())
    if day_first is None:
        slashes = found.begins("mark", "/").any()
        day_first = bool((first > 12).any()) or not (slashes or (second > 12).any())
    month, day = (second, first) if day_first else (first, second)
    _fill(days, found.days(month, day, last_year))
    return ParsedDates(days, day_first, assumed, last_year, periods)


def _with_plain_months(texts: pa.StringArray) -> pa.StringArray:
    """Write the month of 18.VII.2021 in digits."""
    if not flags(pc.match_substring_regex(texts, _HAS_ROMAN)).any():
        return texts
    for month, roman in enumerate(_ROMAN, start=1):
        pattern = rf"^(\d{{1,2}})[-./ ] ?{roman}[-./ ] ?(\d{{4}}|\d\d)$"
        texts = pc.replace_substring_regex(texts, pattern, rf"\1.{month}.\2")
    return texts


def _last_year(found: list[_Fields], said: int) -> int:
    """Choose the latest year that two digits stand for; 0 where no year has two."""
    short = [years[years < _SHORT_YEARS] for years in (each.number("year") for each in found)]
    known = np.concatenate([*short, np.zeros(0)])
    if not len(known) or said:
        return said if len(known) else 0
    now = this_year()
    beyond = _with_century(known, _OLD_LAST_YEAR) > now + YEARS_AHEAD
    return now if beyond.any() else now + YEARS_AHEAD


def _with_century(years: FloatArray, last_year: int) -> FloatArray:
    """Let years of two digits be those of the hundred years up to one.

    >>> _with_century(np.array([26.0, 27.0, 1985.0]), 2026).tolist()
    [2026.0, 1927.0, 1985.0]
    """
    first = last_year - _SHORT_YEARS + 1
    return np.where(years < _SHORT_YEARS, first + (years - first) % _SHORT_YEARS, years)


def _fill(days: FloatArray, found: FloatArray) -> None:
    np.copyto(days, found, where=np.isnan(days))


@dataclass(frozen=True)
class _Fields:
    """The named parts of a date pattern, one entry per text."""

    parts: pa.StructArray

    @classmethod
    def of(cls, texts: pa.StringArray, pattern: str) -> _Fields | None:
        """Match the pattern; None if no text has it."""
        parts = pc.extract_regex(texts, pattern)
        return None if parts.null_count == len(parts) else cls(parts)

    def has(self, name: str) -> bool:
        return bool(self.parts.type.get_field_index(name) >= 0)

    def number(self, name: str, default: float = np.nan) -> FloatArray:
        """Read a part as a number; ``default`` where a text lacks the part."""
        return _numbers(pc.struct_field(self.parts, name), default)

    def begins(self, name: str, pattern: str) -> NDArray[np.bool_]:
        """Find where a part begins with some letter."""
        return flags(pc.match_substring_regex(pc.struct_field(self.parts, name), f"^{pattern}"))

    def begin_with_years(self) -> bool:
        """Whether 20-03-27 begins with the year: the last number goes through months as days do.

        All years have two digits then, and there are few of them, or one that is no day. The first
        and the last days of months are none.
        """
        first, month, last = (self.number(name) for name in ("first", "second_", "year"))
        known = ~np.isnan(first)
        first, month, last = first[known], month[known], last[known]
        if not ((last >= 1) & (last <= _LONGEST_MONTH) & (month >= 1) & (month <= 12)).all():
            return False
        years, days = set(first.tolist()), set(last.tolist())
        no_days = min(years) < 1 or max(years) > _LONGEST_MONTH
        if not no_days and (years <= _MONTH_BEGINS or max(years) > this_year() % _SHORT_YEARS):
            return False
        return len(days) >= _MOST_DAYS and (no_days or 2 * len(years) <= len(days))

    def month_by_name(self) -> FloatArray:
        """Read the name of a month."""
        return month_of_names(pc.struct_field(self.parts, "name"))

    def days(self, month: FloatArray, day: FloatArray, last_year: int) -> FloatArray:
        """Days since 1970-01-01, NaN where the calendar has no such day."""
        year = _with_century(self.number("year"), last_year or _OLD_LAST_YEAR)
        valid = (month >= 1) & (month <= 12) & (day >= 1) & ~np.isnan(year)
        months = np.where(valid, (year - 1970) * 12 + month - 1, 0).astype("datetime64[M]")
        start = months.astype("datetime64[D]")
        length = ((months + np.timedelta64(1, "M")).astype("datetime64[D]") - start).astype(
            np.float64
        )
        valid &= (day <= length) | _are_days_of_other_calendars(year, month, day)
        return np.where(valid, start.astype(np.float64) + day - 1 + self._part_of_day(), np.nan)

    def _part_of_day(self) -> FloatArray:
        hour, minute = self.number("hour", 0.0), self.number("minute", 0.0)
        afternoon = self.begins("noon", "[Pp]")
        hour = np.where(afternoon | self.begins("noon", "[Aa]"), hour % 12 + 12 * afternoon, hour)
        seconds = hour * 3600 + minute * 60 + self.number("second", 0.0) - self._zone()
        end_of_day = (hour == 24) & (minute == 0) & (self.number("second", 0.0) == 0)
        return np.where(((hour < 24) | end_of_day) & (minute < 60), seconds / 86400, np.nan)

    def _zone(self) -> FloatArray:
        """Seconds a stated time zone is ahead of UTC; 0 where none is stated."""
        zone = pc.replace_substring(pc.struct_field(self.parts, "zone"), ":", "")
        stated = _numbers(pc.replace_substring(zone, "+", ""), 0.0)
        in_hours = flags(pc.match_substring_regex(zone, "^.{0,3}$"))  # GMT+1
        stated = np.where(in_hours, 100 * stated, stated)
        hours = np.trunc(stated / 100)
        return np.asarray(hours * 3600 + (stated - hours * 100) * 60, dtype=np.float64)


def _are_days_of_other_calendars(
    year: FloatArray, month: FloatArray, day: FloatArray
) -> NDArray[np.bool_]:
    """Find days that our calendar lacks: Persian and Islamic months, Thai years that leap.

    They are read as so many days after the last of the month; that such years are not exact is
    said with the column.

    >>> days = np.array([2567.0, 2566.0, 1403.0, 2024.0]), np.full(4, 2.0), np.full(4, 29.0)
    >>> _are_days_of_other_calendars(*days).tolist()
    [True, False, True, False]
    """
    old = (year >= OLD_YEARS[0]) & (year <= OLD_YEARS[1]) & (day <= _LONGEST_MONTH)
    thai = (year >= THAI_YEARS[0]) & (year <= THAI_YEARS[1]) & ((year - THAI_AHEAD) % 4 == 0)
    return np.asarray(old | (thai & (month == 2) & (day == 29)), dtype=np.bool_)


def _numbers(field: pa.StringArray, default: float) -> FloatArray:
    """Read digits as numbers; ``default`` where there are none."""
    given = pc.match_substring_regex(field, ".")
    numbers = np.full(len(field), default)
    numbers[flags(given)] = floats(pc.cast(field.filter(given), pa.float64()))
    return numbers


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
