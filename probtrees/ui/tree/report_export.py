"""The report on the tree on show: what goes into it, and the file."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from probtrees.draw.tables import rows_table
from probtrees.experiment.registry import SMOOTHERS
from probtrees.model.model import Model
from probtrees.report.masking import Mask
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.exports import Export, ask_mask
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job
from probtrees.ui.shared.workbench import Workbench, n_variants, smooth_all
from probtrees.ui.tree.columns_panel import importance_job
from probtrees.ui.tree.leaf_panel import track_record_job
from probtrees.ui.tree.pins import pinned_notes
from probtrees.ui.tree.rows_of_node import landing, rows_in
from probtrees.words import plural

_PATIENCE = 120.0
"""Seconds that a report waits for numbers that are still being computed."""

_MOST_ROWS = 200
"""Rows of a pinned leaf that are listed."""


@dataclass(frozen=True)
class ReportWish:
    """What a report is written from: all that the session says, as the page may be gone by then.

    Attributes
    ----------
    bench, model, request : what is on show, and what the report is to hold
    record, others, columns : jobs that the report waits for: the track record, every smoother,
        and how much each column matters, where there are rows to ask
    with_rows : whether the rows of the explained leaves are listed
    """

    bench: Workbench
    model: Model
    request: ReportRequest
    record: Job
    others: dict[str, Job]
    columns: Job | None
    with_rows: bool


def ask_report(bench: Workbench, smoother: str) -> ReportWish:
    """Ask what the report is to hold."""
    pins = pinned_notes(bench)
    shown = len(pins) or 1
    st.caption(
        "One HTML file that works offline: the tree, "
        + (
            f"{plural(shown, 'pinned leaves')} with your notes"
            if pins
            else "the selected leaf explained"
        )
        + ", how much each column matters, all leaves by every smoother, cautions, and where the "
        "numbers come from. "
        + ("" if pins else "Pin up to three leaves to have them explained instead.")
    )
    smallest = ask_mask("report.mask")
    can_list = bench.rows is not None and smallest <= 1
    listed = st.toggle(
        "List the rows of the explained leaves",
        key="report.rows",
        persist_state="session",
        disabled=not can_list,
        help="Left out by default: a report travels further than the table it is made from.",
    )
    node = st.session_state.get(state.NODE)
    request = ReportRequest(
        outcome=bench.outcome,
        pins=pins or ([] if node is None else [(int(node), "")]),
        mask=Mask(smallest),
        n_variants=n_variants(bench) if bench.saved is None else None,
    )
    return ReportWish(
        bench,
        bench.model(smoother),
        request,
        track_record_job(bench, smoother),
        smooth_all(bench),
        _columns_job(bench, smoother, smallest),
        bool(listed) and can_list,
    )


def _write_report(wish: ReportWish) -> str:
    wish.record.finished.wait(_PATIENCE)
    record = None if wish.record.error is not None else wish.record.result
    others = {}
    for name, job in wish.others.items():
        if job.finished.wait(_PATIENCE) and job.error is None:
            others[SMOOTHERS[name].label] = job.result.tree
    columns = ()
    if wish.columns is not None and wish.columns.finished.wait(_PATIENCE):
        columns = () if wish.columns.error is not None else wish.columns.result
    rows = _rows(wish.bench, [at for at, _ in wish.request.pins]) if wish.with_rows else {}
    request = replace(wish.request, rows=rows, columns=columns)
    return model_report(record or wish.model, others, request)


REPORT: Export[ReportWish] = Export(
    "report.html", "Report (HTML)", _write_report, icon=":material/description:"
)


def _columns_job(bench: Workbench, smoother: str, smallest: int) -> Job | None:
    """Ask how much each column matters; not where small counts are hidden, nor without rows."""
    if smallest > 1 or bench.is_table or not isinstance(bench.counts, GrownCounts):
        return None
    return importance_job(bench, bench.counts, smoother)


def _rows(bench: Workbench, nodes: list[int]) -> dict[int, list[list[str]]]:
    """Write the rows of some nodes as texts under a header."""
    if bench.rows is None:
        return {}
    landed = landing(bench.key, bench.tree, bench.rows)
    listed = {}
    for node in nodes:
        rows = rows_in(bench.tree, landed, node)[:_MOST_ROWS]
        frame = rows_table(bench.rows, np.asarray(rows))
        texts = frame.astype(object).where(frame.notna(), "").astype(str).to_numpy().tolist()
        listed[node] = [[str(name) for name in frame.columns], *texts]
    return listed
