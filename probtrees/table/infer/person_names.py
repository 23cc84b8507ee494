"""Names of people, which a tree can learn by heart and which say nothing about other people."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probtrees.table.cells.raw_table import Texts
from probtrees.table.infer.recognise_numbers import IGNORE
from probtrees.table.infer.row_weights import name_words
from probtrees.table.table_report import Finding, Fix

PERSONS = "names of people"
"""The kind of the finding."""

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
_PARTICLES = frozenset(
    {"van", "von", "de", "der", "den", "del", "di", "da", "la", "le", "zu", "bin"}
)
_FEWEST_WORDS, _MOST_WORDS = 2, 3
_NEARLY_ALL = 0.9
_FEWEST = 10
"""Fewer different names are few enough to be categories."""


def ask_person_names(name: str, column: Texts, n_known: int) -> tuple[Finding, ...]:
    """Ask about a column that is called like people and holds two or three capitalised words."""
    if column.n_distinct < _FEWEST or not is_called_person(name):
        return ()
    if not are_person_names(column.texts):
        return ()
    return (
        Finding(
            name,
            PERSONS,
            f"Column {name!r} seems to hold names of people ({column.n_distinct:,} in {n_known:,} "
            "rows) and is used: a tree may learn them by heart, and other people have other names.",
            "Is it a name? Leave it out (role 'ignore'), or keep the rows of one person together "
            "when models are tested (role 'group').",
            "warning",
            (IGNORE, Fix("Keep rows of one person together", "role", "group")),
        ),
    )


def is_called_person(name: str) -> bool:
    """Whether a column is called like people are.

    >>> [is_called_person(name) for name in ("Candidate", "line_manager", "Product name", "Role")]
    [True, True, False, False]
    """
    words = name_words(name)
    is_of_things = any(_OF_THINGS.fullmatch(word) for word in words)
    return not is_of_things and any(_CALLED.fullmatch(word) for word in words)


def are_person_names(texts: Sequence[str]) -> bool:
    """Whether nearly all texts are two or three capitalised words.

    >>> are_person_names(["Inès Wójcik", "Schmidt, Jürgen", "Ludwig van Beethoven"])
    True
    >>> are_person_names(["Head of Sales", "Buyer", "Team 2 North"])
    False
    """
    return sum(map(_is_name, texts)) >= _NEARLY_ALL * len(texts)


def _is_name(text: str) -> bool:
    words = [w for w in text.replace(",", " ").split() if w.lower() not in _PARTICLES]
    are_words = all(w[0].isupper() and not any(map(str.isdigit, w)) for w in words)
    return _FEWEST_WORDS <= len(words) <= _MOST_WORDS and are_words
