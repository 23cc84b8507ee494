"""What stands around a number: its unit, its currency, or a word that makes it larger."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from probtrees.table.cells.special_numbers.rates import is_rate, rate_around
from probtrees.table.cells.special_numbers.scale_words import (
    CURRENCY,
    scale_before_unit,
    scale_of,
)
from probtrees.table.cells.unit_names import (
    Conversion,
    amount_of,
    conversion,
    one_form,
    stands_close,
)

ATTACHED = re.compile(
    rf"{CURRENCY}|[%‰]|°[cf]?|[mkµμun]?g|mcg|lb|oz|[mck]?m|in|ft|[mcd]?l|"
    r"m?s|sec|min|hr?|d|day|week|month|mo|y|yr|year|yo|y[/.]o|bpm|mmhg|[kmgt]b|k?w|kwh|[mk]?v|m?ah|ma|[kmg]?hz|"
    r"[hkm]?pa|m?bar|psi|lu?x|db|rpm|k[tn]|mph|km/?h|m/s|%?rh|pp[mb]|k?cal|kj|[ckm]?m[²³23]|[㎡㎥㎢]|qm|sq(?:m|ft)",
    re.I,
)
"""Units that may stand right behind a number; others need a space, as "1a" is no number."""

MONEY = re.compile(CURRENCY, re.I)
SHORT_MINUTES = "'m' for minutes"
"""How it is said of a column that some of its minutes are written so."""
_SQUARE = re.compile(r"^(?:sq|square)\.? ?(f(?:t|eet|oot)|m|met(?:re|er)s?)\.?$", re.I)
_SQUARES = {"f": "sqft", "m": "m²"}
"""Areas in two words: sq ft, sq. m, square feet."""
_GLUED_DEGREE = re.compile("[FC]", re.I)
_METRE, _MINUTE = "m", "min"
_JAHRE = "J."
_MINUTE_SIZE, _HOUR = 60, 3600


class Mark(NamedTuple):
    """What stands around a number: its unit, what it is multiplied by, the unit as written."""

    unit: str
    factor: float = 1.0
    written: str = ""

    @property
    def is_short_minute(self) -> bool:
        """Whether minutes are written as metres are."""
        return self.unit == _MINUTE and self.written == _METRE


def mark_around(before: str, gap: str, after: str) -> Mark | None:
    """Understand what stands before and behind a number; None if that makes it no number.

    A unit stands before it or behind it. "k" and its like are no units but make the number larger,
    also where a currency stands before it or right behind them, or a unit behind them.

    >>> mark_around("", " ", "tys. km"), mark_around("£", "", "k").factor
    (Mark(unit='km', factor=1000.0, written='km'), 1000.0)
    >>> mark_around("$", "", "/hr").unit, mark_around("$", "", "hr") is None
    ('$/hr', True)
    """
    after = _SQUARE.sub(lambda match: _SQUARES[match[1].casefold()[:1]], after)
    if rate := rate_around(before, gap, after):
        return Mark(_normal_unit(rate.unit), rate.factor, rate.unit)
    if scaled := scale_of(gap, after, has_money=bool(before)):
        factor, money = scaled
        return Mark(_normal_unit(before or money), factor, before or money)
    if not before and (in_unit := scale_before_unit(after)):
        factor, measured = in_unit
        if ATTACHED.fullmatch(measured) or amount_of(measured):
            return Mark(_normal_unit(measured), factor, measured)
    unit = _normal_unit(after or before)
    first, *more = after.split()[:2] or [""]
    is_phrase = more and not (ATTACHED.fullmatch(first) or amount_of(first))
    if is_phrase or first.startswith("/"):
        return None  # of several words the first must be a unit: 90 kg N/ha; 34 /M is a man
    if before and MONEY.fullmatch(after):
        return Mark(unit, written=after)  # $648.69 MXN
    may_be_close = ATTACHED.fullmatch(unit) or stands_close(unit) or after == _JAHRE
    attached = after and not gap and not may_be_close
    return None if (before and after) or attached else Mark(unit, written=after or before)


def is_well_known(unit: str) -> bool:
    """Whether a unit is one that most people know, or a rate."""
    return bool(ATTACHED.fullmatch(unit)) or is_rate(unit) or amount_of(unit) is not None


def _normal_unit(text: str) -> str:
    """Let "Years" and "yr." be what "year" and "yr" are, and "лет" what "год" is."""
    unit = text.casefold().rstrip(".")
    plural = len(unit) >= 3 and unit.endswith("s") and unit.isalpha() and not MONEY.fullmatch(unit)
    return one_form(unit[:-1] if plural else unit)


def with_minutes(marks: Sequence[Mark | None]) -> list[Mark | None]:
    """Let "m" be minutes where all other units of a column are minutes, hours or seconds.

    >>> [mark.unit for mark in with_minutes([Mark("m", written="m"), Mark("min"), Mark("")])]
    ['min', 'min', '']
    """
    if not m_is_minute(mark.unit for mark in marks if mark is not None):
        return list(marks)
    return [
        mark._replace(unit=_MINUTE) if mark is not None and mark.unit == _METRE else mark
        for mark in marks
    ]


def with_degrees(marks: Sequence[Mark | None], around: Sequence[str]) -> list[Mark | None]:
    """Let F and C right behind a number be degrees: 98.1F. All other marks must be known ones.

    >>> with_degrees([None, Mark("")], ["F", ""])[0]
    Mark(unit='f', factor=1.0, written='F')
    >>> with_degrees([None, None], ["F", "B"])
    [None, None]
    """
    glued = [_GLUED_DEGREE.fullmatch(text) is not None for text in around]
    if any(mark is None and not is_degree for mark, is_degree in zip(marks, glued, strict=True)):
        return list(marks)
    return [
        Mark(text.casefold(), written=text) if is_degree else mark
        for mark, text, is_degree in zip(marks, around, glued, strict=True)
    ]


def is_degree(unit: str) -> bool:
    """Whether a unit is °F or °C, with its sign or without."""
    return unit.casefold() in ("f", "c", "°f", "°c")


def m_is_minute(units: Iterable[str]) -> bool:
    """Whether "m" is minutes beside other units: minutes or hours, not seconds alone (100 m, 12 s).

    >>> [m_is_minute(units) for units in (["m", "min"], ["m", "h", "s"], ["m", "s"], ["m", "cm"])]
    [True, True, False, False]
    """
    others = {unit for unit in units if unit and unit != _METRE}
    return bool(others) and all(map(_is_of_a_day, others)) and any(map(_is_long, others))


def conversion_to(unit: str, wanted: str) -> Conversion | None:
    """Return how numbers in a unit become those in another; "m" beside minutes is one.

    >>> conversion_to("m", "min"), conversion_to("m", "cm").factor
    (Conversion(factor=1.0, shift=0.0), 100.0)
    """
    is_minute = unit == _METRE and m_is_minute([wanted])
    return conversion(_MINUTE if is_minute else unit, wanted)


def _is_of_a_day(unit: str) -> bool:
    amount = amount_of(unit)
    return amount is not None and amount.family == "time" and 1 <= amount.size <= _HOUR


def _is_long(unit: str) -> bool:
    amount = amount_of(unit)
    return amount is not None and amount.size >= _MINUTE_SIZE
