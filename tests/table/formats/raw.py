"""Read a table without deciding what its columns mean."""

from collections.abc import Iterable
from typing import Any

from probtrees.table.formats.open_table import open_table
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions


def raw(source: Any, **options: Any) -> RawTable:
    """Read a source, or the lines of a CSV, all columns."""
    if isinstance(source, list) and isinstance(source[0], str):
        source = ("t.csv", "\n".join(source).encode())
    return open_table(source, ReadOptions(**options, all_columns=True)).raw


def column(table: RawTable, name: str) -> list[str]:
    """Return the cells of a column as people would write them, empty where missing."""
    return [table.columns[name].cell(row) for row in range(table.n_rows)]


def columns(table: RawTable) -> dict[str, list[str]]:
    """Return all cells by column."""
    return {name: column(table, name) for name in table.columns}


def kinds(table: RawTable) -> Iterable[str]:
    """Return the kinds of all findings."""
    return [found.kind for found in table.findings]
