"""Numbers as people spell them, recognised on whole columns of distinct texts.

Plain numbers are tried first. Where these do not cover a column, marks are looked for: a unit, a
currency or a percent sign, brackets around negative numbers, a decimal comma in this column only.
Marks count only if all texts with a digit in them can be read: "3 apples" beside "2 pears" are
categories.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import codes, flags, floats, mask_array, text_array
from probtrees.table.cells.clock_times import may_be_clock, read_clock
from probtrees.table.cells.decimal_marks import has_decimal_points, hundreds_lack_decimals
from probtrees.table.cells.padded_codes import first_code, has_leading_zeros
from probtrees.table.cells.special_numbers.around_numbers import (
    SHORT_MINUTES,
    Mark,
    conversion_to,
    is_degree,
    is_well_known,
    mark_around,
    with_degrees,
    with_minutes,
)
from probtrees.table.cells.special_numbers.rates import is_money_by
from probtrees.table.cells.special_numbers.scale_words import ABOUT, BEFORE_SOME, CURRENCY
from probtrees.table.cells.unit_names import (
    Conversion,
    conversion,
    unit_of_most,
    unit_of_others,
)
from probtrees.table.spelling import Spelling
from probtrees.types import FloatArray

_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_INFINITE = r"^[+-]?(inf|infinity)$"
_NUMBER_WITH = {".": _NUMBER, ",": _NUMBER.replace(r"\.", "[.,]")}
_THOUSANDS = {
    ".": r"^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$",
    ",": r"^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$",
}
"""A leading zero never stands before a group: 0,018 is below one."""
_SPACES = " \u00a0\u202f"
_BODY = {
    mark: rf"[1-9]\d{{0,2}}(?:(?:{group}\d{{3}})+|(?:'\d{{3}})+|(?:[{_SPACES}]\d{{3}})+)"
    rf"(?:[{mark}]\d+)?|\d+(?:[{mark}]\d+)?(?:[eE][+-]?\d+)?|[{mark}]\d+"
    for mark, group in ((".", ","), (",", r"\."))
}
"""Thousands are grouped in one way: the comma of 4 392,875 is no second one."""
_UNIT = r"[^\d\s()+.,'\"/:;#_-][^\s()\"]{0,14}"
_MORE_WORDS = rf"(?:[{_SPACES}][^\d\s()+.,'\":;#_-][^\s()\"\d]{{0,14}}){{1,2}}"
_MARKED = {
    mark: rf"^(?P<about>{ABOUT})?(?P<open>\()?(?P<sign>[+−-])?(?P<before>{CURRENCY})?[{_SPACES}]?"
    rf"(?P<inner>[−-])?(?P<body>{body})(?:[{mark}:][-–—]{{1,2}})?"
    rf"(?P<gap>[{_SPACES}]?)"
    rf"(?P<after>{CURRENCY}|(?:/[{_SPACES}]?)?{_UNIT}(?:[{_SPACES}](?:{CURRENCY})|{_MORE_WORDS})?)?"
    r"(?P<close>\))?(?P<minus>-)?$"
    for mark, body in _BODY.items()
}
_AROUND_MONEY = re.compile(
    rf"^(?:{CURRENCY})[{_SPACES}]?(?=[\d.,])|(?<=\d)[{_SPACES}]?(?:{CURRENCY})$", re.I
)
ANY_UNIT = "*"
"""The unit of a column whose numbers are to be read whatever stands around them."""

THE_UNIT = "the unit "
"""How the habit begins that names the unit of a column's numbers."""

IN_GROUPS = "thousands in groups"
"""The habit of 1,234 for 1234."""

CLOCK = "h:mm"
"""The unit of clock times and durations, which are read as hours: 14:30 is 14.5."""

_AS_IT_IS = Conversion(1.0)
_MOST_MARKS = 1000
_MOST_UNITS = 6
_FEWEST_CONVERTED = 6
"""Fewer different amounts in several units are categories."""
_MOST_BARE = 0.05
"""Where more of several units' amounts have none, which one they are in is not known."""
_BEGINS = re.compile(rf"(?:{ABOUT})?\(?[+−-]?({CURRENCY})?[{_SPACES}]?[−-]?[.,]?\d")
_NOTHING, _BETWEEN = text_array(["", "\x1f"])
"""Texts as Arrow has them: given plain ones its functions would import pandas."""
_N_TRIED = 20


@dataclass(frozen=True)
class SpelledNumbers:
    """The numbers of distinct texts (NaN where one is none), and how they are written.

    ``habits`` are words for what is not plain about them. ``padded`` is a text that begins with
    0 like a code, if there is one. ``units`` are those of numbers that do not share one unit and
    are not read therefore; ``spelling`` is then how they would be. ``bare`` are the texts, by
    number, that lack the unit of the others. ``either`` are texts whose comma or point groups
    thousands as they are read, but may be a decimal mark.
    """

    values: FloatArray
    spelling: Spelling
    habits: tuple[str, ...] = ()
    padded: str = ""
    units: tuple[str, ...] = ()
    bare: tuple[int, ...] = ()
    either: tuple[str, ...] = ()


def read_numbers(
    texts: pa.StringArray, decimal: str = ".", known: Spelling | None = None
) -> SpelledNumbers:
    """Read the distinct texts of a column as numbers, and find out how they are written.

    Parameters
    ----------
    decimal : the decimal mark of the file
    known : how a model's column is written; its unit is the only one that is understood

    Examples
    --------
    >>> found = read_numbers(text_array(["$1,200", "($35)", "$7.50"]))
    >>> found.values.tolist(), found.spelling.unit
    ([1200.0, -35.0, 7.5], '$')
    """
    plain = parse_numbers(texts, decimal)
    unread = np.isnan(plain) & flags(pc.match_substring_regex(texts, r"\d"))
    found = SpelledNumbers(plain, Spelling(decimal), _grouped(texts, decimal), first_code(texts))
    if may_be_clock(texts, unread) and (known is None or known.unit == CLOCK):
        hours = read_clock(texts)
        if known is not None:
            hours = np.where(np.isnan(hours), plain, hours)
        if known is not None or not np.isnan(hours[unread | ~np.isnan(plain)]).any():
            habit = "hours and minutes (14:30 is 14.5)"
            return SpelledNumbers(hours, Spelling(decimal, CLOCK), (habit,))
    comma = known is not None and known.decimal == "," and not has_decimal_points(texts)
    if not unread.any() and not (comma and decimal != ","):
        return found
    are_lists = "," in found.padded  # 1,2 are two answers
    if known is None and (are_lists or not _may_be_marked(texts, unread)):
        return found
    needed = unread | ~np.isnan(plain)
    marks = (",", ".") if comma else (decimal, "," if decimal == "." else ".")
    if known is not None:
        first, second = (
            _Marked.of(texts, mark, known.unit).read(plain, known.unit) for mark in marks
        )
        is_better = (
            np.isnan(first.values[needed]).any() and not np.isnan(second.values[needed]).any()
        )
        return second if is_better else first
    for mark in marks:
        marked = _Marked.of(texts, mark)
        units = marked.several_units(needed)
        unit = marked.common_unit(needed) if units else marked.unit(needed)
        is_last = mark == marks[-1]
        if unit is not None and not (marked.is_in_thousands(unit) and not is_last):
            found = marked.read(plain, unit)
            few = np.delete(found.values, list(found.bare))
            most = found.values[list(found.bare)]
            meant = unit_of_others(unit, few[~np.isnan(few)], most)
            return marked.read(plain, meant) if meant else found
        if units and not found.units:
            found = replace(found, units=units, spelling=Spelling(mark, ANY_UNIT))
    return found


def units_around(texts: Iterable[str], decimal: str) -> dict[str, str]:
    """Return the units that stand around numbers, and how each is written first.

    >>> units_around(["£3.50", "12 GBP", "7"], ".")
    {'£': '£', 'gbp': 'GBP'}
    """
    marks, which = _Marked.of(text_array(texts), decimal).marks
    found = (marks[code] for code in dict.fromkeys(which.tolist()))
    return {mark.unit: mark.written for mark in found if mark is not None and mark.unit}


def without_money(text: str) -> str:
    """Return a number without the currency that stands before or behind it.

    >>> without_money("£4.99"), without_money("5 EUR"), without_money("free")
    ('4.99', '5', 'free')
    """
    return _AROUND_MONEY.sub("", text)


def _may_be_marked(texts: pa.StringArray, unread: NDArray[np.bool_]) -> bool:
    """Whether the first texts that are no plain numbers begin as marked ones do.

    All must; and most columns are seen to be none by a look at a few of their texts.
    """
    some = np.flatnonzero(unread)[:_N_TRIED].tolist()
    return all(_BEGINS.match(texts[place].as_py()) for place in some)


def _grouped(texts: pa.StringArray, decimal: str) -> tuple[str, ...]:
    groups = rf"{_THOUSANDS[decimal]}|^\d{{1,3}}(['{_SPACES}]\d{{3}})+([.,]\d+)?$"
    grouped = pc.any(pc.match_substring_regex(texts, groups), min_count=0).as_py()
    return (IN_GROUPS,) if grouped else ()


@dataclass(frozen=True)
class _Marked:
    """Distinct texts taken apart into a number and what stands around it."""

    texts: pa.StringArray
    parts: pa.StructArray
    mark: str
    is_in_degrees: bool = False

    @classmethod
    def of(cls, texts: pa.StringArray, mark: str, known: str = "") -> _Marked:
        """Take texts apart; ``known`` is the unit of a model's column."""
        parts = pc.extract_regex(texts, _MARKED[mark])
        return cls(texts, parts, mark, is_degree(known))

    def part(self, name: str) -> pa.StringArray:
        """Return a part of every text; empty where the text lacks it."""
        return pc.coalesce(pc.struct_field(self.parts, name), _NOTHING)

    def has(self, name: str) -> NDArray[np.bool_]:
        """Which texts have a part."""
        return flags(pc.not_equal(self.part(name), _NOTHING))

    @cached_property
    def marks(self) -> tuple[tuple[Mark | None, ...], NDArray[np.int32]]:
        """What stands around the numbers, each once, and which of it is around every text.

        None is for texts that are no number. There are few marks, or else they are no units.
        """
        around = [self.part(name) for name in ("before", "gap", "after")]
        keys = pc.binary_join_element_wise(*around, _BETWEEN).dictionary_encode()
        if len(keys.dictionary) > _MOST_MARKS:
            return (None,), np.zeros(len(self.texts), dtype=np.int32)
        parts = [key.split("\x1f") for key in keys.dictionary.to_pylist()]
        found = with_minutes([mark_around(*part) for part in parts])
        if None in found and self._may_be_degrees():
            found = with_degrees(found, [after or before for before, _, after in parts])
        wrong = ~self.has("body") | (self.has("open") != self.has("close"))
        return (*found, None), np.where(wrong, len(found), codes(keys.indices)).astype(np.int32)

    def _may_be_degrees(self) -> bool:
        """Whether some number has decimals or a minus; 12F and 14C alone are seats or classes."""
        if self.is_in_degrees:
            return True
        has_decimals = pc.any(pc.match_substring(self.part("body"), self.mark), min_count=0)
        return bool(has_decimals.as_py() or self.has("sign").any())

    def several_units(self, needed: NDArray[np.bool_]) -> tuple[str, ...]:
        """Return the units if all texts with a digit have a well-known one, but not the same."""
        marks, which = self.marks
        found = [marks[code] for code in np.unique(which[needed])]
        units = {mark.unit: mark.written for mark in found if mark is not None and mark.unit}
        known = None not in found and all(map(is_well_known, units))
        return (
            tuple(units[unit] for unit in sorted(units))
            if known and 1 < len(units) <= _MOST_UNITS
            else ()
        )

    def common_unit(self, needed: NDArray[np.bool_]) -> str | None:
        """Return the most frequent of several units that all measure the same; else None.

        None also where many numbers have no unit, since theirs may be any of them.
        """
        marks, which = self.marks
        found = [mark.unit for code in which[needed].tolist() if (mark := marks[code])]
        units = Counter(unit for unit in found if unit)
        base = unit_of_most(units)
        steps = [conversion(unit, base) for unit in units]
        differ = any(step != _AS_IT_IS for step in steps)
        if differ and found.count("") > _MOST_BARE * len(found):
            return None
        alike = len(found) >= _FEWEST_CONVERTED and all(steps)
        return base if alike else None

    def unit(self, needed: NDArray[np.bool_]) -> str | None:
        """Return the one unit that all texts with a digit share; None if they do not."""
        marks, which = self.marks
        named = {mark.unit for mark in (marks[code] for code in np.unique(which)) if mark} - {""}
        if any(map(self._is_scaled_alone, marks)):
            padded = has_leading_zeros(self.part("body").to_pylist())
            if padded or not all(map(is_money_by, named)):
                return None  # 0750012K is a code; 7 M beside 3 J are months and years
        if len(named) > 1 or any(marks[code] is None for code in np.unique(which[needed])):
            return None
        if self.has("open")[needed].all() or self._are_school_marks():
            return None
        return next(iter(named), "")

    @staticmethod
    def _is_scaled_alone(mark: Mark | None) -> bool:
        return mark is not None and mark.factor != 1 and not mark.unit

    def _are_school_marks(self) -> bool:
        """Whether a minus stands behind some of the numbers 1 to 6, and there are no others."""
        few = pc.all(pc.match_substring_regex(self.part("body"), "^[1-6]?$"), min_count=0)
        return bool(few.as_py()) and bool(self.has("minus").any())

    def is_in_thousands(self, unit: str) -> bool:
        """Whether points would all be decimals of three digits but group: 75.794 € is 75794 €.

        Where all have one digit before them they may not: a litre costs 1.659 €.
        """
        body = self.part("body")
        marked = body.filter(pc.match_substring(body, self.mark))
        grouped = rf"^\d{{1,3}}([{self.mark}]\d{{3}})+$"
        if not len(marked) or not pc.all(pc.match_substring_regex(marked, grouped)).as_py():
            return False
        larger = pc.any(pc.match_substring_regex(marked, r"^\d\d|\d{3}.\d{3}$")).as_py()
        return bool(is_money_by(unit) and larger) or hundreds_lack_decimals(body, marked)

    def _written(self, unit: str) -> str:
        """Return a unit as it first stands in the column."""
        marks, which = self.marks
        of_unit = [m is not None and m.unit == unit and not m.is_short_minute for m in marks]
        places = np.flatnonzero(np.array(of_unit)[which])
        first = marks[which[places[0]]] if len(places) else None
        return unit if first is None else first.written

    def read(self, plain: FloatArray, unit: str) -> SpelledNumbers:
        """Read the texts that have this unit or none."""
        marks, which = self.marks
        ways = [None if m is None else _converted(m.unit, unit) for m in marks]
        scales = [w.factor * m.factor if m and w else 0 for w, m in zip(ways, marks, strict=True)]
        readable = np.array([way is not None for way in ways])[which]
        numbers = np.full(len(self.texts), np.nan)
        body = pc.replace_substring_regex(self.part("body"), _GROUP_MARKS[self.mark], "")
        digits = pc.replace_substring(body, ",", ".").filter(mask_array(readable))
        factors = np.array(scales)[which[readable]]
        numbers[readable] = _times(floats(pc.cast(digits, pa.float64())), factors)
        negative = self.has("open") | self.has("inner") | self.has("minus")
        negative |= flags(pc.is_in(self.part("sign"), value_set=text_array(["-", "−"])))
        shifts = [way.shift if way else 0.0 for way in ways]
        numbers = _plus(np.where(negative, -numbers, numbers), shifts, which)
        if self.mark == ".":
            numbers = np.where(np.isnan(numbers), plain, numbers)
        converted = (m for w, m in zip(ways, marks, strict=True) if w not in (None, _AS_IT_IS))
        others = dict.fromkeys(repr(mark.written) for mark in converted if mark)
        is_written = bool(unit) and any(mark is not None and mark.unit == unit for mark in marks)
        about = [repr(word.strip()) for word in pc.unique(self.part("about")).to_pylist() if word]
        where = "converted to it" if is_written else f"in some cells, converted to {unit!r}"
        habits = {
            "a decimal comma": self.mark == "," and flags(pc.match_substring(body, ",")).any(),
            "units of several kinds": unit == ANY_UNIT,
            f"{THE_UNIT}{self._written(unit)!r}": is_written,
            f"{', '.join(others)} {where}": bool(others),
            SHORT_MINUTES: any(m is not None and m.is_short_minute for m in marks),
            "thousands or millions in short": any(m is not None and m.factor != 1 for m in marks),
            f"{', '.join(about)}{BEFORE_SOME}": bool(about),
            "brackets for negative numbers": bool(self.has("open").any()),
            "a minus behind the number": bool(self.has("minus").any()),
        }
        words = tuple(habit for habit, is_found in habits.items() if is_found)
        words += _grouped(self.part("body"), self.mark)
        bare: tuple[int, ...] = ()
        if unit and unit != ANY_UNIT:
            has_none = np.array([mark is not None and not mark.unit for mark in marks])[which]
            bare = tuple(np.flatnonzero(has_none & ~np.isnan(numbers)).tolist())
        return SpelledNumbers(numbers, Spelling(self.mark, unit), words, bare=bare)


def _converted(unit: str, wanted: str) -> Conversion | None:
    """Return how a number in a unit becomes one in the unit wanted; None: it cannot."""
    return _AS_IT_IS if wanted == ANY_UNIT or unit in ("", wanted) else conversion_to(unit, wanted)


def _times(numbers: FloatArray, factors: FloatArray) -> FloatArray:
    """Multiply numbers as written: 32.3 million is 32300000, not 32299999.999999996."""
    scaled = factors != 1
    products = numbers * factors
    products[scaled] = [float(f"{product:.15g}") for product in products[scaled].tolist()]
    return products


def _plus(numbers: FloatArray, shifts: list[float], which: NDArray[np.int32]) -> FloatArray:
    """Add to numbers what lies between the zeros of two scales: 140 °F is 60 °C, not 60.000…01."""
    if not any(shifts):
        return numbers
    shift = np.array(shifts)[which]
    sums = zip(numbers.tolist(), shift.tolist(), strict=True)
    return np.array([float(f"{n + more:.12g}") if more else n for n, more in sums])


_GROUP_MARKS = {".": f"[,'{_SPACES}]", ",": f"[.'{_SPACES}]"}


def all_are_numbers(texts: Iterable[str], decimal: str = ".") -> bool:
    """Whether every text is a number; quicker than reading them if they are few.

    >>> all_are_numbers(["1", "-2.5e3", "1,234.5"]), all_are_numbers(["1", "1.234,5"])
    (True, False)
    """
    spelled = re.compile(rf"{_THOUSANDS[decimal]}|{_NUMBER_WITH[decimal]}|{_INFINITE}", re.I | re.A)
    return all(spelled.match(text) for text in texts)


def parse_numbers(texts: pa.StringArray, decimal: str = ".") -> FloatArray:
    """Read every text as a number; NaN where it is none.

    Thousands may be grouped ("1,234.5"; "1.234,5" with a decimal comma).

    >>> parse_numbers(text_array(["1", "-2.5e3", "1,234.5", "abc"])).tolist()
    [1.0, -2500.0, 1234.5, nan]
    """
    grouped = pc.match_substring_regex(texts, _THOUSANDS[decimal])
    separator = "," if decimal == "." else "."
    plain = pc.if_else(grouped, pc.replace_substring(texts, separator, ""), texts)
    if decimal == ",":
        plain = pc.replace_substring(plain, ",", ".")
    plain = pc.replace_substring_regex(plain, r"^\+", "")
    readable = pc.or_(
        pc.match_substring_regex(plain, _NUMBER),
        pc.match_substring_regex(plain, _INFINITE, ignore_case=True),
    )
    numbers = np.full(len(texts), np.nan)
    numbers[flags(readable)] = floats(pc.cast(plain.filter(readable), pa.float64()))
    return numbers


def spell(number: float) -> str:
    """Write a number the short way.

    >>> spell(3.0), spell(0.1)
    ('3', '0.1')
    """
    whole = np.isfinite(number) and number == int(number) and abs(number) < 1e15
    return str(int(number)) if whole else repr(float(number))
