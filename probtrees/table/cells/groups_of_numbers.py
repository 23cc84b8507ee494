"""Groups of ages, amounts and the like as surveys offer them: moins de 25 ans, 25-34 ans, 55+.

What they say is told by their numbers and by words for less and more, whatever the language: so
they are sorted by it, and "55+" is the same group as "55 ans et plus".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from probtrees.table.cells.unit_names import same_unit

_UNDER = (
    r"<|moins de|inf[ée]rieur à|unter|weniger als|jünger als|less than|fewer than|younger than|"
    r"under|below|menos de|menor de|abaixo de|meno di|sotto(?: i)?|poniżej|mniej niż|minder dan|"
    r"jonger dan|onder|färre än|mindre än|yngre än|færre enn|mindre enn|mindre end|méně než|pod|"
    r"alle|kevesebb mint|менее|меньше|младше|до"
)
_UP_TO = (
    r"≤|<=|=<|jusqu'à|au plus|bis(?: zu)?|höchstens|max\.?|maximal|up to|at most|until|hasta|até|"
    r"fino a|al massimo|do|najwyżej|tot(?: en met)?|hoogst|upp till|op til|opptil|nejvýše"
)
_OVER = (
    r">|plus de|sup[ée]rieur à|über|mehr als|älter als|more than|older than|over|above|más de|"
    r"mayor de|mais de|acima de|più di|oltre|sopra(?: i)?|powyżej|ponad|więcej niż|meer dan|"
    r"ouder dan|boven|över|fler än|mer än|äldre än|mer enn|mere end|více než|nad|yli|több mint|"
    r"более|больше|старше|свыше"
)
_FROM = (
    r"≥|>=|=>|au moins|à partir de|dès|ab|mindestens|min\.?|from|at least|desde|al menos|"
    r"a partir de|almeno|dai?|od|co najmniej|vanaf|minstens|från|minst|fra|mindst|nejméně|от"
)
_AND = r"(?:et|ou|and|or|und|oder|y|o|e|ou|i|lub|en|of|och|eller|og|a|nebo|и|или)"
_AND_MORE = (
    rf"\+|plus|{_AND} (?:plus|more|over|above|older|up|mehr|älter|darüber|más|mas|mayor(?:es)?|"
    r"mais|più|oltre|więcej|powyżej|starsi|meer|ouder|mer|fler|äldre|mere|více|starší|более|старше)"
)
_AND_LESS = (
    rf"{_AND} (?:moins|less|fewer|under|below|younger|weniger|jünger|darunter|menos|meno|mniej|"
    r"poniżej|minder|jonger|mindre|färre|yngre|méně|mladší|менее|младше)"
)
_NUMBER = r"\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)?"
_UNIT = r"[^\W\d_]{1,12}\.?|[%€$£]"
_GROUP = re.compile(
    rf"(?:(?P<under>{_UNDER})|(?P<up_to>{_UP_TO})|(?P<over>{_OVER})|(?P<from>{_FROM})|de|von|tra|"
    rf"entre|between|między|zwischen)?\s*[€$£]?\s*(?P<low>{_NUMBER})\s*(?P<unit>{_UNIT})?"
    rf"(?:\s*(?:-|–|—|à|a|to|bis|do|al?|tot|till?|and|et|und|y|e|i)\s*[€$£]?\s*(?P<high>{_NUMBER}))?"
    rf"\s*(?:(?P<more>{_AND_MORE})|(?P<less>{_AND_LESS}))?\s*(?P<unit_>{_UNIT})?"
    rf"\s*(?:(?P<more_>{_AND_MORE})|(?P<less_>{_AND_LESS}))?",
    re.I,
)
_APOSTROPHES = str.maketrans("’ʼ", "''")
_MOST = 60
_LEAST_SHARE = 0.6
"""Beside groups there are a few other answers, which come behind them."""
_BELOW, _WITHIN, _ABOVE = -1, 0, 1


class Group(NamedTuple):
    """A group of numbers: where it begins or ends, where a range ends, and what it says of it."""

    number: float
    high: float
    kind: str

    @property
    def place(self) -> tuple[float, int, float]:
        """Where the group stands among others."""
        side = {"under": _BELOW, "up to": _BELOW, "over": _ABOVE, "from": _ABOVE}
        return self.number, side.get(self.kind, _WITHIN), self.high


def group_of(text: str) -> Group | None:
    """Return what a group says; None for other texts.

    >>> group_of("55 ans et plus") == group_of("55+") == group_of("ab 55 Jahren")
    True
    >>> group_of("moins de 25 ans"), group_of("25-34 ans"), group_of("de 1 000 à 2 000 €")
    (Group(number=25.0, high=25.0, kind='under'), Group(number=25.0, high=34.0, kind='range'), \
Group(number=1000.0, high=2000.0, kind='range'))
    >>> group_of("25"), group_of("ward 7b, left"), group_of("more")
    (Group(number=25.0, high=25.0, kind='number'), None, None)
    """
    match = _GROUP.fullmatch(" ".join(text.translate(_APOSTROPHES).split()))
    if match is None:
        return None
    low = _value(match["low"])
    if match["high"] is not None and not match["over"]:
        high = _value(match["high"])
        return Group(low, high, "range") if low < high else None
    kinds = {
        "under": match["under"],
        "up to": match["up_to"] or match["less"] or match["less_"],
        "over": match["over"],
        "from": match["from"] or match["more"] or match["more_"],
    }
    return Group(low, low, next((kind for kind, said in kinds.items() if said), "number"))


def in_order_of_groups(texts: Sequence[str]) -> tuple[str, ...] | None:
    """Sort groups of numbers, open ones at their end; None unless one is open and most are groups.

    >>> in_order_of_groups(["25-34 ans", "35-54 ans", "55 ans et plus", "moins de 25 ans", "NC"])
    ('moins de 25 ans', '25-34 ans', '35-54 ans', '55 ans et plus', 'NC')
    """
    if not 1 < len(texts) <= _MOST:
        return None
    groups = {text: group_of(text) for text in texts}
    known = [group for group in groups.values() if group]
    is_open = any(group.kind not in ("number", "range") for group in known)
    others_have_digits = any(g is None and any(map(str.isdigit, t)) for t, g in groups.items())
    if not is_open or others_have_digits or len(known) < max(2, _LEAST_SHARE * len(texts)):
        return None
    last = (float("inf"), 0, 0.0)
    return tuple(sorted(texts, key=lambda t: (g.place if (g := groups[t]) else last, t)))


def same_groups(texts: Iterable[str], categories: Iterable[str]) -> dict[str, str]:
    """Return the group that each text says in other words, where that is one of the categories.

    >>> same_groups(["55+", "<25", "25 - 34", "7"], ["moins de 25 ans", "25-34 ans", "55 et plus"])
    {'55+': '55 et plus', '<25': 'moins de 25 ans', '25 - 34': '25-34 ans'}
    """
    known: dict[Group, list[str]] = {}
    for category in categories:
        if (group := group_of(category)) and group.kind != "number":
            known.setdefault(group, []).append(category)
    meant = {text: known.get(group, []) for text in texts if (group := group_of(text))}
    return {
        text: found[0]
        for text, found in meant.items()
        if len(found) == 1 and _units_agree(_unit_of(text), _unit_of(found[0]))
    }


def _unit_of(text: str) -> str:
    """Return the unit of a group, nothing where it has none."""
    match = _GROUP.fullmatch(" ".join(text.translate(_APOSTROPHES).split()))
    return ((match["unit_"] or match["unit"]) if match else "") or ""


def _units_agree(one: str, other: str) -> bool:
    """Whether two groups may be in one unit, which the second may leave out.

    >>> _units_agree("ans", ""), _units_agree("years", "Yrs."), _units_agree("years", "months")
    (True, True, False)
    """
    return not one or not other or one.casefold() == other.casefold() or same_unit(one, other)


def _value(text: str) -> float:
    plain = re.sub(r"[.,'’ \u00a0\u202f](?=\d{3}(?!\d))", "", text)
    return float(plain.replace(",", "."))
