"""A tree with shapes, or a council, on the page: what columns add, and one row taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from probtrees.draw.charts.decision_table import acted_words
from probtrees.draw.charts.quality_strip import quality_html
from probtrees.draw.charts.shape_chart import (
    chart_key,
    ledger_html,
    members_html,
    shapes_html,
    usual_scale,
)
from probtrees.draw.code.model_as_code import model_python, model_sql
from probtrees.draw.escape import markdown_text
from probtrees.draw.leaf_explanation import number_html
from probtrees.draw.points_card import points_file
from probtrees.explain.additive import explain_additively
from probtrees.explain.points_card import KEPT, PointsCard, points_card
from probtrees.explain.shape_curves import (
    MEANING,
    ShapeCurve,
    council_sentence,
    councillors,
    group_risks,
    shape_curves,
    wishes_sentence,
)
from probtrees.explain.track import interval_words
from probtrees.model.model import Model
from probtrees.model.predict import has_refits, predict_interval
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray
from probtrees.ui.shared.exports import MODEL, Export, ExportTab, Recipe, export_drawer, show_recipe
from probtrees.ui.shared.score_file import scores_tab
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.show import asset
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.tree.decide_panel import (
    Acting,
    acting_by,
    decide_form,
    decision_words,
    is_deciding,
)
from probtrees.ui.tree.row_form import (
    FIRST_ROW,
    UNREADABLE,
    RowTable,
    begin_rows,
    change_value,
    row_fields,
)
from probtrees.ui.tree.shaped_model import ShapedOnShow, quality_words
from probtrees.ui.tree.tree_page import FORM
from probtrees.ui.tree.tree_picture import show_painted_picture
from probtrees.words import act_from, outcome_title, percent, plural

_NODE, _DECIDING = "shaped.node", "decide.open"
_drag = st.components.v2.component(
    "probtrees_curve_drag", html="<span></span>", js=asset("curve_drag.js")
)
_SCALES = {"risk": "Risk", "odds ratio": "Odds ratios", "points": "Card points"}
_FIELDS = 12
"""Columns whose fields stand open; weaker ones are folded away."""


def show_form(shown: ShapedOnShow) -> None:
    """Show one row, its answer and what to do; below the tree, or the members, and the curves."""
    model, schema, has_rows = shown.model, shown.model.schema, shown.rows is not None
    curves, acting = shape_curves(model), _acting(shown)
    is_decided = is_deciding() or bool(st.session_state.get(_DECIDING))
    shown = replace(shown, acting=acting if is_decided else None)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        picker, headline = st.columns(2, gap="medium") if has_rows else (left, st.container())
        with picker:
            row = _ask_row(shown, [curve.name for curve in curves], left)
        if acting is not None:
            with st.expander("Decide: on whom to act", key=_DECIDING, on_change="rerun"):
                decide_form(acting, schema)
        if shown.is_council:
            alone = len(model.members) == 1
            st.markdown(f"**{'One member answers' if alone else 'Members that answer together'}**")
            st.html(members_html(councillors(model), theme=state.theme()))
            st.caption(markdown_text(council_sentence(model)))
            if alone and curves and has_rows:
                show = partial(st.session_state.update, {FORM: "shaped"})
                st.button("Show it alone", on_click=show)
        else:
            _show_tree(shown)
        if shown.own is not None:
            said = quality_words(shown)
            st.html(quality_html(said, shown.own, shown.outcome, theme=state.theme()))
        if np.isinf(row).any():
            st.warning(UNREADABLE)
        else:
            _show_answer(shown, row, headline)
    with right:
        with st.popover("Export", icon=":material/download:"):
            has_card = not shown.is_council and KEPT in model.diagnostics
            export_drawer((*SHAPED_EXPORTS, *([POINTS] if has_card else [])), shown)
        if curves:
            _show_curves(shown, curves, row)


def _show_tree(shown: ShapedOnShow) -> None:
    """Draw the tree; its cards say what the rows of a group have on average."""
    risks = _asked_risks(shown.key, shown.model, shown.rows)
    node = min(int(st.session_state.get(_NODE) or 0), risks.tree.n_nodes - 1)
    key = f"{shown.key} {shown.outcome} {state.theme()}"
    show_painted_picture(key, risks, shown.model.schema, shown.outcome, node, node_key=_NODE)
    kind = "Smoothed share" if shown.rows is None else "Mean chance"
    st.caption(
        f"{kind} of the rows of each group; every row has its own, by all its columns.",
        help="A column that the tree splits on may have its effect in the steps, in its curve, or "
        "partly in each; only their sum is determined by the data.",
    )


@kept()
def _asked_risks(key: Any, _model: Model, _rows: Dataset | None) -> SmoothedTree:
    return group_risks(_model, _rows)


def _show_curves(shown: ShapedOnShow, curves: Sequence[ShapeCurve], row: FloatArray) -> None:
    """Draw the curves on the scale that is asked for; a marker that is dragged changes the row."""
    model, outcome = shown.model, shown.outcome
    name = outcome_title(model.schema.target.name, model.schema.classes[outcome])
    usual, card = usual_scale(model, outcome), None
    kinds = [*dict.fromkeys([usual.kind, "odds ratio"])]
    if KEPT in model.diagnostics and not shown.is_council:
        kinds, card = [*kinds, "points"], points_card(model, outcome)
    chosen = usual.kind
    if len(kinds) > 1:
        chosen = st.segmented_control(
            f"What columns add to {markdown_text(name)}, in",
            kinds,
            format_func=_SCALES.__getitem__,
            default=kinds[0],
            required=True,
            **state.lasting(f"curves in {' '.join(kinds)}"),
        )
    scale, theme = replace(usual, kind=chosen), state.theme()
    if card is not None and chosen == "points":
        curves, scale = card.curves(curves), replace(scale, unit=card.unit)
        total = card.totals(Dataset(model.schema, row[None, :].copy(), repeats=None))
        risk = percent(float(card.risks(total)[0]))
        group = sum(int(p.points(row[None])[0]) for p in card.parts if p.column is None)
        own = plural(int(total[0]), "points") + (f", its group {group:+}" if group else "")
        st.caption(f"By the card this row has {own}: {risk}. *Export* has the card to print.")
    marked = dict(zip(model.schema.names, row[:-1].tolist(), strict=False))
    st.html(shapes_html(curves, outcome, values=marked, theme=theme, scale=scale))
    _drag(key="curve drag", on_moved_change=partial(_note_moved, model.schema))
    if not shown.is_council and (wished := wishes_sentence(model)):
        st.markdown(markdown_text(wished))
    through = " All of it is times the weight of the shaped tree." if shown.is_council else ""
    st.caption("Drag along a curve to change the row.", help=f"{chart_key(curves, scale)}{through}")


def _note_moved(schema: Schema) -> None:
    """Take the value over that a marker was dragged to."""
    moved = st.session_state["curve drag"].moved
    if moved and moved["column"] in schema.names:
        change_value(FIRST_ROW, schema.names.index(moved["column"]), float(moved["value"]))


def _ask_row(shown: ShapedOnShow, strongest: list[str], below: DeltaGenerator) -> FloatArray:
    """Ask for a row, starting from one of the table; the strongest columns stand open below."""
    schema = shown.model.schema
    table = RowTable(shown.key, schema, shown.rows, shown.model.provenance.sha256, strongest)
    rows = begin_rows(table, [FIRST_ROW])
    first = [schema.names.index(name) for name in strongest][:_FIELDS]
    first = first or list(range(schema.n_columns - 1))[:_FIELDS]
    with below.expander("The values of the row", expanded=shown.rows is None):
        row_fields(table, [FIRST_ROW], rows, first, "All columns", n_columns=2)
    return rows[0]


def _show_answer(shown: ShapedOnShow, row: FloatArray, headline: DeltaGenerator) -> None:
    """Show what the row is given, beside its curves, and the ledger whose lines add up to it."""
    model, outcome = shown.model, shown.outcome
    one = Dataset(model.schema, row[None, :].copy(), repeats=None)
    found = explain_additively(model, one)
    ends = None
    if has_refits(model):
        low, high = predict_interval(model, one, "row")[0, outcome]
        ends = (float(low), float(high))
    title, chance = model.schema.target.title, float(found.proba[outcome])
    headline.html(number_html(percent(chance), outcome_title(title, model.schema.classes[outcome])))
    if shown.act is not None:
        headline.markdown(decision_words(chance, shown.act))
    if ends is not None:
        headline.caption(f"{interval_words('rows', *ends).capitalize()}.", help=MEANING)
    st.html(ledger_html(found, outcome, theme=state.theme()))


def _acting(shown: ShapedOnShow) -> Acting | None:
    """Return on whom to act, where unseen rows say what comes of it."""
    if (own := shown.own) is None:
        return None
    rate = float(np.average(own.labels == shown.outcome, weights=own.weights))
    return acting_by(own.proba[:, shown.outcome], own.weights, shown.outcome, rate, own)


def _report(shown: ShapedOnShow) -> str:
    request = ReportRequest(
        outcome=shown.outcome,
        groups=_asked_risks(shown.key, shown.model, shown.rows),
        decision=None if shown.acting is None else shown.acting.found,
        n_variants=shown.n_variants,
        quality=quality_words(shown),
    )
    return model_report(shown.model, None, request)


def _ask_model(shown: ShapedOnShow) -> ShapedOnShow:
    decision = "" if shown.act is None else f" They have a decision: {act_from(*shown.act[1:])}."
    st.caption(
        "The model file is plain JSON for probtrees; the code files score rows without it and "
        f"give the same numbers.{decision}"
    )
    if shown.rows is not None:
        target, (learner, options) = shown.model.schema.target.name, shown.key[:2]
        show_recipe(Recipe(current_source(), target, learner, options, smoother=""))
    return shown


def _ask_points(shown: ShapedOnShow) -> PointsCard:
    card = points_card(shown.model, shown.outcome)
    if (acting := shown.acting) is not None and (seen := acting.scores) is not None:
        act, cases = acting.in_files[1], seen.labels == shown.outcome
        told = acted_words(seen.proba[:, shown.outcome] >= act, cases, seen.weights)
        card = replace(card, act=act, acted=told.replace(".", ", by the whole model."))
    st.caption(
        "Whole points to add up by hand, on one printed page; HTML adds up by itself, offline. "
        + card.acting
    )
    if card.loss is not None:
        st.caption(card.loss.sentence)
    return card


POINTS: ExportTab[Any] = ExportTab(
    "Points card",
    _ask_points,
    (
        Export("points.html", "To fill in or print (HTML)", lambda card: points_file(card, "html")),
        Export("points.svg", "Picture (SVG)", lambda card: points_file(card, "svg")),
        Export("points.txt", "Text", lambda card: points_file(card, "text")),
    ),
)

SHAPED_EXPORTS: tuple[ExportTab[Any], ...] = (
    ExportTab(
        "Model and code",
        _ask_model,
        (
            Export(MODEL.name, MODEL.label, lambda shown: MODEL.write(lambda: shown.model)),
            Export("model.sql", "SQL", lambda shown: model_sql(shown.model, act=shown.act)),
            Export(
                "model.py",
                "Python",
                lambda shown: model_python(shown.model, shown.act),
                help="One file without dependencies; it holds no row of the table.",
            ),
        ),
    ),
    ExportTab(
        "Report",
        lambda shown: shown,
        (
            Export(
                "report.html",
                "Report (HTML)",
                _report,
                help="Members or shapes, path, cautions and where the numbers come from, in one "
                "offline file.",
            ),
        ),
    ),
    scores_tab(lambda shown: (shown.model, shown.act)),
)
"""What can be taken away of a shaped tree or a council."""
