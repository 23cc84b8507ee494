"""The tree with a shape for every column: what columns add, and one row taken apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from probtrees.draw.charts.quality_strip import (
    against_sentence,
    quality_html,
    quality_sentence,
    verdict_sentence,
)
from probtrees.draw.charts.shape_chart import answer_words, chart_key, ledger_html, shapes_html
from probtrees.draw.code.additive_as_python import python_additive
from probtrees.draw.code.additive_as_sql import sql_additive
from probtrees.draw.escape import markdown_text
from probtrees.draw.node_card import default_outcome
from probtrees.experiment.compiling import FIRST
from probtrees.experiment.fit import finish_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import DEFAULT_SMOOTHER, SMOOTHERS
from probtrees.experiment.unseen_scores import UnseenScores, unseen_scores
from probtrees.explain.additive import explain_additively
from probtrees.explain.refit_spread import MEANING, answer_interval, has_refits
from probtrees.explain.shape_curves import (
    additive_member,
    path_strength,
    shape_curves,
    wishes_sentence,
)
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.ui.shared.exports import MODEL, Export, ExportTab, export_drawer
from probtrees.ui.shared.forms import cell_field
from probtrees.ui.shared.score_file import scores_tab
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Report, result_of
from probtrees.ui.shared.smoother_options import settings
from probtrees.ui.shared.table_source import current_source, written_rows
from probtrees.ui.shared.workbench import TreeBench
from probtrees.ui.tree.row_form import column_ranges
from probtrees.ui.tree.rows_of_node import as_written
from probtrees.ui.tree.shape_wishes import ask_wishes
from probtrees.ui.tree.tree_page import FORM, FORMS

_TEST_ROWS = 100
"""Rows that exported code checks itself on."""

_LISTED = 1000
"""Rows of the table that are listed to be clicked."""

_PICKED = "shaped.picked"

_TREE_ALONE = f"the tree alone, smoothed by {SMOOTHERS[DEFAULT_SMOOTHER].label}"

_FIELDS = 12
"""Columns whose fields stand open; weaker ones are folded away."""


@dataclass(frozen=True)
class ShapedOnShow:
    """A shaped tree or a council, and the rows it was fitted to where they are here."""

    model: Model
    rows: Dataset | None
    key: Any
    outcome: int
    quality: Quality | None = None


class Quality(NamedTuple):
    """How good a model is on rows it has not seen, beside the tree alone."""

    own: UnseenScores
    tree: UnseenScores | None


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
    return ShapedOnShow(model, bench.data, bench.key, bench.outcome, quality)


def fit_judged(bench: TreeBench, spec: ModelSpec, report: Report) -> tuple[Model, Quality | None]:
    """Fit a model, and ask inner models about rows they have not seen: its own, and the tree's."""
    grown = grow_model(bench.data, spec, progress=report)
    model = finish_model(grown, DEFAULT_SMOOTHER, progress=report, track_record=True)
    own = unseen_scores(grown, model, report)
    if own is None:
        return model, None
    alone = bench.counts.smooth(DEFAULT_SMOOTHER, (), "hard", report)
    with bench.counts.lock:
        tree = unseen_scores(bench.counts.grown, alone, report)
    return model, Quality(own, tree)


def show_quality(shown: ShapedOnShow) -> None:
    """Say how good the model is on unseen rows, and whether it is worth more than the tree."""
    if shown.quality is None:
        return
    own, tree = shown.quality
    said = [
        quality_sentence(own, shown.model.schema.classes, shown.outcome),
        verdict_sentence(own),
        "" if tree is None else against_sentence(own, tree, _TREE_ALONE),
    ]
    st.html(quality_html(said, own, shown.outcome, theme=state.theme()))


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
            as_written(shown.rows, rows, written_rows(current_source())),
            hide_index=True,
            height=300,
            on_select=take,
            selection_mode="single-row",
            key=_PICKED,
            alt="Rows of the table; a selected one is taken apart and marked on the curves",
        )
        if shown.rows.n_rows > _LISTED:
            st.caption(f"The first {_LISTED:,} are listed; any other is found by its number.")


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


def _test_rows(shown: ShapedOnShow) -> tuple[Dataset, FloatArray] | tuple[None, None]:
    """Pick rows that exported code checks itself on, and what they must get."""
    if shown.rows is None:
        return None, None
    n_rows = shown.rows.n_rows
    picked = np.linspace(0, n_rows - 1, min(n_rows, _TEST_ROWS)).astype(np.int64)
    rows = shown.rows.take(picked)
    return rows, predict_proba(shown.model, rows)


def _ask_model(shown: ShapedOnShow) -> ShapedOnShow:
    st.caption(
        "The model file is plain JSON for probtrees; the code files score rows without it and "
        "give the same numbers. On the command line: probtrees grow DATA --model shaped-tree."
    )
    return shown


def fitted_exports(
    name: str,
    ask: Callable[[Any], Any],
    sql: Callable[[Model], str],
    python: Callable[..., str],
    report_help: str,
) -> tuple[ExportTab[Any], ...]:
    """List what can be taken away of a shaped tree or a council: model, code, report, scores.

    Parameters
    ----------
    name : of the files with code
    ask : writes what stands above the files
    sql, python : write a model, the second given rows to check itself on and their answers
    """
    code: tuple[Export[Any], ...] = (
        Export(MODEL.name, MODEL.label, lambda shown: MODEL.write(lambda: shown.model)),
        Export(f"{name}.sql", "SQL", lambda shown: sql(shown.model)),
        Export(
            f"{name}.py",
            "Python",
            lambda shown: python(shown.model, *_test_rows(shown)),
            help="One file without dependencies that checks itself on rows of the table.",
        ),
    )
    report = Export[Any](
        "report.html",
        "Report (HTML)",
        lambda shown: model_report(shown.model, None, ReportRequest(outcome=shown.outcome)),
        help=report_help,
    )
    return (
        ExportTab("Model and code", ask, code),
        ExportTab("Report", lambda shown: shown, (report,)),
        scores_tab(lambda shown: shown.model),
    )


SHAPED_EXPORTS = fitted_exports(
    "shaped_tree",
    _ask_model,
    sql_additive,
    python_additive,
    "Shapes, path, cautions and where the numbers come from, in one offline file.",
)
