"""Numbers as people answer: none, 5+, 10 or more, about 6, 6-8, <5.

Each names a number: the limit itself, the middle of a range, 0 for none. They are read so only
where somebody says that a column holds numbers.
"""

from __future__ import annotations

import re

_NUMBER = r"[$€£]?(?:\d{1,3}(?:[.,' ]\d{3})+|\d+)(?:[.,]\d+)?"
_UNIT = r"(?: ?[^\W\d_]{1,12}(?:/[^\W\d_]{1,12}){0,2}\.?| ?%)?"
_LIMIT = re.compile(rf"(?:[<>≤≥]=?|=[<>])\s*({_NUMBER}{_UNIT})")
_BEFORE = re.compile(
    r"(?:(?:more|less|fewer|greater|larger|smaller) than|at (?:least|most)|over|under|above|below|"
    r"up to|about|around|approximately|approx\.?|almost|nearly|circa|ca\.?|c\.|~|≈|mehr als|"
    r"weniger als|mindestens|höchstens|min\.?|max\.?|über|unter|bis(?: zu)?|etwa|ungefähr|rund|"
    r"knapp|fast|plus de|moins de|au moins|au plus|environ|jusqu'à|más de|menos de|al menos|unos|"
    rf"hasta|più di|meno di|almeno|fino a)\s*({_NUMBER}{_UNIT})",
    re.I,
)
_BEHIND = re.compile(
    rf"({_NUMBER}{_UNIT}?)\s*(?:\+|(?:or|and|oder|und|et|ou|o|y|e) (?:more|over|above|mehr|älter|"
    r"older|plus|más|mas|più|less|fewer|weniger|moins|menos|meno)|plus|\(ca\.?\)|ca\.?)",
    re.I,
)
_DIGIT = re.compile(r"\d")
_RANGE = re.compile(r"(\d+(?:[.,]\d+)?)\s*(?:-|–|—|to|bis|à|a|y|or|oder|ou)\s*(\d+(?:[.,]\d+)?)")
_WORDS = {
    "0": "none nobody nil no zero nothing never kein keine keiner keines niemand nichts null nie "
    "aucun aucune personne jamais rien ninguno ninguna nadie nunca nada nessuno nessuna mai niente "
    "nenhum nenhuma sans ohne senza geen brak ingen",
    "1": "one once ein eine einer eins einmal une un uno una",
    "2": "two twice zwei zweimal deux dos due dois",
    "3": "three drei dreimal trois tres tre três",
    "4": "four vier quatre cuatro quattro quatro",
    "5": "five fünf cinq cinco cinque",
    "6": "six sechs seis sei",
    "7": "seven sieben sept siete sette sete",
    "8": "eight acht huit ocho otto oito",
    "9": "nine neun neuf nueve nove",
    "10": "ten zehn dix diez dieci dez",
}
_ON_TIME = (
    *("on time", "ontime", "on schedule", "no delay", "not late", "pünktlich", "planmäßig"),
    *("keine verspätung", "ohne verspätung", "fristgerecht", "termingerecht", "à l'heure"),
    *("a l'heure", "aucun retard", "sans retard", "ponctuel", "a tiempo", "puntual", "sin retraso"),
    *("sin demora", "en hora", "a horas", "no horário", "pontual", "sem atraso", "in orario"),
    *("puntuale", "nessun ritardo", "op tijd", "stipt", "geen vertraging", "punktualnie"),
    *("punktualny", "o czasie", "w terminie", "bez opóźnienia", "brak opóźnienia", "včas"),
    *("bez zpoždění", "i tid", "til tiden", "rettidig", "ajoissa", "időben", "вовремя"),
    *("без опоздания", "定刻", "定時", "准点", "정시"),
)
"""Words for a delay of 0."""
_NO_PAIN = (
    *("no pain", "not painful", "pain free", "pain-free", "painless", "without pain"),
    *("keine schmerzen", "kein schmerz", "ohne schmerzen", "schmerzfrei", "schmerzlos"),
    *("pas de douleur", "aucune douleur", "sans douleur", "sin dolor", "ningún dolor", "no dolor"),
    *("sem dor", "nenhuma dor", "nessun dolore", "senza dolore", "geen pijn", "pijnvrij"),
    *("brak bólu", "bez bólu", "bez bolesti", "ingen smärta", "ingen smerte", "ingen smerter"),
    *("smärtfri", "smertefri", "ei kipua", "fájdalommentes", "нет боли", "без боли"),
    *("no symptoms", "symptom-free", "keine symptome", "keine beschwerden", "beschwerdefrei"),
)
"""Words for 0 on a scale of pain or symptoms."""
_NUMBER_OF = {word: number for number, words in _WORDS.items() for word in words.split()}
_NUMBER_OF |= dict.fromkeys((*_ON_TIME, *_NO_PAIN), "0")


def number_named(text: str) -> str:
    """Return the number that an answer names, as a text; nothing where it names none.

    >>> [number_named(text) for text in ("<0,6", "5+", "10 or more", "about 6", "6-8", "None", "x")]
    ['0,6', '5', '10', '6', '7', '0', '']
    >>> number_named("> 200 ng/ml"), number_named("=<5")
    ('200 ng/ml', '5')
    >>> number_named("pünktlich"), number_named("À l’heure")
    ('0', '0')
    """
    word = _NUMBER_OF.get(text.casefold().replace("’", "'"))
    if word is not None:
        return word
    if not _DIGIT.search(text):
        return ""
    begins_with_number = text[0].isdecimal() or text[0] in "$€£"
    pattern = _BEHIND if begins_with_number else _LIMIT if text[0] in "<>≤≥=" else _BEFORE
    if match := pattern.fullmatch(text):
        return match.group(1)
    if begins_with_number and (match := _RANGE.fullmatch(text)):
        return _middle(match.group(1), match.group(2))
    return ""


def _middle(low: str, high: str) -> str:
    """Return the middle of a range, written as its ends are."""
    mark = "," if "," in low + high else "."
    first, second = (float(end.replace(",", ".")) for end in (low, high))
    if first >= second:
        return ""
    return f"{(first + second) / 2:.12g}".replace(".", mark)
