"""Posterior intervals of HDP, from draws of the nodes' probabilities at some of the sweeps.

The sampler keeps the inner nodes' probabilities of evenly spaced sweeps, as far as rows below
a node make it draw them. The rest is drawn here, with random numbers of its own: what nobody
below an inner node has, and the leaves. Given a sweep all of them are Dirichlet distributed
around the parent's probabilities, so these are draws from the posterior, and the interval's
ends are points of the posterior itself, whatever its form.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtri

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.gibbs._hdp_kernels import complete_draws, draw_leaves
from probtrees.smooth.gibbs.hdp_plan import Layout, tracked_outcomes
from probtrees.smooth.gibbs.hdp_state import Kept
from probtrees.types import FloatArray

ENDS = (0.05, 0.95)
"""Shares of the posterior below the lower and below the upper end."""

NEGLIGIBLE = 1e-9
"""Probabilities nearer than this to 0 or 1 count as 0 or 1 in an interval."""

FEWEST_SAMPLES = 100
"""Very large trees make do with so many."""

ENOUGH_SAMPLES = 200
ONE_OF = 8
"""Of long runs every eighth sweep is kept: drawing then takes little of the whole time."""

FREE_DRAWS = 100_000
MOST_DRAWS = 500_000
"""Draws that take about 10 and 50 milliseconds: of small trees all sweeps are free."""

MOST_NUMBERS = 16_000_000
"""Probabilities of inner nodes held at once: 64 MB."""

_DRAWS_PER_BLOCK = 200_000


def samples_to_keep(layout: Layout, n_kept: int) -> int:
    """Decide how many of the kept sweeps the intervals are made from.

    All for small trees; else ``ENOUGH_SAMPLES`` or a share of long runs, fewer where that
    would take too long or too much memory, but at least ``FEWEST_SAMPLES``.
    """
    n_nodes, n_outcomes = layout.counts.shape
    n_entries = n_nodes * tracked_outcomes(n_outcomes)
    enough = max(min(ENOUGH_SAMPLES, MOST_DRAWS // n_entries), FREE_DRAWS // n_entries)
    fits = MOST_NUMBERS // (layout.inner.shape[0] * n_outcomes)
    return int(min(n_kept, max(FEWEST_SAMPLES, min(max(enough, n_kept // ONE_OF), fits))))


def intervals(
    tree: CountTree, layout: Layout, kept: Kept, seed: np.random.SeedSequence
) -> tuple[FloatArray, FloatArray]:
    """Return the 5 % and 95 % points of every node's posterior."""
    n_samples, n_tracked = kept.probs.shape[0], tracked_outcomes(tree.n_outcomes)
    for_words, for_orders = seed.spawn(2)
    words = for_words.generate_state(2, np.uint64)
    probs = np.empty((n_samples, layout.inner.shape[0], tree.n_outcomes), dtype=np.float32)
    ends = np.empty((2, tree.n_nodes, n_tracked))
    concentrations = np.ascontiguousarray(kept.concentration.T)
    scores = _scores(n_samples, np.random.default_rng(for_orders))
    # Without the JIT numpy reports that random words wrap around, as they should.
    with np.errstate(over="ignore"):
        complete_draws(layout.plan.cells, layout.inner_parent, kept, probs, words)
        for leaves in _blocks(layout.leaves, n_samples * n_tracked):
            drawn = np.empty((leaves.shape[0], n_tracked, n_samples))
            concentration = concentrations[layout.group[leaves]]
            up = layout.inner_of[tree.arrays.parent[leaves]]
            above = np.ascontiguousarray(probs[:, up, :n_tracked].transpose(1, 2, 0))
            draw_leaves(layout.counts[leaves], concentration, above, scores, drawn, words)
            ends[:, leaves] = _points(drawn)
    for inner in _blocks(layout.inner, n_samples * n_tracked):
        own = probs[:, layout.inner_of[inner], :n_tracked].transpose(1, 2, 0)
        ends[:, inner] = _points(own.astype(np.float64))
    return _with_second(*ends) if n_tracked < tree.n_outcomes else _tidy(*ends)


def _scores(n_samples: int, random: np.random.Generator) -> FloatArray:
    """Put evenly spaced normal quantiles into two random orders."""
    scores = ndtri((np.arange(n_samples) + 0.5) / n_samples)
    return np.stack([random.permutation(scores), random.permutation(scores)])


def _blocks(nodes: NDArray[np.intp], draws_each: int) -> Iterator[NDArray[np.intp]]:
    """Cut a list of nodes so that what is drawn at once stays in the processor's cache."""
    size = max(1, _DRAWS_PER_BLOCK // draws_each)
    return (nodes[first : first + size] for first in range(0, nodes.shape[0], size))


def _points(drawn: FloatArray) -> FloatArray:
    """Read the ends off draws along the last axis.

    Point i of S ordered draws has i / (S + 1) of the posterior below it, on average.
    """
    drawn.sort(axis=-1)
    n = drawn.shape[-1]
    ends = []
    for end in ENDS:
        at = min(max(end * (n + 1) - 1, 0.0), n - 1.0)
        before = int(at)
        after = min(before + 1, n - 1)
        ends.append(drawn[..., before] + (at - before) * (drawn[..., after] - drawn[..., before]))
    return np.stack(ends)


def beta_interval(shape: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the 5 % and 95 % points of the outcomes of a Dirichlet distribution."""
    others = shape.sum(axis=-1, keepdims=True) - shape
    return _tidy(*(betaincinv(shape, others, end) for end in ENDS))


def _with_second(lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Add the second of two outcomes, whose interval is the first's seen from 1."""
    return _tidy(np.hstack([lower, 1 - upper]), np.hstack([upper, 1 - lower]))


def _tidy(lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Move bounds outwards by up to ``NEGLIGIBLE``: points like 1e-60 mean nothing."""
    lower = np.where(lower < NEGLIGIBLE, 0.0, np.minimum(lower, 1 - NEGLIGIBLE))
    upper = np.where(upper > 1 - NEGLIGIBLE, 1.0, np.maximum(upper, NEGLIGIBLE))
    return lower, upper
