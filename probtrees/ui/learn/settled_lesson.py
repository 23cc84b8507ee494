"""What a lesson takes where its reader has set nothing: it depends on what it is about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from probtrees.ui.learn.learn_page import USUAL, Lesson
from probtrees.ui.learn.subject import Subject, drawn_tree
from probtrees.ui.learn.worlds import (
    MOST_LEAF_ROWS,
    OWN_WORLD,
    USUAL_LEAF_ROWS,
    WORLDS,
    World,
    own_world,
)

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
    asked = f"where {subject.who(subject.node)}"
    return own_world(drawn_tree(subject), asked, now.truth, _other_outcomes(subject))


def _other_outcomes(subject: Subject) -> tuple[float, ...]:
    """Return the shares of the other outcomes among all rows without the one asked for."""
    others = np.delete(subject.tree.arrays.counts[0], subject.outcome) + 1.0
    if others.size == 0:
        return (1.0,)
    return tuple((others / others.sum()).tolist())
