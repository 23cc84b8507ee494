"""What happened to unseen rows that were given a similar number, filled in when it is known."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.unseen import with_track_record
from probtrees.explain.track import track_sentence
from probtrees.model import Model
from probtrees.ui.jobs import Job, Report, jobs, wait_for
from probtrees.ui.workbench import Workbench


def track_record(bench: Workbench, smoother: str, probability: float) -> None:
    """Show the track record of a probability of the outcome of interest."""
    ready = wait_for([track_record_job(bench, smoother)])
    every = None if ready else 0.7
    st.fragment(_show, run_every=every)(bench, smoother, probability, not ready)


def _show(bench: Workbench, smoother: str, probability: float, waiting: bool) -> None:
    job = track_record_job(bench, smoother)
    if not job.finished.is_set():
        st.caption("Track record: asking trees that have not seen the rows …")
        return
    if waiting:
        st.rerun()
    if job.error is not None or job.result.track_record is None:
        st.caption("Track record: none for this model.")
        return
    similar = job.result.track_record.lookup(probability, bench.outcome)
    told = track_sentence(similar).replace(" %", "\N{NO-BREAK SPACE}%")
    st.markdown(f"**Track record.** {markdown_text(told)}")


def track_record_job(bench: Workbench, smoother: str) -> Job:
    """Ask for the model's track record; it is gathered once per tree and smoother."""
    model: Model = bench.model(smoother)

    def work(report: Report) -> Model:
        if model.track_record is not None or bench.data.n_rows == 0:
            return model
        with bench.grown_tree.lock:
            return with_track_record(bench.grown_tree.grown, model, report)

    return jobs().ask((*bench.variant(smoother), "track record"), work)
