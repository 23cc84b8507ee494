"""The table on the Data page, which becomes the app's when the user says so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.samples import sample_path
from probtrees.table.table_report import Fix, TableReport
from probtrees.ui.shared import state
from probtrees.ui.shared.bounded_cache import limits
from probtrees.ui.shared.loaded_model import forget_loaded
from probtrees.ui.shared.table_source import Reading, current_reading, use_reading

_DRAFT = "data.draft"
OUTCOME_NAME = "data.outcome"
"""The outcome of interest by name, until the table is put to use."""


@dataclass(frozen=True)
class Draft:
    """A source and a way to read it.

    Attributes
    ----------
    upload : the file, or None for the sample
    sample : the sample's name
    reading : what was said about its columns
    """

    upload: state.Upload | None
    sample: str
    reading: Reading

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.sample if self.upload is None else self.upload.name

    def report(self) -> TableReport:
        """Look at the table as it would be read."""
        if self.upload is None:
            return _inspect(f"sample {self.sample}", self.reading, sample_path(self.sample))
        source = (self.upload.name, self.upload.content)
        return _inspect(self.upload.digest, self.reading, source)

    @property
    def is_in_use(self) -> bool:
        """Whether the other pages are built from it."""
        same_source = (
            state.current_sample() == self.sample if self.upload is None else True
        ) and state.current_upload() == self.upload
        return same_source and current_reading() == self.reading


def current_draft() -> Draft:
    """Return the table on the page; at first the one in use."""
    draft: Draft | None = st.session_state.get(_DRAFT)
    if draft is None:
        return Draft(state.current_upload(), state.current_sample(), current_reading())
    return draft


def keep(draft: Draft) -> None:
    """Show this table on the page."""
    st.session_state[_DRAFT] = draft


def use(draft: Draft) -> None:
    """Build the other pages from this table."""
    if draft.upload is None:
        st.session_state.pop(state.UPLOAD, None)
        st.session_state[state.SAMPLE] = draft.sample
    else:
        st.session_state[state.UPLOAD] = draft.upload
    use_reading(draft.reading)
    outcome = st.session_state.get(OUTCOME_NAME)
    forget_loaded()
    if outcome is not None:
        classes = [name for name, _ in draft.report().class_counts]
        if outcome in classes:
            st.session_state[state.OUTCOME] = classes.index(outcome)


def apply_fix(draft: Draft, column: str | None, fix: Fix) -> None:
    """Follow a finding's advice."""
    reading = draft.reading
    if fix.setting == "separate_rows":
        st.session_state["c45.separate_rows"] = True
        return
    if fix.setting == "bin_target":
        reading = replace(reading, bin_target=int(fix.value))
    elif fix.setting == "repeats":
        reading = replace(reading, repeats="together" if fix.value == "together" else "apart")
    elif column is not None and fix.setting == "role":
        reading = reading.with_role(column, str(fix.value))
    elif column is not None:
        reading = reading.with_type(column, str(fix.value))
    keep(Draft(draft.upload, draft.sample, reading))


@st.cache_resource(show_spinner="Looking at the table", max_entries=16)
def _inspect(key: str, reading: Reading, _source: Any) -> TableReport:
    report = inspect_table(_source, **reading.arguments)
    limits().check_table(report.n_rows, len(report.columns))
    return report
