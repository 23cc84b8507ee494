"""A line of totals below the rows of a table, which is no row."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.table_report import Finding, Fix

_TOTAL = re.compile(
    r"((grand|sub)?[ -]?totals?|sum|summe|(end|gesamt)summe|gesamt|insgesamt|average|mean|"
    r"mittelwert|durchschnitt|somme|suma|totale)( .{0,20})?:?",
    re.I,
)
_FEWEST_ROWS = 4


def without_totals(raw: RawTable) -> RawTable:
    """Leave out the last row if a cell of it says that it is the total of those above.

    That cell must be the first text of the row, and its text must stand nowhere else in the
    column: "total" may also be a value.
    """
    found = _total(raw)
    if found is None:
        return raw
    columns = {name: _without_last(column) for name, column in raw.columns.items()}
    finding = Finding(
        None,
        "totals",
        f"The last row ({found!r}) sums up the rows above and is left out.",
        "Take the totals as written if it is a row like the others.",
        "note",
        (Fix("Keep the last row", "as_written", "totals"),),
    )
    return replace(raw, columns=columns, n_rows=raw.n_rows - 1, findings=(*raw.findings, finding))


def _total(raw: RawTable) -> str | None:
    """Return the cell of the last row that calls it a total."""
    if raw.n_rows < _FEWEST_ROWS:
        return None
    for column in raw.columns.values():
        if not isinstance(column, Texts) or column.declared or column.codes[-1] < 0:
            continue
        code = int(column.codes[-1])
        text = column.texts[code]
        alone = np.count_nonzero(column.codes == code) == 1
        return text if alone and _TOTAL.fullmatch(text) else None
    return None


def _without_last(column: RawColumn) -> RawColumn:
    if isinstance(column, Numbers):
        return replace(column, values=column.values[:-1])
    if isinstance(column, Dates):
        return replace(column, codes=column.codes[:-1])
    last = column.codes[-1]
    shorter = replace(column, codes=column.codes[:-1])
    is_gone = last >= 0 and not (shorter.codes == last).any()
    return shorter.without([column.texts[last]]) if is_gone else shorter
