"""Points out of a number: 4/9, 17/20, 8 of 10.

Out of one number in every cell they are read as the points; out of several (13,1/20 beside 29,3/40)
as shares of them, in percent.
"""

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
_ROUND, _MOST_TOTALS = 5, 10
"""Several totals are told from a second number by these: tests have 20, 25 or 40 points."""
SHARE = "%"
"""The unit of points out of several numbers."""
_WORDS = re.compile(r"[a-z]")
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


def read_shares(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    """Read points out of several numbers as shares, in percent; None where they may be others.

    Two numbers in a cell (135/96, 3/12) are taken for such if none exceeds what it is out of, and
    some have decimals or words between them, or all of a few totals are multiples of five.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> read_shares(text_array(["13,1/20", "4,9/10", "30/40"]), ".").values.tolist()
    [65.5, 49.0, 75.0]
    """
    if len(texts) > _MOST_TEXTS or not may_be_points(plain := texts.to_pylist()):
        return None
    found = {text: match for text in plain if (match := POINTS.fullmatch(text))}
    totals = {int(match["most"]) for match in found.values()}
    parts = [match[name] for match in found.values() for name in ("points", "most")]
    if len(found) < _FEWEST or any(map(_LEADING_ZERO.match, parts)) or min(totals) < _LEAST:
        return None
    if len(totals) == 1 or any(_share(match) > 100 for match in found.values()):
        return None
    are_round = len(totals) <= _MOST_TOTALS and not any(total % _ROUND for total in totals)
    decimals = any(re.search("[.,]", match["points"]) for match in found.values())
    if not (are_round or decimals or all(map(_WORDS.search, found))):
        return None
    values = np.array([_share(found[text]) if text in found else np.nan for text in plain])
    first = next(iter(found))
    habit = f"what they are out of, which differs ({first} is {_share(found[first]):.4g} %)"
    return SpelledNumbers(values, Spelling(decimal, SHARE), (habit,))


def _share(match: re.Match[str]) -> float:
    return float(f"{100 * points_of(match[0]) / int(match['most']):.12g}")


def with_shares(found: SpelledNumbers, texts: pa.StringArray) -> SpelledNumbers:
    """Add points out of a number to the percentages of a column."""
    values = found.values.copy()
    for place in np.flatnonzero(np.isnan(values)).tolist():
        match = POINTS.fullmatch(texts[place].as_py())
        if match and int(match["most"]):
            values[place] = _share(match)
    return SpelledNumbers(values, found.spelling, found.habits, bare=found.bare)


def with_points(found: SpelledNumbers, texts: pa.StringArray, most: str) -> SpelledNumbers:
    """Add points to the plain numbers of a column that is known to hold points out of a number."""
    values = found.values.copy()
    for place in np.flatnonzero(np.isnan(values)).tolist():
        match = POINTS.fullmatch(texts[place].as_py())
        if match and match["most"] == most:
            values[place] = points_of(match[0])
    return SpelledNumbers(values, found.spelling, found.habits)
