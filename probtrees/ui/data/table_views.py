"""What the Data page shows: findings with remedies, columns, class balance, rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.score.prevalence import rarest_outcome
from probtrees.table.read_options import ROLES, TYPES
from probtrees.table.table_report import Finding, TableReport
from probtrees.ui.data.draft import OUTCOME_NAME, apply_fix, keep
from probtrees.ui.shared import state
from probtrees.ui.shared.table_source import TableSource
from probtrees.words import percent, rows_text

_ICONS = {"note": ":material/info:", "warning": ":material/warning:", "error": ":material/error:"}
_MOST_COLUMNS = 300
"""Columns that are listed for editing; more would be slow to draw."""
_MOST_FINDINGS = 12


def findings(draft: TableSource, report: TableReport) -> None:
    """List what people should know, with one-click remedies."""
    order = {"error": 0, "warning": 1, "note": 2}
    ordered = sorted(report.findings, key=lambda found: order[found.severity])
    for number, found in enumerate(ordered[:_MOST_FINDINGS]):
        _finding(draft, found, number)
    if len(ordered) > _MOST_FINDINGS:
        with st.expander(f"{len(ordered) - _MOST_FINDINGS} more findings"):
            for number, found in enumerate(ordered[_MOST_FINDINGS:], start=_MOST_FINDINGS):
                _finding(draft, found, number)


def _finding(draft: TableSource, found: Finding, number: int) -> None:
    """Show one finding with its remedies."""
    settled = found.kind == "rare class" and st.session_state.get("c45.separate_rows")
    words, buttons = st.columns([5, 2], vertical_alignment="center")
    with words:
        box = {"error": st.error, "warning": st.warning, "note": st.info}[found.severity]
        if settled:
            box = st.success
        icon = ":material/check:" if settled else _ICONS[found.severity]
        box(markdown_text(str(found)), icon=icon)
    with buttons, st.container(horizontal=True, key=f"remedies_{number}"):
        for fix in () if settled else found.fixes:
            st.button(
                markdown_text(fix.label),
                key=f"data.fix {number} {fix.label}",
                on_click=apply_fix,
                args=(draft, found.column, fix),
            )
    if settled:
        st.caption("Half of the rows give the tree its shape, the other half its numbers.")


def columns_table(draft: TableSource, report: TableReport) -> None:
    """Show every column; its role and its type can be changed."""
    shown = report.columns[:_MOST_COLUMNS]
    frame = pd.DataFrame(
        {
            "column": [column.name for column in shown],
            "role": [column.role for column in shown],
            "type": [column.type for column in shown],
            "missing": [100 * column.missing_share for column in shown],
            "values": [column.n_distinct for column in shown],
            "examples": [", ".join(column.examples) for column in shown],
            "histogram": [[count for _, count in column.bars] for column in shown],
        }
    )
    types = sorted({*TYPES, *(column.type for column in shown)})
    config: dict[str, Any] = {
        "role": st.column_config.SelectboxColumn(
            options=list(ROLES),
            required=True,
            help="feature: predicted from; target: predicted; ignore: left out; weight: how often "
            "a row counts; group: rows that stay in one fold; time: folds train on the past.",
        ),
        "type": st.column_config.SelectboxColumn(
            options=types, required=True, help="What the column holds."
        ),
        "missing": st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100),
        "values": st.column_config.NumberColumn(help="How many different values."),
        "histogram": st.column_config.BarChartColumn(y_min=0),
    }
    edited = st.data_editor(
        frame,
        hide_index=True,
        disabled=["column", "missing", "values", "examples", "histogram"],
        column_config=config,
        key=f"data.columns {hash((draft.name, draft.reading))}",
    )
    if len(report.columns) > _MOST_COLUMNS:
        st.caption(f"The first {_MOST_COLUMNS} of {len(report.columns):,} columns.")
    reading = draft.reading
    for before, after in zip(shown, edited.itertuples(), strict=True):
        if after.role != before.role:
            reading = reading.with_role(before.name, str(after.role))
        if after.type != before.type:
            reading = reading.with_type(before.name, str(after.type))
    if reading != draft.reading:
        keep(replace(draft, reading=reading))
        st.rerun()


def class_balance(draft: TableSource, report: TableReport) -> None:
    """Show how many rows each class has, and ask which of them the questions are about."""
    if not report.class_counts:
        return
    total = max(sum(count for _, count in report.class_counts), 1)
    frame = pd.DataFrame(
        {
            "class": [name for name, _ in report.class_counts],
            "rows": [count for _, count in report.class_counts],
            "share": [100 * count / total for _, count in report.class_counts],
        }
    )
    st.markdown(f"**Classes of {markdown_text(report.target or '')}**")
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "share": st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=100)
        },
        key="data.classes",
        alt="Rows and share of every class",
    )
    _choose_outcome(draft, report)


def _choose_outcome(draft: TableSource, report: TableReport) -> None:
    """Ask for the outcome of interest; the rarest at first."""
    names = [name for name, _ in report.class_counts]
    chosen = st.session_state.get(state.OUTCOME)
    if draft.is_in_use and chosen is not None and chosen < len(names):
        st.session_state[OUTCOME_NAME] = names[chosen]
    elif st.session_state.get(OUTCOME_NAME) not in names:
        st.session_state[OUTCOME_NAME] = names[
            rarest_outcome(np.array([count for _, count in report.class_counts], dtype=np.float64))
        ]
    st.selectbox(
        "Outcome of interest",
        names,
        key=OUTCOME_NAME,
        persist_state="session",
        on_change=_use_outcome,
        args=(draft, names),
        help="Pictures, sentences and costs of the other pages are about this outcome.",
    )


def _use_outcome(draft: TableSource, names: list[str]) -> None:
    """Let the other pages ask about the chosen outcome, if they show this table."""
    if draft.is_in_use:
        st.session_state[state.OUTCOME] = names.index(st.session_state[OUTCOME_NAME])


def first_rows(report: TableReport) -> None:
    """Show how the table begins."""
    names = [column.name for column in report.columns]
    st.markdown("**First rows**")
    st.dataframe(pd.DataFrame(list(report.first_rows), columns=names), hide_index=True)


def headline(draft: TableSource, report: TableReport) -> str:
    """Say what the table is in one line."""
    n_missing = sum(column.n_missing for column in report.columns)
    cells = max(report.n_rows * len(report.columns), 1)
    target = report.target
    words = "no target" if target is None else f"target: **{markdown_text(target)}**"
    return (
        f"**{markdown_text(draft.name)}** · {rows_text(report.n_rows)} · {len(report.columns):,} "
        f"columns · {percent(n_missing / cells)} of the cells missing · {words}"
    )
