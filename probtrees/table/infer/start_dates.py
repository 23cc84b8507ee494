"""Dates on which somebody was hired or joined, or something began: they tell for how long."""

from __future__ import annotations

import re

import numpy as np

from probtrees.table.cells.dates import DAYS_OF_YEAR, today
from probtrees.table.cells.raw_table import Dates
from probtrees.table.infer.row_weights import name_words
from probtrees.table.table_report import Finding, Fix

START = "start date"
"""The kind of the finding."""

_BEGAN = re.compile(
    r"\b(hir(e|ed|ing)|join(ed|ing)?|employed|employment|start(ed|ing)?|entry|entered|since|"
    r"onboard(ed|ing)?|opened|opening|enrol+(ed|ment)|begin|began|"
    r"debut|début|entrée|entree|depuis|arrivée|ingreso|alta|inicio|início|inizio|assunzione|"
    r"admissão|ingresso|desde|seit|indienst|aanvang|ansat|tiltr\w*|nástup\w*|belépés\w*)\b|"
    r"\w*(eintritt|einstell|beginn|anstell|dienstantritt|embauche|contrata|zatrudni|rozpocz|"
    r"indiensttreding|startdat|anställ|ansættelse|ansettelse|aloitus)\w*|"
    r"при[её]ма|трудоустр|начал|işe giriş|başlangıç|入社|入職|入职|入会|開始|开始|입사|가입",
    re.I,
)


def are_start_dates(name: str, column: Dates) -> bool:
    """Whether dates are called like those on which something began, and lie over a year apart.

    >>> days = Dates.of(np.array([0.0, 4000.0, 9000.0]))
    >>> [are_start_dates(name, days) for name in ("HireDate", "Eintrittsdatum", "sent_on")]
    [True, True, False]
    """
    known = column.days[~column.missing]
    if not len(known) or known.max() > today() + 1:
        return False
    first, last = np.quantile(known, [0.05, 0.95])
    words = f"{name.replace('_', ' ')} {' '.join(name_words(name))}"
    return bool(last - first > DAYS_OF_YEAR and _BEGAN.search(words))


def start_finding(name: str) -> Finding:
    """Ask whether such a date is to be used as a number of years."""
    return Finding(
        name,
        START,
        f"Column {name!r} seems to say when somebody or something began, and is ignored; the years "
        "since then may tell more than the date.",
        "Use the years since then (--age), counted on another date of the same row or on the "
        "newest one of the table.",
        "warning",
        (Fix("Use the years since then", "ages", name),),
    )
