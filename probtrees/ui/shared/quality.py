"""How good a model is on rows it has not seen: a strip that fills in when it is known."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.charts.quality_strip import (
    best_sentence,
    quality_html,
    quality_sentence,
    unseen_verdict,
)
from probtrees.experiment.inner_models import unseen_scores
from probtrees.experiment.registry import SMOOTHERS
from probtrees.experiment.warm_up import FIRST
from probtrees.score.unseen_scores import UnseenScores
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, fill_when, jobs
from probtrees.ui.shared.show import numbers_of
from probtrees.ui.shared.workbench import Bench


def quality_strip(bench: Bench, smoother: str) -> None:
    """Show how good the model is; nothing is shown of one without its rows."""
    counts = bench.counts
    if not isinstance(counts, GrownCounts):
        return
    tried = [name for name, entry in SMOOTHERS.items() if entry.is_shown or name == smoother]

    def find() -> dict[str, UnseenScores] | None:
        asked = {name: scores_job(bench, name) for name in tried}
        if any(job is None or job.is_working for job in asked.values()):
            return None
        ready = {name: job.result for name, job in asked.items() if job and job.is_ready}
        return {name: scores for name, scores in ready.items() if scores}

    def show(scores: dict[str, UnseenScores]) -> None:
        if smoother in scores:
            _show_strip(bench, smoother, scores)

    fill_when(find, show, "How good is it? Asking models that have not seen the rows …")


def _show_strip(bench: Bench, smoother: str, scores: dict[str, UnseenScores]) -> None:
    names = {name: SMOOTHERS[name].plain for name in scores}
    said = [
        quality_sentence(scores[smoother], bench.outcomes, bench.outcome),
        unseen_verdict(scores[smoother])[0],
    ]
    best = best_sentence(scores, smoother, names)
    with numbers_of(bench.variant(smoother), "quality"):
        st.html(quality_html(said, scores[smoother], bench.outcome, more=best, theme=state.theme()))


def verdict_mark(bench: Bench, smoother: str) -> None:
    """Mark a model that tells no more than the base rates do, once that is known.

    It stands above the picture: who sees a tree believes it, and the strip is a screen further.
    """
    scores = known_scores(bench, smoother)
    said = None if scores is None else unseen_verdict(scores)[1]
    if said is not None:
        claim, reason = said
        with numbers_of(bench.variant(smoother), "verdict"):
            st.markdown(f":orange[:material/warning: **{claim}**]: {reason}", width="content")


def known_scores(bench: Bench, smoother: str) -> UnseenScores | None:
    """Return how good the model is, if that is known by now."""
    job = scores_job(bench, smoother)
    scores: UnseenScores | None = job.result if job is not None and job.is_ready else None
    return scores


def scores_job(bench: Bench, name: str) -> Job | None:
    """Ask how good the model is, once it is smoothed; None until then, and without rows."""
    counts, smoothed = bench.counts, bench.smoothing(name)
    if smoothed.is_working or not isinstance(counts, GrownCounts):
        return None
    if not smoothed.is_ready:
        return smoothed  # it failed

    def work(report: Report) -> UnseenScores | None:
        with counts.lock:
            return unseen_scores(counts.grown, smoothed.result, report)

    return jobs().ask((*bench.variant(name), "unseen scores"), work, kernels={name, *FIRST})
