"""Cells that cannot be read as their column asks, left empty and noted row by row."""

from __future__ import annotations

import numpy as np

from probtrees.table.cells.convert import as_dates, as_numbers, cell
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, RawTable
from probtrees.table.dataset import Column, Schema

CellProblems = dict[int, list[str]]
"""What is wrong with rows, by their number from 0."""


def blank_unreadable(raw: RawTable, schema: Schema) -> CellProblems:
    """Empty the cells of a table that a schema's numbers and dates cannot be read from.

    Returns
    -------
    for every row with such a cell, what it holds: ``age='abc' is not a number``
    """
    problems: CellProblems = {}
    for column in schema.features:
        found = raw.columns.get(column.source_name)
        if found is None or column.is_nominal:
            continue
        readable, what = _readable(found, column, raw.decimal)
        wrong = np.flatnonzero(readable.missing & ~found.missing).tolist()
        for row in wrong:
            words = f"{column.source_name}={cell(found, row)!r} is not {what}"
            if words not in problems.setdefault(row, []):
                problems[row].append(words)
        if wrong:
            raw.columns[column.source_name] = readable
    return problems


def _readable(found: RawColumn, column: Column, decimal: str) -> tuple[Numbers | Dates, str]:
    """Read a column as its schema asks, missing where that fails."""
    if column.date_part is not None:
        return as_dates(found, column.day_first), "a date"
    values = as_numbers(found, decimal).values
    return Numbers(np.where(np.isinf(values), np.nan, values)), "a number"
