"""Minutes and seconds with their strokes among other texts: 2'14", 2'09", 58'03.5".

The same strokes are feet and inches. Twelve inches are a foot and nobody writes 5'09", so where the
second number reaches 12 in some cell, or begins with 0, the cells of the column are times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MINUTES = "min"
"""The unit that the number in each cell is then read in."""

_STROKES = re.compile(
    r"\s*(?P<minutes>\d{1,4})\s?['′’´](?!['′’´])\s?"
    r"(?P<seconds>[0-5]?\d(?:[.,]\d+)?)\s?(?:[\"″”]|['′’´]{2})?\s*",
    re.A,
)
_INCHES = 12


def are_minutes(texts: Iterable[str]) -> bool:
    """Whether cells with strokes are minutes and seconds rather than feet and inches.

    >>> are_minutes(["2'14''", "2'5''"]), are_minutes(["2'09''"]), are_minutes(["6'2''", "5'11''"])
    (True, True, False)
    """
    seconds = (m["seconds"] for text in texts if (m := _STROKES.fullmatch(text)))
    return any(_is_no_inch(written) for written in seconds)


def _is_no_inch(written: str) -> bool:
    whole = re.split("[.,]", written)[0]
    return int(whole) >= _INCHES or len(whole) > len(str(int(whole)))


def in_words(text: str) -> str:
    """Write minutes and seconds with strokes as words; other texts stay as they are.

    >>> in_words("2'09''"), in_words("DNF")
    ('2 min 9 s', 'DNF')
    """
    match = _STROKES.fullmatch(text)
    if match is None:
        return text
    seconds = re.sub(r"^0(?=\d)", "", match["seconds"])
    return f"{int(match['minutes'])} min {seconds} s"
