"""Columns that say whose row it is, rather than what is known of it.

Customer 100238 is not more than customer 100231, and other people have other names. What a column
is called says most; how often its values repeat says the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from probtrees.table.findings import Finding, Fix, Question
from probtrees.table.raw_table import ROW_NAMES, Texts
from probtrees.table.readings.spellings import name_says, name_words
from probtrees.types import FloatArray

MIN_ROWS = 10
"""In shorter tables numbers and texts may all differ by chance."""

_FEW = 20
_NEARLY_ALL, _ALL_BUT_A_FEW = 0.9, 0.98
_SAMPLE = 1000
"""Different texts that are looked at to tell whether a column names people."""
_MANY_ROWS, _SEVEN_DIGITS, _FOUR_DIGITS = 50, 1e6, 1e3
_EXPECTED_TWICE = 10.0
"""Of numbers drawn at random so many pairs would be alike; that none is happens once in 20,000."""


def aside_finding(
    name: str, kind: str, words: str, *more: Fix, question: Question | None = "aside"
) -> Finding:
    """Report that a column is left out, with the way to use it if that is a question."""
    sentence = f"Column {name!r} {words} and is ignored."
    fixes = (*more, Fix("Use it anyway", "role", "feature", name)) if more or question else ()
    return Finding(name, question, sentence, "warning" if question else "note", fixes, kind)


def keep_together(name: str) -> Fix:
    """Offer to keep the rows of one value together when models are tested."""
    return Fix("Keep its rows together", "role", "group", name)


def is_called_identifier(name: str) -> bool:
    """Whether a name says that the column names the rows: patient_id, Kundennr.

    >>> is_called_identifier("PatientID"), is_called_identifier("paid")
    (True, False)
    """
    return name == ROW_NAMES or name_says(name, "id", last=True)


def names_rows(name: str, values: FloatArray, lowest: float, highest: float) -> bool:
    """Whether numbers say whose row it is, by the column's name or by how they are given."""
    called = is_called_identifier(name) or name_says(name, "person", last=True)
    may_count = called or name_says(name, "counter", last=True)
    may_name = len(values) >= MIN_ROWS and (may_count or lowest >= _FOUR_DIGITS)
    if not may_name or name_says(name, "measure") or not is_whole(values):
        return False
    if may_count and counts_rows(values, lowest, highest):
        return True
    known = values[~np.isnan(values)]
    n_different = len(np.unique(known))
    if n_different <= _FEW or 1700 <= lowest <= highest <= 2100:  # years
        return False
    all_differ = n_different == len(values)
    if called:  # a body mass index measures
        return all_differ or name_words(name)[-1] not in ("index", "idx")
    # The name is silent: numbers of equally many digits that never return, as measures would.
    same_width = lowest > 0 and len(f"{lowest:.0f}") == len(f"{highest:.0f}")
    alike = len(known) * (len(known) - 1.0) / (2.0 * (highest - lowest + 1.0))
    given = lowest >= _SEVEN_DIGITS or alike >= _EXPECTED_TWICE
    return same_width and all_differ and len(values) >= _MANY_ROWS and given


def is_whole(values: FloatArray) -> bool:
    """Whether all known numbers are whole."""
    known = values[~np.isnan(values)]
    return bool((np.floor(known) == known).all())


def counts_rows(values: FloatArray, lowest: float, highest: float) -> bool:
    """Whether the values are consecutive whole numbers, each once, with hardly a row without."""
    span = float(highest) - float(lowest)  # plain numbers: infinite without a warning
    may_count = max(MIN_ROWS, _ALL_BUT_A_FEW * len(values)) - 1 <= span < len(values)
    if not may_count or 1700 <= lowest <= highest <= 2100:  # years
        return False
    known = values[~np.isnan(values)]
    is_dense = span == len(known) - 1
    return is_dense and is_whole(known) and len(np.unique(known)) == len(known)


def identifier_finding(name: str, n_distinct: int, n_known: int) -> Finding:
    """Report that a column is left out as an identifier; ask for rows of one to stay together."""
    words = "looks like an identifier"
    if n_distinct == n_known:
        return aside_finding(name, "identifier", words)
    are_many = 2 * n_distinct <= n_known or name_says(name, "person")
    question: Question = "rows" if are_many else "aside"
    words += f" ({n_distinct:,} in {n_known:,} rows)"
    return aside_finding(name, "identifier", words, keep_together(name), question=question)


def person_finding(name: str, column: Texts) -> Finding | None:
    """Leave out names of people: a tree can learn them by heart, and other people have others."""
    is_called = name_says(name, "person name") and not name_says(name, "thing")
    if column.n_distinct < MIN_ROWS or not is_called:
        return None
    if not _are_names(
        column.distinct.slice(0, _SAMPLE).to_pylist(), one=name_says(name, "part of name")
    ):
        return None
    words = f"seems to hold names of people ({column.n_distinct:,})"
    return aside_finding(name, "person", words, keep_together(name))


def _are_names(texts: Sequence[str], *, one: bool) -> bool:
    """Whether nearly all texts are two or three capitalised words, or one where that is enough.

    >>> _are_names(["Inès Wójcik", "Schmidt, Jürgen", "Carl Maria Weber"], one=False)
    True
    >>> _are_names(["Head of Sales", "Buyer", "Team 2 North"], one=False)
    False
    """
    n_names = 0
    for text in texts:
        words = text.replace(",", " ").split()
        are_words = all(w[0].isupper() and not any(map(str.isdigit, w)) for w in words)
        n_names += are_words and (1 if one else 2) <= len(words) <= 3
    return n_names >= _NEARLY_ALL * len(texts)
