"""Years as Thailand counts them: 2565 is 2022, under the name of a year.

Alone they are as good as others, which a line says. Beside those of the other calendar they are
543 years off, which nobody can want.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from probtrees.table.cells.dates import THAI_AHEAD, THAI_YEARS
from probtrees.table.cells.raw_table import Numbers
from probtrees.table.infer.recognise_numbers import IGNORE, Recognised
from probtrees.table.table_report import Finding, Fix

OTHER_YEARS = "other years"
"""The kind of the findings about them."""
_CALLED = re.compile(
    r"(?:^|[\W_]|birth|geburts)(?:year|yr|jahr|année|annee|año|ano|anno|rok|år|jaar|year of birth)"
    r"(?:$|[\W_])|ปี|พ\.? ?ศ|B\.?E\.?(?:$|[\W_])|วัน|年",
    re.I,
)
_USUAL = (1900, 2100)
_FEWEST, _FEWEST_ROWS = 3, 2


def tell_thai_years(name: str, found: Recognised) -> Recognised:
    """Say of years that they are those of Thailand, and warn where others are among them."""
    column = found.column
    if found.type != "numeric" or not isinstance(column, Numbers) or not _CALLED.search(name):
        return found
    known = column.values[~column.missing]
    is_thai, is_usual = ((known >= first) & (known <= last) for first, last in (THAI_YEARS, _USUAL))
    are_years = bool((is_thai | is_usual).all()) and bool((known == np.floor(known)).all())
    if not are_years or len(np.unique(known)) < _FEWEST or is_thai.sum() < _FEWEST_ROWS:
        return found
    year = int(known[is_thai].max())
    example = f"{year} is {year - THAI_AHEAD}"
    if is_usual.any():
        usual = int(known[is_usual].max())
        few = min(int(is_thai.sum()), int(is_usual.sum()))
        finding = Finding(
            name,
            OTHER_YEARS,
            f"Column {name!r} holds years of two calendars, {usual} and {year} "
            f"as Thailand counts ({example}), the rarer ones in {few:,} of {len(known):,} cells.",
            f"Take {THAI_AHEAD} off the later ones in the file, or ignore the column.",
            "warning",
            (IGNORE, Fix("Keep the numbers", "type", "numeric")),
        )
    else:
        sentence = f"Column {name!r} holds years as Thailand counts them ({example})."
        finding = Finding(name, OTHER_YEARS, sentence, severity="note")
    return replace(found, findings=(*found.findings, finding))
