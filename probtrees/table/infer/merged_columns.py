"""Offer to fill down columns whose cells were merged before the table was saved."""

from __future__ import annotations

from probtrees.table.cells.fill_down import filled_down, may_be_merged
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.dataset import Schema
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
