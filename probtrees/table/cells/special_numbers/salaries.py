"""Salaries and prices as several people type them: 46k, €57,000, 38-43k and 61.000 EUR in a column.

"k" is a thousand, of both ends of a range, and a range its middle. Three digits behind a point or
a comma are thousands, if what they make is about as large as the other amounts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from probtrees.table.cells.special_numbers.scale_words import CURRENCY
from probtrees.table.cells.spelled_numbers import SpelledNumbers, spell
from probtrees.table.cells.unit_names import same_unit
from probtrees.table.spelling import Spelling

_SPACE = "[ \u00a0\u202f]?"
_GROUPED = r"\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+"
_MONEY = rf"(?:{CURRENCY})"
_THOUSAND = r"(?:k|tsd\.?)"


def _end(number: str) -> str:
    """Return the pattern of an amount whose parts are called by a number."""
    return (
        rf"(?P<before{number}>{_MONEY})?{_SPACE}(?P<body{number}>{_GROUPED}|\d+(?:[.,]\d\d?)?)"
        rf"{_SPACE}(?P<k{number}>{_THOUSAND}(?![^\W\d_]))?{_SPACE}(?P<behind{number}>{_MONEY})?"
    )


_AMOUNT = re.compile(
    rf"(?:(?:ca\.?|approx\.?|about|etwa|~) ?)?{_end('1')}"
    rf"(?: ?(?:-|–|—|to|bis|à|do) ?{_end('2')})?",
    re.I,
)
_GROUP = re.compile(r"\d([.,])\d{3}")
_KELVIN = re.compile(r"\d[ \u00a0\u202f]K\b")
_MOST_TEXTS = 20_000
_FEWEST_AMOUNTS = 6
_MOST_RANGES = 0.6
"""Where more of the texts are ranges, or fewer are amounts, these are brackets to choose from."""
_AS_LARGE = 10.0
"""Amounts in thousands are at most so many times as large as the others, or as small."""


class _Amount(NamedTuple):
    """An amount, the signs of money around it, and how it is written."""

    value: float
    money: tuple[str, ...]
    is_range: bool
    is_short: bool
    group: str


def read_salaries(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    """Read amounts of money that are written in several ways; None where plain rules are enough.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> cells = ["46k", "€57,000", "38-43k", "61.000 EUR", "52k", "€48,000", "45.000 EUR"]
    >>> found = read_salaries(text_array(cells), ".")
    >>> found.values.tolist()[:4], found.spelling.unit
    ([46000.0, 57000.0, 40500.0, 61000.0], 'EUR')
    """
    if len(texts) > _MOST_TEXTS:
        return None
    plain = texts.to_pylist()
    amounts = [_amount(text) for text in plain]
    known = [amount for amount in amounts if amount]
    unread = any(
        a is None and any(map(str.isdigit, t)) for a, t in zip(amounts, plain, strict=True)
    )
    if unread or not _are_several_ways(known):
        return None
    money = [sign for amount in known for sign in amount.money]
    if any(not same_unit(sign, money[0]) for sign in money):
        return None
    values = np.array([amount.value if amount else np.nan for amount in amounts])
    often = Counter(money)
    unit = min(often, key=lambda sign: (-often[sign], sign), default="")
    return SpelledNumbers(values, Spelling(decimal, unit, salaries=True), _habits(plain, amounts))


def with_salaries(found: SpelledNumbers, texts: pa.StringArray, unit: str) -> SpelledNumbers:
    """Read the amounts of a column that is known to be written like this."""
    values = found.values.copy()
    for place, text in enumerate(texts.to_pylist()):
        amount = _amount(text)
        if amount and (not unit or all(same_unit(sign, unit) for sign in amount.money)):
            values[place] = amount.value
    return SpelledNumbers(values, found.spelling, found.habits)


def may_be_salaries(texts: Sequence[str]) -> bool:
    """Whether all of some texts with a digit are amounts, and one is short or has its currency."""
    found = [_amount(text) for text in texts if any(map(str.isdigit, text))]
    return all(found) and any(one and (one.is_short or one.money) for one in found)


def _are_several_ways(known: Sequence[_Amount]) -> bool:
    """Whether there are ranges in thousands, or thousands grouped by points and by commas."""
    single = [amount for amount in known if not amount.is_range]
    ranges = len(known) - len(single)
    if len(single) < _FEWEST_AMOUNTS or ranges > _MOST_RANGES * len(known):
        return False
    if not any(amount.is_short or amount.money for amount in known):
        return False
    marks = {amount.group for amount in known} - {""}
    if not (ranges and any(amount.is_short for amount in known)) and len(marks) < 2:
        return False
    middle = float(np.median([amount.value for amount in known]))
    sizes = [
        float(np.median([a.value for a in known if a.group == mark])) / middle for mark in marks
    ]
    return all(1 / _AS_LARGE <= size <= _AS_LARGE for size in sizes)


def _amount(text: str) -> _Amount | None:
    """Read one amount; None where a text is none.

    >>> _amount("38-43k").value, _amount("900 - 1.2k").value, _amount("61.000 EUR").value
    (40500.0, 1050.0, 61000.0)
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return None
    parts = match.groupdict()
    money = tuple(sign for name, sign in parts.items() if sign and name.startswith("be"))
    if _KELVIN.search(text) and not money:
        return None
    group = _GROUP.search(text)
    first, second = _number(parts["body1"]), _number(parts["body2"] or "0")
    k = [bool(parts["k1"]), bool(parts["k2"])]
    is_range = parts["body2"] is not None
    k[0] |= k[1] and first < second
    ends = [number * (1000 if is_k else 1) for number, is_k in zip((first, second), k, strict=True)]
    if is_range and ends[0] >= ends[1]:
        return None
    value = sum(ends) / 2 if is_range else ends[0]
    return _Amount(float(f"{value:.12g}"), money, is_range, any(k), group[1] if group else "")


def _number(body: str) -> float:
    if re.fullmatch(_GROUPED, body):
        return float(re.sub(r"\D", "", body))
    return float(body.replace(",", "."))


def _habits(texts: Sequence[str], amounts: Sequence[_Amount | None]) -> tuple[str, ...]:
    """Say how amounts are written, each way with an example."""
    read = [(text, one) for text, one in zip(texts, amounts, strict=True) if one]
    marks = sorted({one.group for _, one in read} - {""})
    ways = {
        "thousands in short": [p for p in read if p[1].is_short and not p[1].is_range],
        "ranges": [p for p in read if p[1].is_range],
        "points between thousands": [p for p in read if p[1].group == "." and len(marks) > 1],
        "commas between thousands": [p for p in read if p[1].group == "," and len(marks) > 1],
    }
    return tuple(
        f"{way} ({found[0][0]!r} is {spell(found[0][1].value)})"
        for way, found in ways.items()
        if found
    )
