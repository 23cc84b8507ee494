"""Amounts by something: $18.25/hr, £450 per week, 12 €/h, 16/min, 2x/week.

The unit is the whole of it, "$/hr". What is paid by the hour cannot be compared with what is paid
by the week, so rates of money are never converted; names of the same one ("/hr", "/h") are one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from probtrees.table.cells.special_numbers.scale_words import CURRENCY, scale_of
from probtrees.table.cells.unit_names import amount_of, is_unit

_SPACE = "[ \u00a0\u202f]?"
_RATE = re.compile(
    rf"(?P<head>[^/]*?){_SPACE}(?:/{_SPACE}|(?:^|(?<=[ \u00a0\u202f]))(?:per|pro|par|por|al) )"
    r"(?P<by>[^\W\d_][^\s\d/]{0,14}[²³23]?)"
)
_SHORT = re.compile(r"(p\.?w|p\.?c\.?m|p\.?a|p\.?h)\.?", re.I)
_SHORT_FOR = {"pw": "week", "pcm": "month", "pa": "year", "ph": "hour"}
_MONEY = re.compile(CURRENCY, re.I)
_TIMES = re.compile("[x×]", re.I)
_LETTERS = frozenset("hl")
"""Letters that are units behind a stroke; 34/m and 28/w are a man and a woman."""


class Rate(NamedTuple):
    """By what a number counts: the unit with a stroke, and what the number is multiplied by."""

    unit: str
    factor: float = 1.0


def rate_around(before: str, gap: str, after: str) -> Rate | None:
    """Understand a currency before a number and what stands behind it as a rate; None if none is.

    Money may be by anything, other numbers by a unit only.

    >>> rate_around("$", "", "/hr"), rate_around("£", " ", "per week"), rate_around("", "", "/min")
    (Rate(unit='$/hr', factor=1.0), Rate(unit='£/week', factor=1.0), Rate(unit='/min', factor=1.0))
    >>> rate_around("$", "", "k/yr"), rate_around("", "", "/M"), rate_around("", "", "x/week").unit
    (Rate(unit='$/yr', factor=1000.0), None, 'x/week')
    """
    if before and (short := _SHORT.fullmatch(after)):
        return Rate(f"{before}/{_SHORT_FOR[short[1].replace('.', '').lower()]}")
    match = _RATE.fullmatch(after)
    if match is None:
        return None
    head, by = match["head"], match["by"]
    scaled = scale_of(gap, head, has_money=bool(before)) if head else None
    factor, money = scaled or (1.0, head if _MONEY.fullmatch(head) else "")
    if before and not money and (scaled or not head):
        return Rate(f"{before}/{by}", factor)
    if money and not before:
        return Rate(f"{money}/{by}", factor)
    is_times = bool(_TIMES.fullmatch(head))
    is_letter = not head and len(by) == 1 and by.lower() not in _LETTERS
    is_known = (is_unit(by) or amount_of(by) is not None) and not is_letter
    return Rate(f"{head}/{by}") if not before and is_known and (is_times or not head) else None


def is_rate(unit: str) -> bool:
    """Whether a unit is a rate that is known without others: of money, or of times.

    >>> is_rate("$/hr"), is_rate("/min"), is_rate("x/week"), is_rate("mg/dl"), is_rate("$")
    (True, True, True, False, False)
    """
    head, stroke, by = unit.partition("/")
    return bool(stroke and by) and (
        not head or bool(_TIMES.fullmatch(head) or _MONEY.fullmatch(head))
    )


def is_money_by(unit: str) -> bool:
    """Whether a unit is money, or money by something."""
    return bool(_MONEY.fullmatch(unit.partition("/")[0]))
