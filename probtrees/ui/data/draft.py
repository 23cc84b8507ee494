"""The table on the Data page, which becomes the app's when the user says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_options import ReadOptions
from probtrees.table.samples import sample_path
from probtrees.table.table_report import Fix, TableReport
from probtrees.ui.shared import state
from probtrees.ui.shared.bounded_cache import limits
from probtrees.ui.shared.loaded_model import forget_loaded
from probtrees.ui.shared.table_source import TableSource, current_source, use_source

_DRAFT = "data.draft"
OUTCOME_NAME = "data.outcome"
"""The outcome of interest by name, until the table is put to use."""


def current_draft() -> TableSource:
    """Return the table on the page; at first the one in use."""
    draft: TableSource | None = st.session_state.get(_DRAFT)
    return current_source() if draft is None else draft


def keep(draft: TableSource) -> None:
    """Show this table on the page."""
    st.session_state[_DRAFT] = draft


def keep_reading(reading: ReadOptions) -> None:
    """Show the sample in use on the page, read like this."""
    keep(TableSource(None, state.current_sample(), reading))


def report_on(draft: TableSource) -> TableReport:
    """Look at the table as it would be read."""
    upload = draft.upload
    if upload is None:
        return _inspect(f"sample {draft.sample}", draft.reading, sample_path(draft.sample))
    return _inspect(upload.digest, draft.reading, (upload.name, upload.content))


def use(draft: TableSource) -> None:
    """Build the other pages from this table."""
    use_source(draft)
    outcome = st.session_state.get(OUTCOME_NAME)
    forget_loaded()
    if outcome is not None:
        classes = [name for name, _ in report_on(draft).class_counts]
        if outcome in classes:
            st.session_state[state.OUTCOME] = classes.index(outcome)


def apply_fix(draft: TableSource, column: str | None, fix: Fix) -> None:
    """Follow a finding's advice."""
    reading = draft.reading
    if fix.setting == "separate_rows":
        st.session_state["c45.separate_rows"] = True
        return
    keep(replace(draft, reading=reading.with_fix(column, fix.setting, fix.value)))


@st.cache_resource(show_spinner="Looking at the table", max_entries=16)
def _inspect(key: str, reading: ReadOptions, _source: Any) -> TableReport:
    report = inspect_table(_source, **reading.arguments)
    limits().check_table(report.n_rows, len(report.columns))
    return report
