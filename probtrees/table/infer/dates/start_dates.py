"""Dates on which somebody was hired or joined, or something began: they tell for how long."""

from __future__ import annotations

import re

import numpy as np

from probtrees.table.cells.dates import DAYS_OF_YEAR, today
from probtrees.table.cells.raw_table import Dates
from probtrees.table.infer.row_weights import name_words
from probtrees.table.table_report import Finding, Fix
from probtrees.types import FloatArray

START = "start date"
"""The kind of the finding."""

_LASTS = re.compile(
    r"\b(hir(e|ed|ing)|join(ed|ing)?|employed|employment|since|onboard(ed|ing)?|"
    r"enrol+(ed|ment)|entry into service|depuis|desde|seit|assunzione|admissão|indienst|ansat|"
    r"nástup\w*|belépés\w*)\b|"
    r"\w*(eintritt|einstell|anstell|dienstantritt|embauche|contrata|zatrudni|indiensttreding|"
    r"anställ|ansættelse|ansettelse)\w*|"
    r"при[её]ма|трудоустр|işe giriş|入社|入職|入职|入会|입사|가입",
    re.I,
)
"""Names of what begins once and lasts for years."""
_BEGAN = re.compile(
    r"\b(start(ed|ing)?|entry|entered|opened|opening|begin|began|diagnos(is|ed)|"
    r"debut|début|entrée|entree|arrivée|ingreso|alta|inicio|início|inizio|ingresso|aanvang|"
    r"tiltr\w*)\b|\w*(beginn|rozpocz|startdat|aloitus|erstdiagnos)\w*|"
    r"начал|başlangıç|開始|开始",
    re.I,
)
"""Names of anything that begins: a contract, or the walk that a row is about."""
_MINUTES = 24 * 60
"""Of a day."""
_MOST_TIMES = 3
"""Days that were written as times are at midnight, or where clocks changed at few others."""


def are_start_dates(name: str, column: Dates) -> bool:
    """Whether dates are called like those on which something began, and lie over a year apart.

    Not where the name may be that of an event and the dates have times of day, as those at which
    a row's own walk or measurement began.

    >>> days = Dates.of(np.array([0.0, 4000.0, 9000.0]))
    >>> [are_start_dates(name, days) for name in ("HireDate", "Eintrittsdatum", "sent_on")]
    [True, True, False]
    """
    known = column.days[~column.missing]
    if not len(known) or known.max() > today() + 1:
        return False
    first, last = np.quantile(known, [0.05, 0.95])
    if last - first <= DAYS_OF_YEAR:
        return False
    words = f"{name.replace('_', ' ')} {' '.join(name_words(name))}"
    if _LASTS.search(words):
        return True
    return _BEGAN.search(words) is not None and not _have_times(known)


def _have_times(days: FloatArray) -> bool:
    """Whether most days are moments, at many times of day."""
    times = np.round(days % 1 * _MINUTES)
    return len(np.unique(times)) > _MOST_TIMES and bool(np.mean(times > 0) > 0.5)


def start_finding(name: str) -> Finding:
    """Ask whether such a date is to be used as a number of years."""
    return Finding(
        name,
        START,
        f"Column {name!r} seems to say when somebody or something began, and is ignored; the years "
        "since then may tell more than the date.",
        "Use the years since then (--age), counted on another date of the same row or on the "
        "newest one of the table. A later table is counted on its own newest date, unless somebody "
        "says on which.",
        "warning",
        (Fix("Use the years since then", "ages", name),),
    )
