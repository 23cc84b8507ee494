"""Clock times and durations, which are read as hours: 14:30, 2:05 PM, 1h 20min, PT3H20M."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa

from probtrees.table.readings.marks import has, in_plain_signs
from probtrees.table.readings.numbers import parse_amounts
from probtrees.table.readings.reading import Asked, ColumnReading, Reading
from probtrees.table.readings.spellings import CLOCK
from probtrees.types import FloatArray

_CLOCK = (
    r"(?P<sign>[+-]?)(?P<hours>\d{1,4})[:hH](?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d(?:\.\d+)?))?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?| ?(?:h|Uhr))?"
)
_PARTS_OF_TIME = {
    "w": (168.0, r"w|wks?|weeks?|Wochen?"),
    "d": (24.0, r"d|days?|Tage?n?|jours?|d[ií]as?|giorn[io]"),
    "h": (1.0, r"h|hrs?|hours?|Std|Stunden?|heures?|horas?|or[ae]"),
    "m": (1 / 60, r"m|mins?|minutes?|Min|Minuten?|mn|minutos?|minut[io]"),
    "s": (1 / 3600, r"s|secs?|seconds?|Sek|Sekunden?|secondes?|segundos?|secondi"),
}
_DURATION = " ?".join(
    rf"(?:(?P<{part}>\d+(?:[.,]\d+)?) ?(?i:{words})\.?)?"
    for part, (_, words) in _PARTS_OF_TIME.items()
)
_OF_PROGRAMS = (
    r"P(?:(?P<w>\d+)W)?(?:(?P<d>\d+)D)?(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?)?",
    r"(?P<d>-?\d+) days?,? \+?(?P<h>\d{1,2}):(?P<m>\d\d):(?P<s>\d\d(?:\.\d+)?)",
)
"""ISO 8601 and Python: PT3H20M, 2 days 04:00:00."""

_CLOCK_PATTERN = re.compile(_CLOCK, re.A)
_DURATIONS = tuple(re.compile(pattern, re.A) for pattern in (_DURATION, *_OF_PROGRAMS))


def parse_times(texts: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read clock times and durations as hours; plain numbers are hours already.

    >>> texts = pa.array(["14:30", "12:15 AM", "1:30 pm", "1h 20min", "9"])
    >>> parse_times(texts, ColumnReading("clock", unit=CLOCK)).tolist()
    [14.5, 0.25, 13.5, 1.333333333333, 9.0]
    """
    texts = in_plain_signs(texts)
    hours = np.array([_hours(text) for text in texts.to_pylist()], dtype=np.float64)
    if np.isnan(hours).any():
        plain = parse_amounts(texts, ColumnReading(decimal=reading.decimal))
        hours = np.where(np.isnan(hours), plain, hours)
    return hours


def _hours(text: str) -> float:
    """Read one clock time or duration; NaN where it is none."""
    if match := _CLOCK_PATTERN.fullmatch(text):
        sign, hours, minutes, seconds, half = match.groups()
        whole = float(hours) if half is None else float(hours) % 12 + 12 * (half in "Pp")
        value = whole + (60 * float(minutes) + float(seconds or 0)) / 3600
        return -value if sign == "-" else value
    match = next(filter(None, (form.fullmatch(text) for form in _DURATIONS)), None)
    parts = {name: part for name, part in match.groupdict().items() if part} if match else {}
    if not parts:
        return float("nan")
    sizes = ((float(p.replace(",", ".")), _PARTS_OF_TIME[name][0]) for name, p in parts.items())
    return round(sum(number * size for number, size in sizes), 12)


def _find_clock(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading:
    return ColumnReading("clock", reading.decimal, CLOCK)


def _find_duration(texts: pa.StringArray, reading: ColumnReading) -> ColumnReading | Asked:
    """Require one text of two parts: 45m alone may be metres."""
    two_parts = r"\d[^\d]*[^\d.,\s-][^\d]*\d|^PT?\d"
    return ColumnReading("duration", reading.decimal, CLOCK) if has(texts, two_parts) else ""


TIME_READINGS = (
    Reading(
        "clock", "numeric", _CLOCK, parse_times, "14:30 is read as 14.5 hours", find=_find_clock
    ),
    Reading(
        "duration",
        "numeric",
        "|".join((_DURATION, *_OF_PROGRAMS)),
        parse_times,
        "1h 30min is read as 1.5 hours",
        find=_find_duration,
    ),
)
