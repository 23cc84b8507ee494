"""Calibration as a last step of the model on show: the choice, and what it does.

The pictures show the counts smoothed, which is what can be explained; the last step bends whole
answers. So it is applied where answers leave the page, in saved models and in scored files, and a
line on the page says what becomes of the number on show.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.inner_models import CalibratedModel, calibrate_model
from probtrees.experiment.warm_up import FIRST
from probtrees.model.model import Model
from probtrees.types import FloatArray
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.quality import Judged
from probtrees.ui.shared.session.jobs import Job, Report, jobs, result_of, wait_for
from probtrees.ui.shared.smoother_options import CALIBRATIONS, current_calibration
from probtrees.words import after_number, percent, rows_text, score_texts


def final_model(bench: Judged, smoother: str, model: Model) -> Model:
    """Return the model as it is saved and scores files: calibrated, where that was asked for.

    While it is not there the page ends with its progress.
    """
    key = _key(bench, smoother)
    if key is None:
        return model
    found: CalibratedModel = result_of(
        key, _work(bench, model), title="Calibrating", kernels={smoother, *FIRST}
    )
    return found.model


def calibration_note(bench: Judged, smoother: str, probs: FloatArray | None = None) -> None:
    """Say what calibration does: to held-out rows, and to the number on show.

    Parameters
    ----------
    probs : float64[n_classes], the numbers on show; None: only the model as a whole is
    """
    if _key(bench, smoother) is None:
        return
    ready = wait_for([_job(bench, smoother)])
    st.fragment(_show, run_every=None if ready else 0.7)(bench, smoother, probs, not ready)


def _show(bench: Judged, smoother: str, probs: FloatArray | None, waiting: bool) -> None:
    job = _job(bench, smoother)
    if not job.finished.is_set():
        st.caption("Calibrating: asking models that have not seen the rows …")
        return
    if waiting:
        st.rerun()
    if job.error is None and job.result is not None:
        st.caption(markdown_text(calibration_words(job.result, bench, probs)))


def calibration_words(found: CalibratedModel, bench: Judged, probs: FloatArray | None) -> str:
    """Write what the last step does."""
    curves = found.model.calibration
    if curves is None:
        return "Too few rows to calibrate: none could be held out."
    said = f"Calibrated by {CALIBRATIONS[curves.method]}, on {rows_text(curves.n_rows)} held out: "
    if probs is not None:
        after = float(curves.apply(probs[None])[0, bench.outcome])
        name = after_number(bench.outcomes[bench.outcome])
        before = percent(float(probs[bench.outcome]))
        said += f"the {before} {name} on show becomes {percent(after)} "
    else:
        said += "answers are bent "
    scores = score_texts(found.before, found.after, least=3)
    return (
        f"{said}in saved models and scored files; the pictures show the numbers before that step. "
        f"On unseen rows the Brier score goes from {scores[0]} to {scores[1]}."
    )


def _key(bench: Judged, smoother: str) -> tuple[Any, ...] | None:
    """Return what the calibrated model is found again by; None where there is to be none."""
    method = current_calibration()
    # Held-out rows have chosen another part of a network than one taken by hand.
    by_hand = getattr(bench, "is_part", False)
    if method == "none" or by_hand or not isinstance(bench.counts, GrownCounts):
        return None
    return (*bench.variant(smoother), "calibrated", method)


def _job(bench: Judged, smoother: str) -> Job:
    smoothing = bench.smoothing(smoother)
    if not smoothing.finished.is_set() or smoothing.error is not None:
        return smoothing
    return jobs().ask(
        _key(bench, smoother), _work(bench, smoothing.result), kernels={smoother, *FIRST}
    )


def _work(bench: Judged, model: Model) -> Any:
    counts, method = bench.counts, current_calibration()

    def work(report: Report) -> CalibratedModel:
        if not isinstance(counts, GrownCounts) or method == "none":
            return CalibratedModel(model, np.nan, np.nan)
        with counts.lock:
            return calibrate_model(counts.grown, model, method, report)

    return work
