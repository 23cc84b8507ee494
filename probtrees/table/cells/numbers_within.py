"""The number in a cell, whatever stands around it: 13小时, ~40, 87.7 ± 0.5, 5.1 (H), 5 lb 3 oz.

Used only where somebody says that a column is to be read so, and to see whether one could be. Two
numbers in a cell that are no range ("115/69", "3 x 4") are two; a cell without one is missing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from probtrees.table.cells.flags_behind import without_flag
from probtrees.table.cells.loose_numbers import number_named
from probtrees.table.cells.number_signs import plain_signs
from probtrees.table.cells.special_numbers.ages import conversion_of_age, units_of_ages
from probtrees.table.cells.special_numbers.around_numbers import conversion_to, m_is_minute
from probtrees.table.cells.special_numbers.durations import hours_in_parts
from probtrees.table.cells.special_numbers.minutes_and_seconds import (
    MINUTES,
    are_minutes,
    in_words,
)
from probtrees.table.cells.special_numbers.points import most_points
from probtrees.table.cells.special_numbers.school_marks import is_unit_of_marks, mark_of
from probtrees.table.cells.spelled_numbers import ANY_UNIT, spell
from probtrees.table.cells.unit_names import amount_of
from probtrees.table.spelling import Spelling

THE_NUMBER, FIRST, SECOND = "number", "first", "second"
"""Which number of a cell is read: the only one, or one of two (see :attr:`.Spelling.within`)."""

_BODIES = {
    ".": r"[1-9]\d{0,2}(?:[,' \u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+",
    ",": r"[1-9]\d{0,2}(?:[.' \u00a0\u202f]\d{3})+(?:,\d+)?|\d+(?:,\d+)?|,\d+",
}
_NUMBER = {
    mark: re.compile(
        rf"(?<![A-Za-z\d.,])(?:(?<![\w)] )(?<![\w)])[+-] ?)?(?:{body})(?:[eE][+-]?\d+)?(?![.,]?\d)"
    )
    for mark, body in _BODIES.items()
}
_GROUPS = {".": re.compile("[,' \u00a0\u202f]"), ",": re.compile("[.' \u00a0\u202f]")}
_OTHER_MARK = {
    mark: re.compile(
        rf"(?<![\d.,])(\d+)[{other}]((?:(?<=(?<!\d)0.)\d+|\d{{1,2}}|\d{{4,}}))(?![\d.,])"
    )
    for mark, other in ((".", ","), (",", "."))
}
"""Decimals with the other mark, which cannot be thousands."""
_REMARK = re.compile(
    r"(?<=[\w%°.'\"])(?:\s*[*†‡§#¹²³⁴-⁹]+|\s*[(\[][^()\[\]]*[)\]]|\s+[a-z]\))+$|(?<=\d)\s*\+$"
)
_RANGE = re.compile(r"-|–|—|~|〜|to|bis|à|a|until|up to|\.\.\.?|…")
_ERROR = re.compile(r"±|\+/-|\+-|\+/−")
_APART = re.compile(r"[^\w\s]+|x|by|and|und|et|y|e|mal|auf|over|of|von|de|sur|/", re.I)
_UNIT = re.compile(r"\s*([^\W\d_]+(?:/[^\W\d_]+)?|[%°'\"][a-z]?)")
_LEADING_ZERO = re.compile(r"0\d")
_MAY_HOLD = re.compile(r"[\d$]|[^\x00-\x7f]")
"""Most texts of most columns hold no number, which is seen at once."""


class Held(NamedTuple):
    """What a cell holds: one number or two, the unit of the first, and what stands around them."""

    numbers: tuple[float, ...]
    unit: str
    around: str
    is_range: bool = False


def numbers_held(text: str, decimal: str = ".") -> Held | None:
    r"""Find the numbers of a cell; None where there is none, or more than two.

    >>> [numbers_held(text).numbers for text in ("13小时", "~40", "87.7 ± 0.5", "5.1 (H)", "10-12")]
    [(13.0,), (40.0,), (87.7,), (5.1,), (11.0,)]
    >>> numbers_held("115/69").numbers, numbers_held("6'2\"").unit, numbers_held("see note")
    ((115.0, 69.0), 'ft', None)
    >>> numbers_held("14y 9m").numbers, numbers_held("2h 30m").numbers
    ((14.75,), (2.5,))
    >>> numbers_held("1h45").numbers, numbers_held("1 h 15").unit
    ((1.75,), 'h')
    """
    if not _MAY_HOLD.search(text):
        return _as_a_word(text.strip())
    return _held_in(plain_signs(text.strip(), decimal), decimal)


def _held_in(text: str, decimal: str) -> Held | None:
    """Find the numbers of a cell that may hold some, in plain signs."""
    text = _OTHER_MARK[decimal].sub(rf"\1{decimal}\2", text)
    as_whole = _as_a_whole(text)
    core = _REMARK.sub("", text)
    found = list(_NUMBER[decimal].finditer(core))
    is_code = any(_LEADING_ZERO.match(match[0]) for match in found)
    if as_whole or is_code or not 1 <= len(found) <= 2:
        return as_whole
    numbers = tuple(_value(match[0], decimal) for match in found)
    around = " ".join(_NUMBER[decimal].sub(" # ", core).split())
    before, behind = core[: found[0].start()], core[found[-1].end() :]
    last = _unit(before, behind)
    if len(found) == 1:
        return Held(numbers, last, around)
    between = core[found[0].end() : found[1].start()].strip()
    if _ERROR.fullmatch(between):
        return Held(numbers[:1], last, around)
    unit = _unit("", between)
    rest = between[len(unit) :].strip() if unit and unit != last else between.replace(unit, "", 1)
    is_from_to = _RANGE.fullmatch(between) or (unit == last and _RANGE.fullmatch(rest.strip()))
    if is_from_to and numbers[0] < numbers[1]:
        middle = float(f"{sum(numbers) / 2:.12g}")
        return Held((middle,), last, around, is_range=True)
    feet = ("ft", "in") if unit == "'" else _parts_of_time(unit, last)
    whole, part = amount_of(feet[0]), amount_of(feet[1])
    alike = whole and part and whole.family == part.family and not whole.zero
    if whole and part and alike and whole.size > part.size:
        total = numbers[0] + numbers[1] * part.size / whole.size
        return Held((float(f"{total:.12g}"),), feet[0], around)
    return Held(numbers, last, around) if _APART.fullmatch(between) else None


def _as_a_whole(text: str) -> Held | None:
    """Return what a duration of two parts or a word for a number says."""
    if (hours := hours_in_parts(text)) is not None:
        return Held((hours,), "h", "hours and minutes")
    return None if any(map(str.isdigit, text)) else _as_a_word(text)


def _as_a_word(text: str) -> Held | None:
    named = number_named(text)
    return Held((float(named),), "", "a word") if named else None


def _parts_of_time(unit: str, part: str) -> tuple[str, str]:
    """Return what two units stand for: "m" is a month behind years, a minute behind hours."""
    if ages := units_of_ages((unit, part), parted=True):
        return ages[unit], ages[part]
    whole = amount_of(unit)
    is_minute = part.casefold() == "m" and whole is not None and whole.family == "time"
    return unit, "min" if is_minute else part


def _value(text: str, decimal: str) -> float:
    plain = _GROUPS[decimal].sub("", text)
    return float(plain.replace(",", "."))


def _unit(before: str, behind: str) -> str:
    """Return the unit that stands behind a number, or else the currency before it."""
    match = _UNIT.match(behind)
    money = before.strip()[-1:]
    return match[1] if match else money if money in "$€£¥₹" else ""


def unit_of_all(held: Iterable[tuple[Held | None, int]]) -> str:
    """Return the unit that numbers are converted to: the most frequent if all are of one family.

    :data:`.ANY_UNIT` where they are not. Numbers come with their rows.
    """
    rows: Counter[str] = Counter()
    for one, n_rows in held:
        if one is not None and one.unit:
            rows[one.unit] += n_rows
    if not rows:
        return ""
    if ages := units_of_ages(rows):
        named: Counter[str] = Counter()
        for unit, n_rows in rows.items():
            named[ages[unit]] += n_rows
        rows = named
    elif m_is_minute(rows):
        rows["min"] += rows.pop("m", 0)
    amounts = {unit: amount_of(unit) for unit in rows}
    families = {amount.family if amount else unit for unit, amount in amounts.items()}
    most = min(rows, key=lambda unit: (-rows[unit], unit))
    return most if len(families) == 1 else ANY_UNIT


def each_held(texts: Sequence[str], decimal: str, *, flags: bool = False) -> Iterator[Held | None]:
    """Find the numbers of all cells of a column, one after the other.

    Parameters
    ----------
    flags : whether flags behind numbers are left out
    """
    plain = list(map(without_flag, texts)) if flags else list(texts)
    plain = list(map(in_words, plain)) if are_minutes(plain) else plain
    return (numbers_held(text, decimal) for text in plain)


def read_within(texts: Sequence[str], spelling: Spelling) -> list[str | None]:
    """Read the number of every cell, as a plain text; None where there is none.

    >>> read_within(["250 mg", "1.5 g", "?"], Spelling(unit="mg", within="number"))
    ['250', '1500', None]
    """
    plain = map(without_flag, texts) if spelling.flags else texts
    plain = map(in_words, plain) if spelling.unit == MINUTES else plain
    if is_unit_of_marks(spelling.unit):
        plain = [_as_mark(text, spelling) for text in plain]
    return [_read(numbers_held(text, spelling.decimal), spelling) for text in plain]


def _as_mark(text: str, spelling: Spelling) -> str:
    mark = mark_of(text, spelling.unit)
    return text if math.isnan(mark) else spell(mark).replace(".", spelling.decimal)


def _read(held: Held | None, spelling: Spelling) -> str | None:
    which = (FIRST, SECOND).index(spelling.within) if spelling.within != THE_NUMBER else 0
    is_one = spelling.within == THE_NUMBER
    if held and is_one and (most := most_points(spelling.unit)):
        held = (
            held._replace(numbers=held.numbers[:1]) if held.numbers[1:] == (float(most),) else held
        )
    if held is None or (is_one and len(held.numbers) > 1) or which >= len(held.numbers):
        return None
    number = held.numbers[which]
    if is_one and held.unit and spelling.unit not in ("", ANY_UNIT, held.unit):
        way = conversion_of_age(held.unit, spelling.unit)
        way = way or conversion_to(held.unit, spelling.unit)
        if way is None:
            return None
        number = way.of(number)
    return spell(float(f"{number:.12g}"))
