"""Units and currencies by all their names, which are rows of ``spellings.tsv``."""

from __future__ import annotations

import re
from functools import cache

from probtrees.table.readings.spellings import spellings

CLOCK = "h:mm"
"""The unit of clock times, which are read as hours: 14:30 is 14.5."""

_UNIT_BEHIND = re.compile(r"[(\[]([^()\[\]]+)[)\]]\s*$|[ _]([^\W\d_]{1,4}|%)$")


def _key(word: str) -> str:
    return word.strip() if len(word) == 1 else word.strip().casefold().replace("\u03bc", "µ")


@cache
def _names() -> dict[str, str]:
    """Return the unit that each spelling is, in small letters but for single ones."""
    rows = {**spellings("currency"), **spellings("unit")}
    return {_key(word): unit for unit, words in rows.items() for word in (unit, *words)}


def unit_named(text: str) -> str:
    """Return the unit that a text names, as it is shown; empty where none is known.

    >>> unit_named("EUR"), unit_named("Yrs."), unit_named("mmhg"), unit_named("mg/dl")
    ('€', 'years', 'mmHg', 'mg/dL')
    >>> unit_named("bezirk"), unit_named("a")
    ('', '')
    """
    names, plain = _names(), text.strip().rstrip(".")
    if len(plain) == 1:
        return names.get(plain, "")  # D, M and T are no units
    if found := names.get(_key(plain)):
        return found
    parts = plain.split("/")
    units = [names.get(_key(part), "") for part in parts]
    if len(parts) != 2 or not all(units):
        return ""
    return "/".join(units)


def spelled_as(unit: str) -> tuple[str, ...]:
    """Return all spellings of a unit, the longest first.

    >>> spelled_as("€")
    ('euros', 'euro', 'eur', '€')
    """
    found = [unit] if "/" in unit else [name for name, meant in _names().items() if meant == unit]
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def is_money(unit: str) -> bool:
    """Whether a unit is a currency.

    >>> is_money("€"), is_money("mg")
    (True, False)
    """
    return unit in spellings("currency")


def names_unit(name: str, unit: str) -> bool:
    """Whether the name of a column ends in a unit already, which need not be said again.

    >>> names_unit("dose (mg)", "mg"), names_unit("temp_C", "°C"), names_unit("dose", "mg")
    (True, True, False)
    """
    match = _UNIT_BEHIND.search(name)
    written = (match[1] or match[2] or "").strip() if match else ""
    return bool(written) and unit in (unit_named(written), unit_named(f"°{written}"))
