"""The HDP sampler at work: what it changes and adds up, one chain or several at once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.gibbs._hdp_kernels import run_sweeps
from probtrees.smooth.gibbs.convergence import effective_sample_size, r_hat
from probtrees.smooth.gibbs.hdp_plan import (
    Layout,
    Numbers,
    entries_of,
    tracked_outcomes,
    with_own_scratch,
)
from probtrees.types import FloatArray, IntArray, Progress

CELLS_PER_CALL = 2_000_000
"""Nodes times outcomes times sweeps between two reports of progress: well under a second."""

MOST_TRACED = 16
"""Concentrations traced one by one; with more groups there is also their mean."""

START_APART = 3.0
"""Logarithm of how far from the prior's mean chains after the first start, at most."""


class Draws(NamedTuple):
    """What a sweep draws.

    Attributes
    ----------
    counts : int64 per cell, the tables of the children
    totals : int64 per inner node, the sum of its counts
    probs : per cell, the probabilities
    concentration, tables : per group; tables beyond each node's first
    rest : [2, n_inner], of the outcomes nobody below a node has: what its parent gives them
        together, and the logarithm of what it gives them itself
    """

    counts: IntArray
    totals: IntArray
    probs: FloatArray
    concentration: FloatArray
    tables: IntArray
    rest: FloatArray


class Kept(NamedTuple):
    """What some evenly spaced sweeps drew.

    Attributes
    ----------
    probs : float32[n_samples, n_cells]
    concentration : [n_samples, n_groups]
    """

    probs: NDArray[np.float32]
    concentration: FloatArray


class Means(NamedTuple):
    """Expectations of the inner nodes' probabilities given tables and concentrations.

    Attributes
    ----------
    node, up : per entry, its inner node, and the parent's entry
    counts : per entry, its cell's counts, 0 if it has none; one more for cells without entry
    mean, square : per entry, of the probability and of its square; after the last come the
        uniform's, which are the parent's of the root
    factor : [3, n_inner], c, 1/(N+c), 1/((N+c)(N+c+1))
    """

    node: Numbers
    up: Numbers
    counts: FloatArray
    mean: FloatArray
    square: FloatArray
    factor: FloatArray


class Sums(NamedTuple):
    """What the kept sweeps add up to.

    Attributes
    ----------
    inner : [2, n_entries], of means and mean squares
    size : [2, n_classes], of 1/(n+c), 1/((n+c)(n+c+1))
    slot : [3, n_slots * n_tracked], of c m/(n+c), c m/((n+c)(n+c+1)), c c s/((n+c)(n+c+1)),
        m and s mean and mean square of the parent
    concentration : [n_groups]
    path : [len(path) + 2, n_outcomes], contributions to the watched node: of the leaf, the
        inner nodes from the deepest to the root, the uniform
    """

    inner: FloatArray
    size: FloatArray
    slot: FloatArray
    concentration: FloatArray
    path: FloatArray


class State(NamedTuple):
    """What a sweep changes; ``trace`` keeps the first concentrations and the mean of all."""

    draws: Draws
    means: Means
    sums: Sums
    kept: Kept
    trace: FloatArray
    rng: NDArray[np.uint64]


class Path(NamedTuple):
    """A watched node: its inner nodes from the deepest to the root.

    ``leaf_group`` is -1 unless the node is a leaf. Without ``inner``, no node is watched.
    """

    inner: Numbers
    leaf_group: int
    leaf_total: float
    leaf_counts: FloatArray


def path_to(tree: CountTree, layout: Layout, node: int) -> Path:
    """Describe the way from a node up to the root, as the sampler needs it to watch the node."""
    inner = [at for at in reversed(tree.path(node)) if not tree.is_leaf[at]]
    counts = layout.counts[node].astype(np.float64)
    return Path(
        inner=layout.inner_of[inner].astype(np.uint32),
        leaf_group=int(layout.group[node]) if tree.is_leaf[node] else -1,
        leaf_total=float(counts.sum()),
        leaf_counts=counts,
    )


def no_path(layout: Layout) -> Path:
    """Watch no node."""
    return Path(np.zeros(0, dtype=np.uint32), -1, 0.0, np.zeros(layout.counts.shape[1]))


class Setting(NamedTuple):
    """What the sampler is given: the Gamma prior's shape and rate, burn-in, outcomes."""

    prior: tuple[float, float]
    burn_in: int
    n_outcomes: int


class Chain(NamedTuple):
    """One run of the sampler.

    Attributes
    ----------
    seed, number : chains of one seed differ by their number
    n_sweeps : with those of burn-in
    n_samples : kept sweeps whose draws are copied
    """

    seed: int
    number: int
    n_sweeps: int
    n_samples: int

    @property
    def seeds(self) -> np.random.SeedSequence:
        """Where its random numbers come from."""
        spawn_key = (self.number,) if self.number else ()
        return np.random.SeedSequence(self.seed, spawn_key=spawn_key)


def start(layout: Layout, setting: Setting, path: Path, chain: Chain) -> State:
    """Start from frequencies pulled towards the uniform and the prior's mean.

    Chains after the first start from other concentrations, far apart: if they still agree in
    the end, they have forgotten where they came from.
    """
    plan = layout.plan
    counts = layout.counts[layout.inner]
    n_inner, n_outcomes = counts.shape
    n_groups = plan.groups.anchor.shape[0]
    n_classes = plan.slots.class_size.shape[0]
    n_entries = n_inner * tracked_outcomes(n_outcomes)
    probs = (counts + 1.0 / n_outcomes) / (counts.sum(axis=1, keepdims=True) + 1.0)
    prior_mean = setting.prior[0] / setting.prior[1]
    plan.groups.anchor[:] = np.log(prior_mean)
    first = np.full(n_groups, prior_mean)
    if chain.number:
        apart = np.random.default_rng(chain.seeds).uniform(-START_APART, START_APART, n_groups)
        first = np.clip(first * np.exp(apart), 1e-6, 1e6)
    return State(
        draws=Draws(
            counts=np.zeros_like(plan.sure_counts),
            totals=np.zeros(n_inner, dtype=np.int64),
            probs=probs[counts > 0],
            concentration=first,
            tables=np.zeros(n_groups, dtype=np.int64),
            rest=np.zeros((2, n_inner)),
        ),
        means=_empty_means(layout),
        sums=Sums(
            inner=np.zeros((2, n_entries)),
            size=np.zeros((2, n_classes)),
            slot=np.zeros((3, plan.slots.up.shape[0])),
            concentration=np.zeros(n_groups),
            path=np.zeros((path.inner.shape[0] + 2, n_outcomes)),
        ),
        kept=Kept(
            probs=np.zeros((chain.n_samples, plan.sure_counts.shape[0]), dtype=np.float32),
            concentration=np.zeros((chain.n_samples, n_groups)),
        ),
        trace=np.zeros((chain.n_sweeps, min(n_groups, MOST_TRACED) + 1)),
        rng=chain.seeds.generate_state(2, np.uint64).astype(np.uint64),
    )


def _empty_means(layout: Layout) -> Means:
    """Make room for the means; the uniform stands after the last entry."""
    n_inner, n_outcomes = layout.inner.shape[0], layout.counts.shape[1]
    n_tracked = tracked_outcomes(n_outcomes)
    n_entries = n_inner * n_tracked
    up = entries_of(layout.inner_parent, n_outcomes)
    up[:n_tracked] = n_entries
    mean = np.full(n_entries + 1, 1.0 / n_outcomes)
    return Means(
        node=np.repeat(np.arange(n_inner, dtype=np.uint32), n_tracked),
        up=up.astype(np.uint32),
        counts=np.zeros(n_entries + 1),
        mean=mean,
        square=mean**2,
        factor=np.zeros((3, n_inner)),
    )


@dataclass(frozen=True)
class Sampled:
    """What some chains found, all together.

    Attributes
    ----------
    sums : of the kept sweeps of all chains
    kept : evenly spaced draws, chain after chain
    traces : per chain, the first concentrations and the mean of all, sweep by sweep
    burn_in : sweeps dropped at the start of each chain
    """

    sums: Sums
    kept: Kept
    traces: tuple[FloatArray, ...]
    burn_in: int

    def effective_sizes(self) -> FloatArray:
        """Count the independent draws of each traced concentration, in all chains together."""
        kept = [trace[self.burn_in :, :-1] for trace in self.traces]
        sizes = [[effective_sample_size(draws) for draws in chain.T] for chain in kept]
        return np.asarray(np.sum(sizes, axis=0), dtype=np.float64)

    def disagreement(self) -> FloatArray:
        """Compute R-hat of each traced concentration; there must be several chains."""
        kept = np.stack([trace[self.burn_in :, :-1] for trace in self.traces])
        return np.array([r_hat(kept[:, :, group]) for group in range(kept.shape[2])])


def run_chains(
    layout: Layout,
    setting: Setting,
    path: Path,
    chains: Sequence[Chain],
    progress: Progress | None = None,
) -> Sampled:
    """Run all sweeps of all chains, side by side if there are processors for it.

    Parameters
    ----------
    chains : equally long
    progress : given the share of the sweeps that is done; may raise to cancel
    """
    layouts = [replace(layout, plan=with_own_scratch(layout.plan)) for _ in chains]
    states = [start(own, setting, path, chain) for own, chain in zip(layouts, chains, strict=True)]
    n_nodes, n_outcomes = layout.counts.shape
    n_sweeps = chains[0].n_sweeps
    at_once = max(1, CELLS_PER_CALL // (n_nodes * tracked_outcomes(n_outcomes)))

    def advance(number: int) -> None:
        # Without the JIT numpy reports that random words wrap around, as they should.
        with np.errstate(over="ignore"):
            run_sweeps(layouts[number].plan, states[number], path, setting, first, n_now)

    n_workers = min(len(chains), os.cpu_count() or 1)
    with ThreadPoolExecutor(n_workers) as pool:
        for first in range(0, n_sweeps, at_once):
            n_now = min(at_once, n_sweeps - first)
            if len(chains) == 1:
                advance(0)
            else:
                list(pool.map(advance, range(len(chains))))
            if progress is not None:
                progress((first + n_now) / n_sweeps, "sampling")
    return _together(states, setting.burn_in)


def _together(states: Sequence[State], burn_in: int) -> Sampled:
    """Add up what the chains added up, and line up what they kept."""
    sums = Sums(*(np.sum(parts, axis=0) for parts in zip(*(s.sums for s in states), strict=True)))
    kept = Kept(*(np.concatenate(parts) for parts in zip(*(s.kept for s in states), strict=True)))
    return Sampled(sums, kept, tuple(state.trace for state in states), burn_in)
