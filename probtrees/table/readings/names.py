"""What the name of a column says about it, by the words of ``spellings.tsv`` in five languages."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from probtrees.table.readings.spellings import spellings

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
    """Whether a word of a name is one for something; ``last``: whether its last word is.

    Parameters
    ----------
    what : a row of the names in ``spellings.tsv``: "id", "code", "birth", "weight", ...

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
