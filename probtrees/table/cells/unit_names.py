"""Units that have several names, and how they are shown."""

from __future__ import annotations

import re

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
# fmt: off
_MONEY = frozenset({
    "usd", "eur", "gbp", "chf", "jpy", "cny", "inr", "aud", "cad", "sek", "nok", "dkk", "pln",
    "czk", "kr", "r$", "₽", "₺", "₩",
})
_OTHERS = frozenset({
    "%", "‰", "kg", "g", "mg", "mcg", "ng", "lb", "oz", "km", "m", "cm", "mm", "in", "ft", "l",
    "dl", "cl", "ml", "ms", "s", "sec", "min", "h", "d", "week", "month", "y", "bpm", "mmhg",
    "kb", "mb", "gb", "w", "kw", "kwh", "°c", "°f",
})
_IN_LINES_OF_UNITS = frozenset(map(str.casefold, {  # which makes the micro sign a Greek letter
    "mw", "mwh", "mol", "mmol", "µmol", "nmol", "pmol", "iu", "u", "meq", "fl", "pg", "ppm",
    "ppb", "ntu", "µs", "ns", "ps", "hz", "khz", "mhz", "ghz", "pa", "hpa", "kpa", "mpa", "bar",
    "mbar", "psi", "v", "mv", "kv", "a", "ma", "ah", "ohm", "db", "rpm", "ha", "m2", "m²", "m3",
    "m³", "cm2", "cm²", "cm3", "cm³", "km2", "km²", "nm", "µm", "um", "k", "n", "j", "kj", "mj",
    "cal", "kcal", "lx", "lux", "t", "st", "mi", "mph", "kmh", "knots", "deg", "°", "px", "pcs",
    "stk", "hl", "gal",
}))
# fmt: on
_SHOWN = {"mmhg": "mmHg", "kwh": "kWh", "kw": "kW", "w": "W", "°c": "°C", "°f": "°F", "kr": "kr"}
_SHOWN |= {unit: unit.upper() for unit in ("kb", "mb", "gb")}
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


def is_money(unit: str) -> bool:
    """Whether a unit is a currency.

    >>> is_money("€"), is_money("CHF"), is_money("mg")
    (True, True, False)
    """
    return bool(unit) and _first_name(unit) in _MONEY


def is_unit(text: str) -> bool:
    """Whether a text is a unit, simple or made of several, with or without brackets.

    >>> is_unit("[µg/L]"), is_unit("kg/m²"), is_unit("10^9/L"), is_unit("well"), is_unit("µS/cm")
    (True, True, True, False, True)
    """
    parts = re.split(r"[/·*]| per | ", text.strip().strip("[]()").strip())
    parts = [re.sub(r"(10)?\^-?\d+$|^[x×]?10[⁰¹²³⁴-⁹]+$|[⁻¹]+$", "", part) for part in parts]
    named, known = [part for part in parts if part], _MONEY | _OTHERS | _IN_LINES_OF_UNITS
    return bool(named) and all(_first_name(part) in known for part in named)


def shown_unit(unit: str) -> str:
    """Write a unit that is known in its usual form; nothing for another, which may be any word.

    >>> shown_unit("mmhg"), shown_unit("chf"), shown_unit("€"), shown_unit("bezirk")
    ('mmHg', 'CHF', '€', '')
    """
    if is_money(unit):
        return _SHOWN.get(unit, unit.upper() if unit.isalpha() else unit)
    return _SHOWN.get(unit, unit) if unit and _first_name(unit) in _OTHERS else ""
