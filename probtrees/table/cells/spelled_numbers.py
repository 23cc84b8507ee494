"""Numbers as people spell them, recognised on whole columns of distinct texts."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import flags, floats
from probtrees.types import FloatArray

_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_INFINITE = r"^[+-]?(inf|infinity)$"
_NUMBER_WITH = {".": _NUMBER, ",": _NUMBER.replace(r"\.", "[.,]")}
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

    >>> from probtrees.table.cells.arrow_arrays import text_array
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
