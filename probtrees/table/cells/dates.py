"""Dates: as people spell them, and what a model is given of them.

Spellings are recognised on whole columns of distinct texts. A model is given days since
1970-01-01, which are a number, and month and weekday, which are categories because they go
round: a cut "month at most 6" would put December far from January.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import codes, flags, floats, text_array
from probtrees.table.dataset import DatePart
from probtrees.types import FloatArray

_TIME = (
    r"(?:[T ](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:\.\d+)?))?"
    r"(?: ?(?P<noon>[AaPp][Mm]))?(?:Z|(?P<zone>[+-]\d{2}:?\d{2}))?)?$"
)
_YEAR_FIRST = r"^(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})" + _TIME
_COMPACT = r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})" + _TIME
_YEAR_LAST = (
    r"^(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second_>\d{1,2})[-/.](?P<year>\d{4}|\d{2})" + _TIME
)
_NAME = r"(?P<name>[A-Za-zä]{3,9})"
_DAY_NAMED = rf"^(?P<day>\d{{1,2}})[-. ]+{_NAME}[-., ]+(?P<year>\d{{4}}|\d{{2}})" + _TIME
_NAME_DAY = rf"^{_NAME}\.? +(?P<day>\d{{1,2}}),? +(?P<year>\d{{4}})" + _TIME
_MONTH_STARTS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_GERMAN_STARTS = {"mär": 3, "mrz": 3, "mae": 3, "mai": 5, "okt": 10, "dez": 12}
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SHORT_YEARS, _FIRST_SHORT = 100, 69
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DATE_CATEGORIES: dict[DatePart, tuple[str, ...] | None] = {
    "days": None,
    "month": MONTHS,
    "weekday": WEEKDAYS,
}


@dataclass(frozen=True)
class ParsedDates:
    """Days since 1970-01-01 (NaN where a text is no date), and how 3/4/2020 was understood.

    ``assumed`` says that nothing in the column decided between day and month first, ``short_years``
    that some years have two digits.
    """

    days: FloatArray
    day_first: bool | None = None
    assumed: bool = False
    short_years: bool = False


def parse_dates(texts: pa.StringArray, day_first: bool | None = None) -> ParsedDates:
    """Read every text as a date, with or without a time of day.

    Understood are 2020-03-04, 2020/3/4, 20200304, 4.3.2020, 4-Mar-2020, Mar 4, 2020, and
    3/4/2020, whose order is taken from ``day_first`` or else from the column: a number above 12
    must be a day. If none is, points and dashes mean day first, slashes month first. Years of two
    digits are 1969 to 2068.

    >>> parse_dates(text_array(["1970-01-02", "1970-01-02 12:00"])).days.tolist()
    [1.0, 1.5]
    """
    days = np.full(len(texts), np.nan)
    short = False
    for pattern in (_YEAR_FIRST, _DAY_NAMED, _NAME_DAY, _COMPACT):
        found = _Fields.of(texts, pattern)
        if found is not None:
            month = found.month_by_name() if found.has("name") else found.number("month")
            _fill(days, found.days(month, found.number("day")))
            short = short or found.has_short_years
    found = _Fields.of(texts, _YEAR_LAST)
    if found is None:
        return ParsedDates(days, short_years=short)
    first, second = found.number("first"), found.number("second_")
    assumed = day_first is None and not ((first > 12).any() or (second > 12).any())
    if day_first is None:
        slashes = found.begins("mark", "/").any()
        day_first = bool((first > 12).any()) or not (slashes or (second > 12).any())
    month, day = (second, first) if day_first else (first, second)
    _fill(days, found.days(month, day))
    return ParsedDates(days, day_first, assumed, short or found.has_short_years)


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

    def month_by_name(self) -> FloatArray:
        """Read the name of a month, of which three letters count."""
        names = pc.utf8_lower(pc.struct_field(self.parts, "name"))
        starts = pc.utf8_slice_codeunits(names, 0, 3)
        known = (*_MONTH_STARTS, *_GERMAN_STARTS)
        positions = codes(pc.index_in(starts, value_set=text_array(known)))
        months = np.array([*range(1, 13), *_GERMAN_STARTS.values(), np.nan])
        return np.asarray(months[positions], dtype=np.float64)

    @property
    def has_short_years(self) -> bool:
        """Whether some year has two digits."""
        return bool((self.number("year") < _SHORT_YEARS).any())

    def days(self, month: FloatArray, day: FloatArray) -> FloatArray:
        """Days since 1970-01-01, NaN where the calendar has no such day."""
        year = self.number("year")
        century = np.where(year < _FIRST_SHORT, 2000, 1900)
        year = np.where(year < _SHORT_YEARS, year + century, year)
        valid = (month >= 1) & (month <= 12) & (day >= 1) & ~np.isnan(year)
        months = np.where(valid, (year - 1970) * 12 + month - 1, 0).astype("datetime64[M]")
        start = months.astype("datetime64[D]")
        length = ((months + 1).astype("datetime64[D]") - start).astype(np.float64)
        valid &= day <= length
        return np.where(valid, start.astype(np.float64) + day - 1 + self._part_of_day(), np.nan)

    def _part_of_day(self) -> FloatArray:
        hour, minute = self.number("hour", 0.0), self.number("minute", 0.0)
        afternoon = self.begins("noon", "[Pp]")
        hour = np.where(afternoon | self.begins("noon", "[Aa]"), hour % 12 + 12 * afternoon, hour)
        seconds = hour * 3600 + minute * 60 + self.number("second", 0.0) - self._zone()
        return np.where((hour < 24) & (minute < 60), seconds / 86400, np.nan)

    def _zone(self) -> FloatArray:
        """Seconds a stated time zone is ahead of UTC; 0 where none is stated."""
        zone = pc.replace_substring(pc.struct_field(self.parts, "zone"), ":", "")
        stated = _numbers(pc.replace_substring(zone, "+", ""), 0.0)
        hours = np.trunc(stated / 100)
        return np.asarray(hours * 3600 + (stated - hours * 100) * 60, dtype=np.float64)


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
