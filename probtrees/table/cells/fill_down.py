"""Cells that are empty because another one speaks for them: the one above, or of the same person.

Saved as CSV, of cells that reach over several rows the first keeps its value. Such a column has a
value in its first row, then blanks, then another value, in steps of about the same length; values
that are missing by chance come in steps of any length.

In tables of visits what never changes, such as a sex, stands in one row of each person.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, Texts
from probtrees.types import IntArray

_FEWEST_BLOCKS = 3
_MOST_VARIED = 0.6
"""Standard deviation of the lengths of the steps, as a share of their mean; by chance about 1."""
_MOSTLY = 0.8


def filled_down(column: RawColumn) -> RawColumn:
    """Repeat every value in the empty cells below it."""
    rows = np.where(column.missing, -1, np.arange(len(column.missing)))
    above = np.maximum.accumulate(rows) if len(rows) else rows
    return _taken(column, above)


def _taken(column: RawColumn, rows: IntArray) -> RawColumn:
    """Return the cells of other rows of a column; -1 stands for an empty one."""
    if isinstance(column, Numbers):
        return replace(column, values=np.where(rows < 0, np.nan, column.values[rows]))
    return replace(column, codes=np.where(rows < 0, -1, column.codes[rows]).astype(np.int32))


class SaidOfSame(NamedTuple):
    """What the rows of one person say in a column.

    Attributes
    ----------
    rows : for every row the one that speaks for it: itself, or the first of the same person with a
        value, unless these differ; -1 where none does
    differ : which rows are of a person whose values differ
    n_said, n_differ : persons with a value, and with different ones
    """

    rows: IntArray
    differ: NDArray[np.bool_]
    n_said: int
    n_differ: int


def said_of_same(column: RawColumn, persons: IntArray) -> SaidOfSame:
    """Look which value the rows of one person have.

    Parameters
    ----------
    persons : the number of the person of each row, see :func:`numbered`; -1 where not known
    """
    values, own = numbered(column), np.arange(len(persons))
    known = (values >= 0) & (persons >= 0)
    n_persons = int(persons.max(initial=-1)) + 1
    first = np.full(n_persons, len(persons), dtype=np.int64)
    np.minimum.at(first, persons[known], own[known])
    has_value = first < len(persons)
    others = np.zeros(n_persons, dtype=np.bool_)
    others[persons[known][values[known] != values[first[persons[known]]]]] = True
    speaks = np.append(np.where(has_value & ~others, first, -1), -1)  # the last is for no person
    rows = np.where(values >= 0, own, speaks[persons])
    differ = np.append(others, False)[persons]
    return SaidOfSame(rows, differ, int(has_value.sum()), int(others.sum()))


def filled_from_same(column: RawColumn, persons: IntArray) -> RawColumn:
    """Take empty cells from other rows of the same person, where these do not differ."""
    return _taken(column, said_of_same(column, persons).rows)


def numbered(column: RawColumn) -> IntArray:
    """Return a number for every different value of a column; -1 where one is missing."""
    if isinstance(column, Texts):
        return column.codes.astype(np.int64)
    values = column.days if isinstance(column, Dates) else column.values
    found = np.full(len(values), -1, dtype=np.int64)
    known = ~np.isnan(values)
    found[known] = np.unique(values[known], return_inverse=True)[1]
    return found


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
