"""The tab *On another table*: does the model hold on people it has never seen."""

from __future__ import annotations

import hashlib
from typing import Any

import streamlit as st

from probtrees.experiment.registry import SMOOTHERS
from probtrees.experiment.validation.new_rows import read_new_rows
from probtrees.experiment.validation.validate import Validation, validate
from probtrees.model.model import Model
from probtrees.ui.compare.validation_views import Asked, show_validation
from probtrees.ui.shared.loaded_model import read_model_bytes
from probtrees.ui.shared.session.bounded_cache import limits
from probtrees.ui.shared.session.given_files import content_of
from probtrees.ui.shared.session.jobs import Report, jobs, show_progress
from probtrees.ui.shared.smoother_options import current_smoother
from probtrees.ui.shared.table_source import FILE_HELP
from probtrees.ui.shared.workbench import TreeBench

_ON_SHOW, _FROM_FILE = "The tree on show", "A model from a file"


def validate_here(bench: TreeBench) -> None:
    """Ask for a model and a table, hold one against the other, and show what was found."""
    left, right = st.columns(2, gap="medium")
    given = None
    with left:
        which = st.radio("Model", (_ON_SHOW, _FROM_FILE), key="validate.which", horizontal=True)
        if which == _ON_SHOW:
            label = SMOOTHERS[current_smoother()].label
            st.caption(f"C4.5 tree of the table in use, smoothed by {label}.")
        else:
            given = st.file_uploader(
                "Model (JSON)",
                type=["json", "gz"],
                key="validate.model",
                help="Saved here or by probtrees grow --out. Nothing in it is executed.",
            )
    file = right.file_uploader(
        "Another table, with what happened",
        key="validate.table",
        help="New rows with the columns of the model and their true class: another year, "
        f"another hospital. {FILE_HELP}",
    )
    if file is None or (which == _FROM_FILE and given is None):
        st.info(
            "Upload a table that the model has not seen. You learn whether its answers still come "
            "true, which groups of people no longer fit, which columns have changed, and what "
            "learning the numbers again would gain."
        )
        return
    model, model_key = _tree_on_show(bench) if given is None else _from_file(given)
    if model is None:
        return
    content = content_of(file)
    outcome = _ask_outcome(model, bench)
    key = ("validate", model_key, hashlib.sha256(content).hexdigest(), outcome)
    asked = Asked(model, (file.name, content), key, given is None)
    found = _validated(asked, outcome)
    if found is not None:
        show_validation(asked, found)


def _tree_on_show(bench: TreeBench) -> tuple[Model | None, Any]:
    """Return the tree of the table in use, and its key; None while it is being smoothed."""
    name = current_smoother()
    job = bench.smoothing(name)
    show_progress(job, "Smoothing", lambda: None)
    return job.result, bench.variant(name)


def _from_file(file: Any) -> tuple[Model, str]:
    """Read a model file; return also its fingerprint."""
    content = content_of(file)
    return read_model_bytes(file.name, content), hashlib.sha256(content).hexdigest()


def _ask_outcome(model: Model, bench: TreeBench) -> int:
    """Ask which class the figures are about."""
    classes, key = model.schema.classes, "validate.outcome"
    if st.session_state.get(key, 0) not in range(len(classes)):
        del st.session_state[key]
    chosen = st.selectbox(
        "Outcome of interest",
        range(len(classes)),
        index=bench.outcome if classes == bench.outcomes else len(classes) - 1,
        format_func=lambda number: classes[number],
        key=key,
    )
    return int(chosen)


def _validated(asked: Asked, outcome: int) -> Validation | None:
    """Validate beside the page; None while that is not finished."""

    def work(report: Report) -> Validation:
        report(0.1, "reading the table")
        rows = read_new_rows(asked.model, asked.table)
        limits().check_table(rows.n_rows, rows.schema.n_columns)
        report(0.4, "holding the model against it")
        return validate(asked.model, rows, outcome=outcome)

    job = jobs().ask(asked.key, work)
    show_progress(job, "Validating", lambda: None)
    found: Validation | None = job.result
    return found
