"""Points out of one number in every cell: 4/9, 17/20, 8 of 10. They are read as the points."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from probtrees.table.cells.spelled_numbers import SpelledNumbers
from probtrees.table.spelling import Spelling

POINTS = re.compile(
    r"\s*(?P<points>\d+(?:[.,]\d+)?)\s*(?:/|out of|of|von|sur|de|su|z)\s*(?P<most>\d+)\s*"
)
"""Points and what they are out of."""

_OUT_OF = "/"
"""How the unit of points begins: that of 4/9 is "/9"."""
_LEAST, _MOST = 3, 100
"""What points are out of; 1/2 is a half."""
_FEWEST = 3
_LEADING_ZERO = re.compile(r"0\d")
_MOST_TEXTS = 20_000


def points_of(text: str) -> float:
    """Return the points of a text such as "3/10"; below all others where there are none.

    >>> points_of("3/10"), points_of("7,5 sur 20"), points_of("ten")
    (3.0, 7.5, -1.0)
    """
    match = POINTS.fullmatch(text)
    return float(match["points"].replace(",", ".")) if match else -1.0


def most_points(unit: str) -> str:
    """Return what the points of a column are out of, by its unit; nothing if it has another.

    >>> most_points("/9"), most_points("mg/dl")
    ('9', '')
    """
    return unit.removeprefix(_OUT_OF) if unit.startswith(_OUT_OF) else ""


def may_be_points(texts: Iterable[str]) -> bool:
    """Whether all of some texts that have a digit are points, and there are some."""
    some = [text for text in texts if any(map(str.isdigit, text))]
    return bool(some) and all(map(POINTS.fullmatch, some))


def read_points(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    """Read points; None unless all texts with a digit are some, out of one number.

    The first of them begins with no 0: 03/24 is a month.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> found = read_points(text_array(["4/9", "7/9", "1/9"]), ".")
    >>> found.values.tolist(), found.spelling.unit
    ([4.0, 7.0, 1.0], '/9')
    """
    if len(texts) > _MOST_TEXTS or not may_be_points(plain := texts.to_pylist()):
        return None
    found = {text: match for text in plain if (match := POINTS.fullmatch(text))}
    points = {points_of(text) for text in found}
    out_of = {match["most"] for match in found.values()}
    most = out_of.pop()
    if out_of or not _LEAST <= int(most) <= _MOST or most.startswith("0"):
        return None
    if len(points) < _FEWEST or max(points) > int(most):
        return None
    if any(_LEADING_ZERO.match(match["points"]) for match in found.values()):
        return None
    values = [points_of(text) if text in found else np.nan for text in plain]
    comma = any("," in text for text in found)
    first = next(iter(found))
    habit = f"what they are out of ({first!r} is {found[first]['points']})"
    spelling = Spelling("," if comma else decimal, _OUT_OF + most)
    return SpelledNumbers(np.array(values), spelling, (habit,))


def with_points(found: SpelledNumbers, texts: pa.StringArray, most: str) -> SpelledNumbers:
    """Add points to the plain numbers of a column that is known to hold points out of a number."""
    values = found.values.copy()
    for place in np.flatnonzero(np.isnan(values)).tolist():
        match = POINTS.fullmatch(texts[place].as_py())
        if match and match["most"] == most:
            values[place] = points_of(match[0])
    return SpelledNumbers(values, found.spelling, found.habits)
