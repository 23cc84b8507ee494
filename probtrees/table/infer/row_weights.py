"""Columns of surveys that say for how many people a row stands: wgt, gewicht, pondération."""

from __future__ import annotations

import re
from typing import Literal

import numpy as np

from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.repeats import mean_of_survey
from probtrees.table.table_report import Finding, Fix

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-ZÀ-Þ]?[a-zà-ÿ]+|\d+")
_SURELY = re.compile(
    "gew|wgt|[pfia]weights?|weighting|gewichtung(sfaktor)?|hochrechnung(sfaktor)?|pond[a-zà-ÿ]*|"
    "fexp"
)
_PERHAPS = re.compile("weights?|wt|gewichte?|poids|pesos?|waga")
"""What they are called too, like the weight of a body, whose numbers seldom lie around 1."""
AROUND_ONE = (0.5, 2.0)
"""Between these numbers lies the middle one of weights that are perhaps meant."""

_FEWEST = 20
"""Fewer numbers do not tell."""

ROW_WEIGHTS = "row weights"
"""The kind of the finding."""


def name_words(name: str) -> list[str]:
    """Take the name of a column apart, in small letters.

    >>> name_words("survey_wgtFinal2")
    ['survey', 'wgt', 'final', '2']
    """
    return [word.lower() for word in _WORDS.findall(name)]


def called_weight(name: str) -> Literal["surely", "perhaps", ""]:
    """Say whether a column is called like the weights of rows.

    >>> called_weight("pond_final"), called_weight("Gewicht"), called_weight("height")
    ('surely', 'perhaps', '')
    """
    words = name_words(name)
    if any(_SURELY.fullmatch(word) for word in words):
        return "surely"
    return "perhaps" if any(_PERHAPS.fullmatch(word) for word in words) else ""


def weighted_by(name: str, column: RawColumn, *, as_written: bool) -> Finding:
    """Say that the rows are weighted, and whether by what is written; with the ways back."""
    back = Fix("Take it back", "take back", f"roles {name}")
    mean = None if isinstance(column, Dates) else mean_of_survey(column.as_numbers().values)
    if mean is None or as_written:
        return Finding(name, "said", f"Rows are weighted by column {name!r}.", fixes=(back,))
    return Finding(
        name,
        "said",
        f"Rows are weighted by column {name!r}, scaled to a mean of 1 where it is {mean:.3g}, so "
        "that they add up to the number of rows.",
        "Take the weights as written to count more or fewer.",
        fixes=(Fix("Use them as they are", "as_written", "weights"), back),
    )


def offer_as_weight(name: str, column: RawColumn) -> tuple[Finding, ...]:
    """Ask whether positive numbers that are not whole, in a column so called, weigh the rows."""
    called = called_weight(name)
    if not called or not isinstance(column, Numbers):
        return ()
    known = column.values[np.isfinite(column.values)]
    if known.size < _FEWEST or known.min() <= 0 or bool((known == np.floor(known)).all()):
        return ()
    middle = float(np.median(known))
    if called == "perhaps" and not AROUND_ONE[0] <= middle <= AROUND_ONE[1]:
        return ()
    low, high = spell(float(known.min())), spell(float(known.max()))
    return (
        Finding(
            name,
            ROW_WEIGHTS,
            f"Column {name!r} seems to say how much each row counts ({low} to {high}), as in "
            "surveys; it is used like any other column.",
            "Give it the role 'weight' to count the rows by it, scaled to a mean of 1.",
            "warning",
            (
                Fix("Weigh the rows by it", "role", "weight"),
                Fix("It is a column like others", "role", "feature"),
            ),
        ),
    )
