"""The first tree of one's own table: as small as it can be without being worse on unseen rows.

A tree of some hundred leaves is what the defaults grow, and nobody reads it. So the app looks for
a smaller one by itself, says in a line that it shows that one, and shows all leaves on a click.
Of an outcome that is nowhere likely C4.5 makes a single leaf, or merges leaves of other chances,
since all predict the same class. Where unseen rows say that their chances differ the app keeps
them apart, and says so too.
What somebody chose, selected, opened or corrected is never taken away: then it only offers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from probtrees.experiment.evaluation.growing_costs import (
    KEPT_APART,
    GrowingCost,
    are_better_apart,
    merged_into_one,
)
from probtrees.experiment.registry import LEARNERS
from probtrees.experiment.warm_up import FIRST, is_compiling
from probtrees.ui.shared import permalink
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.edits import all_edits
from probtrees.ui.shared.session.growing_answers import answer_growing, answered_for
from probtrees.ui.shared.session.jobs import Job, wait_for
from probtrees.ui.shared.session.smaller_tree import (
    Smaller,
    choose_smaller,
    may_choose,
    return_to_smaller,
    show_all_leaves,
    smaller_in_force,
    smaller_left,
)
from probtrees.ui.shared.smoother_options import current_smoother
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.under_way import under_way
from probtrees.ui.shared.workbench import TreeBench, note_compared
from probtrees.ui.tree.growing_choice import cost_words, costs_job, is_done, way_name
from probtrees.ui.tree.large_tree import MANY_LEAVES, none_as_good, smallest_as_good
from probtrees.ui.tree.pins import pinned_nodes
from probtrees.ui.tree.tree_page import OPENED, TREE
from probtrees.words import plural

READABLE = 20
"""A tree of no more leaves is shown as it is."""
_MOST_CELLS = 1_000_000
"""Cells of a table whose smaller trees are grown without being asked for."""
_FEWEST_CASES = 10
"""Rows of other outcomes than the most frequent one, without which unseen rows tell little."""
_FIRST_VIEW = "view of the first tree"
_WORTH_WAITING = 1.5
"""Seconds: the picture comes that much later rather than twice."""


def first_tree(bench: TreeBench) -> None:
    """Show a smaller first tree where one is as good, and say so."""
    smaller = smaller_in_force()
    if _is_merged(bench):
        _look_apart(bench)
        return
    if answered_for(current_source().file_key, *KEPT_APART) is False:
        _say_apart(bench)
    if smaller is not None and not all_edits():
        _say(bench, smaller)
    elif _left() is not None and not all_edits():
        _say_all(bench)
    elif _is_first(bench):
        _look(bench)


def is_looked_after(bench: TreeBench) -> bool:
    """Whether a smaller tree is shown, or looked for, without being asked."""
    return smaller_in_force() is not None or _left() is not None or _is_first(bench)


def _left() -> tuple[Smaller, int] | None:
    source = current_source()
    return smaller_left(source.file_key, source.key)


def _is_first(bench: TreeBench) -> bool:
    upload = state.current_upload()
    return (
        upload is not None
        and bench.tree.n_leaves > READABLE
        and bench.data.values.size <= _MOST_CELLS
        and may_choose(upload.digest)
        and not all_edits()
    )


def _is_merged(bench: TreeBench) -> bool:
    """Whether C4.5 has merged leaves of a first tree that may have chances of their own."""
    upload = state.current_upload()
    merged = merged_into_one(bench.counts.diagnostics) if bench.tree.n_leaves == 1 else 0
    return (
        upload is not None
        and bool(merged or bench.counts.diagnostics.get("joined_unlike"))
        and len(bench.data.labels) - np.bincount(bench.data.labels).max() >= _FEWEST_CASES
        and bench.data.values.size <= _MOST_CELLS
        and may_choose(upload.digest)
        and answered_for(current_source().file_key, *KEPT_APART) is None
        and not all_edits()
    )


def _look_apart(bench: TreeBench) -> None:
    """Keep merged leaves apart where that is better on unseen rows."""
    job = costs_job(bench, apart=True)
    ready = wait_for([job])
    if not ready and not is_compiling({current_smoother(), *FIRST}):
        with under_way("Seeing whether merged leaves differ on unseen rows", job.cancel):
            ready = job.finished.wait(_WORTH_WAITING)
    if not ready:
        st.fragment(is_done, run_every=0.7)(bench, waiting=True, apart=True)
        return
    costs: Sequence[GrowingCost] = [] if job.error is not None else job.result or []
    if costs and are_better_apart(costs):
        answer_growing(current_source().file_key, KEPT_APART)
        st.rerun()
    elif _is_first(bench):
        _look(bench)


def _say_apart(bench: TreeBench) -> None:
    """Say that leaves are kept apart, with the way back."""
    st.caption(
        "Leaves that predict the same class are kept apart.",
        width="content",
        help="C4.5 merges them, whatever their chances are.",
    )
    st.button(
        "Merge them",
        type="tertiary",
        key="merge leaves",
        on_click=answer_growing,
        args=(current_source().file_key, dict.fromkeys(KEPT_APART, True)),
    )


def _say(bench: TreeBench, smaller: Smaller) -> None:
    """Say what is shown, with the way to all leaves."""
    st.caption(
        f"Shown: **{plural(bench.tree.n_leaves, 'leaves')}**, as good on unseen rows as all "
        f"{smaller.n_leaves:,}.",
        width="content",
        help=f"{way_name(dict(smaller.options))}: of the trees that were tried the "
        "smallest whose Brier score and AUC on unseen rows are as good, up to what may be "
        "luck. Growing lists them all.",
    )
    usual = {field.name: field.default for field in LEARNERS["c45"].options}
    st.button(
        f"Show all {smaller.n_leaves:,}",
        type="tertiary",
        key="show all leaves",
        on_click=show_all_leaves,
        args=(current_source().file_key, usual, bench.tree.n_leaves),
    )


def _say_all(bench: TreeBench) -> None:
    """Say that all leaves are shown, with the way back to the smaller tree."""
    _, fewer = _left() or (None, 0)
    st.caption(f"Shown: **all {plural(bench.tree.n_leaves, 'leaves')}**.", width="content")
    st.button(
        f"Show {plural(fewer, 'leaves')}: as good on unseen rows",
        type="tertiary",
        key="show fewer again",
        on_click=return_to_smaller,
    )


def _stop(job: Job) -> None:
    """Look for no smaller tree any more: the person wants this one."""
    job.cancel()
    show_all_leaves(current_source().file_key)


def _look(bench: TreeBench) -> None:
    """Look for a smaller tree; show it, or offer it to who is at work on this one already."""
    job, view = costs_job(bench), permalink.view(TREE)
    key, first_view = st.session_state.setdefault(_FIRST_VIEW, (bench.key, view))
    if key != bench.key:
        first_view = view
        st.session_state[_FIRST_VIEW] = (bench.key, view)
    ready = wait_for([job])
    if not ready and not is_compiling({current_smoother(), *FIRST}):
        with under_way(
            "Looking for a smaller tree that is as good on unseen rows", partial(_stop, job)
        ):
            ready = job.finished.wait(_WORTH_WAITING)
    if not ready:
        st.fragment(is_done, run_every=0.7)(bench, waiting=True)
        return
    costs: Sequence[GrowingCost] = [] if job.error is not None else job.result or []
    note_compared(bench, (f"{bench.key} {cost.options}" for cost in costs))
    best = smallest_as_good(costs)
    if best is None:
        if costs and bench.tree.n_leaves > MANY_LEAVES:
            st.caption(none_as_good(costs))
        return
    found = Smaller(bench.tree.n_leaves, tuple(best.options.items()))
    at_work = state.NODE in view or OPENED in view or pinned_nodes(bench)
    if view == first_view and not at_work:
        choose_smaller(current_source().key, found)
        st.rerun()
    st.button(
        f"Show {plural(best.n_leaves, 'leaves')} instead: as good on unseen rows",
        type="tertiary",
        icon=":material/compress:",
        key="show fewer leaves",
        on_click=choose_smaller,
        args=(current_source().key, found),
        help=f"{way_name(best.options)}: {cost_words(best)}.",
    )
