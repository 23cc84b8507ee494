"""What corrections of the tree do on rows that inner trees have not seen: jobs beside the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.experiment.corrections import CorrectionEffect
from probtrees.experiment.inner_models import edits_followed
from probtrees.experiment.unseen_scores import UnseenScores, unseen_scores
from probtrees.experiment.warm_up import FIRST
from probtrees.grow.edits import Edit
from probtrees.model.predict import predict_proba
from probtrees.types import FloatArray
from probtrees.ui.shared.session.jobs import Job, Report, jobs
from probtrees.ui.shared.session.state import edits_in_force
from probtrees.ui.shared.smoother_options import settings, smoother_settings
from probtrees.ui.shared.workbench import TreeBench, corrected_counts
from probtrees.words import percent, rows_text, score_texts

_MOVED = 0.01
"""An answer that changes by less than this, one point in a hundred, is not counted as changed."""


@dataclass(frozen=True)
class Judged:
    """What unseen rows say of the tree with some corrections, and what it says of all rows."""

    scores: UnseenScores | None
    answers: FloatArray
    n_leaves: int
    notes: tuple[dict[str, Any], ...] = ()
    """Of every correction, how many inner trees follow it."""
    is_tied: bool = False
    """Whether all leaves share settings of the smoother, so that each moves with the others."""


def effect_in_words(bench: TreeBench, before: Judged, now: Judged) -> str:
    """Say in words what all corrections in force change."""
    moved = np.abs(now.answers[:, bench.outcome] - before.answers[:, bench.outcome])
    changed = moved > _MOVED
    said = f"{before.n_leaves:,} groups become {now.n_leaves:,}. "
    if changed.any():
        said += (
            f"The chance of {bench.asked} changes by more than one point for {changed.sum():,} of "
            f"{rows_text(len(moved))}, on average by {percent(float(moved[changed].mean()))}. "
        ).replace(" %.", " points.")
    if now.is_tied and (moved[~changed] > 0).any():
        said += (
            "Other branches may move a little, too: how strongly all leaves are smoothed is "
            "chosen for the whole tree. "
        )
    else:
        said += "No row's chance changes by more than one point. "
    if before.scores is None or now.scores is None:
        return said + "There are too few rows to ask unseen ones."
    effect = CorrectionEffect.of(before.scores, now.scores, now.notes)
    return said + f"On unseen rows: {effect.words}."


def cost_of(
    found: dict[tuple[Edit, ...], Job], active: tuple[Edit, ...], edit: Edit, now: Judged | None
) -> str:
    """Say what one correction does on unseen rows, beside the tree with all the others."""
    others = tuple(other for other in active if other != edit)
    without = judged(found.get(others)) if edit in active else None
    if now is None or without is None or now.scores is None or without.scores is None:
        return ""
    effect = CorrectionEffect.of(without.scores, now.scores, now.notes[active.index(edit) :][:1])
    if not effect.is_measured:
        return "unseen rows: not measured"
    before, after = score_texts(effect.before, effect.after, least=3)
    return f"unseen rows: Brier {before} without it, {after} with it, {effect.judgement}"


def judged(job: Job | None) -> Judged | None:
    """Return what a job found; None where it has not, or cannot."""
    if job is None or not job.finished.is_set() or job.error is not None:
        return None
    judged: Judged = job.result
    return judged


def correction_jobs(bench: TreeBench, smoother: str) -> dict[tuple[Edit, ...], Job]:
    """Ask what unseen rows say of the tree as it is, without any, and without each correction."""
    active = edits_in_force()
    if not active:
        return {}
    wanted = [active, (), *(tuple(e for e in active if e != edit) for edit in active)]
    return {edits: _job(bench, edits, smoother) for edits in dict.fromkeys(wanted)}


def _job(bench: TreeBench, edits: tuple[Edit, ...], smoother: str) -> Job:
    plain = bench.plain or bench.counts
    chosen, routing = smoother_settings(smoother), bench.routing
    options = settings({**dict(bench.key[1]), "edits": edits})

    def work(report: Report) -> Judged:
        counts = corrected_counts(plain, edits, report)
        model = counts.smooth(smoother, chosen, routing, report)
        with counts.lock:
            scores = unseen_scores(counts.grown, model, report)
            notes = edits_followed(counts.grown) if counts.grown.has_evidence else {}
        answers = predict_proba(model, counts.rows)
        smoothed = model.tree
        is_tied = smoothed.smoother.needs_evidence or smoothed.std is not None
        followed = tuple(notes.get("edits", ()))
        return Judged(scores, answers, smoothed.tree.n_leaves, followed, is_tied)

    key = (bench.key[0], options, smoother, chosen, routing, "corrected")
    return jobs().ask(key, work, kernels={smoother, *FIRST})


def effect_of_all(bench: TreeBench, smoother: str) -> str | None:
    """Say what all corrections in force change; None while that is not known."""
    active = edits_in_force()
    found = correction_jobs(bench, smoother)
    now, before = judged(found.get(active)), judged(found.get(()))
    return None if now is None or before is None else effect_in_words(bench, before, now)
