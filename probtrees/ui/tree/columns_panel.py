"""Columns at a glance: which ones the tree uses, where, and how much each matters."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from probtrees.experiment.evaluation.column_importance import ColumnImportance, column_importance
from probtrees.experiment.warm_up import FIRST
from probtrees.ui.shared import canvas_view
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session.jobs import Job, Report, jobs, wait_for
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.rows_of_node import NO_ROWS
from probtrees.ui.tree.tree_page import COLUMN
from probtrees.words import percent, plural

_ASSETS = Path(canvas_view.__file__).parent / "assets"
_component = st.components.v2.component(
    "probtrees_column_bars",
    html=(_ASSETS / "column_bars.html").read_text(encoding="utf-8"),
    css=(_ASSETS / "column_bars.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "column_bars.js").read_text(encoding="utf-8"),
)
_BARS = "column bars"
_KEY = (
    "How much the Brier score of unseen rows rises when a column's values are shuffled among "
    "them. Line: 95 % interval; pale: within noise. Columns that say the same stand in for each "
    "other, and then each seems to matter little. No bar says what causes what."
)


def columns_panel(bench: Workbench, smoother: str) -> None:
    """Show the columns as bars, filling them in when they are known."""
    if not isinstance(bench.counts, GrownCounts):
        st.info(NO_ROWS)
        return
    if wait_for([_job(bench, bench.counts, smoother)]):
        _show(bench, bench.counts, smoother, waiting=False)  # a click concerns the picture too
    else:
        st.fragment(_show, run_every=0.7)(bench, bench.counts, smoother, waiting=True)


def marked_column(bench: Workbench) -> int | None:
    """Return the column whose splits the picture marks, if one is chosen."""
    chosen = st.session_state.get(COLUMN)
    return None if chosen is None or chosen >= bench.schema.n_columns - 1 else int(chosen)


def _show(bench: Workbench, counts: GrownCounts, smoother: str, waiting: bool) -> None:
    job = _job(bench, counts, smoother)
    if not job.finished.is_set():
        st.caption("Asking trees that have not seen the rows what they lose without each column …")
        return
    if waiting:
        st.rerun()
    found: tuple[ColumnImportance, ...] = () if job.error is not None else job.result
    if not found:
        st.caption("There are too few rows to measure how much a column matters.")
        return
    st.markdown("**Columns at a glance** · click one to mark its splits in the picture")
    shown = [column for column in found if column.n_splits or column.loss]
    low, high = _axis(shown)
    bars = {
        "columns": [_entry(column) for column in shown],
        "chosen": marked_column(bench),
        "low": low,
        "high": high,
    }
    _component(key=_BARS, data=json.dumps(bars).encode(), on_chosen_change=_choose)
    unused = len(found) - len(shown)
    if unused:
        st.caption(f"{plural(unused, 'columns')} that no tree asks for: not listed.")
    st.caption(_KEY)


def _axis(columns: Sequence[ColumnImportance]) -> tuple[float, float]:
    """Return where the axis of all bars begins and ends: 0 and all spreads lie on it."""
    ends = [end for c in columns for end in (c.loss, c.low, c.high) if math.isfinite(end)]
    return min([0.0, *ends]), max([1e-6, *ends])


def _entry(column: ColumnImportance) -> dict[str, Any]:
    """Describe one bar."""
    where = "only in trees grown without a part of the rows"
    if column.first_depth is not None:
        depth = "at the root" if column.first_depth == 0 else f"from level {column.first_depth + 1}"
        where = (
            f"{plural(column.n_splits, 'splits')}, {depth}, asked for "
            f"{percent(column.share_asked)} of the rows"
        )
    low, high = (column.loss if math.isinf(end) else end for end in (column.low, column.high))
    return {
        "number": column.column,
        "name": column.name,
        "loss": column.loss,
        "low": low,
        "high": high,
        "said": loss_text(column.loss),
        "clear": column.is_clear,
        "where": where,
        "words": f"{column.name}: {loss_text(column.loss)}, 95 % interval {loss_text(low)} to "
        f"{loss_text(high)}. Click to mark its splits.",
    }


def loss_text(loss: float) -> str:
    """Print a loss of the Brier score as the quality strip does.

    >>> loss_text(0.0312), loss_text(-0.002), loss_text(0.0)
    ('+.031', '-.002', '.000')
    """
    text = f"{loss:+.3f}".replace("0.", ".", 1)
    return ".000" if text in ("+.000", "-.000") else text


def _choose() -> None:
    """Mark the splits of the column that was clicked, or none if it was marked."""
    chosen = st.session_state[_BARS].chosen
    if chosen is not None:
        st.session_state[COLUMN] = None if chosen < 0 else int(chosen)


def _job(bench: Workbench, counts: GrownCounts, smoother: str) -> Job:
    model = bench.model(smoother)

    def work(report: Report) -> tuple[ColumnImportance, ...]:
        with counts.lock:
            return column_importance(counts.grown, model, report)

    key = (*bench.variant(smoother), "column importance")
    return jobs().ask(key, work, kernels={smoother, *FIRST})
