"""Marks of schools with a tendency: 2+, 2, 2-, read as 1.7, 2 and 2.3 where 1 is the best.

A plus is always the better side. Which end of the scale is that, the marks tell: nobody writes a
minus behind the worst one, so 1- means that 1 is the best and 6- that it is not, and marks over 6
are those of countries where more is better. Where 1- and 6- are written, nothing tells. Findings of
tests (1+, 2+, 3+) have no minus.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

import numpy as np
import pyarrow as pa

from probtrees.table.cells.spelled_numbers import SpelledNumbers
from probtrees.table.spelling import Spelling
from probtrees.types import FloatArray

ONE_IS_BEST, MORE_IS_BETTER = "±1", "±10"
"""The units of such columns, which tell in which direction a plus goes."""

_MARK = re.compile(r"\s*(?P<mark>[1-9]|10)\s?(?P<tendency>[+\-−–]?)\s*")
_STEP = 0.3
_LAST_OF_SIX, _FEWEST = 6, 3
_MOST_TEXTS = 200


def is_unit_of_marks(unit: str) -> bool:
    """Whether a column's unit says that it holds marks with tendencies."""
    return unit in (ONE_IS_BEST, MORE_IS_BETTER)


def unit_of_marks(texts: Collection[str]) -> str:
    """Return the unit of texts that all are marks, some with a tendency; nothing if they are none.

    >>> [unit_of_marks(some) for some in (["1-", "2", "2+"], ["7-", "8", "8+"], ["1+", "2", "3"])]
    ['±1', '±10', '']
    """
    if not _FEWEST <= len(texts) <= _MOST_TEXTS:
        return ""
    found = [match for text in texts if (match := _MARK.fullmatch(text))]
    signs = {"-" if m["tendency"] in "-−–" and m["tendency"] else m["tendency"] for m in found}
    highest = max((int(match["mark"]) for match in found), default=0)
    needed = {"", "-"} if highest <= _LAST_OF_SIX else {"", "-", "+"}
    if len(found) < len(texts) or not needed <= signs:
        return ""
    return MORE_IS_BETTER if _more_is_better(found) else ONE_IS_BEST


def _more_is_better(found: Sequence[re.Match[str]]) -> bool:
    lowered = _lowered(found)
    highest = max(int(match["mark"]) for match in found)
    return highest > _LAST_OF_SIX or (_LAST_OF_SIX in lowered and 1 not in lowered)


def _lowered(found: Sequence[re.Match[str]]) -> set[int]:
    """Return the marks that stand there with a minus."""
    return {int(match["mark"]) for match in found if match["tendency"] in ("-", "−", "–")}


def is_direction_guessed(texts: Iterable[str]) -> bool:
    """Whether no mark tells which one is the best, or both ends do, and 1 is taken for it.

    >>> [is_direction_guessed(some) for some in (["1-", "2+"], ["2-", "3"], ["1-", "3", "6-"])]
    [False, True, True]
    """
    found = [match for text in texts if (match := _MARK.fullmatch(text))]
    lowered = _lowered(found)
    told = 1 in lowered and _LAST_OF_SIX not in lowered
    return bool(found) and not told and not _more_is_better(found)


def mark_of(text: str, unit: str) -> float:
    """Return the number that a mark stands for; NaN where a text is no mark.

    >>> mark_of("2-", ONE_IS_BEST), mark_of("8-", MORE_IS_BETTER)
    (2.3, 7.7)
    """
    match = _MARK.fullmatch(text)
    if match is None:
        return float("nan")
    worse = {"": 0.0, "+": -_STEP}.get(match["tendency"], _STEP)
    number = int(match["mark"]) + (worse if unit == ONE_IS_BEST else -worse)
    return round(number, 1)


def example_of(texts: Iterable[str]) -> str:
    """Return the first mark with a plus, else the first with a minus.

    >>> example_of(["1-", "2", "3+", "2+"])
    '3+'
    """
    found = [text for text in texts if _MARK.fullmatch(text) and mark_of(text, ONE_IS_BEST) % 1]
    return next((text for text in found if "+" in text), found[0] if found else "2+")


def tendency_words(example: str, unit: str) -> str:
    """Say which way tendencies are taken.

    >>> tendency_words("2+", ONE_IS_BEST)
    'tendencies (2+ is 1.7, 1 being the best)'
    """
    best = "1 being the best" if unit == ONE_IS_BEST else "more being better"
    return f"tendencies ({example} is {mark_of(example, unit):g}, {best})"


def other_direction(unit: str) -> str:
    """Return the unit of marks whose pluses go the other way."""
    return MORE_IS_BETTER if unit == ONE_IS_BEST else ONE_IS_BEST


def turned(values: FloatArray) -> FloatArray:
    """Let tendencies go the other way.

    >>> turned(np.array([1.7, 2.0, 2.3])).tolist()
    [2.3, 2.0, 1.7]
    """
    return np.round(2 * np.round(values) - values, 1)


def read_marks(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    """Read marks as numbers; None unless all texts are some, and some have a tendency.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> read_marks(text_array(["1-", "2+", "2", "3"]), ".").values.tolist()
    [1.3, 1.7, 2.0, 3.0]
    """
    if len(texts) > _MOST_TEXTS or not (unit := unit_of_marks(plain := texts.to_pylist())):
        return None
    habit = tendency_words(example_of(plain), unit)
    values = np.array([mark_of(text, unit) for text in plain])
    return SpelledNumbers(values, Spelling(decimal, unit), (habit,))


def with_marks(found: SpelledNumbers, texts: pa.StringArray, unit: str) -> SpelledNumbers:
    """Read the marks among the texts of a column that is known to hold marks."""
    marks = np.array([mark_of(text, unit) for text in texts.to_pylist()], dtype=np.float64)
    values = np.where(np.isnan(marks), found.values, marks)
    return SpelledNumbers(values, found.spelling, found.habits)
