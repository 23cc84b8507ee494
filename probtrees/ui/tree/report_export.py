"""The report on the tree on show: what goes into it, and the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from probtrees.draw.charts.quality_strip import quality_sentence, unseen_verdict
from probtrees.experiment.registry import SMOOTHERS
from probtrees.report.masking import Mask
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.exports import Export, ask_mask
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job
from probtrees.ui.shared.show import known_scores
from probtrees.ui.shared.workbench import Workbench, settings_seen, smooth_all
from probtrees.ui.tree.columns_panel import importance_job
from probtrees.ui.tree.decide_panel import decided
from probtrees.ui.tree.leaf_panel import track_record_job
from probtrees.ui.tree.pins import pinned_notes

PATIENCE = 120.0
"""Seconds that a file waits for numbers that are still being computed."""

REPORT: Export[Callable[[], str]] = Export(
    "report.html", "Report (HTML)", lambda write: write(), icon=":material/description:"
)


def finished(job: Job | None) -> Any:
    """Wait for what a job makes; None where it made nothing in time."""
    if job is None or not job.finished.wait(PATIENCE) or job.error is not None:
        return None
    return job.result


def trees_by_label(asked: Mapping[str, Job]) -> dict[str, Any]:
    """Wait for every smoother, and return its tree by the name that people know."""
    models = {SMOOTHERS[name].label: finished(job) for name, job in asked.items()}
    return {label: model.tree for label, model in models.items() if model is not None}


def ask_report(bench: Workbench, smoother: str) -> Callable[[], str]:
    """Ask what the report is to hold; return what writes it, maybe when the page is gone."""
    pins = pinned_notes(bench)
    st.caption(
        "One HTML file that works offline: the tree, the pinned leaves with your notes or else the "
        "selected leaf explained, how much each column matters, all leaves by every smoother, "
        "cautions, and where the numbers come from."
    )
    smallest = ask_mask("report.mask")
    node = st.session_state.get(state.NODE)
    said = []
    if (scores := known_scores(bench, smoother)) is not None:
        said = [quality_sentence(scores, bench.outcomes, bench.outcome), unseen_verdict(scores)[0]]
    acting = decided(bench, bench.smooth(smoother), smoother)
    request = ReportRequest(
        outcome=bench.outcome,
        pins=pins or ([] if node is None else [(int(node), "")]),
        mask=Mask(smallest),
        n_variants=len(settings_seen(bench)) if bench.saved is None else None,
        decision=None if acting is None else acting.found,
        quality=said,
    )
    model, record = bench.model(smoother), track_record_job(bench, smoother)
    columns = None  # not asked where small counts are hidden, nor without rows
    if smallest <= 1 and not bench.is_table and isinstance(bench.counts, GrownCounts):
        columns = importance_job(bench, bench.counts, smoother)
    others = smooth_all(bench)

    def write() -> str:
        whole = replace(request, columns=finished(columns) or ())
        return model_report(finished(record) or model, trees_by_label(others), whole)

    return write
