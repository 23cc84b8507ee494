"""Amounts of money as a file writes them: which side of the number its currency stands on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from probtrees.table.cells.unit_names import is_money, same_unit
from probtrees.table.spelling import Spelling

NUMBER = "#"
"""Stands for the number in how amounts are written: "R$ #"."""

_BEFORE = re.compile(r"[-–(+]?\s*([^\d\s.,()+–-][^\d\s()+–-]*)(\s*)[-–+]?[\d.,]")
_BEHIND = re.compile(r".*\d[.,]?[–-]?(\s*)([^\d\s.,()+–-][^\d\s()+–-]*)\)?-?")
_MOST_TEXTS = 1000


def with_amounts(spelling: Spelling, texts: Sequence[str], rows: Sequence[int]) -> Spelling:
    """Add how most cells of a column write their currency, if it holds money.

    >>> with_amounts(Spelling(",", "r$"), ["R$ 723,09", "R$ 1.929,52", "12"], [3, 1, 9]).amount
    'R$ #'
    >>> with_amounts(Spelling(",", "€"), ["12 €", "(7 €)"], [1, 1]).amount
    '# €'
    >>> with_amounts(Spelling(".", "$"), ["$1,200", "-$7"], [1, 1]).amount
    '$#'
    >>> with_amounts(Spelling(".", "$/hr"), ["$18.25/hr"], [1]).amount
    '$#/hr'
    >>> with_amounts(Spelling(unit="mg"), ["12 mg"], [1]).amount
    ''
    """
    if not is_money(spelling.unit.partition("/")[0]):
        return spelling
    ways: Counter[str] = Counter()
    for text, n_rows in zip(texts[:_MOST_TEXTS], rows[:_MOST_TEXTS], strict=True):
        ways[_way(text.strip(), spelling.unit)] += n_rows
    del ways[""]
    return replace(spelling, amount=max(ways, key=lambda way: (ways[way], way), default=""))


def _way(text: str, unit: str) -> str:
    """Say how one cell writes the unit; nothing where it does not."""
    money, stroke, by = unit.partition("/")
    if (found := _BEFORE.match(text)) and same_unit(found[1], money):
        return f"{found[1]}{found[2] and ' '}{NUMBER}{stroke}{by}"
    if (found := _BEHIND.fullmatch(text)) and same_unit(found[2], unit):
        return f"{NUMBER}{found[1] and ' '}{found[2]}"
    return ""
