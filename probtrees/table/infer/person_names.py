"""Names, telephone numbers and e-mail addresses of people, which say nothing about other people.

A tree can learn them by heart.
"""

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
_MAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\W\d_]{2,}")
_PHONE = re.compile(
    r"(?:tel\.?:? ?)?[+(]?\d[\d ()./\u00a0-]{4,22}\d(?: ?(?:ext|x)\.? ?\d{1,5})?", re.I
)
_SURELY_PHONE = re.compile(r"(?:tel\.?:? ?)?(?:\+\d|\(\+?\d{2,5}\) ?\d|00[1-9]\d[ /-])", re.I)
"""How telephone numbers begin, whatever their column is called."""
_CALLED_PHONE = re.compile(
    r"(tele|mobile|cell|smart|home|work|i)?(phone|fone)s?|tel|fax|mobile|cell|handy|natel|"
    r"\w*telefon\w*|(handy|mobil|ruf)(nr|nummer)|t[ée]l[ée]phone|portable|tel[ée]fono|m[óo]vil|"
    r"celular|cellulare|telemóvel|komórka|mobil|puhelin|телефон",
    re.I,
)
_DIGITS_OF_PHONE = range(6, 16)
_PARTICLES = frozenset(
    {"van", "von", "de", "der", "den", "del", "di", "da", "la", "le", "zu", "bin"}
)
_TOGETHER = (
    "Give it the role 'group' to keep the rows of one person together when models are tested, or "
    "give it the role 'feature' to use it anyway."
)
_KEEP_TOGETHER = Fix("Keep rows of one person together", "role", "group")
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
            _TOGETHER,
            "warning",
            (_KEEP_TOGETHER, USE),
        ),
    )


def ask_contacts(name: str, column: Texts, n_known: int) -> tuple[Finding, ...]:
    """Leave out a column of telephone numbers or e-mail addresses, also where they repeat."""
    what = contacts_held(name, column.texts) if column.n_distinct >= _FEWEST else ""
    if not what:
        return ()
    return (
        Finding(
            name,
            PERSONS,
            f"Column {name!r} seems to hold {what} ({column.n_distinct:,} in {n_known:,} rows) and "
            "is ignored: a tree may learn them by heart, and other people have others.",
            _TOGETHER,
            "warning",
            (_KEEP_TOGETHER, USE),
        ),
    )


def contacts_held(name: str, texts: Sequence[str]) -> str:
    """Return what nearly all texts are: telephone numbers, e-mail addresses, or neither.

    >>> contacts_held("x", ["a9@home.org", "jo.b@mail.co.uk"]), contacts_held("x", ["(555) 0142"])
    ('e-mail addresses', 'telephone numbers')
    >>> contacts_held("Tel", ["555-0142"]), contacts_held("part", ["555-0142"])
    ('telephone numbers', '')
    """
    enough = _NEARLY_ALL * len(texts)
    if sum(_MAIL.fullmatch(text) is not None for text in texts) >= enough:
        return "e-mail addresses"
    if sum(map(_may_be_phone, texts)) < enough:
        return ""
    is_called = any(map(_CALLED_PHONE.fullmatch, name_words(name)))
    is_sure = sum(_SURELY_PHONE.match(text) is not None for text in texts) >= enough
    return "telephone numbers" if is_called or is_sure else ""


def _may_be_phone(text: str) -> bool:
    digits = sum(map(str.isdigit, text))
    return digits in _DIGITS_OF_PHONE and _PHONE.fullmatch(text) is not None


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
