"""Clock times and durations as clocks show them: 14:30, 0:45:36, 2:05 PM, 14h30; 0702 for 7:02.

Also -1:30, as flexible working hours have it, and times with the words of other countries: kl.
14.30, 14.30 Uhr, 오후 2:30, 2:30 p. m.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import LETTER, flags, floats, mask_array, text_array
from probtrees.table.cells.other_dates.plain_dates import with_plain_noon
from probtrees.types import FloatArray

_CLOCK = (
    r"^(?P<sign>[+-]?)(?P<hours>\d{1,4})[:hH](?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d(?:\.\d+)?))?"
    r"(?:\s?(?P<half>[AaPp])\.?[Mm]\.?|\s?(?:h|Uhr))?$"
)
_WITH_POINT = (
    (r"^(?i:kl\.?|klo) ?(\d{1,2})[.:]([0-5]\d)$", r"\1:\2"),
    (r"^(\d{1,2})\.([0-5]\d) ?(?:Uhr|น\.?)$", r"\1:\2"),
    (r"^(\d{1,2})\.([0-5]\d) ?([AaPp])\.? ?[Mm]\.?$", r"\1:\2 \3m"),
    (r"^(\d{1,2}:[0-5]\d(?::[0-5]\d)?) ?π\.?μ\.?$", r"\1 am"),
    (r"^(\d{1,2}:[0-5]\d(?::[0-5]\d)?) ?μ\.?μ\.?$", r"\1 pm"),
)
"""A point parts hours and minutes where a word beside them says that it is a time."""
_FOUR_DIGITS = re.compile(r"([01]\d|2[0-3])([0-5]\d)", re.A)
_DIGITS = re.compile(r"\d{3,4}", re.A)
_POINTED = re.compile(r"\d{1,2}(?:[.,]\d{1,2})?", re.A)
_FEWEST, _FEWEST_HOURS, _LATE = 20, 3, 40
_HOURS_OF_DAY = 24
_NOTHING, _ZERO, _AFTERNOON, _MINUS = text_array(["", "0", "p", "-"])
"""Texts as Arrow has them: given plain ones its functions would import pandas."""


def may_be_clock(texts: pa.StringArray, unread: NDArray[np.bool_]) -> bool:
    """Whether the first text that is no plain number is a clock time."""
    first = int(unread.argmax()) if unread.any() else -1
    if first < 0:
        return False
    return re.match(_CLOCK, _in_plain_words(texts.slice(first, 1))[0].as_py()) is not None


def _in_plain_words(texts: pa.StringArray) -> pa.StringArray:
    """Respell times that stand beside a word: kl. 14.30, 오후 2:30, 2.30 p. m."""
    if not flags(pc.match_substring_regex(texts, LETTER)).any():
        return texts
    for pattern, plain in _WITH_POINT:
        texts = pc.replace_substring_regex(texts, pattern, plain)
    return with_plain_noon(texts)


def read_clock(texts: pa.StringArray) -> FloatArray:
    """Read clock times and durations as hours; NaN where a text is none.

    >>> read_clock(text_array(["14:30", "0:45:36", "12:15 AM", "1:30 pm", "14h30", "9"])).tolist()
    [14.5, 0.76, 0.25, 13.5, 14.5, nan]
    >>> read_clock(text_array(["-1:30", "kl. 14.30", "2.15 pm", "오후 2:30"])).tolist()
    [-1.5, 14.5, 14.25, 14.5]
    """
    parts = pc.extract_regex(_in_plain_words(texts), _CLOCK)
    hours = np.full(len(texts), np.nan)
    found = flags(pc.is_valid(parts))
    if not found.any():
        return hours
    written = {
        name: pc.coalesce(pc.struct_field(parts, name), _NOTHING).filter(mask_array(found))
        for name in ("sign", "hours", "minutes", "seconds", "half")
    }
    number = {
        name: floats(
            pc.cast(pc.if_else(pc.equal(written[name], _NOTHING), _ZERO, written[name]), "double")
        )
        for name in ("hours", "minutes", "seconds")
    }
    half = pc.utf8_lower(written["half"])
    whole = np.where(flags(pc.not_equal(half, _NOTHING)), number["hours"] % 12, number["hours"])
    whole += 12 * flags(pc.equal(half, _AFTERNOON))
    sign = np.where(flags(pc.equal(written["sign"], _MINUS)), -1.0, 1.0)
    hours[found] = sign * (whole + (60 * number["minutes"] + number["seconds"]) / 3600)
    return hours


def may_be_four_digits(texts: Sequence[str]) -> bool:
    """Whether all of a few texts are clock times of four digits, if they are times."""
    return bool(texts) and all(map(_FOUR_DIGITS.fullmatch, texts))


def are_four_digits(texts: Sequence[str]) -> bool:
    """Whether texts are clock times of four digits: none has a minute over 59, of many.

    Two of five codes would. Codes that go on from 0001 have one hour or two only.

    >>> times = [f"{6 + n % 3:02d}{n * 7 % 60:02d}" for n in range(40)]
    >>> are_four_digits(times), are_four_digits([f"{n:04d}" for n in range(60)])
    (True, False)
    """
    if len(texts) < _FEWEST or not any(text.startswith("0") for text in texts):
        return False
    found = [match for text in texts if (match := _FOUR_DIGITS.fullmatch(text))]
    hours, minutes = {match[1] for match in found}, {int(match[2]) for match in found}
    spread = len(hours) >= _FEWEST_HOURS and max(minutes) >= _LATE
    return spread and len(found) == len(texts)


def hours_of_digits(values: FloatArray) -> FloatArray:
    """Read numbers such as 702 as hours: 7.0333; those below 24 are hours already.

    >>> hours_of_digits(np.array([730.0, 1215.0, 7.5, 1275.0])).tolist()
    [7.5, 12.25, 7.5, nan]
    """
    hours, minutes = np.floor(values / 100), values % 100
    is_time = (hours < _HOURS_OF_DAY) & (minutes < 60) & (values % 1 == 0)
    read = np.where(is_time, hours + minutes / 60, np.nan)
    return np.where((values < _HOURS_OF_DAY) | np.isnan(values), values, read)


def read_four_digits(texts: Sequence[str]) -> FloatArray:
    """Read clock times of three or four digits as hours; NaN where a text is none.

    >>> read_four_digits(["0730", "0015", "7:30"]).tolist()
    [7.5, 0.25, nan]
    """
    padded = (text.rjust(4, "0") if _DIGITS.fullmatch(text) else text for text in texts)
    found = (_FOUR_DIGITS.fullmatch(text) for text in padded)
    return np.array([int(m[1]) + int(m[2]) / 60 if m else np.nan for m in found], dtype=np.float64)


def hours_of_points(values: FloatArray) -> FloatArray:
    """Read numbers such as 13.15 as hours: 13.25; NaN where a minute is over 59.

    >>> hours_of_points(np.array([13.15, 8.3, 7.0, 7.75, 7.155])).tolist()
    [13.25, 8.5, 7.0, nan, nan]
    """
    hours = np.floor(values)
    minutes = np.round((values - hours) * 100, 6)
    is_time = (values >= 0) & (hours <= _HOURS_OF_DAY) & (minutes < 60) & (minutes % 1 == 0)
    return np.where(is_time, hours + minutes / 60, np.nan)


def read_pointed(texts: Sequence[str]) -> FloatArray:
    """Read clock times with a point or comma as hours; NaN where a text is none.

    >>> read_pointed(["13.15", "8,3", "7:30"]).tolist()
    [13.25, 8.5, nan]
    """
    found = (text.replace(",", ".") if _POINTED.fullmatch(text) else "nan" for text in texts)
    return hours_of_points(np.array(list(found), dtype=np.float64))
