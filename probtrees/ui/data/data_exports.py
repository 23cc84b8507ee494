"""What can be taken away from the Data page: how the table is read, as code, and its columns."""

from __future__ import annotations

import shlex

import pandas as pd
import streamlit as st

from probtrees.draw.escape import csv_text
from probtrees.table.table_report import TableReport
from probtrees.ui.data.draft import Draft
from probtrees.ui.shared.recipe import reading_flags
from probtrees.ui.shared.table_source import Reading


def export_drawer(draft: Draft, report: TableReport) -> None:
    """Offer the reading as a command line and as Python, and the columns as a table."""
    file = f"{draft.sample}.csv" if draft.upload is None else draft.upload.name
    st.code(command_line(file, report.target, draft.reading), language="bash", wrap_lines=True)
    st.code(python_code(file, report.target, draft.reading), language="python")
    st.download_button(
        "Columns (CSV)",
        lambda: columns_csv(report),
        file_name="columns.csv",
        mime="text/csv",
        on_click="ignore",
        help="Name, role, type, missing share, different values, and what was found.",
    )


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


def command_line(file: str, target: str | None, reading: Reading) -> str:
    """Write the command that reads the table like this."""
    parts = ["probtrees", "grow", file]
    if target is not None:
        parts += ["--target", target]
    parts += reading_flags(reading)
    return " ".join(shlex.quote(part) for part in parts)


def python_code(file: str, target: str | None, reading: Reading) -> str:
    """Write the Python lines that read the table like this."""
    given = [repr(file)]
    if target is not None:
        given.append(f"target={target!r}")
    roles = {column: role for column, role in reading.roles if role != "target"}
    if roles:
        given.append(f"roles={roles!r}")
    if reading.types:
        given.append(f"types={dict(reading.types)!r}")
    if reading.bin_target is not None:
        given.append(f"bin_target={reading.bin_target}")
    if reading.repeats != "auto":
        given.append(f"repeats={reading.repeats!r}")
    return f"import probtrees\n\ndata = probtrees.read_table({', '.join(given)})"
