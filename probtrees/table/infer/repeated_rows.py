"""Rows that stand in a table twice: every cell is the same, also that which identifies a row."""

from __future__ import annotations

import numpy as np

from probtrees.table.cells.raw_table import RawTable
from probtrees.table.infer.table_plan import TablePlan
from probtrees.table.read_options import ReadOptions
from probtrees.table.row_roles import identities_of
from probtrees.table.table_report import Finding, Fix

TWICE = "rows twice"
"""The kind of the finding."""


def ask_repeated_rows(raw: RawTable, plan: TablePlan, options: ReadOptions) -> tuple[Finding, ...]:
    """Ask about copies that an identifier tells to be the same cases, if nothing was said of them.

    The identifier is one that tells all other rows apart.
    """
    if plan.given is not None or options.repeats != "auto":
        return ()
    for column in plan.columns:
        if column.type != "identifier" or column.role == "target":
            continue
        n_copies = _copies_by(raw, column.name)
        if n_copies:
            return (_finding(column.name, n_copies, raw.n_rows),)
    return ()


def _copies_by(raw: RawTable, name: str) -> int:
    """Count rows that repeat another of the same identifier; 0 where some differ elsewhere."""
    whose = identities_of(raw, [name])
    if whose is None:
        return 0
    rows = np.flatnonzero(np.bincount(whose)[whose] > 1)
    contents = identities_of(raw, raw.names, rows)
    if contents is None or not len(rows):
        return 0
    n_contents = len(np.unique(contents))
    return len(rows) - n_contents if n_contents == len(np.unique(whose[rows])) else 0


def _finding(name: str, n_copies: int, n_rows: int) -> Finding:
    if n_copies == 1:
        verb, again = "repeats", "the same case stands there again, and counts"
    else:
        verb, again = "repeat", "the same cases stand there again, and count"
    return Finding(
        None,
        TWICE,
        f"{n_copies:,} of {n_rows:,} rows {verb} an earlier row in every cell, {name!r} included, "
        f"which tells all other rows apart: {again} again.",
        "Leave copies out (--repeats once), or keep them together when models are tested "
        "(--repeats together).",
        "warning",
        (
            Fix("Leave the copies out", "repeats", "once"),
            Fix("Keep copies together", "repeats", "together"),
        ),
    )
