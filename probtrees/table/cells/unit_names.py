"""Units that have several names, and how they are shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from probtrees.types import FloatArray

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
    "mg": ("мг",),
    "kg": ("kilo", "kilogram", "kilogramm", "公斤", "千克", "кг"),
    "g": ("gram", "gramm", "gr", "克", "г"),
    "lb": ("pound",),
    "oz": ("ounce",),
    "acre": ("ac",),
    "sqft": ("ft²", "ft2"),
    "ft": ("feet", "foot", "'"),
    "in": ("inch", "inche", '"'),
    "km": ("公里", "км"),
    "cm": ("厘米", "см"),
    "mm": ("毫米", "мм"),
    "m": ("米", "metre", "meter", "м"),
    "l": ("litre", "liter", "л"),
    "ml": ("毫升", "мл"),
    "ms": ("msec", "millisecond", "millisekunde"),
    "s": ("sec", "second", "sek", "sekunde", "秒", "초", "сек"),
    "h": (
        *("hr", "hour", "std", "stunde", "heure", "hora", "uur", "timme", "timer", "godz"),
        *("godzina", "hodina", "小时", "時間", "시간", "час"),
    ),
    "min": ("minute", "minuut", "分钟", "分", "분", "мин"),
    "d": ("day", "tag", "jour", "dag", "día", "天", "日間", "день", "giorno", "dzień"),
    "week": (
        "wk",
        "woche",
        "vecka",
        "uge",
        "tydzień",
        "semaine",
        "semana",
        "週",
        "週間",
        "周",
        "주",
        "неделя",
    ),
    "month": (
        "mo",
        "mth",
        "mies",
        "мес",
        "mnd",
        "maand",
        "mån",
        "monat",
        "mois",
        "mese",
        "个月",
        "か月",
        "ヶ月",
        "カ月",
        "개월",
        "месяц",
        "miesiąc",
    ),
    "y": (
        *("yo", "y/o", "y.o"),
        "yr",
        "year",
        "jahr",
        "an",
        "année",
        "año",
        "ano",
        "anno",
        "岁",
        "歳",
        "才",
        "年",
        "세",
        "년",
        "год",
        "rok",
        "jaar",
        "år",
    ),
    "°c": ("°", "℃", "degc", "celsiu"),
    "°f": ("℉", "degf", "fahrenheit"),
    "k": ("kelvin", "°k"),
}
_FORMS = {
    "jahr": ("jahre", "jahren"),
    "monat": ("monate", "monaten"),
    "woche": ("wochen",),
    "tag": ("tage", "tagen"),
    "stunde": ("stunden",),
    "uur": ("uren",),
    "timme": ("timmar", "tim"),
    "godzina": ("godziny", "godzin"),
    "hodina": ("hodiny", "hodin", "hod"),
    "dag": ("dagen", "dagar", "dage"),
    "maand": ("maanden",),
    "week": ("weken",),
    "vecka": ("veckor",),
    "uge": ("uger",),
    "tydzień": ("tygodnie", "tygodni"),
    "minute": ("minuten",),
    "sekunde": ("sekunden",),
    "person": ("personen",),
    "anno": ("anni",),
    "mese": ("mesi", "me"),
    "mois": ("moi",),
    "giorno": ("giorni",),
    "jaar": ("jaren",),
    "rok": ("lata", "lat", "roky", "let"),
    "miesiąc": ("miesiące", "miesięcy"),
    "dzień": ("dni",),
    "год": ("года", "лет"),
    "месяц": ("месяца", "месяцев"),
    "неделя": ("недели", "недель"),
    "день": ("дня", "дней"),
    "час": ("часа", "часов"),
}
"""Forms that a word takes behind one, some and many, without an "s" at its end."""
_FORM_OF = {form: first for first, forms in _FORMS.items() for form in forms}
_COUNTERS = frozenset("人名件回個个台本枚冊匹杯軒戸円元点位次度명개원회건번대")
_COUNTERS |= {"世帯", "ポイント", "平方米", "平米", "坪", "층", "평", "чел", "шт", "руб", "раз"}
"""What is counted, where scripts put no space before it."""
# fmt: off
_MONEY = frozenset({
    "usd", "eur", "gbp", "chf", "jpy", "cny", "inr", "aud", "cad", "sek", "nok", "dkk", "pln",
    "czk", "kr", "r$", "₽", "₺", "₩", "₪", "₫", "฿", "₱", "₴", "₦", "rp", "tl", "kč", "huf",
    "uah", "zar", "kes", "aed", "idr", "myr", "sgd", "thb", "vnd", "nzd", "mxn", "brl", "clp",
})
_OTHERS = frozenset({
    "%", "‰", "kg", "g", "mg", "mcg", "ng", "lb", "oz", "km", "m", "cm", "mm", "in", "ft", "l",
    "dl", "cl", "ml", "ms", "s", "sec", "min", "h", "d", "week", "month", "y", "bpm", "mmhg",
    "kb", "mb", "gb", "tb", "w", "kw", "kwh", "°c", "°f",
})
_IN_LINES_OF_UNITS = frozenset(map(str.casefold, {  # which makes the micro sign a Greek letter
    "mw", "mwh", "mol", "mmol", "µmol", "nmol", "pmol", "iu", "u", "meq", "fl", "pg", "ppm",
    "ppb", "ntu", "µs", "ns", "ps", "hz", "khz", "mhz", "ghz", "pa", "hpa", "kpa", "mpa", "bar",
    "mbar", "psi", "v", "mv", "kv", "a", "ma", "ah", "ohm", "db", "rpm", "ha", "m2", "m²", "m3",
    "m³", "cm2", "cm²", "cm3", "cm³", "km2", "km²", "nm", "µm", "um", "k", "n", "j", "kj", "mj",
    "cal", "kcal", "lx", "lux", "t", "st", "mi", "mph", "kmh", "knots", "deg", "°", "px", "pcs",
    "stk", "hl", "gal", "dt", "acre", "µl", "ul", "mm3", "mm³",
}))
# fmt: on
_SHOWN = {"mmhg": "mmHg", "kwh": "kWh", "kw": "kW", "w": "W", "°c": "°C", "°f": "°F", "kr": "kr"}
_SHOWN |= {"kč": "Kč", "rp": "Rp", "zł": "zł"}
_SHOWN |= {"an": "ans", "jahr": "Jahre", "tag": "Tage", "monat": "Monate", "woche": "Wochen"}
_SHOWN |= {"stunde": "Stunden", "anno": "anni", "año": "años", "ano": "anos", "rok": "lat"}
_SHOWN |= {"год": "лет", "месяц": "мес.", "день": "дней", "час": "ч", "mese": "mesi"}
_SHOWN |= {unit: f"{unit}s" for unit in ("year", "month", "week", "day", "hour", "yr", "lb")}
_IN_FRACTIONS = {
    "kg n": "kg N",
    "l": "L",
    "dl": "dL",
    "ml": "mL",
    "iu": "IU",
    "meq": "mEq",
    "mmhg": "mmHg",
}
_SHOWN |= {unit: unit.upper() for unit in ("kb", "mb", "gb", "tb")}
_SHOWN |= {"℃": "°C", "℉": "°F"}
_SIZES = {
    "mass": {"t": 1e6, "dt": 1e5, "kg": 1e3, "g": 1, "mg": 1e-3, "mcg": 1e-6, "ng": 1e-9}
    | {"lb": 453.59237, "oz": 28.349523125, "st": 6350.29318},
    "length": {"km": 1e3, "m": 1, "dm": 0.1, "cm": 1e-2, "mm": 1e-3}
    | {"mi": 1609.344, "ft": 0.3048, "in": 0.0254},
    "time": {"ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400, "week": 604800}
    | {"month": 2629800, "y": 31557600},
    "area": {"km²": 1e6, "km2": 1e6, "ha": 1e4, "m²": 1, "m2": 1, "qm": 1, "cm²": 1e-4}
    | {"cm2": 1e-4, "acre": 4046.8564224, "sqft": 0.09290304},
    "substance": {"mol": 1, "mmol": 1e-3, "μmol": 1e-6, "umol": 1e-6, "nmol": 1e-9, "pmol": 1e-12},
    "volume": {
        "m³": 1e3,
        "m3": 1e3,
        "hl": 100,
        "l": 1,
        "dl": 0.1,
        "cl": 1e-2,
        "ml": 1e-3,
        "μl": 1e-6,
        "ul": 1e-6,
        "gal": 3.785411784,
    },
    "pressure": {"pa": 1, "hpa": 100, "mbar": 100, "kpa": 1e3, "bar": 1e5}
    | {"psi": 6894.757293168, "mmhg": 133.322387415},
    "speed": {"m/s": 3.6, "km/h": 1, "kmh": 1, "mph": 1.609344, "kn": 1.852, "kt": 1.852},
    "energy": {"kj": 1, "kcal": 4.184, "wh": 3.6, "kwh": 3600},
    "power": {"w": 1, "kw": 1e3},
    "data": {"kb": 1, "mb": 1e3, "gb": 1e6, "tb": 1e9},
    "temperature": {"k": 1, "°c": 1, "c": 1, "°f": 5 / 9, "f": 5 / 9},
}
_ZEROS = {"°c": 273.15, "c": 273.15, "°f": 459.67 * 5 / 9, "f": 459.67 * 5 / 9}
"""Where the zero of a scale lies, in the unit of its family whose size is 1."""
_NOT_METRIC = frozenset(
    {"lb", "oz", "st", "ft", "in", "mi", "mph", "psi", "°f", "f", "gal", "sqft"}
)
_UNIT_BEHIND = re.compile(r"(?:[(\[]([^()\[\]]+)[)\]]|[_ ,]([^\W\d_]{1,6}))\s*$")
_FAR, _NEAR = 20.0, 3.0
"""Times by which medians differ if numbers are in two units, and if they are in one."""
_NAME_OF = {name: first for first, names in _NAMES.items() for name in (first, *names)}


class Amount(NamedTuple):
    """What a unit measures, how much of it, and where its zero lies."""

    family: str
    size: float
    zero: float = 0.0


class Conversion(NamedTuple):
    """How a number in one unit is written in another: times a factor, plus a shift."""

    factor: float
    shift: float = 0.0

    def of(self, number: float) -> float:
        """Convert a number, without the last digits that computing adds."""
        return float(f"{number * self.factor + self.shift:.12g}")


def amount_of(unit: str) -> Amount | None:
    """Return what a unit measures; None of units that others are not converted to.

    What two of them make is measured as well, but for temperatures.

    >>> amount_of("Stunden"), amount_of("€")
    (Amount(family='time', size=3600, zero=0.0), None)
    >>> amount_of("g/dL")
    Amount(family='mass/volume', size=10.0, zero=0.0)
    """
    name = _first_name(unit)
    found = (
        Amount(family, sizes[name], _ZEROS.get(name, 0.0))
        for family, sizes in _SIZES.items()
        if name in sizes
    )
    return next(found, None) or _ratio(name)


def _ratio(unit: str) -> Amount | None:
    """Return what a unit by another measures, t/ha or mg/dL."""
    above, _, below = unit.partition("/")
    if not below or "/" in below:
        return None
    one, other = amount_of(above), amount_of(below)
    if not one or not other or "temperature" in (one.family, other.family):
        return None
    return Amount(f"{one.family}/{other.family}", one.size / other.size)


def conversion(unit: str, other: str) -> Conversion | None:
    """Return how numbers in a unit become those in another; None where they measure no same thing.

    >>> conversion("g", "mg").of(1.5), conversion("°F", "°C").of(140), conversion("g", "ml")
    (1500.0, 60.0, None)
    """
    one, two = amount_of(unit), amount_of(other)
    if not one or not two or one.family != two.family:
        return Conversion(1.0) if "/" in unit and same_unit(unit, other) else None
    return Conversion(one.size / two.size, (one.zero - two.zero) / two.size)


def unit_of_most(counts: Mapping[str, int]) -> str:
    """Return the most frequent unit; a metric one goes before others up to three times as frequent.

    >>> unit_of_most({"lb": 50, "kg": 40}), unit_of_most({"lb": 50, "kg": 4})
    ('kg', 'lb')
    """
    weights = {
        unit: n * (1 if _first_name(unit) in _NOT_METRIC else 3) for unit, n in counts.items()
    }
    return min(weights, key=lambda unit: (-weights[unit], unit), default="")


def unit_of_others(unit: str, with_unit: FloatArray, without: FloatArray) -> str:
    """Return the unit that most numbers seem to have where a few with one are far from them.

    Empty where the few are not far, or are in no unit close to the others.

    >>> unit_of_others("g", np.array([3450.0, 21700]), np.array([4.2, 18.5, 27, 3.9]))
    'kg'
    >>> unit_of_others("kg", np.array([12.0]), np.array([14.0, 9, 31]))
    ''
    """
    amount = amount_of(unit)
    if amount is None or amount.zero or not 0 < len(with_unit) < len(without):
        return ""
    few, most = float(np.median(with_unit)), float(np.median(without))
    if not (few > 0 and most > 0) or 1 / _FAR < few / most < _FAR:
        return ""
    steps = {other: amount.size / size for other, size in _SIZES.get(amount.family, {}).items()}
    off = {other: abs(np.log(few * step / most)) for other, step in steps.items()}
    near = [other for other in off if off[other] < np.log(_NEAR) and other not in _NOT_METRIC]
    return min(near, key=lambda other: off[other], default="")


def same_unit(one: str, other: str) -> bool:
    """Whether two units are one.

    >>> same_unit("€", "EUR"), same_unit("year", "Yrs."), same_unit("mg", "g")
    (True, True, False)
    >>> same_unit("$/hr", "$/hour"), same_unit("$/hr", "$/week")
    (True, False)
    """
    if _first_name(one) == _first_name(other):
        return True
    return [*map(_first_name, one.split("/"))] == [*map(_first_name, other.split("/"))]


def one_form(unit: str) -> str:
    """Return the form that stands for all forms of a word for a unit.

    >>> one_form("jahre"), one_form("лет"), one_form("mg")
    ('jahr', 'год', 'mg')
    """
    return _FORM_OF.get(unit, unit)


def stands_close(unit: str) -> bool:
    """Whether a unit may follow its number without a space: a word in full, or another script's.

    So may one that is made of two, t/ha.

    >>> [stands_close(unit) for unit in ("jahr", "歳", "人", "an", "a", "号", "t/ha")]
    [True, True, True, True, False, False, True]
    """
    if "/" in unit and amount_of(unit):
        return True
    is_word = unit == "an" or len(unit) > 2 or not unit.isascii()
    return unit in _COUNTERS or (is_word and unit in _NAME_OF)


def _first_name(unit: str) -> str:
    name = one_form(unit.casefold().rstrip("."))
    return _NAME_OF.get(name) or _NAME_OF.get(name.removesuffix("s"), name)


def is_money(unit: str) -> bool:
    """Whether a unit is a currency.

    >>> is_money("€"), is_money("CHF"), is_money("mg")
    (True, True, False)
    """
    return bool(unit) and _first_name(unit) in _MONEY


def currency_code(text: str) -> str:
    """Return the code of a currency, however it is written.

    >>> currency_code("€"), currency_code("Fr."), currency_code("chf")
    ('EUR', 'CHF', 'CHF')
    """
    return _first_name(text).upper()


def is_unit(text: str) -> bool:
    """Whether a text is a unit, simple or made of several, with or without brackets.

    >>> is_unit("[µg/L]"), is_unit("kg/m²"), is_unit("10^9/L"), is_unit("well"), is_unit("µS/cm")
    (True, True, True, False, True)
    """
    parts = re.split(r"[/·*]| per | ", text.strip().strip("[]()").strip())
    parts = [re.sub(r"(10)?\^-?\d+$|^[x×]?10[⁰¹²³⁴-⁹]+$|[⁻¹]+$", "", part) for part in parts]
    named, known = [part for part in parts if part], _MONEY | _OTHERS | _IN_LINES_OF_UNITS
    return bool(named) and all(_first_name(part) in known for part in named)


def unit_in_brackets(name: str) -> str:
    """Return the unit that the name of a column has in brackets; empty where there is none.

    >>> unit_in_brackets("Lactate (mmol/l)"), unit_in_brackets("Group (A or B)")
    ('mmol/l', '')
    """
    match = _UNIT_BEHIND.search(name)
    written = (match[1] or "").strip() if match else ""
    return written if is_unit(written) else ""


def names_unit(name: str, unit: str) -> bool:
    """Whether the name of a column ends in a unit already, which need not be said again.

    >>> names_unit("dose (mg)", "mg"), names_unit("temp_C", "°c"), names_unit("dose", "mg")
    (True, True, False)
    """
    match = _UNIT_BEHIND.search(name)
    written = (match[1] or match[2] or "").strip() if match else ""
    return bool(written) and any(same_unit(text, unit) for text in (written, f"°{written}"))


def shown_unit(unit: str) -> str:
    """Write a unit that is known in its usual form; nothing for another, which may be any word.

    >>> [shown_unit(unit) for unit in ("mmhg", "chf", "r$", "zł", "€", "bezirk")]
    ['mmHg', 'CHF', 'R$', 'zł', '€', '']
    """
    if is_money(unit):
        return _SHOWN.get(unit, unit.upper())
    if "/" in unit and is_unit(unit):
        parts = [_IN_FRACTIONS.get(part, part) for part in unit.casefold().split("/")]
        return "/".join(parts).replace("\u03bc", "µ")
    return _SHOWN.get(unit, unit) if unit and _first_name(unit) in _OTHERS else ""
