"""Offer to fill down columns whose cells were merged before the table was saved."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from probtrees.table.cells.fill_down import filled_down, may_be_merged
from probtrees.table.cells.raw_table import RawTable, Texts
from probtrees.table.dataset import Schema
from probtrees.table.infer.identifying_numbers import MIN_ROWS
from probtrees.table.infer.recognise import recognise
from probtrees.table.infer.repeated_identifiers import repeated_finding
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding, Fix

FILL_DOWN = "fill down"
"""The kind of the finding that offers it."""

_FIRST_COLUMNS = 3
"""What rows are grouped by stands before what is told of them."""


def fill_down(raw: RawTable, options: ReadOptions) -> tuple[Finding, ...]:
    """Fill the columns down of which somebody said so, and offer it for others."""
    for name in options.fill_down:
        if name in raw.columns:
            raw.columns[name] = filled_down(raw.columns[name])
    first = [name for name in raw.names[:_FIRST_COLUMNS] if name in raw.columns]
    asked = [name for name in first if name not in options.roles and name not in options.fill_down]
    return tuple(_offer(name, raw) for name in asked if may_be_merged(raw.columns[name]))


def naming_blocks(raw: RawTable, options: ReadOptions) -> frozenset[str]:
    """Name the columns to be filled down that say whose rows they are: each block has another name.

    Of sheets that are read as one table every one may have the same blocks.
    """
    asked = [n for n in options.fill_down if n in raw.columns and n not in options.roles]
    return frozenset(n for n in asked if n not in options.types and _names_blocks(n, raw))


def _names_blocks(name: str, raw: RawTable) -> bool:
    column = raw.columns[name]
    if recognise(name, column).type == "identifier":
        return True
    sheet = raw.columns.get(raw.origin or "")
    if not isinstance(column, Texts) or not isinstance(sheet, Texts) or sheet is column:
        return False
    known = ~column.missing
    blocks = np.stack([sheet.codes[known], column.codes[known]])
    all_differ = np.unique(blocks, axis=1).shape[1] == blocks.shape[1]
    return bool(all_differ and column.n_distinct >= MIN_ROWS)


def as_filled(
    plan: ColumnPlan, raw: RawTable, options: ReadOptions, naming: Collection[str]
) -> ColumnPlan:
    """Let a model remember that a column was filled down; what says whose rows they are stays out.

    Parameters
    ----------
    naming : what :func:`naming_blocks` returned before the columns were filled
    """
    if plan.name not in options.fill_down:
        return plan
    if plan.name in naming and plan.role == "feature":
        column = raw.columns[plan.name]
        n_known = int((~column.missing).sum())
        whose = repeated_finding(plan.name, column.as_texts().n_distinct, n_known)
        return replace(plan, role="ignore", columns=(), findings=(whose,))
    columns = (replace(c, spelling=replace(c.spelling, filled=True)) for c in plan.columns)
    return replace(plan, columns=tuple(columns))


def fill_as_trained(raw: RawTable, schema: Schema) -> None:
    """Fill the columns of a table to predict that were filled in training."""
    for name in {column.source_name for column in schema.columns if column.spelling.filled}:
        if name in raw.columns:
            raw.columns[name] = filled_down(raw.columns[name])


def _offer(name: str, raw: RawTable) -> Finding:
    column = raw.columns[name]
    n_known = int((~column.missing).sum())
    return Finding(
        None,
        FILL_DOWN,
        f"Column {name!r} has a value in {n_known:,} of {raw.n_rows:,} rows, each followed by "
        "empty cells, as merged cells are saved.",
        "Fill them down if each value holds for the rows below it (--fill-down).",
        "warning",
        (Fix(f"Fill {name!r} down", "fill_down", name),),
    )
