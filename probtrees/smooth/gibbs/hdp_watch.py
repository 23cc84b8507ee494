"""Watch one leaf while the HDP sampler works, sweep by sweep: how its answer comes about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.gibbs._hdp_kernels import LEAST_SHAPE, complete_draws, run_sweeps
from probtrees.smooth.gibbs.hdp_plan import Cells, lay_out
from probtrees.smooth.gibbs.hdp_state import Chain, Kept, path_to, start
from probtrees.smooth.hdp import HDP
from probtrees.smooth.log_linear.softmax import normalise
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
    path, setting = path_to(tree, layout, leaf), smoother.setting(tree.n_outcomes)
    n_sweeps = smoother.n_iterations
    state = start(layout, setting, path, Chain(smoother.seed, 0, n_sweeps, 0))
    cells = layout.plan.cells
    above = tree.path(leaf)[:-1]
    inner = layout.inner_of[above]
    own = np.concatenate([np.arange(cells.first[n], cells.first[n + 1]) for n in inner])
    ends = np.cumsum(cells.first[inner + 1] - cells.first[inner])
    place = np.searchsorted(ends, np.arange(own.size), side="right")
    probs = np.zeros((n_sweeps, tree.n_outcomes))
    pseudo = np.zeros((n_sweeps, len(above), tree.n_outcomes))
    drawn = np.zeros((n_sweeps, own.size), dtype=np.float32)
    concentration = np.zeros((n_sweeps, state.draws.concentration.size))
    before = np.zeros(tree.n_outcomes)
    with np.errstate(over="ignore"):  # without the JIT random words wrap around, as they should
        for sweep in range(n_sweeps):
            run_sweeps(layout.plan, state, path, setting, sweep, 1)
            so_far = state.sums.path.sum(axis=0)
            probs[sweep] = so_far - before
            before = so_far
            concentration[sweep] = state.draws.concentration
            pseudo[sweep, place, cells.outcome[own]] = state.draws.counts[own]
            drawn[sweep] = state.draws.probs[own]
            if progress is not None and sweep % SWEEPS_PER_REPORT == 0:
                progress(sweep / n_sweeps, "sampling")
    kept = slice(smoother.dropped_sweeps, None)
    way = cells._replace(
        group=cells.group[inner],
        first=np.concatenate([[0], ends]).astype(np.uint32),
        outcome=cells.outcome[own],
    )
    of_sweeps = Kept(drawn[kept], concentration[kept])
    samples = _draw(way, of_sweeps, layout.counts[leaf], path.leaf_group, smoother.seed)
    return Watched(tuple(above), probs[kept], pseudo, concentration[:, path.leaf_group], samples)


def _draw(way: Cells, kept: Kept, counts: IntArray, group: int, seed: int) -> FloatArray:
    """Draw the leaf's probabilities once for every sweep, given what was drawn above it.

    Logarithms of Gamma draws are taken, since shapes may be so small that all but one of the
    probabilities are 0.

    Parameters
    ----------
    way : the cells of the nodes above the leaf, the root first
    counts, group : of the leaf
    """
    n_above = way.group.shape[0]
    probs = np.empty((kept.probs.shape[0], n_above, counts.shape[0]), dtype=np.float32)
    words = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    parent = np.maximum(np.arange(n_above) - 1, 0)
    with np.errstate(over="ignore"):
        complete_draws(way, parent, kept, probs, words)
    shape = np.maximum(counts + kept.concentration[:, group, None] * probs[:, -1], LEAST_SHAPE)
    random = np.random.default_rng(seed)
    logs = np.log(random.standard_gamma(shape + 1))
    return normalise(logs - random.standard_exponential(shape.shape) / shape)
