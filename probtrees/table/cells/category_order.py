"""The order of categories: by value, by letters, or as on a scale from its low end.

Strongly disagree to strongly agree, never to always, low to high stay categories; only their order
is that of the scale rather than that of the letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.groups_of_numbers import in_order_of_groups
from probtrees.table.cells.same_words import folded
from probtrees.table.cells.special_numbers.school_marks import mark_of, unit_of_marks
from probtrees.table.cells.spelled_numbers import parse_numbers

_DIGITS = re.compile(r"(\d+)")

_AGREEMENT = (
    "strongly disagree|completely disagree|totally disagree|stimme überhaupt nicht zu|"
    "stimme gar nicht zu|trifft überhaupt nicht zu|trifft nicht zu|pas du tout d'accord|"
    "totalmente en desacuerdo|muy en desacuerdo",
    "disagree|tend to disagree|stimme nicht zu|trifft eher nicht zu|plutôt pas d'accord|"
    "pas d'accord|en desacuerdo",
    "somewhat disagree|slightly disagree|stimme eher nicht zu",
    "neutral|neither agree nor disagree|neither|undecided|unsure|teils teils|teils/teils|"
    "teils-teils|weder noch|unentschieden|ni d'accord ni pas d'accord|"
    "ni de acuerdo ni en desacuerdo",
    "somewhat agree|slightly agree|stimme eher zu",
    "agree|tend to agree|stimme zu|trifft eher zu|plutôt d'accord|d'accord|de acuerdo",
    "strongly agree|completely agree|totally agree|stimme voll zu|stimme völlig zu|"
    "stimme voll und ganz zu|trifft voll zu|trifft voll und ganz zu|trifft zu|"
    "tout à fait d'accord|totalmente de acuerdo|muy de acuerdo",
)
_FREQUENCY = (
    "never|nie|niemals|jamais|nunca|mai",
    "almost never|very rarely|fast nie|sehr selten|presque jamais|casi nunca|quasi mai",
    "rarely|seldom|selten|rarement|raramente|raras veces",
    "occasionally|gelegentlich|ab und zu|de temps en temps|ocasionalmente",
    "sometimes|manchmal|parfois|quelquefois|a veces|algunas veces|a volte|qualche volta",
    "often|frequently|oft|häufig|souvent|a menudo|frecuentemente|spesso",
    "very often|usually|mostly|sehr oft|meistens|meist|très souvent|muy a menudo|molto spesso",
    "almost always|fast immer|presque toujours|casi siempre|quasi sempre",
    "always|immer|stets|toujours|siempre|sempre",
)
_HOW_OFTEN = (
    "never|nie|jamais|nunca|mai",
    "yearly|once a year|annually|jährlich|einmal im jahr",
    "less than monthly|seltener|quarterly|vierteljährlich",
    "monthly|once a month|monatlich|mensuel|mensual|mensile",
    "weekly|once a week|wöchentlich|hebdomadaire|semanal|settimanale",
    "several times a week|mehrmals pro woche|mehrmals wöchentlich",
    "daily|every day|täglich|quotidien|diario|diaria|giornaliero",
    "several times a day|mehrmals täglich",
)
_LEVEL = (
    "none|keine|keiner|kein|aucun|ninguno|nessuno",
    "very low|vlow|sehr niedrig|sehr gering|très faible|très bas|muy bajo|molto basso",
    "low|lo|niedrig|gering|tief|leicht|mild|faible|bas|bajo|baja|basso|bassa|slight|klein|small",
    "medium|med|mid|middle|moderate|average|normal|mittel|mäßig|mittelschwer|moyen|moyenne|medio|"
    "media|moderado|moderato|moderata|modéré",
    "high|hi|hoch|stark|schwer|severe|élevé|haut|fort|alto|alta|large|groß|gross|grave|sévère",
    "very high|vhigh|sehr hoch|sehr stark|sehr schwer|very severe|critical|extreme|kritisch|"
    "très élevé|muy alto|molto alto|très fort",
)
_QUALITY = (
    "very poor|very bad|terrible|awful|ungenügend|sehr schlecht|très mauvais|muy malo|pessimo",
    "poor|bad|mangelhaft|schlecht|mauvais|malo|scarso|cattivo|insufficient",
    "below average|ausreichend|passable",
    "fair|average|acceptable|ok|okay|neutral|befriedigend|mittelmäßig|assez bien|regular|"
    "sufficient|discreto|sufficiente",
    "good|gut|bien|bon|bueno|buono",
    "very good|sehr gut|très bien|très bon|muy bueno|muy bien|ottimo|distinto",
    "excellent|outstanding|hervorragend|ausgezeichnet|exzellent|excelente|eccellente",
)
_SATISFACTION = (
    "very dissatisfied|very unsatisfied|sehr unzufrieden|très insatisfait|muy insatisfecho",
    "dissatisfied|unsatisfied|unzufrieden|insatisfait|insatisfecho",
    "somewhat dissatisfied|eher unzufrieden|plutôt insatisfait",
    "neutral|neither|neither satisfied nor dissatisfied|teils teils|teils/teils|weder noch",
    "somewhat satisfied|eher zufrieden|plutôt satisfait",
    "satisfied|zufrieden|satisfait|satisfecho",
    "very satisfied|sehr zufrieden|très satisfait|muy satisfecho",
)
_LIKELIHOOD = (
    "very unlikely|sehr unwahrscheinlich|très improbable",
    "unlikely|unwahrscheinlich|improbable",
    "neutral|neither|undecided|unsure|maybe|vielleicht|unentschieden",
    "likely|wahrscheinlich|probable",
    "very likely|sehr wahrscheinlich|très probable",
)
_SIZE = ("xxs", "xs", "s", "m", "l", "xl", "xxl|2xl", "xxxl|3xl")
_SCALES = tuple(
    {answer: rank for rank, answers in enumerate(scale) for answer in answers.split("|")}
    for scale in (
        _AGREEMENT,
        _FREQUENCY,
        _HOW_OFTEN,
        _LEVEL,
        _QUALITY,
        _SATISFACTION,
        _LIKELIHOOD,
        _SIZE,
    )
)
_FEWEST = 3
_MOST = 12


_LETTER = re.compile(r"(?P<letter>[A-GU])(?P<sign>\*{1,2}|[+\-−–]?)")
_RANK_OF_SIGN = {"**": 0, "*": 1, "+": 2, "": 3}
"""Behind a letter, from the best; every dash is worse than none."""
_MOST_MARKS = 40


def in_order_of_marks(texts: Sequence[str]) -> tuple[str, ...] | None:
    """Sort marks with tendencies: letters from the worst, numbers by what they stand for.

    None where they are none, or without a sign; A+, A-, B+ and B- alone are groups of blood.

    >>> in_order_of_marks(["A", "A+", "A-", "B", "B+"]), in_order_of_marks(["2-", "1-", "2+", "2"])
    (('B', 'B+', 'A-', 'A', 'A+'), ('1-', '2+', '2', '2-'))
    """
    if not _FEWEST <= len(texts) <= _MOST_MARKS:
        return None
    if unit := unit_of_marks(texts):
        return tuple(sorted(texts, key=lambda text: (mark_of(text, unit), text)))
    found = {text: match for text in texts if (match := _LETTER.fullmatch(text.strip()))}
    plain = [match for match in found.values() if not match["sign"]]
    if len(found) < len(texts) or not plain or len(plain) == len(found):
        return None
    ranks = {
        text: (-ord(match["letter"]), -_RANK_OF_SIGN.get(match["sign"], len(_RANK_OF_SIGN)))
        for text, match in found.items()
    }
    return tuple(sorted(texts, key=lambda text: (ranks[text], text)))


def in_order_of_scale(texts: Sequence[str]) -> tuple[str, ...] | None:
    """Sort the answers of a scale from its low end; None if the texts are no such answers.

    Marks and groups of numbers (under 25, 25-34, 55+) are such a scale. Of others, two answers have
    no order that could get lost.

    >>> in_order_of_scale(["High", "low", "Medium"])
    ('low', 'Medium', 'High')
    """
    if found := in_order_of_marks(texts) or in_order_of_groups(texts):
        return found
    if not _FEWEST <= len(texts) <= _MOST:
        return None
    keys = {text: folded(text).rstrip(".") for text in texts}
    for ranks in _SCALES:
        if all(key in ranks for key in keys.values()):
            return tuple(sorted(texts, key=lambda text: (ranks[keys[text]], text)))
    return None


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
    return [_part_key(part) for part in _DIGITS.split(text) if part], text


def _part_key(part: str) -> tuple[int, int, str]:
    """Order digits as numbers: the longer is the larger. Python reads no number of any length."""
    if not part.isdecimal():
        return 1, 0, part.casefold()
    digits = part.lstrip("0")
    return 0, len(digits), digits
