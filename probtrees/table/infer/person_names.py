"""Names of people, which a tree can learn by heart and which say nothing about other people."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probtrees.table.cells.raw_table import Texts
from probtrees.table.infer.recognise_numbers import USE
from probtrees.table.infer.row_weights import name_words
from probtrees.table.table_report import PERSONS, Finding, Fix

_CALLED = re.compile(
    r"names?|candidate|applicant|employee|manager|supervisor|interviewer|recruiter|teacher|person|"
    r"patient|client|customer|pupil|student|contact|bewerber(in)?|kandidat(in)?|mitarbeiter(in)?|"
    r"vorgesetzter?|führungskraft|leiter(in)?|lehrer(in)?|kunde|schüler(in)?|nom|candidate?|"
    r"employée?|responsable|élève|nombre|candidat[oa]|empleado|empleada|nome|dipendente|"
    r"imię|nazwisko|kandydat(ka)?|pracownik|kierownik",
    re.I,
)
_OF_THINGS = re.compile(
    r"product|item|company|firm|brand|city|town|street|place|school|hospital|course|project|team|"
    r"department|station|country|ship|file|model|species|type|group|title|produkt|firma|marke|"
    r"stadt|ort|straße|schule|kurs|projekt|abteilung|produit|ville|entreprise|producto|ciudad",
    re.I,
)
"""Beside these words "name" is not that of a person."""
_PART_OF_NAME = re.compile(
    r"(first|last|family|given|fore|sur|middle|maiden)names?|vorname|nachname|familienname|"
    r"zuname|prénom|nomdefamille|apellidos?|cognome|sobrenome|voornaam|achternaam|imię|nazwisko|"
    r"förnamn|efternamn|fornavn|etternavn|efternavn|jméno|příjmení|vezetéknév|keresztnév|имя|"
    r"фамилия|soyad[ıi]?",
    re.I,
)
_PARTICLES = frozenset(
    {"van", "von", "de", "der", "den", "del", "di", "da", "la", "le", "zu", "bin"}
)
_FEWEST_WORDS, _MOST_WORDS = 2, 3
_NEARLY_ALL = 0.9
_FEWEST = 10
"""Fewer different names are few enough to be categories."""


def ask_person_names(name: str, column: Texts, n_known: int) -> tuple[Finding, ...]:
    """Leave out a column that is called like people and holds two or three capitalised words.

    Under the name of a first or last name one word is enough.
    """
    if column.n_distinct < _FEWEST or not is_called_person(name):
        return ()
    fewest = 1 if _is_part_of_name(name) else _FEWEST_WORDS
    if not are_person_names(column.texts, fewest):
        return ()
    return (
        Finding(
            name,
            PERSONS,
            f"Column {name!r} seems to hold names of people ({column.n_distinct:,} in {n_known:,} "
            "rows) and is ignored: a tree may learn them by heart, and other people have other "
            "names.",
            "Give it the role 'group' to keep the rows of one person together when models are "
            "tested, or give it the role 'feature' to use it anyway.",
            "warning",
            (Fix("Keep rows of one person together", "role", "group"), USE),
        ),
    )


def is_called_person(name: str) -> bool:
    """Whether a column is called like people are.

    >>> [is_called_person(name) for name in ("Candidate", "line_manager", "Product name", "Role")]
    [True, True, False, False]
    """
    words = name_words(name)
    is_of_things = any(_OF_THINGS.fullmatch(word) for word in words)
    is_person = any(_CALLED.fullmatch(word) for word in words) or _is_part_of_name(name)
    return not is_of_things and is_person


def _is_part_of_name(name: str) -> bool:
    """Whether a column is called first name, surname or the like.

    >>> [_is_part_of_name(name) for name in ("Last name", "Vorname", "Name", "last_visit")]
    [True, True, False, False]
    """
    return _PART_OF_NAME.fullmatch("".join(name_words(name))) is not None


def are_person_names(texts: Sequence[str], fewest: int = _FEWEST_WORDS) -> bool:
    """Whether nearly all texts are two or three capitalised words, or one where that is enough.

    >>> are_person_names(["Inès Wójcik", "Schmidt, Jürgen", "Ludwig van Beethoven"])
    True
    >>> are_person_names(["Head of Sales", "Buyer", "Team 2 North"])
    False
    """
    return sum(_is_name(text, fewest) for text in texts) >= _NEARLY_ALL * len(texts)


def _is_name(text: str, fewest: int) -> bool:
    words = [w for w in text.replace(",", " ").split() if w.lower() not in _PARTICLES]
    are_words = all(w[0].isupper() and not any(map(str.isdigit, w)) for w in words)
    return fewest <= len(words) <= _MOST_WORDS and are_words
