"""Ages and other spans in years, months, weeks and days: 3 y 6 m, 10 Mon., 8 wks, 2 ans et 3 mois.

What one letter stands for depends on its neighbours: "m" beside years is a month, "J." is a year
among German words and "j" a day among French ones. All are read in the unit of most cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import LETTER, flags
from probtrees.table.cells.special_numbers.years_and_months import (
    YEARS,
    are_years_and_months,
    habit_of,
    is_name_of_age,
    years_of,
)
from probtrees.table.cells.spelled_numbers import THE_UNIT, SpelledNumbers
from probtrees.table.cells.unit_names import Conversion, amount_of, conversion
from probtrees.table.spelling import Spelling
from probtrees.types import FloatArray

_WORDS = {
    "y": "y yr yrs yo y/o y.o a",
    "jahr": "j jhr jahr jahre jahren jährig",
    "an": "an ans année années",
    "año": "año años anos ano",
    "anno": "anno anni",
    "rok": "r rok roky roku lat lata let",
    "jaar": "jr jaar jaren",
    "år": "år",
    "год": "г год года лет",
    "year": "year years",
    "month": "m mo mos mon mth mths month months mnth mnths",
    "monat": "monat monate monaten",
    "mois": "mois",
    "mese": "mes meses mese mesi mês",
    "miesiąc": "mies msc mc miesiąc miesiące miesięcy měs měsíc měsíce měsíců",
    "mnd": "mnd mdr maanden maand mån månader",
    "мес": "мес месяц месяца месяцев",
    "week": "w wk wks week weeks tyg tydzień tygodnie tygodni týd",
    "woche": "wo woch woche wochen",
    "semaine": "sem semaine semaines semana semanas sett settimana settimane",
    "неделя": "нед неделя недели недель",
    "d": "d day days dag dagen dagar",
    "tag": "t tag tage tagen",
    "jour": "jour jours",
    "día": "día días dia dias",
    "giorno": "gg giorno giorni",
    "dzień": "dz dni dzień",
    "день": "дн день дня дней",
}
_UNIT_OF = {word: unit for unit, words in _WORDS.items() for word in words.split()}
_FRENCH = frozenset({"an", "ans", "année", "années", "mois", "sem", "jour", "jours"})
_GERMAN = frozenset({"j", "jahr", "jahre", "jahren", "wo", "woche", "wochen", "tag", "tage"})
_DAY, _WEEK = 86400.0, 604800.0
_NUMBER = r"\d+(?:[.,]\d{1,2})?"
_PART = rf"{_NUMBER} ?[^\W\d_]+(?:[/.]o)?\.?"
_AND = r" ?(?:,|\+|and |und |et |y |e |i |en |och |og |и )? ?"
_AGE = re.compile(
    rf"(?:(?:ca\.?|approx\.?|about|etwa|~) ?)?(?:{_PART}(?:{_AND}{_PART}){{0,2}})(?: old| alt)?"
)
_PIECE = re.compile(rf"({_NUMBER}) ?([^\W\d_]+(?:[/.]o)?)\.?")
_BARE = re.compile(_NUMBER)
_PLURAL = re.compile(r"(?<=[^\W\d_])\([^\W\d_]{1,2}\)")
"""Of a unit that leaves it open how many there are: year(s), Jahr(e), an(s)."""
_HAS_WORD = rf"\d ?{LETTER}"
_MOST_TEXTS = 20_000
_FEWEST = 6
"""Fewer different ages of one part each are categories."""
_MOST_BARE = 0.05
"""Where more of the numbers have no unit, which one they are in is not known."""

_LETTER_OF_YEARS = re.compile(rf"({_NUMBER}) ?([Ja])\.?", re.A)
_OLDEST = 120.0

_Parts = list[tuple[float, str]]
"""The numbers of a cell with their words; a number alone has an empty one."""


def unit_of_age(word: str, beside: Collection[str] = ()) -> str:
    """Return the unit that a word for years, months, weeks or days is; nothing for other words.

    ``beside`` are words of the same column, in small letters.

    >>> unit_of_age("J."), unit_of_age("j", {"mois"}), unit_of_age("Mon."), unit_of_age("mg")
    ('jahr', 'jour', 'month', '')
    """
    plain = _plain(word)
    if plain == "j" and not _FRENCH.isdisjoint(beside):
        return "jour"
    if plain == "mon" and not _GERMAN.isdisjoint(beside):
        return "monat"
    return _UNIT_OF.get(plain, "")


def units_of_ages(words: Iterable[str], *, parted: bool = False) -> dict[str, str]:
    """Return the unit of each word of a column, if they are several and all are of ages.

    Single letters may be anything (34 m and 28 w are a man and a woman) unless one of them is "y"
    or a large J, as of Jahre, or some cell has two parts. A month that is written "m" has years or
    weeks beside it.

    >>> units_of_ages(["y", "m"]), units_of_ages(["m", "w"]), units_of_ages(["J", "Mon"])
    ({'y': 'y', 'm': 'month'}, {}, {'J': 'jahr', 'Mon': 'monat'})
    >>> units_of_ages(["M", "J"])
    {'M': 'month', 'J': 'jahr'}
    """
    written = list(dict.fromkeys(words))
    plain = {_plain(word) for word in written}
    found = {word: unit_of_age(word, plain) for word in written}
    sizes = {_seconds(unit) for unit in found.values()}
    others = [_seconds(unit) for word, unit in found.items() if _plain(word) != "m"]
    if not all(found.values()) or len(sizes) < 2 or max(others, default=0) < _WEEK:
        return {}
    told = any(len(word) > 1 or word == "y" for word in plain) or not {"J", "J."}.isdisjoint(
        written
    )
    return found if parted or told else {}


def conversion_of_age(word: str, wanted: str) -> Conversion | None:
    """Return how a number with a word of an age becomes one in the unit of a column of ages.

    >>> conversion_of_age("m", "y").of(6), conversion_of_age("m", "h")
    (0.5, None)
    """
    unit = unit_of_age(wanted) or wanted
    least = _WEEK if _plain(word) == "m" else _DAY
    return conversion(unit_of_age(word, {unit}), unit) if _seconds(unit) >= least else None


def read_ages(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    """Read ages in the unit of most; None unless all texts with a digit are some.

    None also where every cell has a unit that is known without its neighbours.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> found = read_ages(text_array(["3 y 6 m", "4 m", "2 y", "1 y", "26 wks"]), ".")
    >>> [round(value, 3) for value in found.values.tolist()], found.spelling.unit
    ([3.5, 0.333, 2.0, 1.0, 0.498], 'y')
    """
    if len(texts) > _MOST_TEXTS:
        return None
    plain = texts.to_pylist()
    cells = [_parts(text) for text in plain]
    if any(not parts and any(map(str.isdigit, t)) for t, parts in zip(plain, cells, strict=True)):
        return None
    ages = [parts for parts in cells if parts]
    parted = any(len(parts) > 1 for parts in ages)
    words = [word for parts in ages for _, word in parts if word]
    units = units_of_ages(words, parted=parted)
    is_plain = all(_seconds(word) for word in units) and not parted
    n_bare = sum(not parts[0][1] for parts in ages)
    few = len(ages) < _FEWEST and not parted
    if not units or is_plain or few or n_bare > _MOST_BARE * len(ages):
        return None
    if not all(_goes_down(parts, units) for parts in ages if parts[0][1]):
        return None
    unit = _unit_of_most(units[parts[0][1]] for parts in ages if parts[0][1])
    values = [_total(parts, unit, units) for parts in cells]
    written = {unit_: word for word, unit_ in reversed(units.items())}
    others = [
        repr(word) for word in dict.fromkeys(words) if _seconds(units[word]) != _seconds(unit)
    ]
    habits = (f"{THE_UNIT}{written[unit]!r}", f"{', '.join(others)} converted to it")
    comma = any("," in text for text in plain)
    bare = tuple(n for n, parts in enumerate(cells) if parts and not parts[0][1])
    spelling = Spelling("," if comma else decimal, unit)
    return SpelledNumbers(np.array(values), spelling, habits, bare=bare)


def unit_of_years(texts: Collection[str], name: str) -> str:
    """Return the unit of ages that the name of their column tells to be some: 10;3, 81J."""
    return YEARS if are_years_and_months(texts, name) else _years_by_letter(texts, name)


def _years_by_letter(texts: Collection[str], name: str) -> str:
    """Return the unit of ages whose years are one letter, under the name of an age: 81J, 75a.

    Nothing where some text with a digit is neither such an age nor a number. Elsewhere 3a may be a
    house, a class or a seat.

    >>> _years_by_letter(["81J", "75J", "70"], "Alter"), _years_by_letter(["81a", "75a"], "age")
    ('jahr', 'y')
    >>> _years_by_letter(["81J", "75a"], "Alter"), _years_by_letter(["3a", "4a"], "class")
    ('', '')
    """
    if not is_name_of_age(name) or len(texts) > _MOST_TEXTS:
        return ""
    some = [text.strip() for text in texts if any(map(str.isdigit, text))]
    found = [_LETTER_OF_YEARS.fullmatch(text) or _BARE.fullmatch(text) for text in some]
    ages = [match for match in found if match]
    if len(ages) < len(some) or any(_years(match[0]) > _OLDEST for match in ages):
        return ""
    letters = {match[2] for match in ages if match.re is _LETTER_OF_YEARS}
    return unit_of_age(letters.pop()) if len(letters) == 1 else ""


def _years(text: str) -> float:
    return float(text.rstrip("Ja. ").replace(",", "."))


def may_be_ages(texts: Iterable[str]) -> bool:
    """Whether all of some texts that have a digit are written like ages, or plain numbers."""
    some = [text for text in texts if any(map(str.isdigit, text))]
    return all(map(_parts, some)) and not all(map(_BARE.fullmatch, some))


def with_ages(found: SpelledNumbers, texts: pa.StringArray, unit: str) -> SpelledNumbers:
    """Add ages to the numbers of a column that is known to hold some."""
    values, habits = found.values.copy(), found.habits
    unit_of_first = ""
    if flags(pc.match_substring(texts, ";")).any():
        values = np.where(np.isnan(values), _in_years_and_months(texts, unit), values)
        habits += habit_of(texts.to_pylist())
    for place in np.flatnonzero(flags(pc.match_substring_regex(texts, _HAS_WORD))).tolist():
        parts = _parts(texts[place].as_py())
        ways = [(number, conversion_of_age(word, unit)) for number, word in parts if word]
        known = [way.factor * number for number, way in ways if way]
        if known and len(known) == len(parts):
            values[place] = float(f"{sum(known):.12g}")
            unit_of_first = unit_of_first or parts[0][1]
    if unit_of_first and not any(habit.startswith(THE_UNIT) for habit in habits):
        habits = (f"{THE_UNIT}{unit_of_first!r}", *habits)
    return SpelledNumbers(values, found.spelling, habits, bare=found.bare)


def _in_years_and_months(texts: pa.StringArray, unit: str) -> FloatArray:
    """Read 10;3 in the unit of a column; NaN where a text is something else."""
    way = conversion(YEARS, unit) or Conversion(1.0)
    years = [years_of(text) for text in texts.to_pylist()]
    return np.array([np.nan if one is None else way.of(one) for one in years])


def is_unit_of_ages(unit: str) -> bool:
    """Whether a column's unit is days, weeks, months or years.

    >>> is_unit_of_ages("y"), is_unit_of_ages("jahr"), is_unit_of_ages("h"), is_unit_of_ages("")
    (True, True, False, False)
    """
    return bool(unit) and _seconds(unit) >= _DAY


def _parts(text: str) -> _Parts:
    """Take a cell apart; nothing if it is neither an age nor a number."""
    if _BARE.fullmatch(text):
        return [(float(text.replace(",", ".")), "")]
    plain = _PLURAL.sub("", text)
    if not _AGE.fullmatch(plain):
        return []
    pieces = _PIECE.findall(plain)
    return [(float(number.replace(",", ".")), word) for number, word in pieces]


def _goes_down(parts: _Parts, units: dict[str, str]) -> bool:
    sizes = [_seconds(units[word]) for _, word in parts]
    return all(one > other for one, other in pairwise(sizes))


def _unit_of_most(units: Iterable[str]) -> str:
    """Return the most frequent unit; those that differ in name only count together."""
    rows = Counter(units)
    sizes: Counter[float] = Counter()
    for unit, n_rows in rows.items():
        sizes[_seconds(unit)] += n_rows
    size = max(sizes, key=lambda one: (sizes[one], one))
    return min((u for u in rows if _seconds(u) == size), key=lambda u: (-rows[u], u))


def _total(parts: _Parts, unit: str, units: dict[str, str]) -> float:
    """Add the parts of a cell up; NaN where it has none."""
    size = _seconds(unit)
    total = sum(n * (_seconds(units[word]) / size if word else 1) for n, word in parts)
    return float(f"{total:.12g}") if parts else np.nan


def _seconds(unit: str) -> float:
    amount = amount_of(unit)
    return amount.size if amount and amount.family == "time" else 0.0


def _plain(word: str) -> str:
    return word.casefold().rstrip(".")
