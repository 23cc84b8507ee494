"""What the browser cannot compute in time, and what a lesson takes where nothing was set.

Runs of the sampler and losses of held-out rows are jobs beside the page, found again by what was
asked for, so that a class that opens one link has it computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.smooth.gibbs.hdp_watch import watch
from probtrees.smooth.hdp import HDP
from probtrees.smooth.hgs import HGS, SINGLE_WEIGHTS
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.read_table import load_sample
from probtrees.types import FloatArray
from probtrees.ui.learn.learn_page import USUAL, Lesson
from probtrees.ui.learn.steps import STEPS
from probtrees.ui.learn.subject import CELLS, ORDERS, Subject, drawn_tree, stroke_subject
from probtrees.ui.learn.worlds import (
    MOST_LEAF_ROWS,
    OWN_WORLD,
    USUAL_LEAF_ROWS,
    WORLDS,
    World,
    own_world,
    run_world,
)
from probtrees.ui.shared.session.jobs import Job, Report, jobs

LOSS_SAMPLE = "heart"
"""The sample whose held-out rows show what leaving one row out cannot: its best weight lies
between the ends, where the leave-one-out loss falls to the left end."""

TABLE_SWEEPS = 5000
GENE_TRUTH = 0.3


def usual_settings(subject: Subject) -> dict[str, Any]:
    """Give the truth and the world that suit a subject, and the rows of its leaf.

    The truth of a leaf of one's own tree is taken to be what its parent seems to say.
    """
    rows = round(float(subject.tree.totals[subject.node]))
    usual = {"leaf_rows": min(max(rows, 1), MOST_LEAF_ROWS), "other_rows": USUAL_LEAF_ROWS}
    if subject.key[0] == "gene":
        return {**usual, "truth": GENE_TRUTH, "world": "signal"}
    up = subject.path[-2:][0]
    rows_above = float(subject.tree.totals[up])
    share = (float(subject.counts[up]) + 1) / (rows_above + subject.tree.n_outcomes)
    return {**usual, "truth": min(max(round(share, 2), 0.01), 0.99), "world": OWN_WORLD}


def settled(lesson: Lesson, subject: Subject) -> Lesson:
    """Fill in what the reader has left as it was."""
    usual = usual_settings(subject)
    world = usual["world"] if lesson.world == USUAL else lesson.world
    rows = usual["leaf_rows"] if world == OWN_WORLD else usual["other_rows"]
    truth = lesson.truth or usual["truth"]
    return replace(lesson, truth=truth, world=world, leaf_rows=lesson.leaf_rows or rows)


def world_of(lesson: Lesson, subject: Subject) -> World:
    """Find the world that the methods are tried on."""
    now = settled(lesson, subject)
    if now.world != OWN_WORLD:
        return WORLDS[now.world]
    others = np.delete(subject.tree.arrays.counts[0], subject.outcome) + 1.0
    shares = tuple((others / others.sum()).tolist()) or (1.0,)
    return own_world(*drawn_tree(subject), f"where {subject.who(subject.node)}", now.truth, shares)


@dataclass(frozen=True)
class Run:
    """A job that a step needs, and what its progress is called."""

    name: str
    title: str
    job: Job


def runs_for(subject: Subject, lesson: Lesson) -> list[Run]:
    """Ask for what the step needs once its answer is shown."""
    make = _RUNS.get(STEPS[lesson.step].name)
    return list(make(subject, lesson)) if make is not None and lesson.told else []


def _gibbs(subject: Subject, lesson: Lesson) -> Iterable[Run]:
    """Watch the leaf while HDP samples; every sweep is kept, the reader drops the first ones."""
    if subject.tree.n_nodes == 1:
        return
    tying: Any = lesson.tying
    smoother = HDP(n_iterations=lesson.sweeps, burn_in=0, seed=lesson.seed, tying=tying)

    def work(report: Report) -> dict[str, Any]:
        seen = watch(smoother, subject.tree, subject.node, report)
        return {
            "nodes": list(seen.nodes),
            "tables": seen.pseudo_counts[:, :, subject.outcome].mean(axis=0).tolist(),
            "guests": seen.pseudo_counts.sum(axis=2).mean(axis=0).tolist(),
            "c": _short(seen.concentration),
            "p": _short(seen.probs[:, subject.outcome]),
            "draws": _short(seen.samples[:, subject.outcome]),
        }

    asked = (subject.node, subject.outcome, lesson.sweeps, lesson.seed, lesson.tying)
    yield Run("gibbs", "Sampling", jobs().ask(("lesson gibbs", *subject.key, *asked), work))


def _losses(subject: Subject, lesson: Lesson) -> Iterable[Run]:
    """Compute both losses on the sample; HDP is sampled too, to stand beside HGS."""

    def of_sample(report: Report) -> dict[str, Any]:
        report(0.1, "growing inner trees")
        grown = grow_model(load_sample(LOSS_SAMPLE), "c45")
        return loss_curves(grown.smooth("hgs").tree)

    yield Run("losses", "Held-out rows", jobs().ask(("lesson losses", LOSS_SAMPLE), of_sample))
    yield from _gibbs(subject, lesson)


def _world(subject: Subject, lesson: Lesson) -> Iterable[Run]:
    world, now = world_of(lesson, subject), settled(lesson, subject)

    def work(report: Report) -> dict[str, Any]:
        counts, said = run_world(world, now.leaf_rows, now.seed, report)
        return {"counts": counts.tolist(), "hdp": _short(said)}

    key: tuple[Any, ...] = ("lesson world", now.world, now.leaf_rows, now.seed)
    if now.world == OWN_WORLD:
        key = (*key, *subject.key, subject.node, subject.outcome, now.truth)
    yield Run("world", "Drawing samples", jobs().ask(key, work))


def _table(subject: Subject, lesson: Lesson) -> Iterable[Run]:
    """Let HDP estimate every cell of the network's table, whichever column comes first."""

    def work(report: Report) -> dict[str, Any]:
        said = {}
        for order in ORDERS:
            smoother = HDP(n_iterations=TABLE_SWEEPS, seed=lesson.seed, tying="level")
            probs = smoother.smooth(stroke_subject(order).tree, progress=report).probs[:, 0]
            cells = [stroke_subject(order, cell).node for cell in range(len(CELLS))]
            said[order] = probs[cells].tolist()
        return said

    yield Run("table", "Sampling", jobs().ask(("lesson table", lesson.seed), work))


_RUNS: dict[str, Callable[[Subject, Lesson], Iterable[Run]]] = {
    "gibbs": _gibbs,
    "hgs": _losses,
    "verdict": _world,
    "network": _table,
}


def loss_curves(smoothed: SmoothedTree) -> dict[str, Any]:
    """Give the losses of HGS over one weight: of left-out rows, of held-out rows, the prior.

    All are means over the rows. The leave-one-out loss is (1 - p)^2 of the true outcome; of two
    outcomes it is half the Brier score, which the held-out loss is, so that is halved.
    """
    tree = smoothed.tree
    smoother = HGS(fit="map")
    left_out = [smoother.leave_one_out_loss(tree, float(weight)) for weight in SINGLE_WEIGHTS]
    off = np.log(SINGLE_WEIGHTS) - np.log(smoother.prior_weight)
    prior = off**2 / (2 * smoother.prior_spread**2 * max(float(tree.totals[0]), 1.0))
    held_out = smoothed.trace["loss"] / 2 if "weight" in smoothed.trace else None
    return {
        "weights": SINGLE_WEIGHTS.tolist(),
        "left_out": left_out,
        "prior": prior.tolist(),
        "held_out": None if held_out is None else held_out.tolist(),
        "prior_weight": smoother.prior_weight,
        "rows": float(tree.totals[0]),
        "leaves": int(tree.is_leaf.sum()),
        "outcomes": tree.n_outcomes,
    }


def _short(values: FloatArray) -> list[float]:
    """Make plain numbers that take little room in the message to the browser."""
    return [round(float(value), 9) for value in values]
