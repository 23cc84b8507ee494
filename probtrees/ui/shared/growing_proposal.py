"""How the app grows the first tree of one's own table: as small as unseen rows allow.

A tree of some hundred leaves is what the defaults grow, and nobody reads it. So the app looks for
the smallest one that is as good on unseen rows. Of an outcome that is nowhere likely C4.5 makes a
single leaf, or merges leaves of other chances, since all predict the same class; where unseen rows
say that their chances differ they are kept apart. It is a proposal: worked out from the table and
from what the person chose, kept nowhere, and dropped as soon as the person says how large the tree
is to be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from probtrees.experiment.evaluation.growing_costs import (
    KEPT_APART,
    GrowingCost,
    are_better_apart,
    growing_costs,
    kept_apart,
    merged_into_one,
    ways_to_grow,
)
from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.registry import DEFAULT_SMOOTHER
from probtrees.experiment.warm_up import FIRST
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.page import LinkChoice
from probtrees.ui.shared.session.jobs import Job, Report, jobs
from probtrees.ui.shared.table_source import ChosenTable

ALL_LEAVES = "tree.smaller"
"""Where the session, and a link, keep that the person wants the tree as the defaults grow it."""
SIZES = ("min_leaf", "prune", "collapse")
"""Options by which somebody says how large a tree is to be."""
READABLE = 20
"""A tree of no more leaves is shown as it is."""
_MOST_CELLS = 1_000_000
"""Cells of a table whose smaller trees are grown without being asked for."""
_FEWEST_CASES = 10
"""Rows of other outcomes than the most frequent one, without which unseen rows tell little."""
_FEWEST = 5
_LOSS = 0.01
"""The share of its Brier score that a smaller tree may be worse by, where that may be luck."""
_LOST_AREA = 0.02
"""What a smaller tree may lose of the area under the ROC curve: of a rare outcome the Brier score
hardly notices that rows are no longer told apart."""


@dataclass(frozen=True)
class GrowingProposal:
    """What several ways to grow cost on unseen rows, and the one that the app would take.

    Attributes
    ----------
    costs : the ways, the first as the person has it
    options : growing options that differ from it; empty where it is best as it is
    """

    costs: Sequence[GrowingCost]
    options: Mapping[str, Any] = field(default_factory=dict)


ALL_LEAVES_CHOICE = LinkChoice(ALL_LEAVES, {"0": True}.__getitem__, lambda _: "0")


def proposal_job(source: ChosenTable, whole: GrownCounts) -> Job:
    """Ask for what other ways to grow would cost; the usual smoother judges, whatever is in use."""
    grown = whole.grown

    def work(report: Report) -> GrowingProposal:
        with whole.lock:
            grown.evidence(report)
        smooth = partial(GrownModel.smooth, smoother=DEFAULT_SMOOTHER)
        costs = growing_costs(grown, smooth, _ways(whole), report)
        more = kept_apart(costs) if grown.spec.learner.collapse else []
        costs += growing_costs(grown, smooth, [{}, *more], report)[1:] if more else []
        return GrowingProposal(costs, _best(costs))

    key = ("growing proposal", source.key, repr(grown.spec.learner))
    return jobs().ask(key, work, kernels={DEFAULT_SMOOTHER, *FIRST})


def _ways(whole: GrownCounts) -> list[Mapping[str, Any]]:
    learner = whole.grown.spec.learner
    in_use = {"min_leaf": learner.min_leaf, "prune": learner.prune}
    ways: list[Mapping[str, Any]] = [*ways_to_grow(whole.rows.n_rows, in_use)]
    return [*ways, KEPT_APART] if _is_merged(whole) else ways


def may_propose(source: ChosenTable, whole: GrownCounts) -> bool:
    """Whether the app is to look for a smaller tree, or for merged leaves, without being asked.

    Not where the person said how large it is to be, even where that is the usual size.

    Parameters
    ----------
    whole : the tree as the person has it
    """
    sizes = any(f"c45.{name}" in st.session_state for name in SIZES)
    is_free = not sizes and not st.session_state.get(ALL_LEAVES)
    is_worth = whole.grown.n_leaves > READABLE or _is_merged(whole)
    is_small = whole.rows.values.size <= _MOST_CELLS
    return source.upload is not None and is_free and is_worth and is_small


def _is_merged(whole: GrownCounts) -> bool:
    """Whether C4.5 has merged leaves that may have chances of their own."""
    merged = merged_into_one(whole.diagnostics) or whole.diagnostics.get("joined_unlike")
    labels = whole.rows.labels
    return bool(merged) and len(labels) - int(np.bincount(labels).max()) >= _FEWEST_CASES


def _best(costs: Sequence[GrowingCost]) -> Mapping[str, Any]:
    """Return the options of the way that the app takes."""
    apart = next((cost for cost in costs if cost.options == KEPT_APART), None)
    if apart is not None and are_better_apart([costs[0], apart]):
        return apart.options
    best = smallest_as_good([cost for cost in costs if cost is not apart])
    return {} if best is None or costs[0].n_leaves <= READABLE else best.options


def smallest_as_good(costs: Sequence[GrowingCost]) -> GrowingCost | None:
    """Return the way with the fewest leaves that does no worse on unseen rows; None if all do.

    >>> smallest_as_good([
    ...     GrowingCost({}, 300, 0.380),
    ...     GrowingCost({"min_leaf": 5}, 90, 0.379, (-0.001, -0.01, 0.01)),
    ...     GrowingCost({"min_leaf": 20}, 40, 0.381, (0.001, -0.01, 0.01)),
    ...     GrowingCost({"min_leaf": 50}, 12, 0.402, (0.022, 0.01, 0.03)),
    ... ]).n_leaves
    40
    """
    if not costs or costs[0].brier is None:
        return None
    as_good = [
        cost
        for cost in costs[1:]
        if _FEWEST <= cost.n_leaves < costs[0].n_leaves
        and cost.brier is not None
        and (cost.cost[0] <= 0 or (cost.is_noise and cost.cost[0] <= _LOSS * costs[0].brier))
        and (cost.auc is None or costs[0].auc is None or cost.auc >= costs[0].auc - _LOST_AREA)
    ]
    return min(as_good, key=lambda cost: cost.n_leaves, default=None)
