"""Watch one leaf while the HDP sampler works, sweep by sweep: how its answer comes about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from probtrees.count_tree import CountTree
from probtrees.smooth._hdp_kernels import run_sweeps
from probtrees.smooth.hdp import HDP, MOST_TRACED
from probtrees.smooth.hdp_plan import lay_out
from probtrees.smooth.hdp_state import Path, Setting, start
from probtrees.smoothed_tree import FloatArray

SWEEPS_PER_REPORT = 50


@dataclass(frozen=True)
class Watched:
    """What was seen of one leaf.

    Attributes
    ----------
    nodes : the inner nodes above the leaf, the root first
    probs : float64[n_kept, n_outcomes], the leaf's expectation given the pseudo-counts and
        concentrations of each kept sweep; their mean is the leaf's probability
    pseudo_counts : float64[n_sweeps, len(nodes), n_outcomes], counts that the branches below
        each of the nodes passed up to it
    concentration : float64[n_sweeps], the concentration of the leaf's group
    samples : float64[n_kept, n_outcomes], one draw per kept sweep from the posterior of the
        leaf's probabilities: Dirichlet(n_k + c q_k), q_k = the parent's drawn probabilities
    """

    nodes: tuple[int, ...]
    probs: FloatArray
    pseudo_counts: FloatArray
    concentration: FloatArray
    samples: FloatArray


def watch(
    smoother: HDP,
    tree: CountTree,
    leaf: int,
    progress: Callable[[float, str], None] | None = None,
) -> Watched:
    """Run the sampler one sweep at a time and note what each makes of a leaf.

    Parameters
    ----------
    tree : with at least one split, whole counts in the leaves
    leaf : the node to watch
    progress : told the share of the sweeps that is done; may raise to cancel
    """
    layout = lay_out(tree, smoother.tying_of(tree))
    n_outcomes = tree.n_outcomes
    above = tree.path(leaf)[:-1]
    counts = layout.counts[leaf].astype(np.float64)
    inner = layout.inner_of[above]
    path = Path(
        inner=inner[::-1].astype(np.uint32),
        leaf_group=int(layout.group[leaf]),
        leaf_total=float(counts.sum()),
        leaf_counts=counts,
    )
    prior = (smoother.prior_shape, smoother.prior_rate)
    setting = Setting(prior, smoother.dropped_sweeps, n_outcomes)
    n_sweeps = smoother.n_iterations
    state = start(layout, setting, path, n_sweeps, MOST_TRACED, smoother.seed)
    cells = layout.plan.cells
    probs = np.zeros((n_sweeps, n_outcomes))
    pseudo = np.zeros((n_sweeps, len(above), n_outcomes))
    concentration = np.zeros(n_sweeps)
    parent = np.zeros((n_sweeps, n_outcomes))
    before = np.zeros(n_outcomes)
    with np.errstate(over="ignore"):  # without the JIT random words wrap around, as they should
        for sweep in range(n_sweeps):
            run_sweeps(layout.plan, state, path, setting, sweep, 1)
            so_far = state.sums.path.sum(axis=0)
            probs[sweep] = so_far - before
            before = so_far
            concentration[sweep] = state.draws.concentration[layout.group[leaf]]
            for place, node in enumerate(inner):
                own = slice(int(cells.first[node]), int(cells.first[node + 1]))
                pseudo[sweep, place, cells.outcome[own]] = state.draws.counts[own]
            parent[sweep, cells.outcome[own]] = state.draws.probs[own]
            if progress is not None and sweep % SWEEPS_PER_REPORT == 0:
                progress(sweep / n_sweeps, "sampling")
    kept = slice(smoother.dropped_sweeps, None)
    samples = _draw(counts, parent[kept], concentration[kept], smoother.seed)
    return Watched(tuple(above), probs[kept], pseudo, concentration, samples)


def _draw(
    counts: FloatArray, parent: FloatArray, concentration: FloatArray, seed: int
) -> FloatArray:
    """Draw the leaf's probabilities once for every sweep.

    Outcomes that nobody below the parent has share what the others leave of its probabilities.
    """
    unseen = parent == 0
    left = np.maximum(1 - parent.sum(axis=1, keepdims=True), 0.0)
    base = np.where(unseen, left / np.maximum(unseen.sum(axis=1, keepdims=True), 1), parent)
    shape = counts + concentration[:, None] * base
    drawn = np.random.default_rng(seed).gamma(np.maximum(shape, 1e-12))
    return np.asarray(drawn / np.maximum(drawn.sum(axis=1, keepdims=True), 1e-300))
