"""Posterior intervals of HDP, from draws of the nodes' probabilities at some of the sweeps.

The sampler keeps the inner nodes' probabilities of evenly spaced sweeps, as far as rows below
a node make it draw them. The rest is drawn here, level by level, with random numbers of its
own: what nobody below an inner node has, and the leaves. Given a sweep all of them are
Dirichlet distributed around the parent's probabilities, so the draws are draws from the
posterior, and the interval's ends are points of the posterior itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from probtrees.count_tree import CountTree
from probtrees.smooth._hdp_kernels import ROOT_CONCENTRATION
from probtrees.smooth.hdp_plan import Floats, Integers, Layout, tracked_outcomes
from probtrees.smooth.hdp_state import Kept

Singles = NDArray[np.float32]

ENDS = (0.05, 0.95)
"""Shares of the posterior below the lower and below the upper end."""

NEGLIGIBLE = 1e-9
"""Probabilities nearer than this to 0 or 1 are not told apart from them by an interval."""

FEWEST_SAMPLES = 100
ENOUGH_SAMPLES = 500
ONE_OF = 8
"""Of a long run, every so many-th sweep is kept; of a short one, more, up to enough samples."""
MOST_DRAWS = 4_000_000
MOST_NUMBERS = 16_000_000
"""Numbers kept of all sweeps: 64 MB."""
_PER_BLOCK = 200_000
_LEAST_SHAPE = 1e-12


def samples_to_keep(layout: Layout, n_kept: int) -> int:
    """Decide how many of the kept sweeps are to be copied.

    At least ``FEWEST_SAMPLES`` of them, which very large trees make do with; all if there are
    fewer.
    """
    n_nodes, n_outcomes = layout.counts.shape
    quick = min(ENOUGH_SAMPLES, MOST_DRAWS // (n_nodes * tracked_outcomes(n_outcomes)))
    fits = MOST_NUMBERS // (layout.inner.shape[0] * n_outcomes)
    return int(min(n_kept, max(FEWEST_SAMPLES, min(max(quick, n_kept // ONE_OF), fits))))


def intervals(
    tree: CountTree, layout: Layout, kept: Kept, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return the 5 % and 95 % points of every node's posterior."""
    n_tracked = tracked_outcomes(tree.n_outcomes)
    ends = np.empty((2, tree.n_nodes, n_tracked))
    starts = np.searchsorted(tree.arrays.depth, np.arange(tree.max_depth + 2))
    above: Singles = np.full((kept.probs.shape[0], 1, tree.n_outcomes), 1.0, dtype=np.float32)
    above /= tree.n_outcomes
    first_above = 0
    for level in range(tree.max_depth + 1):
        nodes = np.arange(starts[level], starts[level + 1])
        up = layout.inner_of[np.maximum(tree.arrays.parent[nodes], 0)] - first_above
        is_leaf = tree.is_leaf[nodes]
        leaves, inner = nodes[is_leaf], nodes[~is_leaf]
        for block in _blocks(leaves.shape[0], kept.probs.shape[0] * n_tracked):
            drawn = _leaf_draws(layout, kept, leaves[block], above[:, up[is_leaf][block]], random)
            ends[:, leaves[block]] = _points(drawn)
        if inner.shape[0] == 0:
            break
        probs = _inner_draws(layout, kept, inner, above, up[~is_leaf], random)
        for block in _blocks(inner.shape[0], kept.probs.shape[0] * n_tracked):
            ends[:, inner[block]] = _points(probs[:, block, :n_tracked])
        above, first_above = probs, int(layout.inner_of[inner[0]])
    return _with_second(*ends) if n_tracked < tree.n_outcomes else _tidy(*ends)


def beta_interval(shape: Floats) -> tuple[Floats, Floats]:
    """Return the 5 % and 95 % points of the outcomes of a Dirichlet distribution."""
    others = shape.sum(axis=-1, keepdims=True) - shape
    return _tidy(*(betaincinv(shape, others, end) for end in ENDS))


def share_rest(
    probs: NDArray[np.floating],
    has: NDArray[np.bool_],
    shape: NDArray[np.floating],
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
    shape = np.maximum(shape, _LEAST_SHAPE, dtype=np.float64)
    logs = np.log(random.standard_gamma(shape + 1))
    logs -= random.standard_exponential(shape.shape) / shape
    logs[:, has] = -np.inf
    shares = np.exp(logs - logs.max(axis=2, keepdims=True))
    left = np.maximum(1 - np.where(has, probs, 0).sum(axis=2, keepdims=True), 0)
    drawn = left * shares / shares.sum(axis=2, keepdims=True)
    np.copyto(probs, drawn, where=~has, casting="same_kind")


def _leaf_draws(
    layout: Layout,
    kept: Kept,
    leaves: NDArray[np.intp],
    above: Singles,
    random: np.random.Generator,
) -> Floats:
    """Draw some leaves' tracked probabilities once per sample, outcome by outcome.

    Each outcome has its exact Beta distribution; those of one leaf are not drawn together.
    """
    counts = layout.counts[leaves]
    own = counts[:, : tracked_outcomes(counts.shape[1])]
    others = counts.sum(axis=1, keepdims=True) - own
    c = _concentrations(layout, kept, leaves)
    pulled = c * above[:, :, : own.shape[1]]
    return random.beta(
        np.maximum(own + pulled, _LEAST_SHAPE), np.maximum(others + c - pulled, _LEAST_SHAPE)
    )


def _inner_draws(
    layout: Layout,
    kept: Kept,
    inner: NDArray[np.intp],
    above: Singles,
    up: Integers,
    random: np.random.Generator,
) -> Singles:
    """Complete the draws of a level's inner nodes."""
    cells = layout.plan.cells
    numbers = layout.inner_of[inner]
    own = slice(int(cells.first[numbers[0]]), int(cells.first[numbers[-1] + 1]))
    has = layout.counts[inner] > 0
    probs = np.zeros((kept.probs.shape[0], *has.shape), dtype=np.float32)
    probs[:, has] = kept.probs[:, own]
    lacking = np.flatnonzero(~has.all(axis=1))
    for block in _blocks(lacking.shape[0], probs.shape[0] * has.shape[1]):
        nodes = lacking[block]
        part = probs[:, nodes]
        shape = above[:, up[nodes]] * _concentrations(layout, kept, inner[nodes])
        share_rest(part, has[nodes], shape, random)
        probs[:, nodes] = part
    return probs


def _concentrations(layout: Layout, kept: Kept, nodes: NDArray[np.intp]) -> Floats:
    """Give the nodes' concentrations, [n_samples, n_nodes, 1]; the root's is fixed."""
    drawn = kept.concentration[:, layout.group[nodes]]
    return np.where(nodes == 0, ROOT_CONCENTRATION, drawn)[:, :, None]


def _blocks(n: int, numbers_each: int) -> Iterator[slice]:
    """Cut a range so that what is drawn at once stays in the processor's cache."""
    size = max(1, _PER_BLOCK // numbers_each)
    return (slice(first, first + size) for first in range(0, n, size))


def _points(drawn: NDArray[np.floating]) -> Floats:
    """Read the ends off draws; on average the stated share of the posterior lies between."""
    return np.asarray(np.quantile(drawn, ENDS, axis=0, method="weibull"))


def _with_second(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Add the second of two outcomes, whose interval is the first's seen from 1."""
    return _tidy(np.hstack([lower, 1 - upper]), np.hstack([upper, 1 - lower]))


def _tidy(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Move bounds outwards by up to ``NEGLIGIBLE``: points like 1e-60 mean nothing."""
    lower = np.where(lower < NEGLIGIBLE, 0.0, np.minimum(lower, 1 - NEGLIGIBLE))
    upper = np.where(upper > 1 - NEGLIGIBLE, 1.0, np.maximum(upper, NEGLIGIBLE))
    return lower, upper
