"""Numbers as people write them: plain, in groups, with a unit or a currency, limits, times.

All texts of a column are read at once by Arrow's regular expressions (RE2). What stands around a
number (a currency, a unit, "Mio.") is looked up in ``spellings.tsv``; a word that is not known
there makes no number: 1a and 2a are flats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.arrow_arrays import flags, floats, text_array
from probtrees.table.readings.marks import has, in_plain_signs
from probtrees.table.readings.reading import Asked, ColumnReading, Reading
from probtrees.table.readings.spellings import CLOCK, is_money, spelled_as, spellings, unit_named
from probtrees.types import FloatArray

_PLAIN = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:inf|Inf|INF|infinity|Infinity)"
_BODY = {
    mark: rf"[1-9]\d{{0,2}}(?:(?:{group}\d{{3}})+|(?:'\d{{3}})+|(?: \d{{3}})+)(?:[{mark}]\d+)?|"
    rf"{more}\d+(?:[{mark}]\d+)?(?:[eE][+-]?\d+)?|[{mark}]\d+"
    for mark, group, more in (
        (".", ",", r"[1-9]\d?(?:,\d\d)+,\d{3}(?:\.\d+)?|"),
        (",", r"\.", ""),
    )
}
"""Thousands in groups of three, made in one way; of two in India. No zero stands before one."""
_BEFORE = r"[^\d\s.,()+'\"<>≤≥~≈:;#/_=*-]{1,4}\.?"
_AFTER = r"[^\d\s()+.,'\"/:;#_*<>=-][^\s()\"*+]{0,14}(?: [^\d\s()+.,'\":;#_-][^\s()\"\d]{0,11})?"
_AMOUNT = {
    mark: rf"(?P<limit>[<>≤≥~≈]=?|ca\.?)? ?(?P<open>\()?(?P<sign>[+-])? ?(?P<before>{_BEFORE})? ?"
    rf"(?P<inner>-)?(?P<body>{body})(?:[.,]-{{1,2}})?(?P<gap> ?)(?P<after>{_AFTER})?(?P<close>\))?"
    r"(?P<behind>[+-])?"
    for mark, body in _BODY.items()
}
_GROUPED = {mark: rf"[+-]?(?:{body})-?|\(-?(?:{body})\)" for mark, body in _BODY.items()}
_AMOUNT_PATTERN = {mark: re.compile(pattern, re.A) for mark, pattern in _AMOUNT.items()}
_WITHOUT_GROUPS = {
    ".": str.maketrans("", "", ",' "),
    ",": str.maketrans(",", ".", ".' "),
}
_NUMBER_WITHIN = re.compile(r"(?<![\d.,])-?\d+(?:[.,]\d+)*", re.A)

_MOST_LIMITS = 0.2
_FEWEST_NUMBERS = 10
"""Among fewer different numbers <5 and 5+ are groups rather than limits."""


def parse_plain(texts: pa.StringArray) -> FloatArray:
    """Read plain numbers; NaN where a text is none.

    >>> parse_plain(text_array(["1", "-2.5e3", "+7", "1,5", "abc"])).tolist()
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
    is_limit : whether a sign says that the number is a limit or not exact: <5, 5+, ca. 5
    is_scaled : whether a word makes it larger: 5k, 3 Mio.
    body : its digits as they are written
    in_brackets : whether it stands in brackets
    """

    value: float = float("nan")
    unit: str = ""
    is_short: bool = False
    is_limit: bool = False
    is_scaled: bool = False
    body: str = ""
    in_brackets: bool = False


_NO_AMOUNT = _Amount()


def _amount_of(text: str, mark: str) -> _Amount:
    """Understand one text, whose decimal mark is known.

    >>> _amount_of("($1,200.50)", ".")[:2], _amount_of("3,2 Mio. €", ",")[:2]
    ((-1200.5, '$'), (3200000.0, '€'))
    """
    match = _AMOUNT_PATTERN[mark].fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return _NO_AMOUNT
    around = _mark_around(match["before"] or "", match["gap"], match["after"] or "")
    if around is None:
        return _NO_AMOUNT
    unit, factor, is_short = around
    digits = match["body"].translate(_WITHOUT_GROUPS[mark])
    value = float(digits) if factor == 1 else float(f"{float(digits) * factor:.15g}")
    behind = match["behind"]
    is_minus = "-" in (match["sign"], match["inner"], behind) or match["open"]
    is_limit = bool(match["limit"]) or behind == "+"
    value = -value if is_minus else value
    in_brackets = bool(match["open"])
    return _Amount(value, unit, is_short, is_limit, factor != 1, match["body"], in_brackets)


@cache
def _mark_around(before: str, gap: str, after: str) -> tuple[str, float, bool] | None:
    """Return the unit that stands around a number, a factor, and whether it is in doubt.

    None if what stands there makes it no number.

    >>> _mark_around("", " ", "Mio. €"), _mark_around("", "", "a"), _mark_around("", "", "g")
    (('€', 1000000.0, False), None, ('g', 1.0, True))
    """
    money = unit_named(before) if before else ""
    if before and not is_money(money):
        return None
    if not after:
        return money, 1.0, False
    first, _, rest = after.partition(" ")
    sizes = {word: float(size) for size, words in spellings("scale").items() for word in words}
    factor = sizes.get(first.casefold().rstrip("."))
    is_unit = first in ("m", "b", "B") or (first == "K" and gap != "")  # metres, kelvin
    if factor is not None and (rest or money or not is_unit):
        unit = unit_named(rest) if rest else money
        if (unit or not rest) and not (rest and money):
            return unit, factor, not unit and first == "M"
    unit = unit_named(after)
    return (
        (unit, 1.0, not gap and len(first) == 1 and first.isalpha()) if unit and not money else None
    )


def parse_amounts(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read numbers with the unit of a reading or none; NaN where a text is another.

    >>> money = ColumnReading("amount", unit="$")
    >>> parse_amounts(text_array(["$1,200", "($35)", "7.50", "3 kg", "$2k"]), money).tolist()
    [1200.0, -35.0, 7.5, nan, 2000.0]
    """
    texts = in_plain_signs(texts)
    mark, takes_limits = reading.decimal, reading.name == "limit"
    values = parse_plain(texts) if mark == "." else np.full(len(texts), np.nan)
    if np.isnan(values).any():
        simple = _parse_simple(texts, mark, reading.unit)
        values = np.where(np.isnan(values), simple, values)
    for place in np.flatnonzero(np.isnan(values)).tolist():
        found = _amount_of(texts[place].as_py(), mark)
        is_one = found.unit == reading.unit or (found.unit == "" and not found.is_scaled)
        is_one |= found.unit == "" and is_money(reading.unit)  # 2 M among months are no millions
        if is_one and (takes_limits or not found.is_limit):
            values[place] = found.value
    return values


def _parse_simple(texts: pa.StringArray, mark: str, unit: str) -> FloatArray:
    """Read whole columns of numbers with a sign and one unit; NaN where a text has more."""
    words = "|".join(map(re.escape, spelled_as(unit))) if unit else ""
    around = f"(?:(?i:{words}))?" if words else ""
    pattern = f"^-?{around} ?(?:{_BODY[mark]}) ?{around}$"
    readable = pc.match_substring_regex(texts, pattern)
    digits = texts.filter(readable)
    if words:
        digits = pc.replace_substring_regex(digits, f" ?(?i:{words})$|(?i:{words}) ?", "")
    digits = pc.replace_substring_regex(digits, f"[{',' if mark == '.' else '.'}' ]", "")
    numbers = np.full(len(texts), np.nan)
    plain = pc.replace_substring(digits, ",", ".")
    numbers[flags(readable)] = floats(pc.cast(plain, pa.float64()))
    return numbers


def _find_amount(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading | Asked:
    """Find the one unit that numbers have; a few may have none."""
    amounts = [_amount_of(text, reading.decimal) for text in texts.to_pylist()]
    found = [amount for amount in amounts if amount.body]
    units = {amount.unit for amount in found} - {""}
    n_named = sum(amount.unit != "" for amount in found)
    if len(units) > 1 or (units and 2 * n_named < len(found)):
        return "units"  # also 6100 g among 4.2 and 3.1, which are kilograms
    if not found or all(amount.in_brackets for amount in found):
        return ""
    long = any(len(amount.body) > 2 for amount in found)
    if any(amount.is_short for amount in found) and not long:
        return ""  # 3M, 6M and 12M are terms; 3g and 4g are classes
    return ColumnReading("amount", reading.decimal, next(iter(units), ""))


def _find_grouped(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading | Asked:
    """Tell amounts in brackets from footnotes: not all have some."""
    return ColumnReading("grouped", reading.decimal) if has(texts, r"^[^(]") else ""


def _find_limit(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading | Asked:
    """Take <5 for 5 only among many numbers: <5, 5-10 and >10 are groups."""
    limits = [_amount_of(text, reading.decimal).is_limit for text in texts.to_pylist()]
    n_numbers = len(limits) - sum(limits)
    if not any(limits):
        return ""
    if n_numbers < _FEWEST_NUMBERS or sum(limits) > _MOST_LIMITS * len(limits):
        return "limit"
    found = _find_amount(texts, reading)
    return found if isinstance(found, str) else replace(found, name="limit")


def _parse_within(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read the first number of every text, whatever stands around it."""
    plain: list[str] = in_plain_signs(texts).to_pylist()
    found = [match[0] if (match := _NUMBER_WITHIN.search(text)) else "" for text in plain]
    return parse_amounts(text_array(found), ColumnReading(decimal=reading.decimal))


def _parse_either(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read numbers by the mark of a reading, and where that fails by the other one."""
    values = parse_amounts(texts, reading)
    other = replace(reading, decimal="." if reading.decimal == "," else ",")
    return np.where(np.isnan(values), parse_amounts(texts, other), values)


def _with_mark(
    name: str, mark: str
) -> Callable[[pa.StringArray, ColumnReading], ColumnReading | Asked]:
    """Return what finds the unit of numbers whose decimal mark a person says."""

    def find(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading:
        found = _find_amount(texts, ColumnReading(decimal=mark))
        return ColumnReading(name, mark, "" if isinstance(found, str) else found.unit)

    return find


NUMBER_READINGS: Sequence[Reading] = (
    Reading("number", "numeric", _PLAIN, parse_amounts, "plain numbers"),
    Reading(
        "grouped",
        "numeric",
        _GROUPED,
        parse_amounts,
        "thousands in groups, a decimal comma, or brackets for amounts below zero",
        find=_find_grouped,
    ),
    Reading("amount", "numeric", _AMOUNT, parse_amounts, "the unit is left out", find=_find_amount),
    Reading("limit", "numeric", _AMOUNT, parse_amounts, "<5 is read as 5", find=_find_limit),
    Reading(
        "decimal comma",
        "numeric",
        _AMOUNT,
        _parse_either,
        "commas are decimal marks, points before three digits group thousands",
        automatic=False,
        find=_with_mark("decimal comma", ","),
    ),
    Reading(
        "decimal point",
        "numeric",
        _AMOUNT,
        _parse_either,
        "points are decimal marks, commas before three digits group thousands",
        automatic=False,
        find=_with_mark("decimal point", "."),
    ),
    Reading(
        "number in text",
        "numeric",
        r".*\d.*",
        _parse_within,
        "the first number of every cell is read",
        automatic=False,
    ),
)
"""From the plainest to the widest: the first that fits all cells is taken."""


_CLOCK = (
    r"(?P<sign>[+-]?)(?P<hours>\d{1,4})[:hH](?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d(?:\.\d+)?))?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?| ?(?:h|Uhr))?"
)
_PARTS_OF_TIME = {
    "w": (168.0, r"w|wks?|weeks?|Wochen?"),
    "d": (24.0, r"d|days?|Tage?n?|jours?|d[ií]as?|giorn[io]"),
    "h": (1.0, r"h|hrs?|hours?|Std|Stunden?|heures?|horas?|or[ae]"),
    "m": (1 / 60, r"m|mins?|minutes?|Min|Minuten?|mn|minutos?|minut[io]"),
    "s": (1 / 3600, r"s|secs?|seconds?|Sek|Sekunden?|secondes?|segundos?|secondi"),
}
_DURATION = " ?".join(
    rf"(?:(?P<{part}>\d+(?:[.,]\d+)?) ?(?i:{words})\.?)?"
    for part, (_, words) in _PARTS_OF_TIME.items()
)

_CLOCK_PATTERN = re.compile(_CLOCK, re.A)
_DURATION_PATTERN = re.compile(_DURATION, re.A)


def parse_times(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read clock times and durations as hours; plain numbers are hours already.

    >>> texts = pa.array(["14:30", "12:15 AM", "1:30 pm", "1h 20min", "9"])
    >>> parse_times(texts, ColumnReading("clock", unit=CLOCK)).tolist()
    [14.5, 0.25, 13.5, 1.333333333333, 9.0]
    """
    texts = in_plain_signs(texts)
    hours = np.array([_hours(text) for text in texts.to_pylist()], dtype=np.float64)
    if np.isnan(hours).any():
        plain = parse_amounts(texts, ColumnReading(decimal=reading.decimal))
        hours = np.where(np.isnan(hours), plain, hours)
    return hours


def _hours(text: str) -> float:
    """Read one clock time or duration; NaN where it is none."""
    if match := _CLOCK_PATTERN.fullmatch(text):
        sign, hours, minutes, seconds, half = match.groups()
        whole = float(hours) if half is None else float(hours) % 12 + 12 * (half in "Pp")
        value = whole + (60 * float(minutes) + float(seconds or 0)) / 3600
        return -value if sign == "-" else value
    match = _DURATION_PATTERN.fullmatch(text)
    parts = {name: part for name, part in match.groupdict().items() if part} if match else {}
    if not parts:
        return float("nan")
    sizes = ((float(p.replace(",", ".")), _PARTS_OF_TIME[name][0]) for name, p in parts.items())
    return round(sum(number * size for number, size in sizes), 12)


def _find_clock(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading:
    return ColumnReading("clock", reading.decimal, CLOCK)


def _find_duration(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading | Asked:
    """Require one text of two parts: 45m alone may be metres."""
    two_parts = r"\d[^\d]*[^\d.,\s-][^\d]*\d"
    return ColumnReading("duration", reading.decimal, CLOCK) if has(texts, two_parts) else ""


TIME_READINGS = (
    Reading(
        "clock", "numeric", _CLOCK, parse_times, "14:30 is read as 14.5 hours", find=_find_clock
    ),
    Reading(
        "duration",
        "numeric",
        _DURATION,
        parse_times,
        "1h 30min is read as 1.5 hours",
        find=_find_duration,
    ),
)
