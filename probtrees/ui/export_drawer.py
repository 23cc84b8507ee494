"""What can be taken away from the Tree page: pictures, model, rules, code, scored files."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.dataset import UNSEEN
from probtrees.draw.escape import csv_text, markdown_text
from probtrees.draw.export import PictureFormat, render
from probtrees.draw.rules_as_code import python_rules, sql_rules
from probtrees.draw.tree import tree_dot
from probtrees.draw.visible import open_to_depth
from probtrees.errors import ProbTreesError
from probtrees.model import Model
from probtrees.predict import predict_proba
from probtrees.prepare.read_table import read_table
from probtrees.smoothed_tree import SmoothedTree
from probtrees.ui import state
from probtrees.ui.code import command_line, python_code
from probtrees.ui.view_bar import View
from probtrees.ui.workbench import Workbench

_FORMATS: dict[str, tuple[PictureFormat | None, str]] = {
    "SVG": ("svg", "image/svg+xml"),
    "PNG": ("png", "image/png"),
    "PDF": ("pdf", "application/pdf"),
    "DOT": (None, "text/vnd.graphviz"),
}
_MOST_NODES = 1500
_TEST_ROWS = 100
"""Rows of the table that exported rules check themselves on."""
_SHOWN_ROWS = 20


def export_drawer(bench: Workbench, view: View, smoothed: SmoothedTree) -> None:
    """Offer everything that can be taken away."""
    smoothed_model = bench.model(view.smoother)
    picture, model, code, scores = st.tabs(["Picture", "Model", "Code", "Score a file"])
    with picture:
        _picture(bench, view, smoothed)
    with model:
        st.download_button(
            "Model (JSON)",
            lambda: json.dumps(smoothed_model.to_dict(), indent=1),
            file_name="model.json",
            mime="application/json",
            on_click="ignore",
        )
        st.caption("Use it with probtrees predict model.json NEW.csv, or probtrees.load_model.")
    with code:
        st.code(command_line(bench, view.smoother), language="bash", wrap_lines=True)
        st.code(python_code(bench, view.smoother), language="python")
        _rules(bench, smoothed_model)
    with scores:
        _score_file(smoothed_model)


def _rules(bench: Workbench, model: Model) -> None:
    """Offer the leaves as code that runs without this program."""
    n_rows = bench.data.n_rows
    rows = bench.data.take(np.linspace(0, n_rows - 1, min(n_rows, _TEST_ROWS)).astype(np.int64))

    def python() -> str:
        return python_rules(model.tree, model.schema, rows, predict_proba(model, rows))

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
            lambda: sql_rules(model.tree, model.schema),
            file_name="rules.sql",
            mime="text/plain",
            on_click="ignore",
            help="One column per class. A missing value without a branch of its own gives NULL.",
        )


def _score_file(model: Model) -> None:
    """Score an uploaded table and offer its probabilities."""
    file = st.file_uploader(
        "A table with the same columns",
        type=["csv", "tsv", "txt", "arff", "parquet", "gz"],
        key="export.score",
        help="The target may be absent; columns may come in any order.",
    )
    if file is None:
        st.caption("Every row gets the probability of every class by the model on show.")
        return
    try:
        rows = read_table((file.name, file.getvalue()), schema=model.schema)
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
        return
    frame = pd.DataFrame(predict_proba(model, rows), columns=list(model.schema.classes))
    unseen = (rows.values[:, :-1] == UNSEEN).any(axis=1)
    frame["problem"] = np.where(unseen, "has a value that the model has not seen", "")
    st.dataframe(frame.head(_SHOWN_ROWS), key="export.scores")
    st.download_button(
        "Probabilities (CSV)",
        lambda: frame.rename(columns=csv_text).to_csv(index=False),
        file_name="probabilities.csv",
        mime="text/csv",
        on_click="ignore",
    )
    st.caption(f"{rows.n_rows:,} rows scored, {int(unseen.sum()):,} with unseen values.")


def _picture(bench: Workbench, view: View, smoothed: SmoothedTree) -> None:
    """Offer the tree as a file, as many levels of it as wanted."""
    deepest = smoothed.tree.max_depth
    levels = deepest
    if deepest > 1:
        levels = st.slider("Levels", 1, deepest, min(3, deepest), key="export.levels")
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

    def file(format: PictureFormat | None) -> bytes | str:
        try:
            return dot() if format is None else render(dot(), format)
        except ProbTreesError as problem:
            return str(problem)

    with st.container(horizontal=True):
        for name, (format, mime) in _FORMATS.items():
            st.download_button(
                name,
                partial(file, format),
                file_name=f"tree.{name.lower()}",
                mime=mime,
                key=f"export.{name}",
                on_click="ignore",
            )
