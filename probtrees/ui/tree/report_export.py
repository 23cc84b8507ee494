"""The report on the tree on show: what goes into it, and the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

from probtrees.draw.node_card import Mask
from probtrees.draw.tables import rows_table
from probtrees.experiment.registry import SMOOTHERS
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.ui.shared import state
from probtrees.ui.shared.loaded_model import LoadedBench
from probtrees.ui.shared.workbench import Workbench, n_variants, smooth_all
from probtrees.ui.tree.pins import pinned_notes
from probtrees.ui.tree.rows_of_node import landing, rows_in
from probtrees.ui.tree.track_record import track_record_job

_PATIENCE = 120.0
"""Seconds that a report waits for numbers that are still being computed."""

_MOST_ROWS = 200
"""Rows of a pinned leaf that are listed."""


def report_tab(bench: Workbench, smoother: str) -> None:
    """Ask what the report is to hold, and offer it."""
    pins = pinned_notes(bench)
    shown = len(pins) or 1
    st.caption(
        "One HTML file that works offline: the tree, "
        + (f"{shown} pinned leaves with your notes" if pins else "the selected leaf explained")
        + ", all leaves by every smoother, cautions, and where the numbers come from. "
        + ("" if pins else "Pin up to three leaves to have them explained instead.")
    )
    smallest = ask_mask("report.mask")
    has_rows = bench.data.n_rows > 0
    listed = st.toggle(
        "List the rows of the explained leaves",
        key="report.rows",
        persist_state="session",
        disabled=not has_rows or smallest > 1,
        help="Left out by default: a report travels further than the table it is made from.",
    )
    wants_rows = bool(listed) and has_rows and smallest <= 1
    st.download_button(
        "Report (HTML)",
        report_maker(bench, smoother, Mask(smallest), with_rows=wants_rows),
        file_name="report.html",
        mime="text/html",
        on_click="ignore",
        icon=":material/description:",
    )


def ask_mask(key: str) -> int:
    """Ask which counts are too small to be told."""
    smallest = st.number_input(
        "Hide counts below",
        min_value=0,
        max_value=1000,
        value=0,
        step=1,
        key=key,
        persist_state="session",
        help="0 hides nothing. Otherwise smaller counts, but 0, are not told, others are rounded "
        "to multiples, and nothing is told from which a small count could be worked out.",
    )
    return int(smallest or 0)


def report_maker(
    bench: Workbench, smoother: str, mask: Mask, *, with_rows: bool
) -> Callable[[], str]:
    """Return what writes the report; it may run when the page is long gone."""
    model, asked = bench.model(smoother), smooth_all(bench)
    record = track_record_job(bench, smoother)
    node = st.session_state.get(state.NODE)
    pins = pinned_notes(bench) or ([] if node is None else [(int(node), "")])
    request = ReportRequest(
        outcome=bench.outcome, pins=pins, mask=mask, n_variants=n_variants(bench)
    )
    if isinstance(bench, LoadedBench):
        request = replace(request, n_variants=None)

    def make() -> str:
        record.finished.wait(_PATIENCE)
        told = model if record.error is not None or record.result is None else record.result
        others = {}
        for name, job in asked.items():
            if job.finished.wait(_PATIENCE) and job.error is None:
                others[SMOOTHERS[name].label] = job.result.tree
        rows = _rows(bench, [at for at, _ in pins]) if with_rows else {}
        return model_report(told, others, replace(request, rows=rows))

    return make


def _rows(bench: Workbench, nodes: list[int]) -> dict[int, list[list[str]]]:
    """Write the rows of some nodes as texts under a header."""
    landed = landing(bench.key, bench.tree, bench.data)
    listed = {}
    for node in nodes:
        rows = rows_in(bench.tree, landed, node)[:_MOST_ROWS]
        frame = rows_table(bench.data, np.asarray(rows))
        texts = frame.astype(object).where(frame.notna(), "").astype(str).to_numpy().tolist()
        listed[node] = [[str(name) for name in frame.columns], *texts]
    return listed
