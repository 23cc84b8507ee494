"""What can be taken away from the Tree page: report, pictures, tables, model, rules, code."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

from probtrees.draw.rules_as_code import python_rules, sql_check, sql_rules
from probtrees.draw.tree import tree_dot
from probtrees.draw.visible import open_to_depth
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.ui.shared import state
from probtrees.ui.shared.exports import picture_files
from probtrees.ui.shared.jobs import Job
from probtrees.ui.shared.loaded_model import LoadedBench, choose_model_file
from probtrees.ui.shared.recipe import command_line, python_code
from probtrees.ui.shared.score_file import score_file
from probtrees.ui.shared.view_controls import View
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.leaf_list import current_leaves, leaves_csv
from probtrees.ui.tree.report_export import report_tab
from probtrees.ui.tree.track_record import track_record_job

_MOST_NODES = 1500
_PATIENCE = 120.0
"""Seconds that a download waits for numbers that are still being computed."""
_TEST_ROWS = 100
"""Rows of the table that exported rules check themselves on."""


def export_drawer(bench: Workbench, view: View, smoothed: SmoothedTree) -> None:
    """Offer everything that can be taken away."""
    model = bench.model(view.smoother)
    whole = bench.whole if isinstance(bench, LoadedBench) else model
    report, picture, tables, saved, code, scores = st.tabs(
        ["Report", "Picture", "Tables", "Model", "Code", "Score a file"]
    )
    with report:
        report_tab(bench, view.smoother)
    with picture:
        _picture(bench, view, smoothed)
    with tables:
        st.download_button(
            "Leaves (CSV)",
            lambda: leaves_csv(current_leaves(bench, view.smoother)),
            file_name="leaves.csv",
            mime="text/csv",
            on_click="ignore",
            help="All leaves: rule, rows, cases, every smoother, track record.",
        )
        st.caption("The leaf table below the picture downloads only the leaves it lists.")
    with saved:
        record = track_record_job(bench, view.smoother)
        _model(lambda: whole if whole is not model else _with_record(model, record))
    with code:
        if not isinstance(bench, LoadedBench):
            st.code(command_line(bench, view.smoother), language="bash", wrap_lines=True)
            st.code(python_code(bench, view.smoother), language="python", wrap_lines=True)
        _rules(bench, model)
    with scores:
        score_file(whole)


def _with_record(model: Model, record: Job) -> Model:
    """Let the model take its track record along, once that is known."""
    record.finished.wait(_PATIENCE)
    return model if record.error is not None or record.result is None else record.result


def _model(model: Callable[[], Model]) -> None:
    """Offer the model as a file, and take one."""
    st.download_button(
        "Model (JSON)",
        lambda: json.dumps(model().to_dict(), indent=1),
        file_name="model.json",
        mime="application/json",
        on_click="ignore",
    )
    st.caption(
        "It holds the counts of every node, not the rows. Use it with probtrees predict "
        "model.json NEW.csv, or probtrees.load_model."
    )
    choose_model_file("export.model", "tree")


def _rules(bench: Workbench, model: Model) -> None:
    """Offer the leaves as code that runs without this program."""
    if isinstance(bench, LoadedBench) and bench.is_table:
        st.caption("A table of a network has no rules of its own.")
        return
    hard = _routed_hard(model)
    n_rows = bench.data.n_rows
    rows = bench.data.take(np.linspace(0, n_rows - 1, min(n_rows, _TEST_ROWS)).astype(np.int64))

    def python() -> str:
        return python_rules(hard.tree, hard.schema, rows, predict_proba(hard, rows))

    with st.container(horizontal=True):
        st.download_button(
            "Rules (Python)",
            python,
            file_name="rules.py",
            mime="text/x-python",
            on_click="ignore",
            help=f"Needs nothing but Python; contains {rows.n_rows} rows of the table to check "
            "itself.",
        )
        st.download_button(
            "Rules (SQL)",
            lambda: sql_rules(hard.tree, hard.schema),
            file_name="rules.sql",
            mime="text/plain",
            on_click="ignore",
            help="One column per class. A missing value without a branch of its own gives NULL.",
        )
        if n_rows:
            st.download_button(
                "Test rows (SQL)",
                lambda: sql_check(hard.tree, hard.schema, rows, predict_proba(hard, rows)),
                file_name="rules_check.sql",
                mime="text/plain",
                on_click="ignore",
                help=f"A query that scores up to {rows.n_rows} rows of the table, which it brings "
                "along, and counts those scored as expected.",
            )
    if hard is not model:
        st.caption("The rules send a row down one branch at a split; the model routes it softly.")
    if n_rows == 0:
        st.caption("A loaded model has no rows, so the Python file has none to check itself on.")


def _routed_hard(model: Model) -> Model:
    """Return the model without soft routing, which rules cannot express."""
    member = model.members[0]
    if member.routing is None:
        return model
    return replace(model, members=(replace(member, routing=None),))


def _picture(bench: Workbench, view: View, smoothed: SmoothedTree) -> None:
    """Offer the tree as a file, as many levels of it as wanted."""
    deepest = smoothed.tree.max_depth
    levels = deepest
    if deepest > 1:
        levels = st.slider(
            "Levels",
            1,
            deepest,
            min(3, deepest),
            key="export.levels",
            help="Splits below that are drawn as a number of nodes.",
        )
    shown = open_to_depth(smoothed.tree, levels, _MOST_NODES)
    if len(shown) == _MOST_NODES or len(open_to_depth(smoothed.tree, levels)) > len(shown):
        st.caption(f"Only whole levels of up to {_MOST_NODES:,} nodes fit into a picture.")
    other = bench.smooth(view.other) if view.other else None
    theme = state.theme()

    def dot() -> str:
        return tree_dot(
            smoothed,
            bench.data.schema,
            outcome=bench.outcome,
            visible=shown,
            colour_by=view.colour_by,
            other=other,
            theme=theme,
        )

    picture_files(dot, "tree", "export")
