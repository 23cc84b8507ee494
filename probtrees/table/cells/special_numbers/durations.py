"""Durations with their units: 3h 20m, 2d 4h, 1w 2d, 1 h 05 min 30 s, and as programs write them.

Those are `PT3H20M` (ISO 8601) and `2 days 04:00:00` (Python, pandas). All are read as hours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from probtrees.table.cells.spelled_numbers import CLOCK, SpelledNumbers
from probtrees.table.spelling import Spelling
from probtrees.types import FloatArray

_PARTS = re.compile(
    r"(?:(?P<w>\d+) ?(?:w|wks?|weeks?|Wo\.?|Wochen?))? ?"
    r"(?:(?P<d>\d+) ?(?:d|days?|Tage?|T))? ?(?:(?P<h>\d+) ?(?:h|hrs?|hours?|Std\.?|St\.))? ?"
    r"(?:(?P<m>\d+) ?(?:m|mins?|minutes?|Min\.?))? ?(?:(?P<s>\d+) ?(?:s|secs?|seconds?|Sek\.?))?",
    re.A,
)
_ISO = re.compile(
    r"P(?:(?P<d>\d+)D)?(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?)?", re.A
)
_OF_PYTHON = re.compile(
    r"(?P<d>-?\d+) days?,? \+?(?P<h>\d{1,2}):(?P<m>\d\d):(?P<s>\d\d(?:\.\d+)?)", re.A
)
_HOURS = {"w": 168.0, "d": 24.0, "h": 1.0, "m": 1 / 60, "s": 1 / 3600}
_TWO = re.compile(
    r"PT?\d+[DHMS]|-?\d+ days?,? \+?\d+:\d|"
    r"\d+ ?[wW][a-z.]* ?\d+ ?[dTh]|"
    r"\d+ ?(?:d|T)[a-z]* ?\d+ ?[hS]|\d+ ?[hS][a-z.]* ?\d+ ?[mM]|\d+ ?m[a-z]* ?\d+ ?s"
)
_FORMS = (_PARTS, _ISO, _OF_PYTHON)
_MOST_TEXTS = 20_000


def read_durations(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    """Read durations as hours; None unless all texts with a digit are some, and one has two parts.

    "45m" alone may be metres.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> read_durations(text_array(["1h 30m", "45m", "2d 4h"]), ".").values.tolist()
    [1.5, 0.75, 52.0]
    >>> read_durations(text_array(["1w 2d", "3h"]), ".").values.tolist()
    [216.0, 3.0]
    >>> read_durations(text_array(["1 days 03:30:00", "0 days 00:15:00"]), ".").values.tolist()
    [27.5, 0.25]
    """
    if len(texts) > _MOST_TEXTS:
        return None
    plain = texts.to_pylist()
    hours = _hours(plain)
    has_digit = np.array([any(map(str.isdigit, text)) for text in plain])
    if np.isnan(hours[has_digit]).any() or not any(map(_TWO.match, plain)):
        return None
    return SpelledNumbers(hours, Spelling(decimal, CLOCK), ("hours and minutes (2h 30m is 2.5)",))


def may_be_durations(texts: Iterable[str]) -> bool:
    """Whether some text has two parts of a duration."""
    return any(map(_TWO.match, texts))


def with_durations(found: SpelledNumbers, texts: pa.StringArray) -> SpelledNumbers:
    """Add the hours of durations to those of clock times."""
    hours = _hours(texts.to_pylist())
    values = np.where(np.isnan(found.values), hours, found.values)
    return SpelledNumbers(values, found.spelling, found.habits)


def _hours(texts: Iterable[str]) -> FloatArray:
    found = []
    for text in texts:
        match = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
        parts = {n: p for n, p in match.groupdict().items() if p} if match else {}
        hours = sum(float(part) * _HOURS[name] for name, part in parts.items())
        found.append(round(hours, 12) if parts else np.nan)
    return np.array(found, dtype=np.float64)
