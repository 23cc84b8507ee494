"""Clock times with a point under the name of a time: 13.15 is 13:15, as Finns and Germans write it.

They look like numbers, of which none has more than .59 behind the point. A name such as Uhrzeit or
klo says so; where it may mean a duration (time, Zeit) there must be many different ones.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from probtrees.table.cells.clock_times import hours_of_points
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, Texts
from probtrees.table.cells.spelled_numbers import CLOCK
from probtrees.table.infer.recognise_numbers import Recognised, recognise_numbers
from probtrees.table.spelling import Spelling
from probtrees.table.table_report import Finding, Fix
from probtrees.types import FloatArray

_OF_CLOCK = re.compile(
    r"uhr(zeit)?|klo|kello(naika)?|kl|klockslag|klockan|klokkeslæt|klokkeslett|hora|horas|heure|"
    r"heures|ora|ore|orario|godzina|godz|clock|hhmm|время|óra|kloktijd|tijdstip",
    re.I,
)
_OF_TIME = re.compile(r"\w*(time|zeit|tid|tijd|aika|čas|saat)", re.I)
_WORDS = re.compile(r"[^\W\d_]+")
_FEWEST, _FEWEST_IN_DOUBT, _FEWEST_MINUTES = 5, 20, 10
_HOURS, _HALF = 24, 30


def pointed_times(name: str, column: RawColumn) -> Recognised | None:
    """Read numbers as clock times if the name and all of them say so."""
    words = _WORDS.findall(name.replace("_", " "))
    is_clock = any(map(_OF_CLOCK.fullmatch, words))
    if isinstance(column, Dates) or not (is_clock or any(map(_OF_TIME.fullmatch, words))):
        return None
    if isinstance(column, Numbers) and column.declared:
        return None
    numbers = column.as_numbers()
    known = np.unique(numbers.values[~numbers.missing])
    hours = hours_of_points(known)
    if not len(known) or known.max() >= _HOURS or np.isnan(hours).any():
        return None
    minutes = np.round(known * 100) % 100
    n_times, n_minutes = len(known), len(np.unique(minutes))
    many = n_times >= _FEWEST_IN_DOUBT and n_minutes >= _FEWEST_MINUTES
    if not (many or (is_clock and n_times >= _FEWEST)) or not _are_minutes(minutes):
        return None
    decimal = column.numbers.spelling.decimal if isinstance(column, Texts) else "."
    found = recognise_numbers(name, Numbers(hours_of_points(numbers.values), scaled=True))
    last = f"{known[-1]:.2f}"
    told = Finding(
        name,
        "number spelling",
        f"Column {name!r} holds clock times with a point: {last} is read as "
        f"{last.replace('.', ':')}.",
        "Set its type to 'numeric' to take them as numbers.",
        "note",
        (Fix("Read as numbers", "type", "numeric"),),
    )
    spelling = Spelling(decimal, CLOCK, pointed=True)
    return replace(found, findings=(told, *found.findings), spelling=spelling)


def _are_minutes(behind: FloatArray) -> bool:
    """Whether what stands behind the points are no tenths: two digits, or halves that are 30."""
    return bool((behind % 10 != 0).any() or ((behind == _HALF).any() and behind.max() <= _HALF))
