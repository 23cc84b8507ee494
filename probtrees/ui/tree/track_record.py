"""What happened to unseen rows that were given a similar number, filled in when it is known."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.warm_up import FIRST
from probtrees.explain.track import all_given_sentence, interval_sentence, track_sentence
from probtrees.model.model import Model
from probtrees.ui.shared.session.jobs import Job, Report, jobs, wait_for
from probtrees.ui.shared.workbench import Workbench
from probtrees.words import unbroken


def track_record(bench: Workbench, smoother: str, probability: float, rows: float) -> None:
    """Show the track record and the interval of a leaf's probability, and of its rows."""
    ready = wait_for([track_record_job(bench, smoother)])
    every = None if ready else 0.7
    st.fragment(_show, run_every=every)(bench, smoother, probability, rows, not ready)


def _show(bench: Workbench, smoother: str, probability: float, rows: float, waiting: bool) -> None:
    job = track_record_job(bench, smoother)
    if not job.finished.is_set():
        st.caption("Track record: asking trees that have not seen the rows …")
        return
    if waiting:
        st.rerun()
    if job.error is not None or job.result.track_record is None:
        st.caption("Track record: none for this model.")
        return
    record = job.result.track_record
    similar = record.lookup(probability, bench.outcome)
    interval = record.leaf_interval(probability, rows, bench.outcome)
    words = track_sentence(similar, beside_leaf=interval is not None)
    of_all = "" if interval is None else markdown_text(all_given_sentence(similar))
    st.markdown(f"**Track record.** {markdown_text(unbroken(words))}", help=of_all or None)
    if interval is not None:
        st.markdown(markdown_text(unbroken(interval_sentence(interval))))


def track_record_job(bench: Workbench, smoother: str) -> Job:
    """Ask for the model's track record; it is gathered once per tree and smoother."""
    model: Model = bench.model(smoother)

    def work(report: Report) -> Model:
        if model.track_record is not None:
            return model
        return bench.counts.with_track_record(model, report)

    return jobs().ask((*bench.variant(smoother), "track record"), work, kernels={smoother, *FIRST})
