"""Durations with their units: 3h 20m, 1w 2d, 1 h 05, 1:20 Std., and as programs write them.

Those are `PT3H20M` (ISO 8601) and `2 days 04:00:00` (Python, pandas). All are read as hours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import LETTER
from probtrees.table.cells.clock_times import read_clock
from probtrees.table.cells.spelled_numbers import CLOCK, SpelledNumbers
from probtrees.table.cells.unit_names import conversion
from probtrees.table.spelling import Spelling

_WORDS = {
    "w": r"w|wks?|weeks?|Wo(?=\.)|Wochen?",
    "d": "d|days?|Tage?|T|j|jours?|días?|dias?|giorni|giorno|dni|dzień|dagen|dag|日",
    "h": r"h|hrs?|hours?|Std|St(?=\.)|Stunden?|heures?|horas?|ore|ora|godz|uur|uren|tim|timmar"
    "|ч|час|時間|小时",
    "m": "m|mins?|minutes?|Min|Minuten?|mn|minutos?|minuti|minut|minuter|minuten|мин|分|分钟",
    "s": "s|secs?|seconds?|Sek|Sekunden?|secondes?|segundos?|secondi|sek|сек|秒",
}
_UNIT = {part: rf"(?:{words})\.?" for part, words in _WORDS.items()}
_PARTS = re.compile(
    " ?".join(rf"(?:(?P<{part}>\d+) ?{unit})?" for part, unit in _UNIT.items()), re.A | re.I
)
_LAST_BARE = re.compile(
    rf"(?:(?P<d>\d+) ?{_UNIT['d']} )?(?P<h>\d+) ?{_UNIT['h']} ?(?P<m>[0-5]\d)", re.A | re.I
)
_WITH_COLON = re.compile(
    rf"(?P<h>\d+):(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d))? ?{_UNIT['h']}", re.A | re.I
)
_MINUTES_AND_SECONDS = re.compile(rf"(?P<m>\d+):(?P<s>[0-5]\d) ?{_UNIT['m']}", re.A | re.I)
_DECIMALS = tuple(
    re.compile(rf"(?P<{part}>\d+[.,]\d+) ?{unit}", re.A | re.I) for part, unit in _UNIT.items()
)
_IN_SIGNS = re.compile("(?P<m>\\d+)['’′](?: ?(?P<s>[0-5]?\\d)(?:[\"”″]|''|’’))?", re.A)
"""Minutes and seconds, where the column is known to hold times: 5' may be feet."""
_ISO = re.compile(
    r"P(?:(?P<w>\d+)W)?(?:(?P<d>\d+)D)?(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?)?",
    re.A,
)
_OF_PYTHON = re.compile(
    r"(?P<d>-?\d+) days?,? \+?(?P<h>\d{1,2}):(?P<m>\d\d):(?P<s>\d\d(?:\.\d+)?)", re.A
)
_HOURS = {"w": 168.0, "d": 24.0, "h": 1.0, "m": 1 / 60, "s": 1 / 3600}
_FORMS = (_PARTS, _LAST_BARE, _WITH_COLON, _MINUTES_AND_SECONDS, *_DECIMALS, _ISO, _OF_PYTHON)
_METRES, _MINUTES = "m", "min"
_TWO_NUMBERS = rf"^PT?\d|^-?\d+ ?{LETTER}+[.,]?\s?\+?\d|^\d+:\d\d ?{LETTER}"
_MAY_HAVE_PARTS = re.compile(r"\s*(?:-?\d+\s*[^\W\d_]|\d+:|P)")
_CLOCK = re.compile(r"\d{1,2}[hH]\d\d")
_MOST_TEXTS = 20_000
_FEWEST_SPANS = 6
"""Fewer different ones of one part, P21W and P5W, are types of lamps or the like."""


def read_durations(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    """Read durations as hours; None unless all texts with a digit are some, and one has two parts.

    "45m" alone may be metres; six different ones like "P3D" are spans as programs write them.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> read_durations(text_array(["1h 30m", "45m", "2d 4h"]), ".").values.tolist()
    [1.5, 0.75, 52.0]
    >>> read_durations(text_array(["1w 2d", "3h"]), ".").values.tolist()
    [216.0, 3.0]
    >>> read_durations(text_array(["1 days 03:30:00", "0 days 00:15:00"]), ".").values.tolist()
    [27.5, 0.25]
    """
    plain = texts.to_pylist()
    read = [_read(text) for text in plain]
    has_digit = [any(map(str.isdigit, text)) for text in plain]
    with_digit = [
        (one, text) for one, text, is_one in zip(read, plain, has_digit, strict=True) if is_one
    ]
    if not all(one for one, _ in with_digit) or all(_CLOCK.fullmatch(t) for _, t in with_digit):
        return None
    of_programs = {text for _, text in with_digit if _ISO.fullmatch(text.strip())}
    are_spans = len(of_programs) >= _FEWEST_SPANS and len(of_programs) == len(with_digit)
    if not are_spans and not any(one and one.n_parts > 1 for one in read):
        return None
    hours = np.array([one.hours if one else np.nan for one in read])
    return SpelledNumbers(hours, Spelling(decimal, CLOCK), ("hours and minutes (2h 30m is 2.5)",))


def may_be_durations(texts: pa.StringArray) -> bool:
    """Whether some text has two numbers as a duration has."""
    is_two = pc.match_substring_regex(texts, _TWO_NUMBERS)
    return len(texts) <= _MOST_TEXTS and bool(pc.any(is_two).as_py())


def hours_in_parts(text: str) -> float | None:
    """Return the hours of a duration in hours and smaller parts; None for all else.

    >>> hours_in_parts("1 h 15"), hours_in_parts("1h07 "), hours_in_parts("15 min 30 s")
    (1.25, 1.116666666667, None)
    """
    found = _read(text) if _MAY_HAVE_PARTS.match(text) else None
    return found.hours if found and found.n_parts > 1 and found.has_hours else None


def with_durations(found: SpelledNumbers, texts: pa.StringArray, unit: str) -> SpelledNumbers:
    """Add durations to the numbers of a column that has a unit of time, or "m", if they are some.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> texts = text_array(["0:53", "53'", "0.5 h", "53:30 min", "1 h 10"])
    >>> nothing = SpelledNumbers(np.full(5, np.nan), Spelling())
    >>> with_durations(nothing, texts, "min").values.tolist()
    [53.0, 53.0, 30.0, 53.5, 70.0]
    """
    may_be_metres, unit = unit == _METRES, _MINUTES if unit == _METRES else unit
    forms = _FORMS if may_be_metres else (*_FORMS, _IN_SIGNS)
    read = [_read(text, forms) for text in texts.to_pylist()]
    way = None if unit == CLOCK else conversion("h", unit)
    # What is rounded in hours and then converted has 267.000000001 seconds for 267.
    hours = np.array([(one.exact if way else one.hours) if one else np.nan for one in read])
    if unit != CLOCK and not may_be_metres:
        hours = np.where(np.isnan(hours), read_clock(texts), hours)
    values = hours if way is None else np.array([way.of(hour) for hour in hours.tolist()])
    return replace(found, values=np.where(np.isnan(found.values), values, found.values))


def is_unit_of_time(unit: str) -> bool:
    """Whether hours and minutes can be told in a unit; "m" may have been minutes."""
    return unit in (CLOCK, _METRES) or conversion("h", unit) is not None


class _Duration(NamedTuple):
    exact: float
    n_parts: int
    has_hours: bool

    @property
    def hours(self) -> float:
        return round(self.exact, 12)


def _read(text: str, forms: Sequence[re.Pattern[str]] = _FORMS) -> _Duration | None:
    plain = " ".join(text.split())
    match = next(filter(None, (form.fullmatch(plain) for form in forms)), None)
    parts = {name: part for name, part in match.groupdict().items() if part} if match else {}
    hours = sum(float(part.replace(",", ".")) * _HOURS[name] for name, part in parts.items())
    return _Duration(hours, len(parts), "h" in parts) if parts else None
