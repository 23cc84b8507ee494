"""The order of categories that no file declares: 2 before 10, whatever row came first."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.spelled_numbers import parse_numbers

_DIGITS = re.compile(r"(\d+)")


def natural_order(texts: Iterable[str]) -> tuple[str, ...]:
    """Sort texts: by value if all are numbers, else by letters with runs of digits as numbers.

    >>> natural_order(["10", "9", "-1.5"])
    ('-1.5', '9', '10')
    >>> natural_order(["item 10", "item 9", "Item 1"])
    ('Item 1', 'item 9', 'item 10')
    """
    found = list(texts)
    numbers = parse_numbers(text_array(found))
    if not np.isnan(numbers).any():
        value = dict(zip(found, numbers.tolist(), strict=True))
        return tuple(sorted(found, key=lambda text: (value[text], text)))
    return tuple(sorted(found, key=_natural_key))


def _natural_key(text: str) -> tuple[list[tuple[int, int, str]], str]:
    parts = [
        (0, int(part), "") if part.isdecimal() else (1, 0, part.casefold())
        for part in _DIGITS.split(text)
        if part
    ]
    return parts, text
