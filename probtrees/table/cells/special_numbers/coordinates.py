"""Latitudes and longitudes with their side: 54°11'N, 6° 38' 12" W, 51.974 S, N51.974.

They are read as degrees, negative in the south and in the west: the side is a sign, no unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from probtrees.table.cells.spelled_numbers import SpelledNumbers
from probtrees.table.spelling import Spelling

DEGREES = "°n/°e"
"""The unit of a column of coordinates."""

_PART = r"\d+(?:[.,]\d+)?"
_MINUTES = rf"(?:(?P<minutes>{_PART}) ?(?:['′’´]|$|(?= ?[NSEWO\d]))"
_SECONDS = rf"(?: ?(?P<seconds>{_PART}) ?(?:\"|″|”|''|$|(?= ?[NSEWO])))?)?"
_COORDINATE = re.compile(
    rf"(?P<before>[NSEWO] ?)?(?P<sign>[+-])?(?P<degrees>{_PART}) ?(?P<mark>[°º] ?| (?=\d))?"
    rf"{_MINUTES}{_SECONDS} ?(?P<after>[NSEWO])?"
)
_DECIMALS = re.compile(r"\d[.,]\d")
_MOST = {"N": 90.0, "S": 90.0}
_PAIRS = (frozenset("NS"), frozenset("EW"), frozenset("OW"), frozenset("EO"))
_MOST_TEXTS = 20_000


def may_be_coordinates(texts: Iterable[str]) -> bool:
    """Whether all of some texts that have a digit are coordinates with a side, and there are some.

    >>> may_be_coordinates(["54°11'N", "6.2 S"]), may_be_coordinates(["12 m", "7 m"])
    (True, False)
    """
    some = [text for text in texts if any(map(str.isdigit, text))]
    return bool(some) and all(_side(_COORDINATE.fullmatch(text)) for text in some)


def read_coordinates(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    r"""Read coordinates as degrees; None unless all texts with a digit are some.

    Without a degree sign both sides must occur, and decimals: 12 N is a force, E7 a room.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> read_coordinates(text_array(["54°30'N", "6° 15' 0\" S"]), ".").values.tolist()
    [54.5, -6.25]
    >>> read_coordinates(text_array(["51.974 S", "10.5 N"]), ".").values.tolist()
    [-51.974, 10.5]
    """
    plain = texts.to_pylist()
    if len(texts) > _MOST_TEXTS or not may_be_coordinates(plain):
        return None
    found = {text: match for text in plain if (match := _COORDINATE.fullmatch(text))}
    sides = frozenset(_side(match) for match in found.values())
    is_marked = all((match["mark"] or "").strip() for match in found.values())
    has_both = len(sides) == 2 and all(map(_DECIMALS.search, found))
    if not any(sides <= pair for pair in _PAIRS) or not (is_marked or has_both):
        return None
    values = [_degrees(found.get(text), sides) for text in plain]
    if any(np.isnan(value) for text, value in zip(plain, values, strict=True) if text in found):
        return None
    first = next(iter(found))
    shown = f"{values[plain.index(first)]:.6g}"
    habit = f"degrees and their side, south and west negative ({first!r} is {shown})"
    return SpelledNumbers(np.array(values), Spelling(decimal, DEGREES), (habit,))


def with_coordinates(found: SpelledNumbers, texts: pa.StringArray) -> SpelledNumbers:
    """Add coordinates to the plain numbers of a column that is known to hold some."""
    matches = [_COORDINATE.fullmatch(text) for text in texts.to_pylist()]
    sides = frozenset(_side(match) for match in matches) - {""}
    degrees = [_degrees(match if _side(match) else None, sides) for match in matches]
    values = np.where(np.isnan(degrees), found.values, degrees)
    return SpelledNumbers(values, found.spelling, found.habits)


def _side(match: re.Match[str] | None) -> str:
    """Return the letter of a coordinate; nothing if it has none, two, or a sign beside it."""
    if match is None:
        return ""
    before, after = (match["before"] or "").strip(), match["after"] or ""
    return "" if (before and after) or match["sign"] else before or after


def _degrees(match: re.Match[str] | None, sides: frozenset[str]) -> float:
    """Return the degrees of a coordinate; NaN where it lies nowhere.

    O is the east of German (Ost) beside W or alone, and the west of French and Spanish beside E.
    """
    if match is None:
        return np.nan
    parts = [match["degrees"], match["minutes"], match["seconds"]]
    degrees, minutes, seconds = (float((part or "0").replace(",", ".")) for part in parts)
    side = _side(match)
    total = degrees + minutes / 60 + seconds / 3600
    if minutes >= 60 or seconds >= 60 or total > _MOST.get(side, 180.0):
        return np.nan
    is_negative = side in "SW" or (side == "O" and "E" in sides)
    return float(f"{-total if is_negative else total:.12g}")
