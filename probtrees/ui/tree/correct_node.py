"""Correcting the tree at one node: another column or cut, stop, grow further, never a column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import OptionError
from probtrees.experiment.corrections import KINDER
from probtrees.experiment.evaluation.growing_costs import KEPT_APART, merged_into_one
from probtrees.explain.rule import NOT_RECORDED_TEXT, cut_sides
from probtrees.explain.split_view import ColumnGain, column_gain
from probtrees.grow.count_tree import CountTree
from probtrees.grow.edits import Edit, Step, node_at, way_to
from probtrees.table.dataset import Dataset
from probtrees.table.findings import listed
from probtrees.table.number_text import field_text, number_text
from probtrees.ui.shared.forms import value_of
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.state import (
    all_edits,
    can_undo,
    change_edits,
    edits_in_force,
    undo_edit,
)
from probtrees.ui.shared.workbench import TreeBench, Workbench
from probtrees.ui.tree.correction_costs import effect_of_all
from probtrees.ui.tree.rows_of_node import landing, rows_in
from probtrees.words import percent, plural, unbroken

OPEN = "correct here"
_GO_TO = "edits go to"
_MOST_LISTED = 200
_MOST_NAMED, _FEW_VALUES = 3, 10
"""Columns that are named below a tree of one leaf; many values tell much by chance."""
_FEW_CASES = 50


def select_corrected(bench: Workbench) -> None:
    """Select the node that was just corrected: its number is another one in the new tree."""
    way: tuple[Step, ...] | None = st.session_state.pop(_GO_TO, None)
    if way is not None:
        st.session_state[state.NODE] = node_at(bench.tree, bench.schema, way)


def keep_selected(bench: Workbench, node: int) -> None:
    """Remember the way to the node in view before the tree changes."""
    st.session_state[_GO_TO] = way_to(bench.tree, bench.schema, node)


def is_corrected(bench: Workbench, node: int) -> bool:
    """Whether the split of a node is an expert's."""
    place = Edit("stop", way_to(bench.tree, bench.schema, node)).place
    split_so = [edit for edit in edits_in_force() if edit.do == "split" and edit.place == place]
    return isinstance(bench, TreeBench) and any(_is_in_force(bench, e) for e in split_so)


def _is_in_force(bench: TreeBench, edit: Edit) -> bool:
    """Whether the tree could follow a correction."""
    notes = bench.counts.diagnostics["edits"]
    return notes[edits_in_force().index(edit)]["why"] is None


def splits_not_shown(bench: Workbench) -> None:
    """Say what helps where the tree has found no split, or hides one that tells chances apart."""
    if not isinstance(bench, TreeBench):
        return
    if bench.tree.n_leaves == 1:
        _single_leaf(bench)
    elif unlike := bench.counts.diagnostics.get("joined_unlike"):
        st.caption(joined_words(unlike, markdown_text(bench.outcomes[bench.outcome])))
        _tell_apart_button()


def _single_leaf(bench: TreeBench) -> None:
    gains = _candidates((bench.key, 0), bench.tree, bench.counts.grown.data, 0, bench.key)
    names = [
        markdown_text(gain.title)
        for gain in gains
        if gain.gain > 0 and bench.schema.columns[gain.column].n_values <= _FEW_VALUES
    ]
    cases = int((bench.data.labels == bench.outcome).sum())
    outcome = markdown_text(bench.outcomes[bench.outcome])
    halved = bool(getattr(bench.counts.grown.spec.learner, "separate_rows", False))
    merged = merged_into_one(bench.counts.diagnostics)
    st.caption(single_leaf_words(cases, outcome, names, halved=halved, merged=merged))
    if merged:
        _tell_apart_button()


def _tell_apart_button() -> None:
    st.button(
        "Tell their chances apart",
        on_click=_keep_apart,
        help="Leaves that predict the same class are kept apart: of a rare outcome most do, "
        "though it is far more frequent in some. Growing lets them be merged again.",
    )


def _keep_apart() -> None:
    st.session_state.update({f"c45.{name}": value for name, value in KEPT_APART.items()})


def joined_words(n_leaves: int, outcome: str) -> str:
    """Say that leaves join rows of other chances.

    >>> print(joined_words(1, "accident"))
    One leaf joins groups that all predict the same class, though “accident” is plainly more \
frequent in some of them.
    """
    which = "One leaf joins" if n_leaves == 1 else f"{n_leaves:,} leaves join"
    return (
        f"{which} groups that all predict the same class, though “{outcome}” is plainly more "
        "frequent in some of them."
    )


def single_leaf_words(
    cases: int, outcome: str, names: Sequence[str], *, halved: bool = False, merged: int = 0
) -> str:
    """Say why a tree is one leaf, and what to do next.

    Parameters
    ----------
    names : columns, the one that tells most about the outcome first
    halved : whether only half of the rows shape the tree
    merged : how many leaves were merged into the one, since all predict the same class

    >>> print(single_leaf_words(12, "fraud", ["bank changed", "new vendor"]))
    The tree is one leaf: no column parts the rows clearly enough. More rows of “fraud” would \
help most, there are 12. By themselves **bank changed** and **new vendor** tell most about the \
outcome: *Correct the tree here* lists them and splits on the one you choose.
    """
    said = ["The tree is one leaf: no column parts the rows clearly enough."]
    if merged:
        said = [f"The tree is one leaf: {merged:,} leaves all predict the same class and are one."]
    if cases < _FEW_CASES:
        said.append(f"More rows of “{outcome}” would help most, there are {cases}.")
    if halved:
        said.append("Half of the rows give it its shape: *Growing* lets all of them do so.")
    if names:
        few = listed([f"**{name}**" for name in names[:_MOST_NAMED]])
        tell = "tells" if len(names) == 1 else "tell"
        said.append(
            f"By {'itself' if len(names) == 1 else 'themselves'} {few} {tell} most about the "
            "outcome: *Correct the tree here* lists them and splits on the one you choose."
        )
    return " ".join(said)


def correct_node(bench: Workbench, node: int, smoother: str) -> None:
    """Offer what an expert may say about the node; only of a tree whose rows are here."""
    if not isinstance(bench, TreeBench):
        return
    drawer = st.expander(
        "Correct the tree here", icon=":material/edit:", on_change="rerun", key=OPEN
    )
    if not drawer.open:
        return
    with drawer:
        gains = _candidates((bench.key, node), bench.tree, bench.counts.grown.data, node, bench.key)
        if not gains:
            st.caption("No row of the table comes here, so there is nothing to correct.")
            return
        if all_edits() or can_undo():
            waiting = effect_of_all(bench, smoother) is None and bool(edits_in_force())
            st.fragment(_effect, run_every=0.7 if waiting else None)(bench, node, smoother, waiting)
        else:
            st.caption(
                "Trees grown without a part of the rows follow a correction too, and it is said "
                "at once what it does on rows they have not seen."
            )
        chosen = _choose_split(bench, node, gains)
        _other_buttons(bench, node, gains[chosen].name)


def _effect(bench: TreeBench, node: int, smoother: str, waiting: bool) -> None:
    """Say what the corrections made so far do on unseen rows, and offer to take the last back."""
    said = effect_of_all(bench, smoother)
    if said is not None and waiting:
        st.rerun()
    if edits_in_force():
        st.markdown(markdown_text(said) if said else "Asking trees that have not seen the rows …")
        st.caption(KINDER)
    if st.button(
        "Undo the last correction",
        icon=":material/undo:",
        type="tertiary",
        disabled=not can_undo(),
        key="edit.undo",
    ):
        keep_selected(bench, node)
        undo_edit()
        st.rerun()  # the whole page: a fragment's own click runs only the fragment again


def _choose_split(bench: TreeBench, node: int, gains: list[ColumnGain]) -> int:
    """Ask for a column and a cut, say what groups they make, and offer to split so."""
    own = int(bench.tree.arrays.column[node])
    by_column = {gain.column: number for number, gain in enumerate(gains)}
    table = f"{node} {hash(bench.key)}"
    chosen: int = st.selectbox(
        "Split on",
        range(len(gains)),
        index=by_column.get(own, 0),
        format_func=lambda number: _gain_words(gains[number], bench.tree, node),
        key=f"edit.column {table}",
        help="By how much a split tells about the outcome among these rows, a number at its best "
        "cut.",
    )
    gain = gains[chosen]
    cut, is_clear = None, True
    if not bench.schema.columns[gain.column].is_nominal:
        cut, is_clear = _ask_cut(bench, node, gain, key=f"edit.cut {table} {gain.column}")
    edit = Edit("split", way_to(bench.tree, bench.schema, node), gain.name, cut)
    st.button(
        "Split here",
        type="primary",
        icon=":material/call_split:",
        on_click=_make,
        args=(bench, node, edit),
        disabled=not is_clear or _is_so(bench, node, edit),
        help="What hangs below grows again from the rows of each side.",
        key="edit.split",
    )
    return chosen


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
    try:
        column = bench.schema.columns[gain.column]
        seen = _seen(bench, node, gain)
        value = start if text == written and start else value_of(text or "", column, seen)
    except OptionError as problem:
        st.caption(f":red[{markdown_text(str(problem))}]")
        return None, False
    if math.isnan(value):
        st.caption("Left empty, the cut is where C4.5 would make it.")
        return None, True
    st.caption(markdown_text(unbroken(_sides(bench, node, gain, value))))
    if seen[0] <= value < seen[1]:
        return value, True
    low, high = (number_text(number, gain.unit) for number in seen)
    st.caption(f":red[All rows here lie on one side. Cut between {low} and {high}.]")
    return value, False


def _other_buttons(bench: TreeBench, node: int, column: str) -> None:
    """Offer to stop, to grow further, and to do without a column."""
    way = way_to(bench.tree, bench.schema, node)
    is_leaf = bool(bench.tree.is_leaf[node])
    short = markdown_text(shorten(column, 30))
    with st.container(horizontal=True, key="edit_buttons"):
        buttons = (
            ("Stop here", Edit("stop", way), is_leaf, "All groups below become one."),
            (
                "Grow further by itself",
                Edit("grow", way),
                False,
                "As far as C4.5 gets, without collapse, pruning or a limit of depth.",
            ),
            (
                f"Never use {short} here",
                Edit("never", way, column),
                node == 0,
                "The column is not used at this node and below it.",
            ),
            (
                f"Never use {short} anywhere",
                Edit("never", (), column),
                False,
                "The tree is grown as if the table had no such column.",
            ),
        )
        for number, (label, edit, off, words) in enumerate(buttons):
            st.button(
                label,
                on_click=_make,
                args=(bench, node, edit),
                disabled=off,
                help=words,
                key=f"edit.other {number}",
            )


def _make(bench: TreeBench, node: int, edit: Edit) -> None:
    """Add a correction; one about the same thing at the same node makes room."""
    keep_selected(bench, node)
    kept = tuple(
        other
        for other in all_edits()
        if other.place != edit.place
        or (other.do == "never") != (edit.do == "never")
        or (edit.do == "never" and other.column != edit.column)
    )
    change_edits((*kept, edit))


def _is_so(bench: TreeBench, node: int, edit: Edit) -> bool:
    """Whether the node is split so already."""
    at = int(bench.tree.arrays.column[node])
    if at < 0 or bench.schema.columns[at].name != edit.column:
        return False
    cut = float(bench.tree.arrays.threshold[node])
    return edit.cut is None or edit.cut == cut


def _gain_words(gain: ColumnGain, tree: CountTree, node: int) -> str:
    said = f"{shorten(gain.title, 40)} · {gain.gain:.3f} bits"
    if gain.cut_text:
        said += f" at {gain.cut_text}"
    if gain.column != int(tree.arrays.column[node]):
        return said
    cut = float(tree.arrays.threshold[node])
    is_told = math.isnan(cut) or gain.is_code
    return said + (" · as it is" if is_told else f" · now at {number_text(cut, gain.unit)}")


def _seen(bench: TreeBench, node: int, gain: ColumnGain) -> tuple[float, float]:
    """Return the smallest and the largest number of a column among the rows of a node."""
    values = _rows_at(bench, node).values[:, gain.column]
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if len(known) else (math.inf, -math.inf)


def _sides(bench: TreeBench, node: int, gain: ColumnGain, cut: float) -> str:
    """Say how many rows lie on each side of a cut, and how often the outcome is among them."""
    data = _rows_at(bench, node)
    values, weights = data.values[:, gain.column], data.row_weights
    cases = weights * (data.labels == bench.outcome)
    below, over = cut_sides(bench.schema.columns[gain.column], cut)
    sides = {below: values <= cut, over: values > cut}
    if np.isnan(values).any():
        sides[NOT_RECORDED_TEXT] = np.isnan(values)
    said = []
    for name, side in sides.items():
        total = float(weights[side].sum())
        share = f" ({percent(float(cases[side].sum()) / total)})" if total else ""
        said.append(f"{name}: {plural(total, bench.tree.rows_word)}{share}")
    return f"{bench.asked} among " + "; ".join(said) + "."


def _rows_at(bench: TreeBench, node: int) -> Dataset:
    """Return the rows of a node."""
    key = (bench.key, node, "rows")
    return _rows(key, bench.tree, bench.counts.grown.data, node, bench.key)


@st.cache_resource(show_spinner=False, max_entries=64)
def _candidates(
    key: Any, _tree: CountTree, _data: Dataset, _node: int, _of_tree: Any
) -> list[ColumnGain]:
    """List the columns by what they tell among the rows of a node."""
    landed = landing((_of_tree, "observations"), _tree, _data)
    rows = _data.take(rows_in(_tree, landed, _node))
    if not rows.n_rows:
        return []
    gains = [column_gain(rows, column) for column in range(_data.schema.target_column)]
    gains.sort(key=lambda gain: -gain.gain)
    own = int(_tree.arrays.column[_node])
    return [gain for n, gain in enumerate(gains) if n < _MOST_LISTED or gain.column == own]


@st.cache_resource(show_spinner=False, max_entries=8)
def _rows(key: Any, _tree: CountTree, _data: Dataset, _node: int, _of_tree: Any) -> Dataset:
    landed = landing((_of_tree, "observations"), _tree, _data)
    return _data.take(rows_in(_tree, landed, _node))
