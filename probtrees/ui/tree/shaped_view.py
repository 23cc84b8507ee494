"""The tree with a shape for every column: what columns add, and one row taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from probtrees.draw.charts.shape_chart import answer_words, chart_key, ledger_html, shapes_html
from probtrees.draw.escape import markdown_text
from probtrees.draw.node_card import default_outcome
from probtrees.experiment.model_spec import make_spec
from probtrees.experiment.warm_up import FIRST
from probtrees.explain.additive import explain_additively
from probtrees.explain.leaf_ranges import LeafRange, has_leaf_ranges, leaf_ranges
from probtrees.explain.shape_curves import (
    MEANING,
    additive_member,
    answer_interval,
    has_refits,
    path_strength,
    shape_curves,
    wishes_sentence,
)
from probtrees.model.model import Model
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.ui.shared.exports import export_drawer
from probtrees.ui.shared.forms import cell_field
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.session.jobs import result_of
from probtrees.ui.shared.smoother_options import settings
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench
from probtrees.ui.tree.row_form import column_ranges
from probtrees.ui.tree.rows_of_node import as_written
from probtrees.ui.tree.shape_wishes import ask_wishes
from probtrees.ui.tree.shaped_exports import SHAPED_EXPORTS, ShapedOnShow, fit_judged, show_quality
from probtrees.ui.tree.tree_page import FORM, FORMS

_LISTED = 1000
"""Rows of the table that are listed to be clicked."""

_PICKED = "shaped.picked"

_RANGES = "Every leaf with the lowest, middle and highest chance that its rows are given of"

_FIELDS = 12
"""Columns whose fields stand open; weaker ones are folded away."""


def form_choice() -> str:
    """Ask for a tree alone, with a shape for every column, or on a council of models."""
    chosen = st.segmented_control(
        "What the tree is",
        list(FORMS),
        format_func=lambda name: FORMS[name],
        default="tree",
        required=True,
        key=FORM,
        persist_state="session",
        label_visibility="collapsed",
        width="content",
        help="With shapes every row gets a number of its own: what its columns add and what its "
        "path adds, in log-odds. It is often better on unseen rows, and takes a while to fit. A "
        "council lets that tree, a softly routed one and a network answer together.",
    )
    return str(chosen)


def grown_shapes(bench: TreeBench, bar: DeltaGenerator) -> ShapedOnShow:
    """Fit the shapes to the table in use; while that runs the page ends with its progress.

    Parameters
    ----------
    bar : where wishes are asked for
    """
    with bar:
        wishes = ask_wishes(bench)
    options = {**dict(bench.key[1]), **wishes}
    model, quality = result_of(
        ("shaped", settings(wishes), *bench.key),
        lambda report: fit_judged(bench, make_spec("shaped-tree", options), report),
        title="Fitting path and shapes",
        on_cancel=back_to_tree,
        kernels={"shaped-tree", *FIRST},
    )
    key = (settings(wishes), *bench.key)
    return ShapedOnShow(model, bench.data, key, bench.outcome, quality)


def saved_shapes(model: Model, digest: str) -> ShapedOnShow:
    """Take a shaped tree that came as a file, without its rows."""
    chosen = st.session_state.get(state.OUTCOME)
    if chosen is None or chosen >= len(model.schema.classes):
        chosen = default_outcome(additive_member(model).smoothed.tree)
    return ShapedOnShow(model, None, digest, int(chosen))


def shapes_size(model: Model) -> str:
    """Say how large a shaped tree is."""
    member = additive_member(model)
    return f"{member.smoothed.tree.n_leaves:,} leaves, {len(member.shapes):,} shapes"


def back_to_tree() -> None:
    """Show the tree alone again."""
    st.session_state[FORM] = "tree"


def show_shapes(shown: ShapedOnShow) -> None:
    """Show the shapes on the left, and one row taken apart on the right."""
    model, outcome = shown.model, shown.outcome
    classes = model.schema.classes
    left, right = st.columns([3, 2], gap="medium")
    with right:
        with st.popover("Export", icon=":material/download:"):
            export_drawer(SHAPED_EXPORTS, shown)
        curves = shape_curves(model)
        row = ask_row(shown, [curve.name for curve in curves])
        show_answer(shown, row)
    with left:
        show_quality(shown)
        st.markdown(
            f"**What every column adds to the log-odds of {markdown_text(classes[outcome])}**, the "
            f"strongest first. {_path_words(model)}"
        )
        names = model.schema.names
        marked = {names[k]: float(row[k]) for k in range(len(names) - 1)}
        st.html(shapes_html(curves, classes, outcome, values=marked, theme=state.theme()))
        if wished := wishes_sentence(model):
            st.markdown(markdown_text(wished))
        st.caption(f"{chart_key(curves)} The orange mark is the row beside.")
        pick_row(shown)
        show_leaf_ranges(shown)
        st.caption(
            "A column that the tree splits on may have its effect in the steps, in its shape, or "
            "partly in each; only their sum is determined by the data."
        )


def ask_row(shown: ShapedOnShow, strongest: Sequence[str]) -> FloatArray:
    """Ask for a row, starting from one of the table; the strongest columns stand open."""
    model, schema = shown.model, shown.model.schema
    row = np.full(schema.n_columns, np.nan)
    start = 0
    if shown.rows is not None:
        n_rows = shown.rows.n_rows
        st.session_state[state.ROW] = min(st.session_state.get(state.ROW, 1), n_rows)
        start = int(
            st.number_input(
                "Start from row",
                min_value=1,
                max_value=n_rows,
                key=state.ROW,
                persist_state="session",
                help="The fields take this row's values; change any of them.",
            )
        )
        row = shown.rows.values[start - 1].copy()
    ranges = {} if shown.rows is None else column_ranges(shown.key, shown.rows)
    by_name = {name: number for number, name in enumerate(schema.names)}
    order = [by_name[name] for name in strongest]
    order += [k for k in range(schema.n_columns - 1) if k not in order]

    def fields(numbers: list[int]) -> None:
        places = st.columns(2, gap="small")
        for place, number in enumerate(numbers):
            with places[place % 2]:
                row[number] = cell_field(
                    schema,
                    number,
                    row[number],
                    form=f"shaped.{start}",
                    table=model.provenance.sha256,
                    seen=ranges.get(number),
                    asked=True,
                )

    with st.expander("The values of the row", expanded=shown.rows is None):
        fields(order[:_FIELDS])
        if order[_FIELDS:] and st.toggle("All columns", key="shaped all columns"):
            fields(order[_FIELDS:])
    row[-1] = np.nan
    return row


def _path_words(model: Model) -> str:
    """Say what the path adds, or that held-out rows did without it."""
    member = additive_member(model)
    path = f"The path through a tree of {member.smoothed.tree.n_leaves:,} leaves"
    if not member.node_weights.any():
        return f"{path} adds nothing: held-out rows gain nothing by it."
    strength = path_strength(model)
    if strength < 0.005:
        return f"{path} adds next to nothing: held-out rows gain hardly anything by it."
    return f"{path} adds on top (strength {strength:.2f})."


def pick_row(shown: ShapedOnShow) -> None:
    """List the rows of the table; a click on one takes it apart and marks it on every curve."""
    if shown.rows is None:
        return
    rows = np.arange(min(shown.rows.n_rows, _LISTED))

    def take() -> None:
        picked = st.session_state[_PICKED]["selection"]["rows"]
        if picked:
            st.session_state[state.ROW] = int(picked[0]) + 1

    with st.expander("Rows of the table: click one to find it on the curves"):
        st.dataframe(
            as_written(shown.rows, rows, current_source().written_rows()),
            hide_index=True,
            height=300,
            on_select=take,
            selection_mode="single-row",
            key=_PICKED,
            alt="Rows of the table; a selected one is taken apart and marked on the curves",
        )
        if shown.rows.n_rows > _LISTED:
            st.caption(f"The first {_LISTED:,} are listed; any other is found by its number.")


def show_leaf_ranges(shown: ShapedOnShow) -> None:
    """List the leaves with the range of answers that their rows get, and what widens it."""
    if shown.rows is None or not has_leaf_ranges(shown.model):
        return
    with st.expander("Leaves of the tree: what their rows are given"):
        key = shown.key, shown.model.learner, shown.model.weights
        found = _ranges(key, shown.outcome, shown.model, shown.rows)
        name = shown.model.schema.classes[shown.outcome]
        frame = pd.DataFrame(
            {
                "rows": [one.n_rows for one in found],
                "lowest %": [100 * one.lowest for one in found],
                "middle %": [100 * one.middle for one in found],
                "highest %": [100 * one.highest for one in found],
                "widened by": [" and ".join(by for by, _ in one.widened_by[:2]) for one in found],
                "leaf": [one.rule for one in found],
            }
        )
        percents = {
            column: st.column_config.NumberColumn(format="%.1f")
            for column in ("lowest %", "middle %", "highest %")
        }
        st.dataframe(frame, hide_index=True, height=300, column_config=percents, alt=_RANGES)
        st.caption(
            f"{_RANGES} {markdown_text(name)}. Rows of one leaf differ by what their columns add, "
            "and in a council by what the other members say; what is named varies most among them. "
            "A row whose value is missing at a split stands in the leaf that has most of it."
        )


@kept()
def _ranges(key: Any, outcome: int, _model: Model, _rows: Dataset) -> tuple[LeafRange, ...]:
    """Ask all rows once: a page is drawn often."""
    del key
    return leaf_ranges(_model, _rows, outcome)


def show_answer(shown: ShapedOnShow, row: FloatArray) -> None:
    """Show what the row is given, and the ledger whose lines add up to it."""
    model, outcome = shown.model, shown.outcome
    one = Dataset(model.schema, row[None, :].copy(), repeats=None)
    found = explain_additively(model, one)
    name = model.schema.classes[outcome]
    ends = None
    if has_refits(model):
        low, high = answer_interval(model, one)[0, outcome]
        ends = (float(low), float(high))
    st.markdown(f"### {markdown_text(answer_words(float(found.proba[outcome]), name, ends))}")
    st.markdown(markdown_text(found.sentence(outcome)))
    st.html(ledger_html(found, outcome, theme=state.theme()))
    if ends is not None:
        st.caption(MEANING)
