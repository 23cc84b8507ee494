"""Watch one leaf while the HDP sampler works, sweep by sweep: how its answer comes about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.gibbs._hdp_kernels import LEAST_SHAPE, ROOT_CONCENTRATION, run_sweeps
from probtrees.smooth.gibbs.hdp_chains import MOST_TRACED
from probtrees.smooth.gibbs.hdp_plan import Layout, lay_out
from probtrees.smooth.gibbs.hdp_state import Chain, Path, start
from probtrees.smooth.hdp import HDP
from probtrees.types import FloatArray, IntArray

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
        leaf's probabilities: Dirichlet(n_k + c q_k), q_k = the parent's probabilities, drawn
        from the root down
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

    Of several chains the first is watched.

    Parameters
    ----------
    tree : with at least one split, whole counts in the leaves
    leaf : the node to watch
    progress : given the share of the sweeps that is done; may raise to cancel
    """
    layout = lay_out(tree, smoother.tying_of(tree))
    n_outcomes = tree.n_outcomes
    above = tree.path(leaf)[:-1]
    inner = layout.inner_of[above]
    path = _path(layout, inner, leaf)
    setting = smoother.setting(n_outcomes)
    n_sweeps = smoother.n_iterations
    state = start(layout, setting, path, Chain(smoother.seed, 0, n_sweeps, MOST_TRACED, 0))
    cells = layout.plan.cells
    probs = np.zeros((n_sweeps, n_outcomes))
    pseudo = np.zeros((n_sweeps, len(above), n_outcomes))
    drawn = np.zeros_like(pseudo)
    concentration = np.zeros((n_sweeps, len(above) + 1))
    before = np.zeros(n_outcomes)
    with np.errstate(over="ignore"):  # without the JIT random words wrap around, as they should
        for sweep in range(n_sweeps):
            run_sweeps(layout.plan, state, path, setting, sweep, 1)
            so_far = state.sums.path.sum(axis=0)
            probs[sweep] = so_far - before
            before = so_far
            concentration[sweep] = state.draws.concentration[layout.group[tree.path(leaf)]]
            for place, node in enumerate(inner):
                own = slice(int(cells.first[node]), int(cells.first[node + 1]))
                pseudo[sweep, place, cells.outcome[own]] = state.draws.counts[own]
                drawn[sweep, place, cells.outcome[own]] = state.draws.probs[own]
            if progress is not None and sweep % SWEEPS_PER_REPORT == 0:
                progress(sweep / n_sweeps, "sampling")
    concentration[:, 0] = ROOT_CONCENTRATION
    kept = slice(smoother.dropped_sweeps, None)
    random = np.random.default_rng(smoother.seed)
    samples = _draw(layout.counts[tree.path(leaf)], drawn[kept], concentration[kept], random)
    return Watched(tuple(above), probs[kept], pseudo, concentration[:, -1], samples)


def _path(layout: Layout, inner: IntArray, leaf: int) -> Path:
    """Describe the way from a leaf up to the root, as the sampler needs it to follow it."""
    counts = layout.counts[leaf].astype(np.float64)
    return Path(
        inner=inner[::-1].astype(np.uint32),
        leaf_group=int(layout.group[leaf]),
        leaf_total=float(counts.sum()),
        leaf_counts=counts,
    )


def _draw(
    counts: IntArray, drawn: FloatArray, concentration: FloatArray, random: np.random.Generator
) -> FloatArray:
    """Draw the leaf's probabilities once for every sweep.

    What the sampler drew of the nodes above is completed from the root down: outcomes that
    nobody below a node has, all of them if it is empty, follow the node above.

    Parameters
    ----------
    counts : [n_above + 1, n_outcomes], of the nodes above, the root first, and of the leaf
    drawn : [n_sweeps, n_above, n_outcomes], what the sampler drew of the nodes above
    concentration : [n_sweeps, n_above + 1]
    """
    probs = np.full((drawn.shape[0], 1, counts.shape[1]), 1.0 / counts.shape[1])
    for place in range(counts.shape[0]):
        is_leaf = place == drawn.shape[1]
        shape = concentration[:, place, None, None] * probs + is_leaf * counts[place]
        probs = np.zeros_like(probs) if is_leaf else drawn[:, place : place + 1].copy()
        has = (counts[place : place + 1] > 0) & (not is_leaf)
        if not has.all():
            _share_rest(probs, has, shape, random)
    return probs[:, 0]


def _share_rest(
    probs: FloatArray,
    has: NDArray[np.bool_],
    shape: FloatArray,
    random: np.random.Generator,
) -> None:
    """Draw, in place, the probabilities of outcomes that nobody below a node has.

    They share what the others leave as a Dirichlet distribution says. Logarithms are drawn,
    since shapes may be so small that all but one of the probabilities are 0.

    Parameters
    ----------
    probs : [n_samples, n_nodes, n_outcomes]
    has : bool[n_nodes, n_outcomes], which probabilities are there already; not all of a node
    shape : [n_samples, n_nodes, n_outcomes], concentration times the parent's probabilities
    """
    shape = np.maximum(shape, LEAST_SHAPE)
    logs = np.log(random.standard_gamma(shape + 1))
    logs -= random.standard_exponential(shape.shape) / shape
    logs[:, has] = -np.inf
    shares = np.exp(logs - logs.max(axis=2, keepdims=True))
    left = np.maximum(1 - np.where(has, probs, 0).sum(axis=2, keepdims=True), 0)
    drawn = left * shares / shares.sum(axis=2, keepdims=True)
    np.copyto(probs, drawn, where=~has)
