"""Spellings as rows of a data file: currencies, units, months, words for "no value", ...

Also the units and currencies by all their names, and what the name of a column says about it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib import resources

Rows = dict[str, tuple[str, ...]]


@cache
def spellings(kind: str) -> Rows:
    """Return the rows of one kind: the words by what they stand for.

    A line of ``spellings.tsv`` holds a kind, what is meant, and its words, parted by tabs and the
    words by " | ".

    >>> spellings("currency")["€"][:2]
    ('eur', 'euro')
    """
    text = resources.files(__package__).joinpath("spellings.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line.startswith(f"{kind}\t"))
    return {meaning: tuple(filter(None, words.split(" | "))) for _, meaning, words in rows}


@cache
def meanings(*kinds: str) -> dict[str, str]:
    """Return what each word of some kinds stands for.

    >>> meanings("currency")["euro"], meanings("answer")["ja"]
    ('€', 'yes')
    """
    rows = (row for kind in kinds for row in spellings(kind).items())
    return {word: meant for meant, words in rows for word in words}


CLOCK = "h:mm"
"""The unit of clock times, which are read as hours: 14:30 is 14.5."""


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


_WORDS = re.compile(r"[A-ZÄÖÜ]+(?![a-zäöüß])|[^\W\d_A-ZÄÖÜ]+|[A-ZÄÖÜ][^\W\d_A-ZÄÖÜ]*|[^\W\d_]+")


@lru_cache(maxsize=1 << 16)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name in small letters, also those that only a capital parts.

    >>> name_words("PatientID"), name_words("date_of_birth"), name_words("Größe (cm)")
    (('patient', 'id'), ('date', 'of', 'birth'), ('grösse', 'cm'))
    """
    return tuple(word.casefold() for word in _WORDS.findall(name))


@cache
def _words_for(what: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words for something, and how such words may end."""
    words = spellings("name")[what]
    endings = tuple(word[1:] for word in words if word.startswith("*"))
    return frozenset((*words, *endings)), endings


def name_says(name: str, what: str, *, last: bool = False) -> bool:
    """Whether a word of a name is one for something in ``spellings.tsv``; or its last word.

    >>> name_says("PatientID", "id"), name_says("id of ward", "id", last=True)
    (True, False)
    >>> name_says("Kundennr", "id"), name_says("Kunden", "id")
    (True, False)
    """
    words, endings = _words_for(what)
    found = name_words(name)
    said = found[-1:] if last else (*found, "".join(found))
    return any(word in words or (endings and word.endswith(endings)) for word in said)


def column_key(name: str) -> str:
    """Return a name without what case, blanks, underscores, dots and accents add to it.

    >>> column_key("Größe_cm") == column_key("GROSSE cm"), column_key("Âge ")
    (True, 'age')
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, letters)) or name
