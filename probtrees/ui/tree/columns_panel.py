"""Columns at a glance: which ones the tree uses, how much each matters, and a split by outcome."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from probtrees.draw.charts.split_chart import gains_html, split_html
from probtrees.draw.column_bars import (
    BARS_KEY,
    TOO_FEW,
    asked_columns,
    bars_axis,
    interval_ends,
    loss_text,
    unused_text,
    where_text,
)
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.column_importance import ColumnImportance, column_importance
from probtrees.experiment.evaluation.stability import SplitStability, split_stability
from probtrees.experiment.warm_up import FIRST
from probtrees.explain.split_view import SplitView, split_view
from probtrees.grow.count_tree import CountTree
from probtrees.table.dataset import Dataset
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.session.jobs import Job, Report, jobs, wait_for
from probtrees.ui.shared.show import asset
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.correct_node import is_corrected
from probtrees.ui.tree.rows_of_node import NO_ROWS, landing, rows_in
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
    if wait_for([importance_job(bench, bench.counts, smoother)]):
        _show(bench, bench.counts, smoother, waiting=False)  # a click concerns the picture too
    else:
        st.fragment(_show, run_every=0.7)(bench, bench.counts, smoother, waiting=True)


def marked_column(bench: Workbench) -> int | None:
    """Return the column whose splits the picture marks, if one is chosen."""
    chosen = st.session_state.get(COLUMN)
    return None if chosen is None or chosen >= bench.schema.n_columns - 1 else int(chosen)


def _show(bench: Workbench, counts: GrownCounts, smoother: str, waiting: bool) -> None:
    job = importance_job(bench, counts, smoother)
    if not job.finished.is_set():
        st.caption("Asking trees that have not seen the rows what they lose without each column …")
        return
    if waiting:
        st.rerun()
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
    counts = bench.counts
    if bench.is_table or bench.tree.is_leaf[node] or not isinstance(counts, GrownCounts):
        return
    split = _split((bench.key, node), bench.tree, counts.grown.data, node, bench.key)
    theme = state.theme()
    with st.expander("The split here", expanded=True):
        share = split.chosen.gain / max(split.entropy, 1e-12)
        st.markdown(
            f"**{markdown_text(split.chosen.title)}** tells {percent(share)} of what there is to "
            f"tell about the outcome of these rows ({split.chosen.gain:.3f} of "
            f"{split.entropy:.3f} bits)."
        )
        st.html(split_html(split, bench.outcomes, bench.outcome, theme=theme))
        stability = _stability(counts, bench.tree, node)
        if is_corrected(bench, node):
            st.markdown("A correction; the list of them says how many inner trees follow it.")
            stability = None
        if stability is not None:
            st.markdown(markdown_text(stability.sentence(split.chosen.column)))
        asked = stability if stability is not None and stability.reached else None
        chosen_by, n_trees = (asked.chosen, asked.n_trees) if asked else ({}, 0)
        st.html(gains_html(split, chosen_by, n_trees, theme=theme))
        st.caption(_KEY)


@kept()
def _split(key: Any, _tree: CountTree, _data: Dataset, _node: int, _of_tree: Any) -> SplitView:
    landed = landing((_of_tree, "observations"), _tree, _data)
    rows = rows_in(_tree, landed, _node)
    return split_view(_tree, _data.take(rows), _node)


def _stability(counts: GrownCounts, tree: CountTree, node: int) -> SplitStability | None:
    """Ask the inner trees, if they have been grown by now."""
    if not counts.grown.has_evidence:
        return None
    parts = counts.grown.evidence().members
    return split_stability(tree, node, [members[0].trees[0] for members in parts])
