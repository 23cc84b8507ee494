"""Units that have several names."""

from __future__ import annotations

_NAMES = {
    "usd": ("$", "us$"),
    "eur": ("€", "euro"),
    "gbp": ("£",),
    "jpy": ("¥",),
    "inr": ("₹",),
    "chf": ("fr", "sfr"),
    "pln": ("zł",),
    "aud": ("a$",),
    "cad": ("c$",),
    "%": ("percent", "prozent", "pct"),
    "mcg": ("µg", "μg", "ug"),
    "h": ("hr", "hour", "std"),
    "min": ("minute",),
    "d": ("day", "tag", "tage"),
    "y": ("yr", "year", "jahr", "jahre", "an"),
    "°c": ("°",),
}
_NAME_OF = {name: first for first, names in _NAMES.items() for name in (first, *names)}


def same_unit(one: str, other: str) -> bool:
    """Whether two units are one.

    >>> same_unit("€", "EUR"), same_unit("year", "Yrs."), same_unit("mg", "g")
    (True, True, False)
    """
    return _first_name(one) == _first_name(other)


def _first_name(unit: str) -> str:
    name = unit.casefold().rstrip(".")
    return _NAME_OF.get(name) or _NAME_OF.get(name.removesuffix("s"), name)
