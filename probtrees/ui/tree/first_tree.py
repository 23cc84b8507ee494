"""Lines above the tree of one's own table: which tree is shown, and what it owes its answers to.

*Growing* lists other ways to grow it. A tree that is almost never wrong asks loudly whether its
column was known before the outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.growing_costs import KEPT_APART, GrowingCost
from probtrees.experiment.unseen_scores import AlmostPerfect, almost_perfect
from probtrees.table.dataset import Column
from probtrees.table.table_report import Fix
from probtrees.ui.shared.growing_proposal import ALL_LEAVES, SIZES, proposal_job
from probtrees.ui.shared.quality import known_scores
from probtrees.ui.shared.questions import KNOWN_LATE
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, wait_for
from probtrees.ui.shared.table_source import (
    SEPARATE_ROWS,
    current_source,
    is_left,
    leave,
    say,
    say_fix,
)
from probtrees.ui.shared.workbench import TreeBench, Workbench, note_compared
from probtrees.words import count_text, plural, score_decimals

_CHOICE = "growing choice"
_MANY_VALUES, _ROWS_PER_VALUE = 100, 10
"""A column of so many values, with fewer rows for each, scatters the rows."""


def first_tree(bench: TreeBench) -> None:
    """Say which tree is shown where it is not the one that the options alone would grow."""
    if bench.counts.grown.spec.learner.separate_rows and bench.data.n_rows > 1:
        _say_halves(bench)
    if bench.proposal is not None and bench.whole is not None:
        note_compared(bench, (f"{bench.key} {cost.options}" for cost in bench.proposal.costs))
        if bench.proposal.options:
            _say_proposed(bench, bench.proposal.options, bench.whole.grown.n_leaves)
    elif bench.looks and bench.whole is not None:
        job = proposal_job(current_source(), bench.whole)
        if job.error is None:
            st.fragment(_wait, run_every=0.7)(job)
    elif st.session_state.get(ALL_LEAVES):
        st.button(
            "Show a smaller tree that is as good",
            type="tertiary",
            key="show fewer again",
            on_click=st.session_state.pop,
            args=(ALL_LEAVES,),
        )


def _wait(job: Job) -> None:
    """Show how far the other trees are; once they are done the page is drawn again."""
    if job.finished.is_set():
        st.rerun()
    share = min(max(job.share, 0.0), 1.0)
    st.progress(share, text=f"Looking for a smaller tree: {markdown_text(job.words)}")


def _say_proposed(bench: TreeBench, options: Mapping[str, Any], n_all: int) -> None:
    """Say what is shown, with the way to the tree that the options alone would grow."""
    if options == KEPT_APART:
        words, label = "Leaves that predict the same class are kept apart.", "Merge them"
        help = "C4.5 merges them, whatever their chances are; unseen rows say that they differ."
    else:
        words = (
            f"Shown: **{plural(bench.tree.n_leaves, 'leaves')}**, as good on unseen rows as all "
            f"{n_all:,}."
        )
        label = f"Show all {n_all:,}"
        help = (
            f"{way_name(options)}: of the trees that were tried the smallest whose Brier score and "
            "AUC on unseen rows are as good, up to what may be luck. Growing lists them all."
        )
    st.caption(words, width="content", help=help)
    st.button(label, type="tertiary", key="show all leaves", on_click=_show_all)


def _show_all() -> None:
    st.session_state[ALL_LEAVES] = True
    st.session_state.pop(state.NODE, None)


def _say_halves(bench: TreeBench) -> None:
    """Say what the halves of the rows are for: the picture shows half as many as there are."""
    counted, rows = float(bench.tree.totals[0]), float(bench.data.row_weights.sum())
    st.caption(
        f"Counted are **half of the rows**, {count_text(counted)} of {count_text(rows)}; the "
        "others only give the tree its shape.",
        width="content",
    )
    st.button(
        "Use all rows",
        type="tertiary",
        key="use all rows",
        on_click=st.session_state.pop,
        args=(SEPARATE_ROWS,),
    )


def growing_choice(bench: TreeBench) -> None:
    """Show what larger leaves and pruning cost; choosing one grows the tree like that."""
    if bench.whole is None:
        return
    job = proposal_job(current_source(), bench.whole)
    if wait_for([job]):
        _show_costs(bench, job)  # a choice concerns the whole page
    else:
        st.fragment(_wait, run_every=0.7)(job)


def _show_costs(bench: TreeBench, job: Job) -> None:
    costs: Sequence[GrowingCost] = () if job.error is not None else job.result.costs
    if not costs or costs[0].brier is None:
        st.caption("There are too few rows to say what a smaller tree costs.")
        return
    learner = bench.counts.grown.spec.learner
    usual = (bench.whole or bench.counts).grown.spec.learner
    whole = {name: getattr(usual, name) for name in SIZES}
    ways = [{**whole, **cost.options} for cost in costs]
    now = {name: getattr(learner, name) for name in SIZES}
    names = [way_name(cost.options) for cost in costs]
    key = f"{_CHOICE} {bench.key}"
    st.session_state[key] = names[ways.index(now)] if now in ways else None
    st.radio(
        "A smaller tree, and what it costs on unseen rows",
        names,
        captions=[cost_words(cost) for cost in costs],
        key=key,
        on_change=_take,
        args=(key, dict(zip(names, ways, strict=True))),
        help="Each is grown from the same parts of the rows and asked about the others. Trying "
        "many and taking the best makes it look better than it will be on new rows.",
    )


def _take(key: str, ways: Mapping[str, Mapping[str, Any]]) -> None:
    """Grow the tree in the way that was chosen."""
    for name, value in ways.get(st.session_state[key], {}).items():
        st.session_state[f"c45.{name}"] = value
    st.session_state.pop(state.NODE, None)


def way_name(options: Mapping[str, Any]) -> str:
    """Name one way to grow.

    >>> way_name({}), way_name({"min_leaf": 20}), way_name({"prune": "none"})
    ('As it is', 'Smallest leaf 20 rows', 'Not pruned')
    >>> way_name({"collapse": False, "min_leaf": 20})
    'Smallest leaf 20 rows, none merged'
    """
    apart = "none merged" if options.get("collapse") is False else ""
    if "min_leaf" in options:
        return ", ".join(
            filter(None, (f"Smallest leaf {plural(options['min_leaf'], 'rows')}", apart))
        )
    if "prune" in options:
        return "Not pruned" if options["prune"] == "none" else "Pruned"
    return apart.capitalize() or "As it is"


def cost_words(cost: GrowingCost) -> str:
    """Say how large the tree is and what it costs.

    >>> cost_words(GrowingCost({"min_leaf": 5}, 31, 0.352, (0.002, -0.004, 0.008)))
    '31 leaves, Brier .352: .002 higher, within noise'
    """
    size = plural(cost.n_leaves, "leaves")
    digits = score_decimals(cost.brier, least=3)
    brier = f"{cost.brier or 0.0:.{digits}f}".removeprefix("0")
    if not cost.options:
        return f"{size}, Brier {brier}"
    apart = f"{abs(cost.cost[0]):.{digits}f}".removeprefix("0")
    way = "higher" if cost.cost[0] > 0 else "lower"
    luck = ", within noise" if cost.is_noise else (", worse" if cost.cost[0] > 0 else ", better")
    return f"{size}, Brier {brier}: {apart} {way}{luck}"


def scattered_rows(bench: Workbench) -> None:
    """Name a column that splits the rows into crumbs, with one click to do otherwise."""
    if not isinstance(bench, TreeBench):
        return
    used = set(np.unique(bench.tree.arrays.column[~bench.tree.is_leaf]).tolist())
    for number, column in enumerate(bench.schema.features):
        if number in used and _scatters(column, bench.data.n_rows):
            _offer_to_group(column)


def _scatters(column: Column, n_rows: int) -> bool:
    """Whether a branch for every value holds hardly any rows.

    >>> _scatters(Column("postcode", tuple(map(str, range(900)))), 1800)
    True
    """
    return column.n_values > _MANY_VALUES and n_rows < _ROWS_PER_VALUE * column.n_values


def _offer_to_group(column: Column) -> None:
    name = column.source_name
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"**{markdown_text(name)}** has {column.n_values:,} different values: the tree makes a "
            "branch for each, most of a few rows."
        )
        for fix in (
            Fix("Group the rare ones", "step", {"step": "group", "column": name}),
            Fix("Set it aside", "role", "ignore", name),
        ):
            st.button(fix.label, key=f"{fix.option} {name}", on_click=partial(say_fix, fix))


def almost_perfect_line(bench: TreeBench, smoother: str) -> tuple[str, ...]:
    """Ask about the columns of an almost perfect tree of one's own table, once its scores are.

    Returns
    -------
    which columns are asked about, so that nothing else on the page does
    """
    if current_source().upload is None:
        return ()
    found = almost_perfect(known_scores(bench, smoother), bench.data)
    if found is None:
        return ()
    # Of some columns the Data page may have asked before.
    columns = tuple(name for name in found.columns if not any(map(is_left, _keys(name))))
    if not columns:
        return ()
    found, one = replace(found, columns=columns), len(columns) == 1
    with st.container(key="almost_perfect"):
        said, leave_out, keep = st.columns([7, 1.5, 1.5], vertical_alignment="center", gap="small")
        said.warning(
            f"**{markdown_text(found.question)}** {markdown_text(found.reason)}",
            icon=":material/error:",
        )
        leave_out.button(
            "Leave it out" if one else "Leave them out",
            type="primary",
            width="stretch",
            key="leave carrying out",
            on_click=_leave_out,
            args=(found,),
            help="Grows the tree again without. The Data page takes it back.",
        )
        keep.button(
            "It is known" if one else "They are known",
            width="stretch",
            key="carrying is known",
            on_click=_keep,
            args=(found,),
            help="Keeps the tree, and asks no more.",
        )
    return columns


def _keys(name: str) -> list[str]:
    """List the questions whether a column was known before the outcome."""
    return [f"aside {kind} {name}" for kind in KNOWN_LATE]


def _leave_out(found: AlmostPerfect) -> None:
    said = current_source().said
    for name in found.columns:
        said = said.with_role(name, "ignore")
    say(said)


def _keep(found: AlmostPerfect) -> None:
    for name in found.columns:
        leave(_keys(name)[0])
