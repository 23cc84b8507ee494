"""Cells that are empty because they were merged with the one above, where no file says so.

Saved as CSV, of cells that reach over several rows the first keeps its value. Such a column has a
value in its first row, then blanks, then another value, in steps of about the same length; values
that are missing by chance come in steps of any length.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import Numbers, RawColumn, Texts

_FEWEST_BLOCKS = 3
_MOST_VARIED = 0.6
"""Standard deviation of the lengths of the steps, as a share of their mean; by chance about 1."""
_MOSTLY = 0.8


def filled_down(column: RawColumn) -> RawColumn:
    """Repeat every value in the empty cells below it."""
    rows = np.where(column.missing, -1, np.arange(len(column.missing)))
    above = np.maximum.accumulate(rows) if len(rows) else rows
    if isinstance(column, Numbers):
        return replace(column, values=np.where(above < 0, np.nan, column.values[above]))
    return replace(column, codes=np.where(above < 0, -1, column.codes[above]).astype(np.int32))


def may_be_merged(column: RawColumn) -> bool:
    """Whether a column looks like merged cells of which each kept its first row only."""
    if not len(column.missing) or column.missing[0] or not column.missing.any():
        return False
    if isinstance(column, Texts) and (column.declared or column.boolean):
        return False
    begins = np.flatnonzero(~column.missing)
    lengths = np.diff(np.append(begins, len(column.missing)))
    if len(begins) < _FEWEST_BLOCKS or np.mean(lengths > 1) < _MOSTLY:
        return False
    values = column.values if isinstance(column, Numbers) else column.codes
    changes = np.mean(values[begins][1:] != values[begins][:-1])
    inner = lengths[:-1]  # the last one may have been cut
    return bool(changes >= _MOSTLY and inner.std() <= _MOST_VARIED * inner.mean())
