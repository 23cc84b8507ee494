"""Correcting the tree at one node: another column or cut, stop, grow further, never a column."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import OptionError
from probtrees.explain.rule import NOT_RECORDED_TEXT, cut_sides
from probtrees.explain.split_view import ColumnGain, column_gain
from probtrees.grow.edits import Edit, Step, node_at, way_to
from probtrees.table.dataset import Dataset
from probtrees.table.number_text import field_text, number_text
from probtrees.ui.shared.forms import value_of
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.session.state import all_edits, change_edits, edits_in_force
from probtrees.ui.shared.workbench import TreeBench, Workbench
from probtrees.ui.tree.rows_of_node import observations_at
from probtrees.words import percent, plural, unbroken

OPEN = "correct here"
_GO_TO = "edits go to"
_MOST_LISTED = 200


def select_corrected(bench: Workbench) -> None:
    """Select the node that was just corrected: its number is another one in the new tree."""
    way: tuple[Step, ...] | None = st.session_state.pop(_GO_TO, None)
    if way is not None:
        st.session_state[state.NODE] = node_at(bench.tree, bench.schema, way)


def keep_selected(bench: Workbench, node: int) -> None:
    """Remember the way to the node in view before the tree changes."""
    st.session_state[_GO_TO] = way_to(bench.tree, bench.schema, node)


def is_corrected(bench: Workbench, node: int) -> bool:
    """Whether the split of a node is an expert's, which the tree could follow."""
    if not isinstance(bench, TreeBench):
        return False
    place = Edit("stop", way_to(bench.tree, bench.schema, node)).place
    notes = bench.counts.diagnostics.get("edits", ())
    return any(
        edit.do == "split" and edit.place == place and note["why"] is None
        for edit, note in zip(edits_in_force(), notes, strict=False)
    )


def correct_node(bench: Workbench, node: int) -> None:
    """Offer what an expert may say about the node; only of a tree whose rows are here."""
    if not isinstance(bench, TreeBench):
        return
    drawer = st.expander(
        "Correct the tree here", icon=":material/edit:", on_change="rerun", key=OPEN
    )
    if not drawer.open:
        return
    with drawer:
        gains = _candidates(bench.key, node, bench)
        if not gains:
            st.caption("No row of the table comes here, so there is nothing to correct.")
            return
        st.caption(
            "Trees grown without a part of the rows follow a correction too: what it does on rows "
            "they have not seen is said below."
        )
        column = _choose_split(bench, node, gains)
        _other_buttons(bench, node, column)


def _choose_split(bench: TreeBench, node: int, gains: list[ColumnGain]) -> str:
    """Ask for a column and a cut, say what groups they make, offer to split so; name the column."""
    at = int(bench.tree.arrays.column[node])
    here = f"{node} {hash(bench.key)}"
    chosen: int = st.selectbox(
        "Split on",
        range(len(gains)),
        index=next((number for number, gain in enumerate(gains) if gain.column == at), 0),
        format_func=lambda number: _gain_words(bench, node, gains[number]),
        key=f"edit.column {here}",
        help="By how much a split tells about the outcome among these rows, a number at its best "
        "cut.",
    )
    gain = gains[chosen]
    cut, is_clear = None, True
    if not bench.schema.columns[gain.column].is_nominal:
        cut, is_clear = _ask_cut(bench, node, gain, key=f"edit.cut {here} {gain.column}")
    is_so = gain.column == at and cut in (None, float(bench.tree.arrays.threshold[node]))
    edit = Edit("split", way_to(bench.tree, bench.schema, node), gain.name, cut)
    st.button(
        "Split here",
        type="primary",
        icon=":material/call_split:",
        on_click=_make,
        args=(bench, node, edit),
        disabled=not is_clear or is_so,
        help="What hangs below grows again from the rows of each side.",
        key="edit.split",
    )
    return gain.name


def _gain_words(bench: TreeBench, node: int, gain: ColumnGain) -> str:
    said = f"{shorten(gain.title, 40)} · {gain.gain:.3f} bits"
    if gain.cut_text:
        said += f" at {gain.cut_text}"
    if gain.column != int(bench.tree.arrays.column[node]):
        return said
    cut = float(bench.tree.arrays.threshold[node])
    is_told = math.isnan(cut) or gain.is_code
    return said + (" · as it is" if is_told else f" · now at {number_text(cut, gain.unit)}")


def _ask_cut(
    bench: TreeBench, node: int, gain: ColumnGain, *, key: str
) -> tuple[float | None, bool]:
    """Ask where to cut a number; return it (None: where C4.5 would), and whether it is clear."""
    start = gain.threshold
    if gain.column == int(bench.tree.arrays.column[node]):
        start = float(bench.tree.arrays.threshold[node])
    written = "" if start is None else field_text(start, gain.unit)
    text = st.text_input(
        "at",
        value=written,
        placeholder="where C4.5 would cut",
        key=key,
        help="Rows up to this number go one way, those above it the other. A point and a comma "
        "are both understood.",
    )
    rows = observations_at(bench.key, node, bench)
    known = rows.values[:, gain.column]
    known = known[np.isfinite(known)]
    low, high = float(known.min(initial=math.inf)), float(known.max(initial=-math.inf))
    try:
        column = bench.schema.columns[gain.column]
        value = start if text == written and start else value_of(text or "", column, (low, high))
    except OptionError as problem:
        st.caption(f":red[{markdown_text(str(problem))}]")
        return None, False
    if math.isnan(value):
        return None, True
    st.caption(markdown_text(unbroken(_sides(bench, rows, gain.column, value))))
    if low <= value < high:
        return value, True
    ends = f"{number_text(low, gain.unit)} and {number_text(high, gain.unit)}"
    st.caption(f":red[All rows here lie on one side. Cut between {ends}.]")
    return value, False


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
    """Add a correction; one about the same thing at the same node makes room."""
    keep_selected(bench, node)

    def subject(of: Edit) -> tuple[Any, ...]:
        return (of.place, of.column) if of.do == "never" else (of.place,)

    kept_edits = (other for other in all_edits() if subject(other) != subject(edit))
    change_edits((*kept_edits, edit))


@kept()
def _candidates(key: Any, node: int, _bench: TreeBench) -> list[ColumnGain]:
    """List the columns by what they tell among the rows of a node."""
    rows = observations_at(key, node, _bench)
    if not rows.n_rows:
        return []
    gains = [column_gain(rows, column) for column in range(rows.schema.target_column)]
    gains.sort(key=lambda gain: -gain.gain)
    own = int(_bench.tree.arrays.column[node])
    return [gain for n, gain in enumerate(gains) if n < _MOST_LISTED or gain.column == own]
