"""The tree in words: a few sentences for a mail, and the whole of it as text."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.node_card import outline
from probtrees.explain.tree_summary import tree_summary
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.ui.shared.session.jobs import wait_for
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.track_record import track_record_job


def tree_in_words(bench: Workbench, smoothed: SmoothedTree, smoother: str) -> None:
    """Show the tree in a few sentences and whole as text, to be read and copied.

    The sentences name only groups that the track record supports, so they wait for it.
    """
    ready = bench.is_table or wait_for([track_record_job(bench, smoother)])
    st.fragment(_summary, run_every=None if ready else 0.7)(bench, smoothed, smoother, not ready)
    st.caption("The whole tree as text:")
    st.code(outline(smoothed, bench.schema, outcome=bench.outcome), language=None, height=500)


def _summary(bench: Workbench, smoothed: SmoothedTree, smoother: str, waiting: bool) -> None:
    record = None
    if not bench.is_table:
        job = track_record_job(bench, smoother)
        if not job.finished.is_set():
            st.caption("Which groups stand out? Asking trees that have not seen the rows …")
            return
        if waiting:
            st.rerun()
        record = None if job.error is not None else job.result.track_record
    st.caption("To paste into a mail:")
    summary = tree_summary(smoothed, bench.schema, bench.outcome, record)
    st.code(summary, language=None, wrap_lines=True)
