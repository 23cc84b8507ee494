"""Numbers under the name of a code: industries, cost centres, diagnoses.

They name and do not measure, though a tree would ask whether the code is at most 4719. Whether they
are rather categories, a person must say.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import Numbers
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.infer.recognise_numbers import Recognised
from probtrees.table.table_report import Finding, Fix

_CALLED = re.compile(
    r"(^|[\W_])(codes?|kode|código|codigo|codice|kod|код|コード|代码|代碼|nace|naics|isco|"
    r"icd[- ]?(9|10)?|drg|mcc|kst|kostenstelle|cost ?cent(er|re)|fips|ags)($|[\W_\d])",
    re.I,
)
_FEWEST, _MOST = 3, 1000
_LEAST = 10.0
"""Codes of one digit may be grades."""


def ask_about_codes(name: str, found: Recognised) -> Recognised:
    """Ask whether numbers are codes where their name says so.

    >>> codes = Recognised(Numbers(np.array([4711.0, 4719.0, 6201.0] * 9)), "numeric")
    >>> [len(ask_about_codes(name, codes).findings) for name in ("NACE code", "encoded")]
    [1, 0]
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    column = found.column
    if found.type != "numeric" or not isinstance(column, Numbers) or not _CALLED.search(split):
        return found
    known = np.unique(column.values[~np.isnan(column.values)])
    n_rows = int((~np.isnan(column.values)).sum())
    if not _FEWEST <= len(known) <= min(_MOST, n_rows // 2) or known[-1] < _LEAST or known[0] < 0:
        return found
    finding = Finding(
        name,
        "codes",
        f"Column {name!r} holds {len(known):,} different numbers ({spell(known[0])} to "
        f"{spell(known[-1])}), which its name calls codes; they are read as amounts.",
        "Treat them as categories if a larger one is not more of something.",
        "warning",
        (Fix("Treat as categories", "type", "nominal"),),
    )
    return replace(found, findings=(*found.findings, finding))
