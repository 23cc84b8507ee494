"""Ranges that a spreadsheet has made dates of: who types 10-12 into Excel finds 10-Dec there.

Which of the two numbers was the month is told by their order: a range goes up, so 12-Oct is 10-12.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.other_dates.month_names import month_of_names

_MONTH = r"(?P<month>[^\W\d_]{3,4})\.?"
_DAY_FIRST = re.compile(rf"(?P<number>\d\d?)[-. /]{{1,2}}{_MONTH}")
_MONTH_FIRST = re.compile(rf"{_MONTH}[-. /]{{1,2}}(?P<number>\d\d?)")
_WHOLE_DATE = re.compile(r"(?:19|20)\d\d-(?P<one>\d\d)-(?P<two>\d\d)")
_RANGE = re.compile(
    r"(?P<before>\D{0,2})(?P<low>\d{1,3}(?:[.,]\d+)?)(?P<between> ?(?:-|–|to|bis) ?)"
    r"(?P<high>\d+(?:[.,]\d+)?)\b(?P<behind>.*)",
    re.I,
)
_FEWEST_RANGES = 3
_MOST = 100
"""More different texts than this are no ranges that somebody chose from."""


def plain_ranges(texts: Collection[str]) -> list[str]:
    """Return those texts that are ranges as they were typed: 5-10, 0-2 %, 5 to 10."""
    return [text for text in texts if _RANGE.fullmatch(text) and not _as_range(text)]


def typed_ranges(texts: Collection[str]) -> dict[str, str]:
    """Return the ranges that dates were typed as, by date, where most texts are such or ranges.

    They are written like the other ranges, where these are all written alike. Where no other range
    is left, three or more must follow each other as ranges do.

    >>> typed_ranges(["0-5", "06-Aug", "13-20"]), typed_ranges(["0-2 %", "02-May", "5-10 %"])
    ({'06-Aug': '6-8'}, {'02-May': '2-5 %'})
    >>> typed_ranges(["02-May", "03-May"]), typed_ranges(["1-3", "déc", "4-6"])
    ({}, {})
    >>> typed_ranges(["01-Mar", "04-Jun", "07-Sep", "10+"])
    {'01-Mar': '1-3', '04-Jun': '4-6', '07-Sep': '7-9'}
    """
    if len(texts) > _MOST:
        return {}
    found = {text: meant for text in sorted(texts) if (meant := _as_range(text))}
    found = dict(sorted(found.items(), key=lambda pair: pair[1]))
    ranges = plain_ranges(texts)
    if not (found and (ranges or _follow_each_other(list(found.values())))):
        return {}
    if len(found) + len(ranges) <= len(texts) / 2:
        return {}
    matches = filter(None, map(_RANGE.fullmatch, ranges))
    ways = {(match["before"], match["between"], match["behind"]) for match in matches}
    before, between, behind = ways.pop() if len(ways) == 1 else ("", "-", "")
    return {text: f"{before}{low}{between}{high}{behind}" for text, (low, high) in found.items()}


def _follow_each_other(ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether each of three ranges or more begins where another ends, or with the next number."""
    ordered = sorted(set(ranges))
    gaps = {after[0] - before[1] for before, after in pairwise(ordered)}
    return len(ordered) >= _FEWEST_RANGES and len(gaps) == 1 and gaps <= {0, 1}


def is_typed_date(text: str) -> bool:
    """Whether a text is a day and a month, as a spreadsheet shows what it takes for a date."""
    return _as_range(text) is not None and not _WHOLE_DATE.fullmatch(text)


def same_range(text: str, value: str) -> bool:
    """Whether two texts are one range, of which a spreadsheet made a date in one of them.

    >>> same_range("10-12", "10-Dec"), same_range("06-août", "6-8"), same_range("6-8", "6 - 8")
    (True, True, False)
    """
    made = [_as_range(text), _as_range(value)]
    if not any(made):
        return False
    one, other = (
        _ends(written) or meant for written, meant in zip((text, value), made, strict=True)
    )
    return one == other is not None


def _ends(text: str) -> tuple[int, int] | None:
    """Return the whole numbers that a range is written with."""
    match = None if _WHOLE_DATE.fullmatch(text) else _RANGE.fullmatch(text)
    if match is None or not (match["low"].isdecimal() and match["high"].isdecimal()):
        return None
    return int(match["low"]), int(match["high"])


def _as_range(text: str) -> tuple[int, int] | None:
    """Return where the range begins and ends that a date was typed as; None for another text.

    >>> _as_range("02-May"), _as_range("Oct-15"), _as_range("12-Oct"), _as_range("5-10")
    ((2, 5), (10, 15), (10, 12), None)
    >>> _as_range("2024-12-10"), _as_range("06.ago"), _as_range("12-abc")
    ((10, 12), (6, 8), None)
    """
    if match := _WHOLE_DATE.fullmatch(text):
        return _upwards(int(match["one"]), int(match["two"]))
    match = _DAY_FIRST.fullmatch(text) or _MONTH_FIRST.fullmatch(text)
    month = _month(match["month"]) if match else 0
    return _upwards(int(match["number"]), month) if match and month else None


def _month(name: str) -> int:
    (month,) = np.nan_to_num(month_of_names(text_array([name]))).tolist()
    return int(month)


def _upwards(one: int, two: int) -> tuple[int, int]:
    return min(one, two), max(one, two)


def said_as(meant: Sequence[tuple[str, str]]) -> str:
    """Say what is read as which, by an example.

    >>> said_as([("10-Dec", "10-12")]), said_as([("10-Dec", "10-12"), ("06-Aug", "6-8")])
    ("'10-Dec' as '10-12'", "'10-Dec' as '10-12', and others alike")
    """
    (text, value), *others = meant
    return f"{text!r} as {value!r}{', and others alike' if others else ''}"
