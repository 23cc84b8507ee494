"""Months, quarters and weeks as dates, and dates that are written as numbers.

A period is the day it begins: "11/2019", "Nov 2019" and 11.2019 are 2019-11-01, "Q3 2021" is
2021-07-01, "2021-W07" the Monday of that week.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import LETTER, flags, floats
from probtrees.table.cells.other_dates.month_names import month_of_names
from probtrees.types import FloatArray

_YEAR = r"(?P<year>(?:19|20)\d{2})"
_BETWEEN = r"[-/. ]"
_NUMBERED = (
    rf"^(?P<month>\d{{1,2}})[-/.]{_YEAR}$",
    rf"^{_YEAR}[-/.]?(?P<month>\d{{2}})$",
)
_SHORT_MONTH = r"^(?P<month>0?[1-9]|1[0-2])/(?P<year>\d\d)$"
_MOST_SHORT_YEARS = 12
_QUARTERS = (
    rf"^(?:[QqT]|Quartal |Quarter |Qtr )(?P<quarter>[1-4]){_BETWEEN}?{_YEAR}$",
    rf"^{_YEAR}{_BETWEEN}?[QqT](?P<quarter>[1-4])$",
    rf"^(?P<quarter>[1-4])(?:[Qq]|\. Quartal){_BETWEEN}?{_YEAR}$",
)
_WEEKS = (
    rf"^{_YEAR}{_BETWEEN}?(?:W|w|KW|CW) ?(?P<week>\d{{1,2}})$",
    rf"^(?:W|w|KW|CW|Wk|wk|Week|week) ?(?P<week>\d{{1,2}}){_BETWEEN}{_YEAR}$",
)
_STARTS = (
    "jan(?:uary|uar|v|vier)?|j[äa]e?n(?:ner)?|ene(?:ro)?|gen(?:naio)?|janeiro",
    "feb(?:ruary|ruar|ruary|rero|braio)?|f[ée]v(?:r|rier|ereiro)?",
    "mar(?:ch|s|zo|ço)?|m[äa]e?rz?|mrz",
    "apr(?:il|ile)?|avr(?:il)?|abr(?:il)?",
    "may|mai|mayo|mag(?:gio)?|maio",
    "june?|juni|juin|junio|giu(?:gno)?|junho",
    "july?|juli|juil(?:let)?|julio|lug(?:lio)?|julho",
    "aug(?:ust)?|ao[ûu]t?|ago(?:sto)?",
    "sept?(?:ember|embre|tembre|tiembre|iembre)?|set(?:tembre|embro)?",
    "oct(?:ober|obre|ubre)?|okt(?:ober)?|ott(?:obre)?|out(?:ubro)?",
    "nov(?:ember|embre|iembre|embro)?",
    "dec(?:ember)?|dez(?:ember|embro)?|d[ée]c(?:embre)?|dic(?:embre|iembre)?",
)
"""The names of the months in English, German, French, Spanish, Italian and Portuguese: whole words,
for "Marketing 2019" is no month."""
_NAMED = r"^(?i:{month})\.?[-/. ](?:de )?(?P<year>(?:19|20)\d{{2}})$"
_NAMED_SHORT = r"^(?i:{month})\.?-(?P<year>\d{{2}})$"
_NAME_FIRST = rf"^{LETTER}{{3,10}}\.?[-/. ](de )?\d"
_NAMED_MONTH = rf"^(?P<name>{LETTER}{{3}}|(?i:{'|'.join(_STARTS)}))\.?[/. '’](?P<year>\d\d)$"
"""ago/23, Mrz 24, янв.24, Jan '24: as spreadsheets of several countries write months."""
_FEWEST_NAMED = 6
_DIGITS_OF_DAY, _DIGITS_OF_MONTH = (19_000_101, 21_001_231), (190_001, 210_012)
_DIGITS_OF_SECOND = (19_000_101_000_000, 21_001_231_235_959)
_SECONDS, _MILLISECONDS = (9.4e8, 4.2e9), (9.4e11, 4.2e12)
"""Seconds and milliseconds since 1970 from 2000 to 2100, as machines write times."""
_LAST_POINTED, _FEWEST_MONTHS = 12.21, 3
"""Rates from 1.1900 to 1.2100 are no Januaries: as many months are."""
_CALLED_DATE = re.compile(
    r"date|datum|month|monat|mois|mes\b|mese|period|yyyymm|jjjjmm|time|zeit|epoch|unix|"
    r"created|updated|modified|erstellt|geändert|"
    r"(\b|_)(ts|at)$",
    re.I,
)

_EXCEL_DAYS, _EXCEL_BIRTHS, _EXCEL_1970 = (20_000, 60_000), 4_000, 25_569
"""Days as Excel counts them: from 1954 to 2064, births from 1910, and that of 1970-01-01."""
_BIRTHS = r"birth|born|\bd\.?o\.?b\b|geburt|\bgeb\b|naissance|nacimiento|nascita|nascimento"
_CALLED_BIRTH = re.compile(_BIRTHS, re.I)
_CALLED_DAY = re.compile(
    rf"date|datum|fecha|\bdata d[ieao]\b|day\b|tag\b|日期|admi(tted|ssion)|aufnahme|{_BIRTHS}",
    re.I,
)


def parse_periods(texts: pa.StringArray) -> FloatArray:
    """Read months, quarters and weeks as the day they begin; NaN where a text is none.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> parse_periods(text_array(["01/1970", "Feb 1970", "Q2 1970", "1970-W02", "5"])).tolist()
    [0.0, 31.0, 90.0, 4.0, nan]
    """
    days = np.full(len(texts), np.nan)
    for pattern in _NUMBERED:
        _fill(days, texts, pattern, "month")
    for pattern in _QUARTERS:
        _fill(days, texts, pattern, "quarter")
    for pattern in _WEEKS:
        _fill(days, texts, pattern, "week")
    moments = pc.match_substring_regex(texts, r"^\d{9,10}$|^\d{12,13}$")
    if pc.any(moments, min_count=0).as_py():
        days[flags(moments)] = days_of_numbers(floats(pc.cast(texts.filter(moments), "double")))
    some = pc.any(pc.match_substring_regex(texts, _NAME_FIRST), min_count=0)
    if some.as_py():
        for month, names in enumerate(_STARTS, start=1):
            for pattern in (_NAMED, _NAMED_SHORT):
                _fill(days, texts, pattern.format(month=names), "name", month)
    return days


def parse_short_months(texts: pa.StringArray, known: int, last_year: int) -> FloatArray | None:
    """Read months with a year of two digits, 07/25, as the day they begin; None if that is unsure.

    It is sure where a column is ``known`` to have years of two digits, and where all texts are
    such, some month begins with 0, and what stands behind goes through few years and is no month:
    days go through thirty-one. ``last_year`` is the latest year that two digits stand for.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> parse_short_months(text_array(["01/24", "11/25", "02/24"]), 0, 2030).tolist()
    [19723.0, 20393.0, 19754.0]
    >>> parse_short_months(text_array(["01/02", "11/12"]), 0, 2030)
    >>> months = text_array([f"{m}/{y}" for m in ("jan", "fev", "ago") for y in (23, 24)])
    >>> parse_short_months(months, 0, 2030).tolist()[:3]
    [19358.0, 19723.0, 19389.0]
    """
    parts = pc.extract_regex(texts, _SHORT_MONTH)
    if not len(texts) or parts.null_count:
        return _named_short_months(texts, known, last_year)
    month, year = (floats(pc.cast(pc.struct_field(parts, n), "double")) for n in ("month", "year"))
    padded = flags(pc.match_substring_regex(texts, "^0")).any()
    if not known and not (padded and _are_years(year) and len(np.unique(month)) >= _FEWEST_MONTHS):
        return None
    return _in_century(year, month, known or last_year)


def _named_short_months(texts: pa.StringArray, known: int, last_year: int) -> FloatArray | None:
    """Read ago/23 and Mrz 24 likewise: all texts are such, of several months and few years."""
    parts = pc.extract_regex(pc.replace_substring_regex(texts, r" (['’])", r"\1"), _NAMED_MONTH)
    if not len(texts) or parts.null_count:
        return None
    month = month_of_names(pc.struct_field(parts, "name"))
    year = floats(pc.cast(pc.struct_field(parts, "year"), "double"))
    if np.isnan(month).any():
        return None
    several = len(texts) >= _FEWEST_NAMED and len(np.unique(month)) >= _FEWEST_MONTHS
    if not known and not (several and _are_years(year)):
        return None
    return _in_century(year, month, known or last_year)


def _are_years(numbers: FloatArray) -> bool:
    """Whether numbers of two digits go through few years and are no months, as days would be."""
    years = np.unique(numbers)
    few = len(years) <= _MOST_SHORT_YEARS and np.ptp(years) <= _MOST_SHORT_YEARS
    return bool(few and years[0] > 12)


def _in_century(year: FloatArray, month: FloatArray, last_year: int) -> FloatArray:
    first = last_year - 99
    return _first_day(first + (year - first) % 100, month)


def _fill(days: FloatArray, texts: pa.StringArray, pattern: str, kind: str, month: int = 0) -> None:
    """Write the first days of the periods that a pattern finds."""
    parts = pc.extract_regex(texts, pattern)
    found = flags(pc.is_valid(parts))
    if not found.any():
        return
    known = parts.filter(pa.array(found))
    year = floats(pc.cast(pc.struct_field(known, "year"), "double"))
    year += np.where(year < 100, 2000, 0)
    if kind == "name":
        days[found] = _first_day(year, np.full(len(year), float(month)))
        return
    number = floats(pc.cast(pc.struct_field(known, kind), "double"))
    if kind == "week":
        days[found] = _monday(year, number)
    else:
        days[found] = _first_day(year, number if kind == "month" else 3 * number - 2)


def _first_day(year: FloatArray, month: FloatArray) -> FloatArray:
    valid = (month >= 1) & (month <= 12)
    months = np.where(valid, (year - 1970) * 12 + month - 1, 0).astype("datetime64[M]")
    return np.where(valid, months.astype("datetime64[D]").astype(np.float64), np.nan)


def _monday(year: FloatArray, week: FloatArray) -> FloatArray:
    """Return the first day of a week as ISO 8601 counts them: the first has the 4th of January."""
    fourth = _first_day(year, np.ones(len(year))) + 3
    monday = fourth - (fourth + 3) % 7  # 1970-01-01 was a Thursday
    return np.where((week >= 1) & (week <= 53), monday + 7 * (week - 1), np.nan)


def days_of_numbers(values: FloatArray) -> FloatArray:
    """Read 20231206, 202312, 12.2023 and seconds since 1970 as dates; NaN elsewhere.

    >>> days_of_numbers(np.array([19700102.0, 197002.0, 2.1970, 7.0])).tolist()
    [1.0, 31.0, 31.0, nan]
    """
    days = np.full(len(values), np.nan)
    whole = np.floor(values) == values
    of_second = whole & (values >= _DIGITS_OF_SECOND[0]) & (values <= _DIGITS_OF_SECOND[1])
    if of_second.any():
        return np.where(of_second, _days_of_seconds(np.where(of_second, values, 0.0)), np.nan)
    of_day = whole & (values >= _DIGITS_OF_DAY[0]) & (values <= _DIGITS_OF_DAY[1])
    digits = np.where(of_day, values, 0.0)
    day = digits % 100
    begin = _first_day(digits // 10_000, digits // 100 % 100)
    after = _first_day(digits // 10_000 + (digits // 100 % 100 == 12), digits // 100 % 100 % 12 + 1)
    of_day &= (day >= 1) & (begin + day - 1 < after)
    days[of_day] = (begin + day - 1)[of_day]
    of_month = whole & (values >= _DIGITS_OF_MONTH[0]) & (values <= _DIGITS_OF_MONTH[1])
    digits = np.where(of_month, values, 0.0)
    days = np.where(of_month, _first_day(digits // 100, digits % 100), days)
    for (first, last), in_a_day in ((_SECONDS, 86_400), (_MILLISECONDS, 86_400_000)):
        days = np.where((values >= first) & (values <= last), values / in_a_day, days)
    month = np.floor(np.nan_to_num(values))
    year = np.round((values - month) * 1e4)
    pointed = ~whole & (np.abs((values - month) * 1e4 - year) < 1e-6)
    pointed &= (year >= 1900) & (year <= 2100) & (month >= 1) & (month <= 12)
    return np.where(pointed, _first_day(np.where(pointed, year, 1970), month), days)


def _days_of_seconds(digits: FloatArray) -> FloatArray:
    """Read 20231206143015 as a date with its time of day; NaN where that is none."""
    days = days_of_numbers(digits // 1_000_000)
    hours, minutes, seconds = digits // 10_000 % 100, digits // 100 % 100, digits % 100
    valid = (hours < 24) & (minutes < 60) & (seconds < 60)
    return np.where(valid, days + (hours * 3600 + minutes * 60 + seconds) / 86_400, np.nan)


def dates_among_numbers(name: str, values: FloatArray) -> FloatArray | None:
    """Return the days of a column of numbers, all of which are dates; None if they are not.

    Six digits may be many things, and so may ten, or 1.1987: they are months or moments only under
    the name of one.
    """
    known = values[~np.isnan(values)]
    if len(known) < 2 or known.min() == known.max() or np.isinf(known).any():
        return None
    six_digits = known.max() <= _DIGITS_OF_MONTH[1] and (known % 1 == 0).any()
    one_season = known.max() <= _LAST_POINTED and len(np.unique(np.floor(known))) < _FEWEST_MONTHS
    in_doubt = six_digits or one_season or known.max() >= _SECONDS[0]
    if in_doubt and not _CALLED_DATE.search(name):
        return None
    days = days_of_numbers(values)
    return None if np.isnan(days[~np.isnan(values)]).any() else days


def days_of_excel(values: FloatArray) -> FloatArray:
    """Read days as Excel counts them as days since 1970-01-01; NaN where they are out of question.

    >>> days_of_excel(np.array([25570.0, 44011.5, 7.0])).tolist()
    [1.0, 18442.5, nan]
    """
    possible = (values >= _EXCEL_BIRTHS) & (values <= _EXCEL_DAYS[1])
    return np.where(possible, values - _EXCEL_1970, np.nan)


def are_excel_days(values: FloatArray) -> bool:
    """Whether numbers may all be days as Excel counts them, whole or most with a time of day."""
    known = values[~np.isnan(values)]
    if len(known) < 2 or known.min() == known.max() or np.isnan(days_of_excel(known)).any():
        return False
    fractions = (known % 1 != 0).mean()
    return bool(fractions == 0 or fractions > 0.5)


def look_like_excel_days(name: str, values: FloatArray) -> bool:
    """Whether numbers may be such days and have the name of a day; births go further back.

    >>> days = np.array([43000.0, 44011.0])
    >>> [look_like_excel_days(name, days) for name in ("Date of visit", "geb_datum", "income")]
    [True, True, False]
    """
    name = name.replace("_", " ")
    if not _CALLED_DAY.search(name) or not are_excel_days(values):
        return False
    return bool(_CALLED_BIRTH.search(name) or np.nanmin(values) >= _EXCEL_DAYS[0])
