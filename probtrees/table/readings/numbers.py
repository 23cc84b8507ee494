"""Numbers as people write them: plain, in groups, with a unit or a currency, clock times, limits.

All texts of a column are read at once by Arrow's regular expressions (RE2). What stands around a
number (a currency, a unit, "Mio.") is looked up in ``spellings.tsv``; a word that is not known
there makes no number: 1a and 2a are flats.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.arrow_arrays import flags, floats, mask_array, text_array
from probtrees.table.readings.reading import Asked, ColumnReading, Reading
from probtrees.table.readings.spellings import spellings
from probtrees.table.readings.units import CLOCK, is_money, spelled_as, unit_named
from probtrees.types import FloatArray

_NOTHING, _ZERO, _AFTERNOON, _MINUS = text_array(["", "0", "p", "-"])
"""Texts as Arrow has them: given plain ones its functions would import pandas."""

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
_OF_PROGRAMS = (
    r"P(?:(?P<w>\d+)W)?(?:(?P<d>\d+)D)?(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?)?",
    r"(?P<d>-?\d+) days?,? \+?(?P<h>\d{1,2}):(?P<m>\d\d):(?P<s>\d\d(?:\.\d+)?)",
)
"""ISO 8601 and Python: PT3H20M, 2 days 04:00:00."""
_AMOUNT_PATTERN = {mark: re.compile(pattern, re.A) for mark, pattern in _AMOUNT.items()}
_WITHOUT_GROUPS = {
    ".": str.maketrans("", "", ",' "),
    ",": str.maketrans(",", ".", ".' "),
}
_NUMBER_WITHIN = re.compile(r"(?<![\d.,])-?\d+(?:[.,]\d+)*", re.A)

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
_MOST_LIMITS = 0.2
_FEWEST_NUMBERS = 10
"""Among fewer different numbers <5 and 5+ are groups rather than limits."""
_SIGNS = (
    ("[\u00a0\u2002-\u200a\u202f\u3000]", " "),
    ("[’‘ʼ´`＇]", "'"),
    ("[−–—－﹣‐‑]", "-"),
    ("[\u200b\u200e\u200f\u2060\u061c\ufeff]", ""),
)


def in_plain_signs(texts: pa.StringArray) -> pa.StringArray:
    """Respell spaces, apostrophes, minus signs and digits that are not plain ones.

    >>> in_plain_signs(text_array([" 1\u202f234", "1’234", "−17", "６.５", "x"])).to_pylist()
    ['1 234', "1'234", '-17', '6.5', 'x']
    """
    texts = pc.utf8_trim_whitespace(texts)
    if pc.all(pc.string_is_ascii(texts), min_count=0).as_py():
        return texts
    for pattern, plain in _SIGNS:
        texts = pc.replace_substring_regex(texts, pattern, plain)
    if pc.any(pc.match_substring_regex(texts, "[０-９٠-٩۰-۹]"), min_count=0).as_py():
        texts = text_array(map(_with_plain_digits, texts.to_pylist()))
    return texts


def _with_plain_digits(text: str) -> str:
    plain = (str(unicodedata.decimal(s)) if s.isdecimal() else s for s in text)
    return "".join(plain).translate(str.maketrans("．，％", ".,%"))


def decimal_mark(texts: pa.StringArray, decimal: str) -> str:
    """Find the decimal mark of a column's numbers; empty where that is in doubt.

    Parameters
    ----------
    decimal : the mark of the file; a comma is known, a point may be for want of others

    >>> texts = ["0,5", "1.234"], ["1,5", "2.5"], ["1,234", "7"]
    >>> [decimal_mark(text_array(some), ".") for some in texts]
    [',', '', '.']
    >>> [decimal_mark(text_array(["1.234", "2.345"]), mark) for mark in (".", ",")]
    ['.', ',']
    """
    sure = [mark for mark in ".," if _any(texts, _SURE[mark])]
    if sure:
        return sure[0] if len(sure) == 1 else ""
    either = [mark for mark in ".," if _any(texts, _EITHER[mark])]
    if len(either) != 1 or decimal == ",":
        return decimal if len(either) < 2 else ""
    if either == [","]:  # 1,234 beside 987; where all have a comma, it may be a decimal mark
        return decimal if _any(texts, _BARE) or _any(texts, _MONEY) else ""
    grouped = texts.filter(pc.match_substring_regex(texts, _EITHER["."]))
    of_money = _any(grouped, _MONEY) and _any(grouped, r"\d\d\.\d")
    larger = _any(texts, rf"{_B}[1-9]\d\d+{_E}") and _any(grouped, rf"0{_E}")
    return "" if of_money or (larger and len(grouped) >= _FEWEST_GROUPED) else decimal


def _any(texts: pa.StringArray, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern), min_count=0).as_py())


def code_among(texts: pa.StringArray) -> str:
    """Return a text which tells that numbers are codes: 007, 01.50, 3E1, 1.10 behind 1.9.

    Two digits that may be days, months or hours are numbers.

    >>> [code_among(text_array(t)) for t in (["10", "007"], ["08", "12"], ["3E1", "2E4"])]
    ['007', '', '3E1']
    >>> code_among(text_array(["1.8", "1.9", "1.10"])), code_among(text_array(["0.5", "1.10"]))
    ('1.10', '')
    """
    if _any(texts, r"^[1-9],[1-9]$") and _are_ticked(texts.to_pylist()):
        return "1,2"
    if _any(texts, "^[1-6]-$") and not _any(texts, "^(?:[^1-6]|.[^-]|...)"):
        return "2-"  # a mark of schools
    padded = texts.filter(pc.match_substring_regex(texts, r"^0\d[\d.]*$"))
    if len(padded):
        are_two = not _any(texts, r"^(?:.|...+)$")
        first = str(padded[0].as_py())
        return "" if are_two and "10" <= max(texts.to_pylist()) <= "31" else first
    powers = texts.filter(pc.match_substring_regex(texts, r"^\d{1,4}E\d{1,3}$"))
    if len(powers) == len(texts) > 1 and len({p.split("E")[0] for p in powers.to_pylist()}) > 1:
        return str(powers[0].as_py())
    parts = pc.extract_regex(texts, r"^\d{1,3}\.(?P<part>0|[1-9]\d?)$")
    if parts.null_count or not len(texts):
        return ""
    behind = set(pc.struct_field(parts, "part").to_pylist())
    longer = sorted(int(part) for part in behind if len(part) > 1)
    goes_on = longer == list(range(10, 10 + len(longer))) and "9" in behind
    return next((t for t in texts.to_pylist() if t.endswith(".10")), "") if goes_on else ""


def _are_ticked(texts: Sequence[str]) -> bool:
    """Whether 1,2 are two answers of a list that were ticked: most of them are ticked alone, too.

    >>> _are_ticked(["1", "2", "1,2", "1,3", "3", "2,3"]), _are_ticked(["1", "1,5", "2,5"])
    (True, False)
    """
    lists = [text.split(",") for text in texts]
    several = [digits for digits in lists if len(digits) > 1]
    if any(not d.isdecimal() or len(d) > 1 for digits in lists for d in digits):
        return False
    if any(digits != sorted(set(digits) - {"0"}) for digits in several):
        return False
    alone = {digits[0] for digits in lists if len(digits) == 1}
    ends = [{digits[side] for digits in several} for side in (0, -1)]
    return all(len(end) > 1 for end in ends) and alone >= set().union(*several)


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
    return ColumnReading("grouped", reading.decimal) if _any(texts, r"^[^(]") else ""


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


def parse_times(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read clock times and durations as hours; plain numbers are hours already.

    >>> texts = text_array(["14:30", "12:15 AM", "1:30 pm", "1h 20min", "9"])
    >>> parse_times(texts, ColumnReading("clock", unit=CLOCK)).tolist()
    [14.5, 0.25, 13.5, 1.333333333333, 9.0]
    """
    texts = in_plain_signs(texts)
    hours = _read_clock(texts)
    for place in np.flatnonzero(np.isnan(hours)).tolist():
        hours[place] = _read_duration(texts[place].as_py())
    if np.isnan(hours).any():
        hours = np.where(
            np.isnan(hours), parse_amounts(texts, ColumnReading(decimal=reading.decimal)), hours
        )
    return hours


def _read_clock(texts: pa.StringArray) -> FloatArray:
    parts = pc.extract_regex(texts, f"^(?:{_CLOCK})$")
    hours = np.full(len(texts), np.nan)
    found = flags(pc.is_valid(parts))
    if not found.any():
        return hours
    written = {
        name: pc.coalesce(pc.struct_field(parts, name), _NOTHING).filter(mask_array(found))
        for name in ("sign", "hours", "minutes", "seconds", "half")
    }
    number = {
        name: floats(
            pc.cast(pc.if_else(pc.equal(written[name], _NOTHING), _ZERO, written[name]), "double")
        )
        for name in ("hours", "minutes", "seconds")
    }
    half = pc.utf8_lower(written["half"])
    whole = np.where(flags(pc.not_equal(half, _NOTHING)), number["hours"] % 12, number["hours"])
    whole += 12 * flags(pc.equal(half, _AFTERNOON))
    sign = np.where(flags(pc.equal(written["sign"], _MINUS)), -1.0, 1.0)
    hours[found] = sign * (whole + (60 * number["minutes"] + number["seconds"]) / 3600)
    return hours


_DURATIONS = tuple(re.compile(pattern, re.A) for pattern in (_DURATION, *_OF_PROGRAMS))


def _read_duration(text: str) -> float:
    match = next(filter(None, (form.fullmatch(text) for form in _DURATIONS)), None)
    parts = {name: part for name, part in match.groupdict().items() if part} if match else {}
    if not parts:
        return float("nan")
    sizes = ((float(p.replace(",", ".")), _PARTS_OF_TIME[name][0]) for name, p in parts.items())
    return round(sum(number * size for number, size in sizes), 12)


def _find_duration(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading | Asked:
    """Require one text of two parts: 45m alone may be metres."""
    two_parts = r"\d[^\d]*[^\d.,\s-][^\d]*\d|^PT?\d"
    return ColumnReading("duration", reading.decimal, CLOCK) if _any(texts, two_parts) else ""


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


def _as_clock(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading:
    return ColumnReading("clock", reading.decimal, CLOCK)


NUMBER_READINGS: Sequence[Reading] = (
    Reading("number", "numeric", _PLAIN, parse_amounts, "plain numbers"),
    Reading("clock", "numeric", _CLOCK, parse_times, "14:30 is read as 14.5 hours", find=_as_clock),
    Reading(
        "duration",
        "numeric",
        "|".join((_DURATION, *_OF_PROGRAMS)),
        parse_times,
        "1h 30min is read as 1.5 hours",
        find=_find_duration,
    ),
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
