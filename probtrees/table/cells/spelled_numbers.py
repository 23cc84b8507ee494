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
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import flags, floats, text_array
from probtrees.table.dataset import Spelling
from probtrees.types import FloatArray

_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_INFINITE = r"^[+-]?(inf|infinity)$"
_NUMBER_WITH = {".": _NUMBER, ",": _NUMBER.replace(r"\.", "[.,]")}
_DIGITS = re.compile(r"(\d+)")
_THOUSANDS = {".": r"^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$", ",": r"^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$"}
_SPACES = " \u00a0\u202f"
_CURRENCY = r"US\$|[$€£¥₹]|USD|EUR|GBP|CHF|JPY"
_BODY = {
    ".": rf"\d{{1,3}}(?:[,'{_SPACES}]\d{{3}})+(?:\.\d+)?|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+",
    ",": rf"\d{{1,3}}(?:[.'{_SPACES}]\d{{3}})+(?:,\d+)?|\d+(?:,\d*)?(?:[eE][+-]?\d+)?|,\d+",
}
_UNIT = r"[^\d\s()+.,'\"/:;#_-][^\s()\"]{0,14}"
_MARKED = {
    mark: rf"^(?P<open>\()?(?P<sign>[+−-])?(?P<before>{_CURRENCY})?[{_SPACES}]?(?P<inner>[−-])?"
    rf"(?P<body>{body})(?P<gap>[{_SPACES}]?)(?P<after>{_UNIT})?(?P<close>\))?(?P<minus>-)?$"
    for mark, body in _BODY.items()
}
_ATTACHED = re.compile(
    r"[%‰$€£¥₹]|°[cf]?|us\$|usd|eur|gbp|chf|jpy|[mkµμun]?g|mcg|lb|oz|[mck]?m|in|ft|[mcd]?l|"
    r"k|m?s|sec|min|hr?|d|day|week|month|y|yr|year|bpm|mmhg|[kmg]b|k?w|kwh"
)
"""Units that may stand right behind a number; others need a space, as "1a" is no number."""

_PADDED = re.compile(r"0\d{2,}", re.A)


@dataclass(frozen=True)
class SpelledNumbers:
    """The numbers of distinct texts (NaN where one is none), and how they are written.

    ``habits`` are words for what is not plain about them. ``padded`` is a text that begins with
    0 like a code, if there is one.
    """

    values: FloatArray
    spelling: Spelling
    habits: tuple[str, ...] = ()
    padded: str = ""


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
    codes = (
        texts.filter(pc.match_substring_regex(texts, f"^{_PADDED.pattern}$"))
        .slice(0, 1)
        .to_pylist()
    )
    found = SpelledNumbers(plain, Spelling(decimal), _grouped(texts, decimal), "".join(codes))
    comma = known is not None and known.decimal == ","
    if not unread.any() and not (comma and decimal != ","):
        return found
    for mark in (",", ".") if comma else (decimal, "," if decimal == "." else "."):
        marked = _Marked.of(texts, mark)
        if known is not None:
            return marked.read(plain, known.unit)
        unit = marked.unit(unread | ~np.isnan(plain))
        if unit is not None:
            return marked.read(plain, unit)
    return found


def has_leading_zeros(texts: Iterable[str]) -> bool:
    """Whether some text is a number of three digits or more that begins with 0: a code.

    >>> has_leading_zeros(["10115", "01067"]), has_leading_zeros(["0", "05", "0.5"])
    (True, False)
    """
    return any(_PADDED.fullmatch(text) for text in texts)


def _grouped(texts: pa.StringArray, decimal: str) -> tuple[str, ...]:
    grouped = pc.any(pc.match_substring_regex(texts, _THOUSANDS[decimal]), min_count=0).as_py()
    return ("thousands in groups",) if grouped else ()


@dataclass(frozen=True)
class _Marked:
    """Distinct texts taken apart into a number and what stands around it."""

    texts: pa.StringArray
    parts: pa.StructArray
    mark: str

    @classmethod
    def of(cls, texts: pa.StringArray, mark: str) -> _Marked:
        return cls(texts, pc.extract_regex(texts, _MARKED[mark]), mark)

    def part(self, name: str) -> list[str]:
        """Return a part of every text; empty where the text lacks it."""
        return [text or "" for text in pc.struct_field(self.parts, name).to_pylist()]

    def units(self) -> list[str | None]:
        """Return the unit of every text; None where a text is no number with one."""
        before, gap, after = self.part("before"), self.part("gap"), self.part("after")
        body, opens, closes = self.part("body"), self.part("open"), self.part("close")
        found: list[str | None] = []
        for n in range(len(body)):
            unit = _normal_unit(after[n] or before[n])
            wrong = (before[n] and after[n]) or bool(opens[n]) != bool(closes[n]) or not body[n]
            attached = after[n] and not gap[n] and not _ATTACHED.fullmatch(unit)
            found.append(None if wrong or attached else unit)
        return found

    def unit(self, needed: NDArray[np.bool_]) -> str | None:
        """Return the one unit that all texts with a digit share; None if they do not."""
        units = self.units()
        named = Counter(unit for unit in units if unit)
        brackets = self.part("open")
        if len(named) > 1 or any(units[n] is None for n in np.flatnonzero(needed)):
            return None
        if all(brackets[n] for n in np.flatnonzero(needed)):
            return None
        return next(iter(named), "")

    def read(self, plain: FloatArray, unit: str) -> SpelledNumbers:
        """Read the texts that have this unit or none."""
        groups = _GROUP_MARKS[self.mark]
        body = [text.translate(groups) for text in self.part("body")]
        units = zip(body, self.units(), strict=True)
        numbers = np.array([float(b) if found in ("", unit) else np.nan for b, found in units])
        brackets, behind = self.part("open"), self.part("minus")
        signs = zip(brackets, self.part("sign"), self.part("inner"), behind, strict=True)
        negative = np.array([not {"(", "-", "−"}.isdisjoint(found) for found in signs])
        numbers = np.where(negative, -numbers, numbers)
        if self.mark == ".":
            numbers = np.where(np.isnan(numbers), plain, numbers)
        habits = {
            "a decimal comma": self.mark == ",",
            f"the unit {unit!r}": bool(unit),
            "brackets for negative numbers": any(brackets),
            "a minus behind the number": any(behind),
        }
        words = tuple(habit for habit, is_found in habits.items() if is_found)
        words += _grouped(text_array(self.part("body")), self.mark)
        return SpelledNumbers(numbers, Spelling(self.mark, unit), words)


_GROUP_MARKS = {
    ".": str.maketrans("", "", ",'" + _SPACES),
    ",": str.maketrans(",", ".", ".'" + _SPACES),
}


def _normal_unit(text: str) -> str:
    """Let "Years" and "yr." be what "year" and "yr" are."""
    unit = text.casefold().rstrip(".")
    return unit[:-1] if len(unit) >= 3 and unit.endswith("s") and unit.isalpha() else unit


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


def natural_order(texts: Iterable[str]) -> tuple[str, ...]:
    """Sort texts: by value if all are numbers, else by letters with runs of digits as numbers.

    >>> natural_order(["10", "9", "-1.5"])
    ('-1.5', '9', '10')
    >>> natural_order(["item 10", "item 9", "Item 1"])
    ('Item 1', 'item 9', 'item 10')
    """
    found = list(texts)
    numbers = parse_numbers(text_array(found))
    if not np.isnan(numbers).any():
        value = dict(zip(found, numbers.tolist(), strict=True))
        return tuple(sorted(found, key=lambda text: (value[text], text)))
    return tuple(sorted(found, key=_natural_key))


def _natural_key(text: str) -> tuple[list[tuple[int, int, str]], str]:
    return [_part_key(part) for part in _DIGITS.split(text) if part], text


def _part_key(part: str) -> tuple[int, int, str]:
    """Order digits as numbers: the longer is the larger. Python reads no number of any length."""
    if not part.isdecimal():
        return 1, 0, part.casefold()
    digits = part.lstrip("0")
    return 0, len(digits), digits
