"""Numbers as people spell them, recognised on whole columns of distinct texts."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import flags, floats, text_array
from probtrees.types import FloatArray

_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_INFINITE = r"^[+-]?(inf|infinity)$"
_NUMBER_WITH = {".": _NUMBER, ",": _NUMBER.replace(r"\.", "[.,]")}
_DIGITS = re.compile(r"(\d+)")
_THOUSANDS = {".": r"^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$", ",": r"^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$"}


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
    parts = [
        (0, int(part), "") if part.isdecimal() else (1, 0, part.casefold())
        for part in _DIGITS.split(text)
        if part
    ]
    return parts, text
