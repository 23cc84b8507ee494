"""Numbers as people write them: marks, groups, units, currencies, limits, times; and codes.

What stands around a number (a currency, a unit) is looked up in ``spellings.tsv``; a word
that is not known there makes no number: 1a and 2a are flats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.arrow_arrays import flags, floats
from probtrees.table.readings.reading import Asked, ColumnReading, Reading
from probtrees.table.readings.spellings import CLOCK, is_money, spelled_as, unit_named
from probtrees.types import FloatArray

_B, _E = r"(?:^|[^\d.,'])", r"(?:[^\d.,']|$)"
_SURE = {
    mark: rf"{_B}(?:0[{mark}]\d+|\d{{4,}}[{mark}]\d+|\d*[{mark}](?:\d{{1,2}}|\d{{4,}})){_E}"
    rf"|\d[{other}' ]\d{{3}}[{mark}]\d+{_E}|\d[{other}]\d{{3}}[{other}]\d{{3}}|\d[{mark}]-{more}"
    for mark, other, more in ((".", ",", r"|\d,\d\d,\d{3}"), (",", ".", ""))
}
"""What tells the decimal mark: 0,018 and 12,5 and 1.234.567 have a comma."""
_EITHER = {mark: rf"{_B}[1-9]\d{{0,2}}[{mark}]\d{{3}}{_E}" for mark in ".,"}
"""A number whose mark may be either: 2.238."""
_BARE = rf"{_B}\d+{_E}"
_MONEY = r"[$€£¥₹₽₺₩]|[A-Z]{3}"
_FEWEST_GROUPED = 3
_POWER = re.compile(r"\d{1,4}E\d{1,3}", re.A)
_VERSION = re.compile(r"\d{1,3}\.(?:0|[1-9]\d?)", re.A)
_TICKED = re.compile(r"\d|[1-9](?:,[1-9])+", re.A)

_SIGNS = (
    ("[\u00a0\u2002-\u200a\u202f\u3000]", " "),
    ("[’‘ʼ´`＇]", "'"),
    ("[−–—－﹣‐‑]", "-"),
    ("[\u200b\u200e\u200f\u2060\u061c\ufeff]", ""),
)


def in_plain_signs(texts: pa.StringArray) -> pa.StringArray:
    """Respell spaces, apostrophes and minus signs that are not plain ones.

    >>> in_plain_signs(pa.array([" 1\u202f234", "1’234", "−17", "x"])).to_pylist()
    ['1 234', "1'234", '-17', 'x']
    """
    texts = pc.utf8_trim_whitespace(texts)
    if pc.all(pc.string_is_ascii(texts), min_count=0).as_py():
        return texts
    for pattern, plain in _SIGNS:
        texts = pc.replace_substring_regex(texts, pattern, plain)
    return texts


def has(texts: Iterable[str], pattern: str) -> bool:
    """Whether a regular expression is found in some text."""
    return any(map(re.compile(pattern, re.A).search, texts))


def decimal_mark(texts: Sequence[str], decimal: str) -> str:
    """Find the decimal mark of a column's numbers; empty where that is in doubt.

    Of the file's mark a comma is known, a point may be for want of others.

    >>> texts = ["0,5", "1.234"], ["1,5", "2.5"], ["1,234", "7"]
    >>> [decimal_mark(some, ".") for some in texts]
    [',', '', '.']
    >>> [decimal_mark(["1.234", "2.345"], mark) for mark in (".", ",")]
    ['.', ',']
    """
    sure = [mark for mark in ".," if has(texts, _SURE[mark])]
    if sure:
        return sure[0] if len(sure) == 1 else ""
    either = [mark for mark in ".," if has(texts, _EITHER[mark])]
    if len(either) != 1 or decimal == ",":
        return decimal if len(either) < 2 else ""
    if either == [","]:  # 1,234 beside 987; where all have a comma, it may be a decimal mark
        return decimal if has(texts, _BARE) or has(texts, _MONEY) else ""
    grouped = [text for text in texts if re.search(_EITHER["."], text, re.A)]
    of_money = has(grouped, _MONEY)  # 1.200 € beside 12 € is hardly 1.2
    larger = has(texts, rf"{_B}[1-9]\d\d+{_E}") and has(grouped, rf"0{_E}")
    return "" if of_money or (larger and len(grouped) >= _FEWEST_GROUPED) else decimal


def are_codes(texts: Sequence[str]) -> bool:
    """Whether numbers are codes: 007, 01.50, 3E1, 1.10 behind 1.9, 1,2 where both are ticked.

    Two digits that may be days, months or hours are numbers.

    >>> [are_codes(t) for t in (["10", "007"], ["08", "12"], ["3E1", "2E4"])]
    [True, False, True]
    >>> are_codes(["1.8", "1.9", "1.10"]), are_codes(["0.5", "1.10"])
    (True, False)
    """
    if has(texts, r"^\d{16}"):
        return True  # as numbers they could become equal
    if has(texts, r"^0\d[\d.]*$"):
        are_two = all(len(text) == 2 for text in texts)
        return not (are_two and "10" <= max(texts) <= "31")
    if all(map(_POWER.fullmatch, texts)):
        return len({text.partition("E")[0] for text in texts}) > 1
    if all(map(_VERSION.fullmatch, texts)):
        behind = {text.partition(".")[2] for text in texts}
        longer = sorted(int(part) for part in behind if len(part) > 1)
        return "9" in behind and bool(longer) and longer == list(range(10, 10 + len(longer)))
    return _are_ticked(texts)


def _are_ticked(texts: Sequence[str]) -> bool:
    """Whether 1,2 are two answers of a list that were ticked: most of them are ticked alone, too.

    >>> _are_ticked(["1", "2", "1,2", "1,3", "3", "2,3"]), _are_ticked(["1", "1,5", "2,5"])
    (True, False)
    """
    several = [text.split(",") for text in texts if "," in text]
    ascend = all(digits == sorted(set(digits)) for digits in several)
    if not (several and ascend and all(map(_TICKED.fullmatch, texts))):
        return False
    ends = [{digits[side] for digits in several} for side in (0, -1)]
    return min(map(len, ends)) > 1 and set(texts) >= set().union(*several)


_PLAIN = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:inf|Inf|INF|infinity|Infinity)"
PLAIN_NUMBER = re.compile(_PLAIN, re.A)
_BODY = {
    mark: rf"[1-9]\d{{0,2}}(?:(?:{group}\d{{3}})+|(?:'\d{{3}})+|(?: \d{{3}})+)(?:[{mark}]\d+)?|"
    rf"{more}\d+(?:[{mark}]\d+)?(?:[eE][+-]?\d+)?"
    for mark, group, more in ((".", ",", r"[1-9]\d?(?:,\d\d)+,\d{3}(?:\.\d+)?|"), (",", r"\.", ""))
}
"""Thousands in groups of three, made in one way; of two in India. No zero stands before one."""
_SIGN = r"[^\d\s.,()+'\"<>≤≥~≈:;#/_=*-]"
_BEFORE = rf"{_SIGN}{{0,3}}[A-Za-z]\.|{_SIGN}{{1,4}}"  # Rs.500 is 500, but $.5 is 0.5
_AFTER = r"[^\d\s()+.,'\"/:;#_*<>=-][^\s()\"*+]{0,14}(?: [^\d\s()+.,'\":;#_-][^\s()\"\d]{0,11})?"
_AMOUNT = {
    mark: rf"(?P<limit>[<>≤≥~≈]=?|ca\.?)? ?(?P<open>\()?(?P<sign>[+-])? ?(?P<before>{_BEFORE})? ?"
    rf"(?P<inner>-)?(?P<body>{body}|[{mark}]\d+)(?:[.,]-{{1,2}})?"
    rf"(?P<gap> ?)(?P<after>{_AFTER})?(?P<close>\))?"
    for mark, body in _BODY.items()
}
_AMOUNT_PATTERN = {mark: re.compile(pattern, re.A) for mark, pattern in _AMOUNT.items()}
_GROUPED = {mark: rf"[+-]?(?:{body}|[{mark}]\d+)|\(-?(?:{body})\)" for mark, body in _BODY.items()}
GROUPED_FORMS = tuple(re.compile(rf"[+-]?(?:{body})\Z", re.A) for body in _BODY.values())
"""Numbers without anything around them, with whatever marks."""
_WITHOUT_GROUPS = {".": str.maketrans("", "", ",' "), ",": str.maketrans(",", ".", ".' ")}

_MOST_LIMITS, _FEWEST_NUMBERS = 0.2, 10
"""Among fewer different numbers <5 and >10 are groups rather than limits."""


def parse_plain(texts: pa.StringArray) -> FloatArray:
    """Read plain numbers; NaN where a text is none.

    >>> parse_plain(pa.array(["1", "-2.5e3", "+7", "1,5", "abc"])).tolist()
    [1.0, -2500.0, 7.0, nan, nan]
    """
    readable = pc.match_substring_regex(texts, f"^(?:{_PLAIN})$")
    numbers = np.full(len(texts), np.nan)
    plain = pc.replace_substring_regex(texts.filter(readable), r"^\+", "")
    numbers[flags(readable)] = floats(pc.cast(plain, pa.float64()))
    return numbers


class _Amount(NamedTuple):
    """A number and what stands around it.

    Attributes
    ----------
    value : NaN where the text is no number
    unit : the unit or currency, by the name that is shown; empty where there is none
    is_short : whether a single letter says it, which may be anything: 3M, 4g
    is_limit : whether a sign says that the number is a limit or not exact: <5, ca. 5
    body : its digits as they are written
    """

    value: float = float("nan")
    unit: str = ""
    is_short: bool = False
    is_limit: bool = False
    body: str = ""


def _amount_of(text: str, mark: str) -> _Amount:
    """Understand one text, whose decimal mark is known.

    >>> _amount_of("($1,200.50)", ".")[:2], _amount_of("3,2 €", ",")[:2]
    ((-1200.5, '$'), (3.2, '€'))
    """
    match = _AMOUNT_PATTERN[mark].fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return _Amount()
    around = _mark_around(match["before"] or "", match["gap"], match["after"] or "")
    if around is None:
        return _Amount()
    value = float(match["body"].translate(_WITHOUT_GROUPS[mark]))
    if match["open"] or "-" in (match["sign"], match["inner"]):
        value = -value
    return _Amount(value, *around, bool(match["limit"]), match["body"])


@cache
def _mark_around(before: str, gap: str, after: str) -> tuple[str, bool] | None:
    """Return the unit that stands around a number, and whether it is in doubt.

    None if what stands there makes it no number: 5K may be thousands.

    >>> _mark_around("", " ", "€"), _mark_around("", "", "a"), _mark_around("", "", "g")
    (('€', False), None, ('g', True))
    """
    money = unit_named(before) if before else ""
    if before and not is_money(money):
        return None
    if not after:
        return money, False
    is_letter = not gap and len(after) == 1 and after.isalpha()
    unit = "" if is_letter and after == "K" else unit_named(after)
    return (unit, is_letter) if unit and not money else None


def parse_amounts(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read numbers with the unit of a reading or none; NaN where a text is another.

    >>> money = ColumnReading("amount", unit="$")
    >>> parse_amounts(pa.array(["$1,200", "($35)", "7.50", "3 kg", "$2k"]), money).tolist()
    [1200.0, -35.0, 7.5, nan, nan]
    """
    texts = in_plain_signs(texts)
    mark, unit = reading.decimal, reading.unit
    values = parse_plain(texts) if mark == "." else np.full(len(texts), np.nan)
    if np.isnan(values).any():
        values = np.where(np.isnan(values), _parse_simple(texts, mark, unit), values)
    for place in np.flatnonzero(np.isnan(values)).tolist():
        found = _amount_of(texts[place].as_py(), mark)
        is_read = not found.is_limit or reading.name == "limit"
        if is_read and found.unit in ("", unit):
            values[place] = found.value
    return values


def _parse_simple(texts: pa.StringArray, mark: str, unit: str) -> FloatArray:
    """Read whole columns of numbers with a sign and one unit; NaN where a text has more."""
    words = "|".join(map(re.escape, spelled_as(unit)))
    around = f"(?i:{words})"
    readable = pc.match_substring_regex(texts, f"^-?{around}? ?(?:{_BODY[mark]}) ?{around}?$")
    digits = texts.filter(readable)
    if unit:
        digits = pc.replace_substring_regex(digits, f" ?{around}$|{around} ?", "")
    digits = pc.replace_substring_regex(digits, f"[{',' if mark == '.' else '.'}' ]", "")
    numbers = np.full(len(texts), np.nan)
    plain = pc.replace_substring(digits, ",", ".")
    numbers[flags(readable)] = floats(pc.cast(plain, pa.float64()))
    return numbers


def _find_amount(texts: Sequence[str], known: ColumnReading) -> ColumnReading | Asked:
    """Find the one unit that numbers have; a few may have none."""
    amounts = [_amount_of(text, known.decimal) for text in texts]
    found = [amount for amount in amounts if amount.body]
    named = [amount.unit for amount in found if amount.unit]
    if len(set(named)) > 1 or 0 < 2 * len(named) < len(found):
        return "units"  # also 6100 g among 4.2 and 3.1, which are kilograms
    if any(amount.is_short for amount in found) and max(len(a.body) for a in found) <= 2:
        return ""  # 3g and 4g are classes
    if not found or not has(texts, r"^[^(]"):
        return ""  # where all stand in brackets, these are no minus signs: (1) is a footnote
    return replace(known, unit=named[0] if named else "")


def _find_limit(texts: Sequence[str], known: ColumnReading) -> ColumnReading | Asked:
    """Take <5 for 5 only among many numbers: <5, 5-10 and >10 are groups."""
    n_limits = sum(_amount_of(text, known.decimal).is_limit for text in texts)
    if not n_limits:
        return ""
    if len(texts) - n_limits < _FEWEST_NUMBERS or n_limits > _MOST_LIMITS * len(texts):
        return "limit"
    return _find_amount(texts, known)


def _find_with_mark(texts: Sequence[str], known: ColumnReading) -> ColumnReading | Asked:
    """Find the unit of numbers whose decimal mark a person says."""
    known = replace(known, decimal="," if known.name == "decimal comma" else ".")
    found = _find_amount(texts, known)
    return known if isinstance(found, str) else found


def _parse_either(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read numbers by the mark of a reading, and where that fails by the other one."""
    values = parse_amounts(texts, reading)
    other = replace(reading, decimal="." if reading.decimal == "," else ",")
    return np.where(np.isnan(values), parse_amounts(texts, other), values)


NUMBER_READINGS = (
    Reading("number", "numeric", _PLAIN, parse_amounts, "plain numbers"),
    Reading(
        "grouped",
        "numeric",
        _GROUPED,
        parse_amounts,
        "thousands in groups, a decimal comma, or brackets for amounts below zero",
        find=_find_amount,
    ),
    Reading("amount", "numeric", _AMOUNT, parse_amounts, "numbers with a unit", find=_find_amount),
    Reading("limit", "numeric", _AMOUNT, parse_amounts, "<5 is read as 5", find=_find_limit),
    *(
        Reading(
            f"decimal {mark}",
            "numeric",
            _AMOUNT,
            _parse_either,
            f"{mark}s are decimal marks, {other}s before three digits group thousands",
            automatic=False,
            find=_find_with_mark,
        )
        for mark, other in (("comma", "point"), ("point", "comma"))
    ),
)
"""From the plainest to the widest: the first that fits all cells is taken."""


_CLOCK = (
    r"(?P<sign>[+-]?)(?P<hours>\d{1,4})[:hH](?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d(?:\.\d+)?))?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?| ?(?:h|Uhr))?"
)
_HOURS_IN = {
    r"w|wks?|weeks?|Wochen?": 168.0,
    r"d|days?|Tage?n?|jours?|d[ií]as?|giorn[io]": 24.0,
    r"h|hrs?|hours?|Std|Stunden?|heures?|horas?|or[ae]": 1.0,
    r"m|mins?|minutes?|Min|Minuten?|mn|minutos?|minut[io]": 1 / 60,
    r"s|secs?|seconds?|Sek|Sekunden?|secondes?|segundos?|secondi": 1 / 3600,
}
_DURATION = " ?".join(rf"(?:(\d+(?:[.,]\d+)?) ?(?i:{words})\.?)?" for words in _HOURS_IN)
_CLOCK_PATTERN, _DURATION_PATTERN = re.compile(_CLOCK, re.A), re.compile(_DURATION, re.A)


def parse_times(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read clock times and durations as hours; plain numbers are hours already.

    >>> texts = pa.array(["14:30", "12:15 AM", "1:30 pm", "1h 20min", "9"])
    >>> parse_times(texts, ColumnReading("clock", unit=CLOCK)).tolist()
    [14.5, 0.25, 13.5, 1.333333333333, 9.0]
    """
    texts = in_plain_signs(texts)
    hours = np.array([_hours(text) for text in texts.to_pylist()], dtype=np.float64)
    plain = parse_amounts(texts, ColumnReading(decimal=reading.decimal))
    return np.where(np.isnan(hours), plain, hours)


def _hours(text: str) -> float:
    """Read one clock time or duration; NaN where it is none."""
    if match := _CLOCK_PATTERN.fullmatch(text):
        sign, hours, minutes, seconds, half = match.groups()
        whole = float(hours) if half is None else float(hours) % 12 + 12 * (half in "Pp")
        value = whole + (60 * float(minutes) + float(seconds or 0)) / 3600
        return -value if sign == "-" else value
    match = _DURATION_PATTERN.fullmatch(text)
    if match is None or not text:
        return float("nan")
    parts = zip(match.groups(), _HOURS_IN.values(), strict=True)
    return round(sum(float(part.replace(",", ".")) * size for part, size in parts if part), 12)


TIME_READINGS = (
    Reading("clock", "numeric", _CLOCK, parse_times, "14:30 is read as 14.5 hours", unit=CLOCK),
    Reading(
        "duration",
        "numeric",
        _DURATION,
        parse_times,
        "1h 30min is read as 1.5 hours",
        # One text must have two parts: 45m alone may be metres.
        find=lambda texts, known: known if has(texts, r"\d[^\d]*[^\d.,\s-][^\d]*\d") else "",
        unit=CLOCK,
    ),
)
