"""A council of readable models: who sits on it, how loud, and one row taken apart."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.charts.shape_chart import chart_key, members_html, shapes_html
from probtrees.draw.code.model_as_code import model_python, model_sql
from probtrees.draw.escape import markdown_text
from probtrees.draw.node_card import default_outcome
from probtrees.experiment.council import COUNCILLORS, Council
from probtrees.experiment.model_spec import make_spec
from probtrees.explain.shape_curves import (
    WORDS,
    council_curves,
    council_sentence,
    councillors,
)
from probtrees.model.model import Model
from probtrees.ui.shared.exports import export_drawer
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import result_of
from probtrees.ui.shared.workbench import TreeBench
from probtrees.ui.tree.shaped_exports import ShapedOnShow, fit_judged, fitted_exports, show_quality
from probtrees.ui.tree.shaped_view import (
    ask_row,
    back_to_tree,
    pick_row,
    show_answer,
    show_leaf_ranges,
)
from probtrees.ui.tree.tree_page import COUNCIL
from probtrees.words import plural


def ask_members() -> list[str]:
    """Ask who sits on the council; nobody chosen means the usual ones."""
    usual = Council().names
    chosen = st.multiselect(
        "Who sits on the council",
        list(COUNCILLORS),
        default=list(usual),
        key=COUNCIL,
        persist_state="session",
        help="Held-out rows decide how loud everybody is; who does not help is left out. "
        f"{'; '.join(f'{name}: {words}' for name, words in WORDS.items())}.",
    )
    in_order = [name for name in COUNCILLORS if name in chosen]
    return in_order or list(usual)


def grown_council(bench: TreeBench) -> ShapedOnShow:
    """Let a council sit on the table in use; while it does the page ends with its progress."""
    grown_by = dict(bench.key[1])
    options = {"missing": grown_by["missing"]} if "missing" in grown_by else {}
    options["members"] = ",".join(ask_members())
    model, quality = result_of(
        ("council", options["members"], *bench.key),
        lambda report: fit_judged(bench, make_spec("council", options), report),
        title="Letting the council sit",
        on_cancel=back_to_tree,
    )
    return ShapedOnShow(model, bench.data, bench.key, bench.outcome, quality)


def saved_council(model: Model, digest: str) -> ShapedOnShow:
    """Take a council that came as a file, without its rows."""
    chosen = st.session_state.get(state.OUTCOME)
    if chosen is None or chosen >= len(model.schema.classes):
        of_class = [s.tree for s in model.trees if s.tree.target == model.schema.target_column]
        chosen = default_outcome(of_class[0])
    return ShapedOnShow(model, None, digest, int(chosen))


def council_size(model: Model) -> str:
    """Say how large a council is."""
    return plural(len(model.members), "members")


def show_council(shown: ShapedOnShow) -> None:
    """Show members and curves on the left, and one row taken apart on the right."""
    model, outcome = shown.model, shown.outcome
    names, classes = model.schema.names, model.schema.classes
    curves = council_curves(model)
    left, right = st.columns([3, 2], gap="medium")
    with right:
        with st.popover("Export", icon=":material/download:"):
            export_drawer(COUNCIL_EXPORTS, shown)
        row = ask_row(shown, [curve.name for curve in curves])
        show_answer(shown, row)
    with left:
        show_quality(shown)
        alone = len(model.members) == 1
        st.markdown(f"**{'One member answers' if alone else 'Members that answer together'}**")
        st.html(members_html(councillors(model), theme=state.theme()))
        st.caption(markdown_text(council_sentence(model)))
        if not curves:
            pick_row(shown)
            show_leaf_ranges(shown)
            return
        st.markdown(
            f"**What every column adds to the log-odds of {markdown_text(classes[outcome])} "
            "through the shaped tree**, times its weight, the strongest first."
        )
        marked = {names[k]: float(row[k]) for k in range(len(names) - 1)}
        st.html(shapes_html(curves, classes, outcome, values=marked, theme=state.theme()))
        st.caption(
            f"{chart_key(curves)} The orange mark is the row beside. The path of the shaped tree "
            "and the other members add to it; the list beside the curves holds all of them."
        )
        pick_row(shown)
        show_leaf_ranges(shown)


def _ask_model(shown: ShapedOnShow) -> ShapedOnShow:
    st.caption(
        "The model file is plain JSON for probtrees. On the command line: probtrees grow DATA "
        f"--model council --set model.members={','.join(shown.model.options['council']['members'])}"
    )
    return shown


COUNCIL_EXPORTS = fitted_exports(
    "council",
    _ask_model,
    model_sql,
    model_python,
    "Members, weights, curves, cautions and where the numbers come from.",
)
