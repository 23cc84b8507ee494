"""Columns at a glance: which ones the tree uses, how much each matters, and a split by outcome."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from probtrees.draw.bars import (
    BARS_KEY,
    TOO_FEW,
    asked_columns,
    bars_axis,
    interval_ends,
    loss_text,
    unused_text,
    where_text,
)
from probtrees.draw.charts.split_chart import gains_html, split_html
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.column_importance import ColumnImportance, column_importance
from probtrees.experiment.evaluation.stability import split_stability
from probtrees.experiment.warm_up import FIRST
from probtrees.explain.split_view import SplitView, split_view
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.questions import name_values
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.session.jobs import Job, Report, fill_in, jobs
from probtrees.ui.shared.show import asset
from probtrees.ui.shared.workbench import TreeBench, Workbench
from probtrees.ui.tree.correct_node import is_corrected
from probtrees.ui.tree.rows_of_node import NO_ROWS, observations_at
from probtrees.ui.tree.tree_page import COLUMN
from probtrees.words import percent

_component = st.components.v2.component(
    "probtrees_column_bars",
    html=asset("column_bars.html"),
    css=asset("column_bars.css"),
    js=asset("column_bars.js"),
)
_BARS = "column bars"


def columns_panel(bench: Workbench, smoother: str) -> None:
    """Show the columns as bars, filling them in when they are known."""
    if not isinstance(bench.counts, GrownCounts):
        st.info(NO_ROWS)
        return
    job = importance_job(bench, bench.counts, smoother)
    waiting = "Asking trees that have not seen the rows what they lose without each column …"
    fill_in([job], partial(_show, bench, job), waiting)
    if isinstance(bench, TreeBench):
        marked = marked_column(bench)
        name_values(bench.data, bench.schema.target_column if marked is None else marked)


def marked_column(bench: Workbench) -> int | None:
    """Return the column whose splits the picture marks, if one is chosen."""
    chosen = st.session_state.get(COLUMN)
    return None if chosen is None or chosen >= bench.schema.n_columns - 1 else int(chosen)


def _show(bench: Workbench, job: Job) -> None:
    found: tuple[ColumnImportance, ...] = () if job.error is not None else job.result
    if not found:
        st.caption(TOO_FEW)
        return
    st.markdown("**Columns at a glance** · click one to mark its splits in the picture")
    shown = asked_columns(found)
    low, high = bars_axis(shown)
    bars = {
        "columns": [_entry(column, high) for column in shown],
        "chosen": marked_column(bench),
        "low": low,
        "high": high,
    }
    _component(key=_BARS, data=json.dumps(bars).encode(), on_chosen_change=_choose)
    for said in filter(None, (unused_text(found), BARS_KEY)):
        st.caption(said)


def _entry(column: ColumnImportance, largest: float) -> dict[str, Any]:
    """Describe one bar."""
    low, high = interval_ends(column)
    name = column.title or column.name
    return {
        "number": column.column,
        "name": name,
        "loss": column.loss,
        "low": low,
        "high": high,
        "said": loss_text(column.loss, largest),
        "clear": column.is_clear,
        "where": where_text(column),
        "words": f"{name}: {loss_text(column.loss, largest)}, 95 % interval "
        f"{loss_text(low, largest)} to {loss_text(high, largest)}. Click to mark its splits.",
    }


def _choose() -> None:
    """Mark the splits of the column that was clicked, or none if it was marked."""
    chosen = st.session_state[_BARS].chosen
    if chosen is not None:
        st.session_state[COLUMN] = None if chosen < 0 else int(chosen)


def importance_job(bench: Workbench, counts: GrownCounts, smoother: str) -> Job:
    """Ask how much every column matters; the report waits for the same job."""
    model = bench.model(smoother)

    def work(report: Report) -> tuple[ColumnImportance, ...]:
        with counts.lock:
            return column_importance(counts.grown, model, report)

    key = (*bench.variant(smoother), "column importance")
    return jobs().ask(key, work, kernels={smoother, *FIRST})


_KEY = (
    "How much a split tells about the outcome, in bits, each number at its best cut. C4.5 does not "
    "simply take the largest: it divides by how finely a split cuts the rows."
)


def split_panel(bench: Workbench, node: int) -> None:
    """Show the split of a node; a leaf has none, a model without rows cannot show it."""
    if bench.tree.is_leaf[node] or not isinstance(bench, TreeBench):
        return
    split = _split(bench.key, node, bench)
    theme = state.theme()
    with st.expander("The split here", expanded=True):
        share = split.chosen.gain / max(split.entropy, 1e-12)
        st.markdown(
            f"**{markdown_text(split.chosen.title)}** tells {percent(share)} of what there is to "
            f"tell about the outcome of these rows ({split.chosen.gain:.3f} of "
            f"{split.entropy:.3f} bits)."
        )
        st.html(split_html(split, bench.outcomes, bench.outcome, theme=theme))
        chosen_by: Mapping[int, int] = {}
        n_trees = 0
        if is_corrected(bench, node):
            st.markdown("A correction; the list of them says how many inner trees follow it.")
        elif bench.counts.grown.has_evidence:  # the inner trees have been grown by now
            parts = bench.counts.grown.evidence().members
            trees = [members[0].trees[0] for members in parts]
            stability = split_stability(bench.tree, node, trees)
            st.markdown(markdown_text(stability.sentence(split.chosen.column)))
            if stability.reached:
                chosen_by, n_trees = stability.chosen, stability.n_trees
        st.html(gains_html(split, chosen_by, n_trees, theme=theme))
        st.caption(_KEY)


@kept()
def _split(key: Any, node: int, _bench: TreeBench) -> SplitView:
    return split_view(_bench.tree, observations_at(key, node, _bench), node)
