"""The Data page: its help, what its link holds, what can be taken away, and other tables."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.report.table_files import csv_bytes
from probtrees.table.table_report import TableReport
from probtrees.ui.shared.exports import Export, ExportTab, Recipe, show_recipe
from probtrees.ui.shared.give_table import ask_file, pick_sample, take_dropped, take_file
from probtrees.ui.shared.kept_session import forget_table, is_kept, offer_last
from probtrees.ui.shared.page import Page, table_choices
from probtrees.ui.shared.session.bounded_cache import Upload, check_room
from probtrees.ui.shared.table_source import ChosenTable, forget_choices, has_choices

_HELP = """
**What you see.** The table as it is read, and what to know before believing a tree of it.

**Another table.** Drop a file anywhere, or take *Other table*: a file, cells, a sample.

**Three questions.** What you want to know, which outcome, what may not be used; all are guessed.

**Roles.** *weight* counts a row several times, *group* keeps rows of one patient or customer
together when models are tested, *time* trains on the past only.

**Go on.** *Grow the tree* opens the tree. Files too large to upload: `probtrees app --allow-paths`.
"""

DATA = Page("data", "Data", _HELP, table_choices)


def other_table(source: ChosenTable) -> None:
    """Offer another table, a fresh start with this one, and to forget it."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="other_table"):
        if source.upload is None:
            ask_file()
        with st.popover("Other table", icon=":material/table:", key=f"other {source.file_key}"):
            if source.upload is not None:
                ask_file()
            pick_sample()
            _ask_cells()
            if has_choices():
                st.button(
                    "Start afresh",
                    icon=":material/restart_alt:",
                    on_click=forget_choices,
                    help="Forgets what you said about the columns and chose on the pages.",
                )
            if source.upload is not None:
                _forget()
        offer_last()
    take_dropped()


def _ask_cells() -> None:
    """Ask for cells that were copied from a spreadsheet."""
    key = "pasted cells"
    st.text_area(
        "Cells copied from a spreadsheet",
        key=key,
        height=160,
        placeholder="age\tsex\till\n41\tf\tno\n52\tm\tyes",
        help="Select the cells with their names in the first line, copy them, and paste them here.",
    )
    if st.button("Read these cells", key="data.read pasted"):
        text: str = st.session_state.get(key, "")
        try:
            if text.strip():
                take_file(check_room(Upload("pasted.tsv", text.encode("utf-8"))))
        except ProbTreesError as problem:
            st.error(markdown_text(str(problem)))


def _forget() -> None:
    """Offer to delete the file; work on it is not lost unasked."""
    kept = "It is kept on this server for a day, for when you come back. " if is_kept() else ""
    icon = ":material/delete:"
    with st.expander("Forget this table", icon=icon):
        st.markdown(
            f"{kept}Delete the table with all that you said and chose about it? "
            "*Export*, *Session* saves it as a file first."
        )
        st.button("Delete it", type="primary", icon=icon, on_click=forget_table)


def _show_reading(shown: tuple[ChosenTable, TableReport]) -> TableReport:
    """Show what reads the table like this."""
    source, report = shown
    show_recipe(Recipe(source, report.target))
    return report


def columns_csv(report: TableReport) -> bytes:
    """Write the columns as CSV, text that a spreadsheet would run made harmless."""
    frame = pd.DataFrame(
        [
            {
                "column": column.name,
                "role": column.role,
                "type": column.type,
                "missing share": column.missing_share,
                "different values": column.n_distinct,
                "examples": ", ".join(column.examples),
                "findings": " ".join(str(found) for found in column.findings),
            }
            for column in report.columns
        ]
    )
    return csv_bytes(frame)


COLUMNS: Export[TableReport] = Export(
    "columns.csv",
    "Columns (CSV)",
    columns_csv,
    help="Name, role, type, missing share, different values, and what was found.",
)

DATA_EXPORTS: tuple[ExportTab[TableReport], ...] = (
    ExportTab("Columns", _show_reading, (COLUMNS,)),
)
