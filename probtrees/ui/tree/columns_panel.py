"""Columns at a glance: which ones the tree uses, where, and how much each matters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import streamlit as st

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
from probtrees.experiment.evaluation.column_importance import ColumnImportance, column_importance
from probtrees.experiment.warm_up import FIRST
from probtrees.ui.shared import canvas_view
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session.jobs import Job, Report, jobs, wait_for
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.rows_of_node import NO_ROWS
from probtrees.ui.tree.tree_page import COLUMN

_ASSETS = Path(canvas_view.__file__).parent / "assets"
_component = st.components.v2.component(
    "probtrees_column_bars",
    html=(_ASSETS / "column_bars.html").read_text(encoding="utf-8"),
    css=(_ASSETS / "column_bars.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "column_bars.js").read_text(encoding="utf-8"),
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
