"""How good a model is on rows it has not seen: a strip that fills in when it is known."""

from __future__ import annotations

from typing import Any, Protocol

import streamlit as st

from probtrees.draw.charts.quality_strip import (
    best_sentence,
    quality_html,
    quality_sentence,
    verdict_sentence,
    verdict_words,
)
from probtrees.experiment.registry import DEFAULT_SMOOTHER, SMOOTHERS
from probtrees.experiment.unseen_scores import UnseenScores, unseen_scores
from probtrees.experiment.warm_up import FIRST
from probtrees.ui.shared.counts import Counts, GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, jobs, wait_for


class Judged(Protocol):
    """A tree or a network that can be asked about rows it has not seen."""

    @property
    def counts(self) -> Counts:
        """Its counts, with the rows where they are here."""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The names of the classes."""

    @property
    def outcome(self) -> int:
        """The class of interest."""

    def variant(self, name: str) -> tuple[Any, ...]:
        """Return what the model of a smoother is found again by."""

    def smoothing(self, name: str) -> Job:
        """Ask for the model of a smoother."""


def quality_strip(bench: Judged, smoother: str) -> None:
    """Show how good the model is; nothing is shown of one without its rows."""
    if not isinstance(bench.counts, GrownCounts):
        return
    tried = [name for name, entry in SMOOTHERS.items() if entry.is_shown or name == smoother]
    found = _jobs(bench, bench.counts, tried)
    ready = found is not None and wait_for(found.values())
    every = None if ready else 0.7
    st.fragment(_show, run_every=every)(bench, bench.counts, smoother, tried, not ready)


def verdict_mark(bench: Judged, smoother: str) -> None:
    """Mark a model that tells no more than the base rates do, once that is known.

    It stands above the picture: who sees a tree believes it, and the strip is a screen further.
    """
    scores = known_scores(bench, smoother)
    said = None if scores is None else verdict_words(scores)
    if said is not None:
        claim, reason = said
        st.markdown(f":orange[:material/warning: **{claim}**]: {reason}", width="content")


def known_scores(bench: Judged, smoother: str) -> UnseenScores | None:
    """Return how good the model is, if that is known by now."""
    if not isinstance(bench.counts, GrownCounts):
        return None
    smoothed = bench.smoothing(smoother)
    if not smoothed.finished.is_set() or smoothed.error is not None:
        return None
    job = _scores_job(bench, bench.counts, smoother, smoothed)
    if not job.finished.is_set() or job.error is not None:
        return None
    scores: UnseenScores | None = job.result
    return scores


def _show(
    bench: Judged,
    counts: GrownCounts,
    smoother: str,
    tried: list[str],
    waiting: bool,
) -> None:
    found = _jobs(bench, counts, tried)
    if found is None or not all(job.finished.is_set() for job in found.values()):
        st.caption("How good is it? Asking models that have not seen the rows …")
        return
    if waiting:
        st.rerun()
    scores: dict[str, UnseenScores] = {
        name: job.result
        for name, job in found.items()
        if job.error is None and job.result is not None
    }
    if smoother not in scores:
        return
    names = {name: SMOOTHERS[name].plain for name in tried}
    said = [
        quality_sentence(scores[smoother], bench.outcomes, bench.outcome),
        verdict_sentence(scores[smoother]),
        best_sentence(scores, smoother, names),
        "" if smoother == DEFAULT_SMOOTHER else _RECOMMENDED,
    ]
    with st.container(horizontal=True, vertical_alignment="center", key="quality"):
        st.html(quality_html(said, scores[smoother], bench.outcome, theme=state.theme()))
        if st.button(
            "Compare",
            icon=":material/arrow_forward:",
            type="tertiary",
            key="to compare",
            help=_COMPARE,
        ):
            st.switch_page("pages/compare.py")


_COMPARE = "Opens Compare: cross-validation of this and other settings"
_RECOMMENDED = (
    f"{SMOOTHERS[DEFAULT_SMOOTHER].label} is recommended: it chooses on rows left out how much "
    "groups borrow, so it is seldom far from the best."
)


def _jobs(bench: Judged, counts: GrownCounts, tried: list[str]) -> dict[str, Job] | None:
    """Ask for the scores with every smoother; None while smoothing is not done."""
    smoothing = {name: bench.smoothing(name) for name in tried}
    if not wait_for(smoothing.values()):
        return None
    return {
        name: _scores_job(bench, counts, name, job)
        for name, job in smoothing.items()
        if job.error is None
    }


def _scores_job(bench: Judged, counts: GrownCounts, name: str, smoothed: Job) -> Job:
    def work(report: Report) -> UnseenScores | None:
        with counts.lock:
            return unseen_scores(counts.grown, smoothed.result, report)

    return jobs().ask((*bench.variant(name), "unseen scores"), work, kernels={name, *FIRST})
