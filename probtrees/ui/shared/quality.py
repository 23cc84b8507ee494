"""How good a model is on rows it has not seen, and calibration as its last step.

A strip fills in when it is known how good the model is. The pictures show the counts smoothed,
which is what can be explained; calibration bends whole answers. So it is applied where answers
leave the page, in saved models and in scored files, and a line says what becomes of the number on
show.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from probtrees.draw.charts.quality_strip import (
    best_sentence,
    quality_html,
    quality_sentence,
    unseen_verdict,
)
from probtrees.draw.escape import markdown_text
from probtrees.experiment.inner_models import CalibratedModel, calibrate_model, unseen_scores
from probtrees.experiment.registry import SMOOTHERS
from probtrees.experiment.warm_up import FIRST
from probtrees.model.model import Model
from probtrees.score.unseen_scores import UnseenScores
from probtrees.types import FloatArray
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, Work, fill_when, jobs, result_of
from probtrees.ui.shared.show import numbers_of
from probtrees.ui.shared.smoother_options import CALIBRATIONS, current_calibration
from probtrees.ui.shared.workbench import Bench
from probtrees.words import outcome_words, percent, rows_text, score_texts


def quality_strip(bench: Bench, smoother: str) -> None:
    """Show how good the model is; nothing is shown of one without its rows."""
    counts = bench.counts
    if not isinstance(counts, GrownCounts):
        return
    tried = [name for name, entry in SMOOTHERS.items() if entry.is_shown or name == smoother]

    def find() -> dict[str, UnseenScores] | None:
        smoothing = {name: bench.smoothing(name) for name in tried}
        asked = {
            name: _scores_job(bench, counts, name, job)
            for name, job in smoothing.items()
            if job.is_ready
        }
        if any(job.is_working for job in (*smoothing.values(), *asked.values())):
            return None
        return {name: job.result for name, job in asked.items() if job.is_ready and job.result}

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
    counts = bench.counts
    if not isinstance(counts, GrownCounts):
        return None
    smoothed = bench.smoothing(smoother)
    if not smoothed.is_ready:
        return None
    job = _scores_job(bench, counts, smoother, smoothed)
    scores: UnseenScores | None = job.result if job.is_ready else None
    return scores


def _scores_job(bench: Bench, counts: GrownCounts, name: str, smoothed: Job) -> Job:
    def work(report: Report) -> UnseenScores | None:
        with counts.lock:
            return unseen_scores(counts.grown, smoothed.result, report)

    return jobs().ask((*bench.variant(name), "unseen scores"), work, kernels={name, *FIRST})


def final_model(bench: Bench, smoother: str, model: Model) -> Model:
    """Return the model as it is saved and scores files: calibrated, where that was asked for.

    While it is not there the page ends with its progress.
    """
    asked = _calibrating(bench, smoother, model)
    if asked is None:
        return model
    found: CalibratedModel = result_of(*asked, title="Calibrating", kernels={smoother, *FIRST})
    return found.model


def calibration_note(bench: Bench, smoother: str, probs: FloatArray | None = None) -> None:
    """Say what calibration does: to held-out rows, and to the number on show.

    Parameters
    ----------
    probs : float64[n_classes], the numbers on show; None: only the model as a whole is
    """
    if _calibrating(bench, smoother, None) is None:
        return

    def find() -> Job | None:
        job = bench.smoothing(smoother)
        asked = _calibrating(bench, smoother, job.result) if job.is_ready else None
        if asked is not None:
            job = jobs().ask(*asked, kernels={smoother, *FIRST})
        return None if job.is_working else job

    def show(job: Job) -> None:
        if job.is_ready:
            st.caption(markdown_text(_calibration_words(job.result, bench, probs)))

    fill_when(find, show, "Calibrating: asking models that have not seen the rows …")


def _calibration_words(found: CalibratedModel, bench: Bench, probs: FloatArray | None) -> str:
    """Write what the last step does."""
    curves = found.model.calibration
    if curves is None:
        return "Too few rows to calibrate: none could be held out."
    does = "answers are bent"
    if probs is not None:
        after = float(curves.apply(probs[None])[0, bench.outcome])
        name = outcome_words(bench.schema.target.title, bench.outcomes[bench.outcome])
        does = f"the {percent(float(probs[bench.outcome]))} {name} on show becomes {percent(after)}"
    scores = score_texts(found.before, found.after)
    return (
        f"Calibrated by {CALIBRATIONS[curves.method]}, on {rows_text(curves.n_rows)} held out: "
        f"{does} in saved models and scored files; the pictures show the numbers before that step. "
        f"On unseen rows the Brier score goes from {scores[0]} to {scores[1]}."
    )


def _calibrating(bench: Bench, smoother: str, model: Any) -> tuple[tuple[Any, ...], Work] | None:
    """Return what the calibrated model is found again by, and what makes it; None: none is."""
    counts, method = bench.counts, current_calibration()
    # Held-out rows have chosen another part of a network than one taken by hand.
    by_hand = getattr(bench, "is_part", False)
    if method == "none" or by_hand or not isinstance(counts, GrownCounts):
        return None

    def work(report: Report) -> CalibratedModel:
        with counts.lock:
            return calibrate_model(counts.grown, model, method, report)

    return (*bench.variant(smoother), "calibrated", method), work
