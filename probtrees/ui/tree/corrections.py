"""The list of corrections: switched on and off, undone and redone, and what unseen rows say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.experiment.corrections import KINDER, CorrectionEffect, edit_sentences
from probtrees.experiment.inner_models import edits_followed, unseen_scores
from probtrees.experiment.warm_up import FIRST
from probtrees.grow.edits import Edit, Step, check_edits, edits_text, load_edits, node_at, way_to
from probtrees.model.predict import predict_proba
from probtrees.score.unseen_scores import UnseenScores
from probtrees.types import FloatArray
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, fill_in, jobs
from probtrees.ui.shared.session.state import (
    FUTURE,
    PAST,
    all_edits,
    change_edits,
    edit_steps,
    edits_in_force,
    move_edits,
)
from probtrees.ui.shared.smoother_options import settings, smoother_settings
from probtrees.ui.shared.workbench import TreeBench, Workbench, corrected_counts
from probtrees.words import percent, rows_text

_GO_TO = "edits go to"
_MOVED = 0.01
"""An answer that changes by less than this, one percentage point, is not counted as changed."""


def select_corrected(bench: Workbench) -> None:
    """Select the node that was just corrected: its number is another one in the new tree."""
    way: tuple[Step, ...] | None = st.session_state.pop(_GO_TO, None)
    if way is not None:
        st.session_state[state.NODE] = node_at(bench.tree, bench.schema, way)


def keep_selected(bench: Workbench, node: int) -> None:
    """Remember the way to the node in view before the tree changes."""
    st.session_state[_GO_TO] = way_to(bench.tree, bench.schema, node)


def corrections_list(bench: Workbench, node: int, smoother: str) -> None:
    """Show the corrections of the tree, those of a loaded model without what changes them."""
    if not isinstance(bench, TreeBench):
        said = edit_sentences(bench.counts.diagnostics)
        if said and bench.tells_class:
            with st.expander(f"Corrected by an expert · {len(said)}"):
                st.markdown("\n".join(f"- {markdown_text(sentence)}" for sentence in said))
        return
    if not (all_edits() or edit_steps(PAST) or edit_steps(FUTURE)):
        return
    with st.container(border=True, key="corrections"):
        _tools(bench, node)
        notes: Sequence[dict[str, Any]] = bench.counts.diagnostics.get("edits", ())
        if edits_in_force():
            asked = [_job(bench, edits, smoother) for edits in (edits_in_force(), ())]
            fill_in(asked, partial(_effect, bench, *asked), "What do unseen rows say? Asking …")
            st.caption(KINDER)
            if asked[0].finished.is_set() and asked[0].error is None:
                notes = asked[0].result.notes or notes
        for number, edit in enumerate(all_edits()):
            _line(bench, node, number, edit, notes)


def _tools(bench: TreeBench, node: int) -> None:
    """Offer undo and redo, and the list as a file."""
    edits = all_edits()
    with st.container(horizontal=True, vertical_alignment="center", key="correction_tools"):
        st.markdown("**Corrections**" if edits else "**No corrections**", width="content")
        for label, way, keys in (
            ("Undo", (PAST, FUTURE), "Ctrl+Alt+Z"),
            ("Redo", (FUTURE, PAST), "Ctrl+Alt+Y"),
        ):
            st.button(
                label,
                icon=f":material/{label.lower()}:",
                type="tertiary",
                disabled=not edit_steps(way[0]),
                on_click=_then,
                args=(bench, node, partial(move_edits, *way)),
                shortcut=keys,
                key=f"edits.{label}",
            )
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
    _then(bench, node, partial(change_edits, edits))
    st.rerun()


def _then(bench: TreeBench, node: int, act: Callable[[], None]) -> None:
    keep_selected(bench, node)
    act()


def _line(
    bench: TreeBench, node: int, number: int, edit: Edit, notes: Sequence[dict[str, Any]]
) -> None:
    """Show one correction, its switch, who follows it, and a button that takes it away."""
    edits = all_edits()

    def change(*instead: Edit) -> None:
        _then(bench, node, lambda: change_edits((*edits[:number], *instead, *edits[number + 1 :])))

    with st.container(horizontal=True, vertical_alignment="center", key=f"edit_line {number}"):
        st.checkbox(
            markdown_text(edit.words),
            value=edit.on,
            key=f"edit.on {number} {hash(edit)}",
            on_change=lambda: change(replace(edit, on=not edit.on)),
            help="Switches the correction off and on.",
        )
        if edit.on and edit not in edits_in_force():
            st.caption("left out: not a column to predict from now", width="content")
        elif edit.on:
            note = notes[edits_in_force().index(edit)]
            said = "" if note["why"] is None else f"left out: {note['why']}"
            if not said and "followed" in note:
                said = f"followed by {note['followed']} of {note['inner_trees']} inner trees"
            if said:
                st.caption(markdown_text(said), width="content")
        st.button(
            "",
            icon=":material/delete:",
            type="tertiary",
            key=f"edit.drop {number} {hash(edit)}",
            on_click=change,
            help="Takes this correction back.",
        )


@dataclass(frozen=True)
class Judged:
    """What unseen rows say of the tree with some corrections, and what it says of all rows.

    Attributes
    ----------
    scores : None where there are too few rows
    notes : of every correction, how many inner trees follow it
    """

    scores: UnseenScores | None
    answers: FloatArray
    n_leaves: int
    notes: tuple[dict[str, Any], ...] = ()


def show_effect(bench: TreeBench, edits: tuple[Edit, ...], smoother: str) -> None:
    """Say what corrections would do, beside those in force."""
    asked = [_job(bench, each, smoother) for each in (edits, edits_in_force())]
    fill_in(asked, partial(_effect, bench, *asked), "What do unseen rows say? Asking …")


def _effect(bench: TreeBench, now: Job, before: Job) -> None:
    """Say what some corrections do together that others do not."""
    if now.error is None and before.error is None:
        said = effect_in_words(bench.asked, bench.outcome, before.result, now.result)
        st.markdown(markdown_text(said))


def effect_in_words(asked: str, outcome: int, before: Judged, now: Judged) -> str:
    """Say in words what all corrections in force change.

    >>> print(effect_in_words(
    ...     "yes", 0, Judged(None, np.array([[0.2]]), 3), Judged(None, np.array([[0.5]]), 4)))
    3 groups become 4. The chance of yes changes by more than one percentage point \
for 1 of 1 row, on average by 30.0. There are too few rows to ask unseen ones.
    """
    moved = np.abs(now.answers[:, outcome] - before.answers[:, outcome])
    changed = moved > _MOVED
    said = f"{before.n_leaves:,} groups become {now.n_leaves:,}. "
    if changed.any():
        points = percent(float(moved[changed].mean())).removesuffix(" %")
        said += (
            f"The chance of {asked} changes by more than one percentage point for "
            f"{changed.sum():,} of {rows_text(len(moved))}, on average by {points}. "
        )
    else:
        said += "No row's chance changes by more than one percentage point. "
    if before.scores is None or now.scores is None:
        return said + "There are too few rows to ask unseen ones."
    effect = CorrectionEffect.of(before.scores, now.scores, now.notes)
    return said + f"On unseen rows: {effect.words}."


def _job(bench: TreeBench, edits: tuple[Edit, ...], smoother: str) -> Job:
    """Ask what unseen rows say of the tree with some corrections."""
    plain = bench.plain or bench.counts
    chosen = smoother_settings(smoother)
    options = settings({**dict(bench.key[1]), "edits": edits})

    def work(report: Report) -> Judged:
        counts = corrected_counts(plain, edits, report)
        model = counts.smooth(smoother, chosen, report)
        with counts.lock:
            scores = unseen_scores(counts.grown, model, report)
            notes = edits_followed(counts.grown) if counts.grown.has_evidence else {}
        answers = predict_proba(model, counts.rows)
        return Judged(scores, answers, model.tree.tree.n_leaves, tuple(notes.get("edits", ())))

    key = (bench.key[0], options, smoother, chosen, "corrected")
    return jobs().ask(key, work, kernels={smoother, *FIRST})
