"""Run the HDP sampler: one chain or several at once, in calls short enough to be watched."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from probtrees.smooth.gibbs._hdp_kernels import run_sweeps
from probtrees.smooth.gibbs.convergence import effective_sample_size, r_hat
from probtrees.smooth.gibbs.hdp_plan import Layout, tracked_outcomes, with_own_scratch
from probtrees.smooth.gibbs.hdp_state import Chain, Kept, Path, Setting, State, Sums, start
from probtrees.types import FloatArray, Progress

CELLS_PER_CALL = 2_000_000
"""Nodes times outcomes times sweeps between two reports of progress: well under a second."""

MOST_TRACED = 16
"""Concentrations traced one by one; with more groups there is also their mean."""


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
