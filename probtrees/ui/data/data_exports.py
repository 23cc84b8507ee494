"""What can be taken away from the Data page: how the table is read, as code, and its columns."""

from __future__ import annotations

import pandas as pd

from probtrees.draw.escape import csv_text
from probtrees.table.table_report import TableReport
from probtrees.ui.shared.exports import Export, ExportTab
from probtrees.ui.shared.recipe import Recipe, show_recipe
from probtrees.ui.shared.table_source import ChosenTable

TableOnShow = tuple[ChosenTable, TableReport]


def _show_reading(shown: TableOnShow) -> TableReport:
    """Show what reads the table like this."""
    source, report = shown
    show_recipe(Recipe(source, report.target))
    return report


def columns_csv(report: TableReport) -> str:
    """Write the columns as CSV, text that a spreadsheet would run made harmless."""
    frame = pd.DataFrame(
        [
            {
                "column": csv_text(column.name),
                "role": column.role,
                "type": column.type,
                "missing share": column.missing_share,
                "different values": column.n_distinct,
                "examples": csv_text(", ".join(column.examples)),
                "findings": csv_text(" ".join(str(found) for found in column.findings)),
            }
            for column in report.columns
        ]
    )
    return str(frame.to_csv(index=False))


COLUMNS: Export[TableReport] = Export(
    "columns.csv",
    "Columns (CSV)",
    columns_csv,
    help="Name, role, type, missing share, different values, and what was found.",
)

DATA_EXPORTS: tuple[ExportTab[TableReport], ...] = (
    ExportTab("Columns", _show_reading, (COLUMNS,)),
)
