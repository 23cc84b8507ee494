"""The list of corrections: switched on and off, undone and redone, and what each one costs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.experiment.corrections import KINDER, edit_sentences
from probtrees.experiment.inner_models import edits_followed
from probtrees.grow.edits import Edit, check_edits, edits_text, load_edits
from probtrees.ui.shared.session.state import (
    all_edits,
    can_redo,
    can_undo,
    change_edits,
    edits_in_force,
    redo_edit,
    undo_edit,
)
from probtrees.ui.shared.workbench import TreeBench, Workbench
from probtrees.ui.tree.correct_node import keep_selected
from probtrees.ui.tree.correction_costs import (
    correction_jobs,
    cost_of,
    effect_of_all,
    judged,
)


def corrections_list(bench: Workbench, node: int, smoother: str) -> None:
    """Show the corrections of the tree, those of a loaded model without what changes them."""
    if not isinstance(bench, TreeBench):
        said = edit_sentences(bench.counts.diagnostics)
        if said and bench.tells_class:
            with st.expander(f"Corrected by an expert · {len(said)}"):
                for sentence in said:
                    st.markdown(f"- {markdown_text(sentence)}")
        return
    edits = all_edits()
    if not edits and not can_redo() and not can_undo():
        return
    with st.container(border=True, key="corrections"):
        _tools(bench, node)
        if not edits:
            st.caption("No corrections: this is the tree as C4.5 grows it.")
            return
        found = correction_jobs(bench, smoother)
        ready = all(job.finished.is_set() for job in found.values())
        st.fragment(_effects, run_every=None if ready else 0.7)(bench, node, smoother, not ready)


def _tools(bench: TreeBench, node: int) -> None:
    """Offer undo and redo, and the list as a file."""
    with st.container(horizontal=True, vertical_alignment="center", key="correction_tools"):
        st.markdown("**Corrections**", width="content")
        for label, icon, act, usable, keys in (
            ("Undo", ":material/undo:", undo_edit, can_undo(), "Ctrl+Alt+Z"),
            ("Redo", ":material/redo:", redo_edit, can_redo(), "Ctrl+Alt+Y"),
        ):
            st.button(
                label,
                icon=icon,
                type="tertiary",
                disabled=not usable,
                on_click=_then,
                args=(bench, node, act),
                shortcut=keys,
                key=f"edits.{label}",
            )
        edits = all_edits()
        with st.popover("File", icon=":material/data_object:", type="tertiary"):
            st.download_button(
                "Save (edits.json)",
                edits_text(edits),
                "edits.json",
                "application/json",
                disabled=not edits,
                help="For probtrees grow --edits edits.json, and C45(edits=...).",
            )
            given = st.file_uploader("Load corrections", type="json", key="edits.file")
            if given is not None and st.button("Use these", key="edits.use"):
                _load(bench, node, (given.name, given.getvalue()))


def _load(bench: TreeBench, node: int, file: tuple[str, bytes]) -> None:
    """Take over the corrections of a file, or say what is wrong with it."""
    try:
        edits = load_edits(file)
        check_edits(edits, bench.schema)
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
        return
    keep_selected(bench, node)
    change_edits(edits)
    st.rerun()


def _then(bench: TreeBench, node: int, act: Any) -> None:
    keep_selected(bench, node)
    act()


def _effects(bench: TreeBench, node: int, smoother: str, waiting: bool) -> None:
    """Say what all corrections do together, and list them one by one."""
    found = correction_jobs(bench, smoother)
    if waiting and all(job.finished.is_set() for job in found.values()):
        st.rerun()
    active = edits_in_force()
    now, said = judged(found.get(active)), effect_of_all(bench, smoother)
    if said is not None:
        st.markdown(markdown_text(said))
        st.caption(KINDER)
    elif active:
        st.caption("What do unseen rows say? Asking trees that have not seen them …")
    for number, edit in enumerate(all_edits()):
        _line(bench, node, number, edit, cost_of(found, active, edit, now))


def _line(bench: TreeBench, node: int, number: int, edit: Edit, cost: str) -> None:
    """Show one correction, its switch, what it costs, and a button that takes it away."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"edit_line {number}"):
        key = f"edit.on {number} {hash(edit)}"
        words = markdown_text(edit.words)
        asked = "Switches the correction off and on."
        is_on = st.checkbox(words, value=edit.on, key=key, help=asked)
        said = " · ".join(filter(None, (_followed(bench, edit), cost)))
        if said:
            st.caption(markdown_text(said), width="content")
        gone = st.button(
            "",
            icon=":material/delete:",
            type="tertiary",
            key=f"edit.drop {number} {hash(edit)}",
            help="Takes this correction back.",
        )
    if gone or is_on != edit.on:
        _change(bench, node, number, () if gone else (replace(edit, on=is_on),))


def _change(bench: TreeBench, node: int, number: int, instead: tuple[Edit, ...]) -> None:
    """Put something else, or nothing, in the place of a correction."""
    edits = all_edits()
    keep_selected(bench, node)
    change_edits((*edits[:number], *instead, *edits[number + 1 :]))
    st.rerun()  # the whole page: a fragment's own click runs only the fragment again


def _followed(bench: TreeBench, edit: Edit) -> str:
    """Say whether the tree, and how many of its inner trees, follow a correction."""
    active = edits_in_force()
    if edit not in active:
        return ""
    number, grown = active.index(edit), bench.counts.grown
    why = bench.counts.diagnostics["edits"][number]["why"]
    if why is not None:
        return f"left out: {why}"
    if not grown.has_evidence:
        return ""
    followed, n_trees = _inner(bench, number)
    return f"followed by {followed} of {n_trees} inner trees"


def _inner(bench: TreeBench, number: int) -> tuple[int, int]:
    found = _inner_followed(bench.key, bench)
    return found[0][number], found[1]


@st.cache_resource(show_spinner=False, max_entries=16)
def _inner_followed(key: Any, _bench: TreeBench) -> tuple[list[int], int]:
    grown = _bench.counts.grown
    counted = edits_followed(grown)["edits"]
    return [note["followed"] for note in counted], counted[0]["inner_trees"]
