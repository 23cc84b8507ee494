"""Dates of birth, which unlike other dates say something about a person: the age."""

from __future__ import annotations

import numpy as np

from probtrees.table.cells.dates import today
from probtrees.table.cells.raw_table import Dates
from probtrees.table.infer.recognise_numbers import IGNORE
from probtrees.table.infer.settle_dates import BIRTH
from probtrees.table.table_report import Finding

_YEAR = 365.25
_SPREAD, _LONG_AGO = 30 * _YEAR, 10 * _YEAR


def are_birth_dates(name: str, column: Dates) -> bool:
    """Whether dates are those of births: called so, or spread over decades and all long ago."""
    known = column.days[~column.missing]
    if not len(known) or known.max() > today() + 1:
        return False
    first, last = np.quantile(known, [0.05, 0.95])
    if BIRTH.search(name.replace("_", " ")):
        return True
    return bool(last - first > _SPREAD and today() - known.max() > _LONG_AGO)


def birth_finding(name: str) -> Finding:
    """Say that birth dates are used."""
    return Finding(
        name,
        "birth",
        f"Column {name!r} holds birth dates and is used: it tells how old somebody is.",
        "Ignore it if age must not matter.",
        "note",
        (IGNORE,),
    )
