"""What stands below the questions of the Data page: findings, columns, class balance, rows."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.table.findings import ROLES, UnreadableTableError
from probtrees.table.read_options import TYPES
from probtrees.table.table_report import TableReport
from probtrees.ui.shared.questions import MOST_ASKED, open_questions, show_finding
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.table_source import ChosenTable, current_source, say, say_target
from probtrees.words import percent, plural, rows_text

_SHOWN_TYPES = {"decimal point": "number like 1,234.5", "decimal comma": "number like 1.234,5"}
_MOST_COLUMNS = 300
"""Columns that are listed for editing; more would be slow to draw."""


def why_not(problem: ProbTreesError) -> None:
    """Say why a file cannot be read, with other ways to read it."""
    if not isinstance(problem, UnreadableTableError):
        st.error(markdown_text(str(problem)))
        return
    st.error(markdown_text(problem.problem))
    for number, found in enumerate(problem.findings):
        show_finding(found, number)


def findings(report: TableReport) -> None:
    """List what people should know, with one-click remedies: first what needs an answer."""
    errors = [found for found in report.findings if found.severity == "error"]
    asked = [found for found in open_questions(report) if found not in errors]
    shown = [*errors, *asked[:MOST_ASKED]]
    for number, found in enumerate(shown):
        show_finding(found, number)
    left = asked[MOST_ASKED:]
    # Why a column is left out stands beside its chip.
    aside = {column.name for column in report.columns if column.role == "ignore"}
    told = [f for f in report.findings if f.question == "aside" and f.column in aside]
    folded = [*left, *(f for f in report.findings if f not in (*shown, *left, *told))]
    if folded:
        words = f"{plural(len(folded), 'things')} to know about how the table is read"
        words += f", {plural(len(left), 'questions')} among them" if left else ""
        # By its key it stays open when an answer changes the number in its name.
        with st.expander(words, key="data.more"):
            for number, found in enumerate(folded, start=len(shown)):
                show_finding(found, number)


def columns_table(source: ChosenTable, report: TableReport) -> None:
    """Show every column; its role, its type and what means missing in it can be changed."""
    shown = report.columns[:_MOST_COLUMNS]
    frame = pd.DataFrame(
        {
            "column": column.name,
            "role": column.role,
            "type": source.said.types.get(column.name, column.type),
            "missing": 100 * column.missing_share,
            "means missing": ", ".join(column.means_missing),
            "values": column.n_distinct,
            "examples": ", ".join(column.examples),
            "histogram": column.bars,
        }
        for column in shown
    )
    if any(column.label for column in shown):
        frame.insert(1, "label", [column.label for column in shown])
    config: dict[str, Any] = {
        "role": st.column_config.SelectboxColumn(
            options=list(ROLES),
            required=True,
            help="feature: predicted from; target: predicted; ignore: left out; weight: how often "
            "a row counts; group: rows that stay in one fold; time: folds train on the past.",
        ),
        "type": st.column_config.SelectboxColumn(
            options=sorted({*TYPES, *frame["type"]}),
            format_func=lambda kind: _SHOWN_TYPES.get(str(kind), str(kind)),
            required=True,
            help="What the column holds, or how its cells are to be read.",
        ),
        "missing": st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100),
        "means missing": st.column_config.TextColumn(
            help="Cells that say the value is not known, such as 999 or unknown, with commas "
            "between them."
        ),
        "values": st.column_config.NumberColumn(help="How many different values."),
        "histogram": st.column_config.BarChartColumn(y_min=0),
    }
    key = f"data.columns {source.key}"
    st.data_editor(
        frame,
        hide_index=True,
        disabled=["column", "label", "missing", "values", "examples", "histogram"],
        column_config=config,
        key=key,
        on_change=_take_edits,
        args=(key, [column.name for column in shown]),
    )
    if len(report.columns) > _MOST_COLUMNS:
        st.caption(f"The first {_MOST_COLUMNS} of {len(report.columns):,} columns.")


def _take_edits(key: str, names: list[str]) -> None:
    """Take what was changed in the table of columns for said."""
    for row, cells in st.session_state[key]["edited_rows"].items():
        name, said = names[row], current_source().said
        if cells.get("role") == "target":
            say_target(name)
        elif "role" in cells:
            say(said.with_role(name, cells["role"]))
        if "type" in cells:
            say(current_source().said.with_type(name, cells["type"]))
        if "means missing" in cells:
            texts = [text.strip() for text in (cells["means missing"] or "").split(",")]
            say(current_source().said.with_missing(name, list(filter(None, texts))))


def class_balance(report: TableReport) -> None:
    """Show how many rows each class has."""
    if not report.class_counts:
        return
    total = max(sum(count for _, count in report.class_counts), 1)
    rows = [{"class": k, "rows": n, "share": 100 * n / total} for k, n in report.class_counts]
    share = st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100)
    st.markdown(f"**Classes of {markdown_text(report.target or '')}**")
    counts = st.column_config.NumberColumn(format="localized")
    columns = {"rows": counts, "share": share}
    show_table(rows, "data.classes", "Rows and share of every class", columns)


def first_rows(report: TableReport) -> None:
    """Show how the table begins; what was understood of its cells stands with the columns."""
    st.markdown("**First rows**, missing cells empty")
    st.dataframe(pd.DataFrame({c.name: c.first for c in report.columns}), hide_index=True)


def headline(source: ChosenTable, report: TableReport) -> str:
    """Say what the table is in one line."""
    n_missing = sum(column.n_missing for column in report.columns)
    cells = max(report.n_rows * len(report.columns), 1)
    words = f"target: **{markdown_text(report.target)}**" if report.target else "no target"
    return (
        f"**{markdown_text(source.name)}** · {rows_text(report.n_rows)} · "
        f"{plural(len(report.columns), 'columns')} · {percent(n_missing / cells)} of the cells "
        f"missing · {words}"
    )
