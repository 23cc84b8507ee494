"""The split of a node, its column's values by outcome, and another in its place: what experts say.

Another column or cut, stop, grow further, never a column. What it does to unseen rows is asked
before it is done.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.charts.split_chart import split_html
from probtrees.draw.escape import markdown_text, shorten
from probtrees.experiment.evaluation.stability import columns_chosen
from probtrees.explain.rule import NOT_RECORDED_TEXT, cut_sides
from probtrees.explain.split_view import ColumnGain, column_gain, cut_places, split_view
from probtrees.grow.edits import Edit, way_to
from probtrees.table.dataset import Dataset
from probtrees.table.number_text import number_text
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.session.state import all_edits, change_edits, edits_in_force
from probtrees.ui.shared.workbench import TreeBench, Workbench
from probtrees.ui.tree.columns_panel import name_values
from probtrees.ui.tree.corrections import keep_selected, show_effect
from probtrees.ui.tree.leaf_list import observations_at
from probtrees.words import percent, plural, unbroken

OPEN = "correct here"
_MOST_LISTED = 200

Chosen = tuple[Counter[int], int] | None
"""How many inner trees split on which column somewhere, of how many; None: not known."""


def is_corrected(bench: TreeBench, node: int) -> bool:
    """Whether the split of a node is an expert's, which the tree could follow."""
    place = Edit("stop", way_to(bench.tree, bench.schema, node)).place
    notes = bench.counts.diagnostics.get("edits", ())
    return any(
        edit.do == "split" and edit.place == place and note["why"] is None
        for edit, note in zip(edits_in_force(), notes, strict=False)
    )


def split_panel(bench: Workbench, node: int, smoother: str) -> None:
    """Show the split of a node, and offer another; only of a tree whose rows are here."""
    if not isinstance(bench, TreeBench):
        return
    is_leaf = bool(bench.tree.is_leaf[node])
    drawer = st.expander(
        "Correct the tree here" if is_leaf else "The split here",
        icon=":material/edit:",
        expanded=not is_leaf,
        on_change="rerun",
        key=OPEN if is_leaf else "split here",
    )
    if not drawer.open:
        return
    with drawer:
        gains = _candidates(bench.key, node, bench)
        if not gains:
            st.caption("No row of the table comes here, so there is nothing to correct.")
            return
        column = _choose_split(bench, node, gains, smoother)
        name_values(bench.data, bench.schema.names.index(column))
        _other_buttons(bench, node, column)


def _choose_split(bench: TreeBench, node: int, gains: list[ColumnGain], smoother: str) -> str:
    """Show a split, as it is or on another column or cut, and offer it; name the column."""
    at, now = int(bench.tree.arrays.column[node]), float(bench.tree.arrays.threshold[node])
    here, rows = f"{node} {hash(bench.key)}", observations_at(bench.key, node, bench)
    found = _chosen(bench, node)
    chosen: int = st.selectbox(
        "Split on",
        range(len(gains)),
        index=next((number for number, gain in enumerate(gains) if gain.column == at), 0),
        format_func=lambda number: _gain_words(gains[number], found),
        key=f"edit.column {here}",
        help="How much a split tells about the outcome of these rows, in bits: the one in use as "
        "it is, other numbers at their best cut. C4.5 does not simply take the largest: it divides "
        "by how finely a split cuts. Trees: how many of those grown without a part of the rows "
        "split on it here.",
    )
    gain = gains[chosen]
    picture = st.empty()  # the chart stands above the slider that moves its cut
    cut = gain.threshold
    if cut is not None and not gain.about.two_values:
        cut = _ask_cut(gain, rows, cut, key=f"edit.cut {here} {gain.column}")
    shown = split_view(rows, gain.column, cut)
    picture.html(split_html(shown, bench.outcomes, bench.outcome, theme=state.theme()))
    share = percent(shown.chosen.gain / max(shown.entropy, 1e-12))
    sides = "" if cut is None else f" {_sides(bench, rows, gain.column, cut)}"
    said = f"Tells {share} of what there is to tell about the outcome of these rows.{sides}"
    st.caption(markdown_text(unbroken(said)))
    if gain.column == at and cut in (None, now):
        if is_corrected(bench, node):
            st.markdown("A correction; the list of them says how many inner trees follow it.")
        return gain.about.name
    edit = Edit("split", way_to(bench.tree, bench.schema, node), gain.about.name, cut)
    show_effect(bench, _with(edit, edits_in_force()), smoother)
    st.button(
        "Split here",
        type="primary",
        icon=":material/call_split:",
        on_click=_make,
        args=(bench, node, edit),
        help="What hangs below grows again from the rows of each side.",
        key="edit.split",
    )
    return gain.about.name


def _ask_cut(gain: ColumnGain, rows: Dataset, cut: float, *, key: str) -> float:
    """Ask where to cut a number."""
    values = rows.values[:, gain.column]
    places = cut_places(values[np.isfinite(values)], cut, gain.about.unit)
    chosen: float = st.select_slider(
        "Cut at",
        places,
        value=cut,
        format_func=lambda place: number_text(place, gain.about.unit),
        key=key,
        help="Rows up to this number go one way, those above it the other. What another cut does "
        "to unseen rows is said below before anything changes.",
    )
    return chosen


def _gain_words(gain: ColumnGain, found: Chosen) -> str:
    """Name a column with what it tells, and how many inner trees split on it here too."""
    cut = gain.cut_text(gain.threshold)
    said = f"{shorten(gain.title, 40)} · {gain.gain:.3f} bits{f' at {cut}' if cut else ''}"
    return said if found is None else f"{said} · {found[0][gain.column]} of {found[1]} trees"


def _chosen(bench: TreeBench, node: int) -> Chosen:
    """Look at what inner trees split on here, once they have been grown."""
    if bench.tree.is_leaf[node] or not bench.counts.grown.has_evidence:
        return None
    others = [members[0].trees[0] for members in bench.counts.grown.evidence().members]
    return columns_chosen(bench.tree, node, others), len(others)


def _sides(bench: TreeBench, rows: Dataset, column: int, cut: float) -> str:
    """Say how many rows lie on each side of a cut, and how often the outcome is among them."""
    values, weights = rows.values[:, column], rows.row_weights
    cases = weights * (rows.labels == bench.outcome)
    below, over = cut_sides(bench.schema.columns[column], cut)
    sides = {below: values <= cut, over: values > cut}
    if np.isnan(values).any():
        sides[NOT_RECORDED_TEXT] = np.isnan(values)
    said = []
    for name, side in sides.items():
        total = float(weights[side].sum())
        share = f" ({percent(float(cases[side].sum()) / total)})" if total else ""
        said.append(f"{name}: {plural(total, bench.tree.rows_word)}{share}")
    return f"{bench.asked} among " + "; ".join(said) + "."


def _other_buttons(bench: TreeBench, node: int, column: str) -> None:
    """Offer to stop, to grow further, and to do without a column."""
    way = way_to(bench.tree, bench.schema, node)
    never = f"Never use {markdown_text(shorten(column, 30))}"
    buttons = {
        "Stop here": (Edit("stop", way), "All groups below become one."),
        "Grow further by itself": (
            Edit("grow", way),
            "As far as C4.5 gets, without collapse, pruning or a limit of depth.",
        ),
        f"{never} here": (
            Edit("never", way, column),
            "The column is not used at this node and below it.",
        ),
        f"{never} anywhere": (
            Edit("never", (), column),
            "The tree is grown as if the table had no such column.",
        ),
    }
    off = {"Stop here": bool(bench.tree.is_leaf[node]), f"{never} here": node == 0}
    with st.container(horizontal=True, key="edit_buttons"):
        for number, (label, (edit, words)) in enumerate(buttons.items()):
            st.button(
                label,
                on_click=_make,
                args=(bench, node, edit),
                disabled=off.get(label, False),
                help=words,
                key=f"edit.other {number}",
            )


def _make(bench: TreeBench, node: int, edit: Edit) -> None:
    """Add a correction."""
    keep_selected(bench, node)
    change_edits(_with(edit, all_edits()))


def _with(edit: Edit, others: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Add a correction to others; one about the same thing at its node makes room."""

    def subject(of: Edit) -> tuple[Any, ...]:
        return (of.place, of.column) if of.do == "never" else (of.place,)

    return (*(other for other in others if subject(other) != subject(edit)), edit)


@kept()
def _candidates(key: Any, node: int, _bench: TreeBench) -> list[ColumnGain]:
    """List the columns by what they tell among the rows of a node."""
    rows = observations_at(key, node, _bench)
    if not rows.n_rows:
        return []
    own, cut = int(_bench.tree.arrays.column[node]), float(_bench.tree.arrays.threshold[node])
    gains = [
        column_gain(rows, column, cut if column == own and not np.isnan(cut) else None)
        for column in range(rows.schema.target_column)
    ]
    gains.sort(key=lambda gain: -gain.gain)
    return [gain for n, gain in enumerate(gains) if n < _MOST_LISTED or gain.column == own]
