"""Numbers with a zero in front, which are codes and no amounts: 01067, 08."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

import pyarrow as pa
import pyarrow.compute as pc

_PADDED = re.compile(r"0\d{2,}", re.A)
_MOST_OF_CALENDAR = 31
"""Two digits up to here may be days, months or hours, of which later is more."""
_MOST_CODES = 100
"""There are no more different texts of two digits."""


def has_leading_zeros(texts: Iterable[str]) -> bool:
    """Whether some text is a number of three digits or more that begins with 0: a code.

    >>> has_leading_zeros(["10115", "01067"]), has_leading_zeros(["0", "05", "0.5"])
    (True, False)
    """
    return any(_PADDED.fullmatch(text) for text in texts)


def are_two_digit_codes(texts: Collection[str]) -> bool:
    """Whether all texts have two digits, some a zero in front, and are no days, months or hours.

    >>> are_two_digit_codes(["08", "28", "41"]), are_two_digit_codes(["08", "12", "03"])
    (True, False)
    """
    plain = len(texts) > 1 and all(len(text) == 2 and text.isdigit() for text in texts)
    return plain and any(text[0] == "0" for text in texts) and int(max(texts)) > _MOST_OF_CALENDAR


def first_code(texts: pa.StringArray) -> str:
    """Return the first of a column's distinct texts that begins with 0 like a code, if any does.

    >>> first_code(pa.array(["28", "08", "41"])), first_code(pa.array(["1", "07"]))
    ('08', '')
    """
    padded = texts.filter(pc.match_substring_regex(texts, f"^{_PADDED.pattern}$")).slice(0, 1)
    if len(padded):
        return str(padded[0].as_py())
    written: list[str] = texts.to_pylist() if len(texts) <= _MOST_CODES else []
    return next(text for text in written if text[0] == "0") if are_two_digit_codes(written) else ""
