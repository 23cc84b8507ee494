"""What the HDP sampler changes from sweep to sweep, and what it adds up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.smooth.hdp_plan import Floats, Integers, Layout, Numbers


class Draws(NamedTuple):
    """What a sweep draws, and what follows from it.

    Attributes
    ----------
    counts : int64 per cell, the tables of the children
    totals : int64 per inner node, the sum of its counts
    probs : per cell, the probabilities
    concentration, tables : per group; tables beyond each node's first
    moments : [2, n_tracked, n_inner], expectations of an inner node's probabilities and of
        their squares given tables and concentrations
    """

    counts: Integers
    totals: Integers
    probs: Floats
    concentration: Floats
    tables: Integers
    moments: Floats


class Sums(NamedTuple):
    """What the kept sweeps add up to.

    Attributes
    ----------
    inner : [2, n_tracked, n_inner], of the moments
    size : [2, n_classes], of 1/(n+c), 1/((n+c)(n+c+1))
    slot : [3, n_tracked, n_slots], of c m/(n+c), c m/((n+c)(n+c+1)), c c s/((n+c)(n+c+1)),
        m and s the moments of the parent
    concentration : [n_groups]
    path : [len(path) + 2, n_outcomes], contributions to the watched node: of the leaf, the
        inner nodes from the deepest to the root, the uniform
    """

    inner: Floats
    size: Floats
    slot: Floats
    concentration: Floats
    path: Floats


class State(NamedTuple):
    """What a sweep changes; ``trace`` keeps the first concentrations and the mean of all."""

    draws: Draws
    sums: Sums
    trace: Floats
    rng: NDArray[np.uint64]


class Path(NamedTuple):
    """A watched node: its inner nodes from the deepest to the root.

    ``leaf_group`` is -1 unless the node is a leaf. Without ``inner``, no node is watched.
    """

    inner: Numbers
    leaf_group: int
    leaf_total: float
    leaf_counts: Floats


class Setting(NamedTuple):
    """What the sampler is told: the Gamma prior's shape and rate, burn-in, outcomes."""

    prior: tuple[float, float]
    burn_in: int
    n_outcomes: int


def start(
    layout: Layout, setting: Setting, path: Path, n_sweeps: int, n_traced: int, seed: int
) -> State:
    """Start from frequencies pulled towards the uniform and the prior's mean."""
    plan = layout.plan
    counts = layout.counts[layout.inner]
    n_inner, n_outcomes = counts.shape
    n_groups = plan.groups.anchor.shape[0]
    n_slots, n_classes = plan.slots.inner.shape[0], plan.slots.class_size.shape[0]
    n_tracked = tracked_outcomes(n_outcomes)
    probs = (counts + 1.0 / n_outcomes) / (counts.sum(axis=1, keepdims=True) + 1.0)
    prior_mean = setting.prior[0] / setting.prior[1]
    plan.groups.anchor[:] = np.log(prior_mean)
    return State(
        draws=Draws(
            counts=np.zeros(n_inner * n_outcomes, dtype=np.int64),
            totals=np.zeros(n_inner, dtype=np.int64),
            probs=np.ascontiguousarray(probs.T).ravel(),
            concentration=np.full(n_groups, prior_mean),
            tables=np.zeros(n_groups, dtype=np.int64),
            moments=np.zeros((2, n_tracked, n_inner)),
        ),
        sums=Sums(
            inner=np.zeros((2, n_tracked, n_inner)),
            size=np.zeros((2, n_classes)),
            slot=np.zeros((3, n_tracked, n_slots)),
            concentration=np.zeros(n_groups),
            path=np.zeros((path.inner.shape[0] + 2, n_outcomes)),
        ),
        trace=np.zeros((n_sweeps, min(n_groups, n_traced) + 1)),
        rng=np.random.SeedSequence(seed).generate_state(2, np.uint64).astype(np.uint64),
    )


def tracked_outcomes(n_outcomes: int) -> int:
    """How many outcomes need sums of their own: of two, the second is what the first leaves."""
    return 1 if n_outcomes == 2 else n_outcomes
