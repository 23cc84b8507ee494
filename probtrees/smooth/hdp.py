"""HDP: every node's distribution is a draw around its parent's, learned by sampling."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from probtrees.errors import OptionError
from probtrees.grow.count_tree import CountTree
from probtrees.options import Options, option
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.gibbs._hdp_kernels import ROOT_CONCENTRATION
from probtrees.smooth.gibbs.convergence import warn_of_chains, warn_of_few, warn_of_fractions
from probtrees.smooth.gibbs.hdp_interval import beta_interval, intervals, samples_to_keep
from probtrees.smooth.gibbs.hdp_plan import Layout, lay_out, tracked_outcomes, whole_counts
from probtrees.smooth.gibbs.hdp_state import (
    MOST_TRACED,
    Chain,
    Path,
    Sampled,
    Setting,
    Sums,
    no_path,
    path_to,
    run_chains,
)
from probtrees.smooth.smoothed_tree import Contributions, FilledFormula, SmoothedTree, show_number
from probtrees.types import FloatArray, Progress

Tying = Literal["auto", "single", "level", "parent", "none"]
INTERVAL_STREAM = 1
"""Which stream of random numbers of a seed the intervals are drawn with."""


@dataclass(frozen=True)
class HDP(Options):
    """Let every node's distribution vary around its parent's as much as the data say.

    Nodes form a hierarchical Dirichlet process: a node's probabilities are drawn from a
    Dirichlet around its parent's with concentration c, the root's around the uniform with
    concentration 2. Leaves hold the rows; an inner node holds pseudo-counts, of each child's
    n_k as many as the child passed up (t_k, at most n_k). Given those,

    .. math:: p_k = (n_k + c q_k) / (n + c)

    from the root down, n_k = counts (of a leaf) or pseudo-counts (of an inner node), n = their
    sum, q_k = the parent's p_k. Pseudo-counts and concentrations, the latter with a Gamma
    prior, are sampled, and p is averaged over the sweeps after burn-in. HDP paper sec. 4;
    thesis sec. 2.3.3 (eq. 19) and 4.2.5 (algorithm 14).

    **Inner nodes are not group rates**: they average over branches, not over rows.

    Notes
    -----
    The sampler alternates three steps. Given the inner nodes' probabilities, t_k is the
    number of tables that n_k customers of a Chinese restaurant open: customer i opens one
    with probability c q_k / (c q_k + i), so no table of Stirling numbers is needed, and long
    counts are skipped through in jumps. Where hundreds of tables are opened their number is
    drawn as a whole, from a normal distribution bent to its exact mean, variance and
    skewness: the one step that is not exact, and whose cost would else grow with the rows.
    Drawing from the leaves up, the probabilities below are no longer needed once their counts
    are known. Given all t, each concentration is drawn by a Metropolis step from its exact
    conditional density; then the inner nodes' probabilities are drawn again from the root
    down. What is averaged are not those draws but their expectations given t and c, which
    vary less; ``std`` adds the spread that the expectations lack.

    Given many tables a concentration can move only little, and large leaves open many. Where
    burn-in meets more than 32 per degree of freedom, each sweep begins with a Metropolis step
    for the concentration given the inner nodes' probabilities alone, all t summed out. On
    leaves of 100,000 rows under a diffuse prior, sweeps are then worth some 40 times as much.

    ``lower`` and ``upper`` are the 5 % and 95 % points of draws of the nodes' probabilities at
    evenly spaced sweeps: at all of small trees, at one in eight of long runs, at 100 of very
    large trees, whose ends are then uncertain by about a fifth of ``std``. They have random
    numbers of their own, so ``probs`` does not depend on them.

    With ``n_chains`` above 1 ``fitted["r_hat"]`` shows for each traced concentration whether
    the chains agree (:func:`probtrees.smooth.gibbs.convergence.r_hat`); above 1.05 there is a
    warning.

    Whole rows are needed: fractions, from weights of rows or from missing values split over
    branches, are rounded in the leaves, and a warning says so and why.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> gene = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
    >>> smoothed = HDP(n_iterations=2000).smooth(gene)
    >>> bool(0.32 < smoothed.probs[4, 0] < 0.38)
    True
    >>> bool(smoothed.upper[4, 0] - smoothed.lower[4, 0] > 0.5)
    True
    """

    name: ClassVar[str] = "hdp"
    needs_evidence: ClassVar[bool] = False
    averages_branches: ClassVar[bool] = True

    n_iterations: int = option(
        1000,
        help="Sweeps of the sampler through the tree.",
        minimum=2,
        maximum=10_000_000,
        label="Sweeps",
    )
    burn_in: int | float = option(
        0.1,
        help="Sweeps dropped at the start: a share of all (below 1), or a number of sweeps.",
        minimum=0,
        label="Burn-in",
    )
    tying: Tying = option(
        "auto",
        help="Nodes that share a concentration: all (single), those of one depth (level), "
        "siblings (parent), none; auto takes level for tables and single for trees.",
    )
    prior_shape: float = option(
        2.0, help="Shape of the concentrations' Gamma prior.", above=0, maximum=1e6
    )
    prior_rate: float = option(
        1.0, help="Rate of the concentrations' Gamma prior.", minimum=1e-6, maximum=1e6
    )
    seed: int = option(0, help="Seed of the sampler.", minimum=0)
    n_chains: int = option(
        1,
        help="Runs of the sampler from different starts, averaged; several show whether they "
        "agree.",
        minimum=1,
        maximum=64,
        label="Chains",
    )
    has_intervals: bool = field(default=True, repr=False)
    """No option: whoever only asks for probabilities, as a cross-validation does, is spared the
    draws of the intervals. ``probs`` is the same."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dropped_sweeps >= self.n_iterations:
            raise OptionError(
                f"burn_in={self.burn_in!r} must be below n_iterations={self.n_iterations}. "
                "Give a share such as 0.1, or more iterations."
            )

    @property
    def dropped_sweeps(self) -> int:
        """How many sweeps are dropped at the start."""
        if isinstance(self.burn_in, float):
            return int(self.burn_in * self.n_iterations)
        return self.burn_in

    def smooth(
        self, tree: CountTree, evidence: Evidence | None = None, progress: Progress | None = None
    ) -> SmoothedTree:
        """Give every node its posterior mean, standard deviation and 90 % interval.

        Parameters
        ----------
        tree : whole counts in the leaves
        evidence : not needed
        progress : given the share of the sweeps that is done; may raise to cancel
        """
        warnings = warn_of_fractions(tree)
        if tree.n_nodes == 1:
            return _smooth_root(tree, self, warnings)
        layout = lay_out(tree, self.tying_of(tree))
        n_kept = self.n_iterations - self.dropped_sweeps
        n_wanted = samples_to_keep(layout, n_kept * self.n_chains) if self.has_intervals else 1
        n_samples = -(-n_wanted // self.n_chains)
        sampled = self._run(layout, no_path(layout), n_samples, progress)
        mean, std = _averages(layout, sampled.sums, n_kept * self.n_chains)
        lower = upper = None
        if self.has_intervals:
            # Numbers of their own: however many draws they take, the sweeps are the same.
            stream = np.random.SeedSequence([self.seed, INTERVAL_STREAM])
            lower, upper = intervals(tree, layout, sampled.kept, stream)
        concentration = sampled.sums.concentration / (n_kept * self.n_chains)
        sizes = sampled.effective_sizes()
        fitted = {
            "concentration": np.append(concentration, ROOT_CONCENTRATION)[layout.group],
            "effective_sample_size": sizes,
        }
        warnings += warn_of_few(float(sizes.min()), n_kept * self.n_chains)
        if self.n_chains > 1:
            fitted["r_hat"] = sampled.disagreement()
            warnings += warn_of_chains(float(fitted["r_hat"].max()))
        return SmoothedTree(
            tree,
            probs=mean,
            smoother=self,
            fitted=fitted,
            trace=_traces(sampled),
            std=std if self.has_intervals else None,
            lower=lower,
            upper=upper,
            warnings=warnings,
        )

    def contributions(self, smoothed: SmoothedTree, node: int) -> Contributions:
        """Split a node's probability into what it, each ancestor and the uniform pass on.

        An ancestor's part is its pseudo-counts' share n_k / (n + c) times c / (n + c) of all
        nodes below it on the path, multiplied within a sweep and then averaged. The sweeps
        are run again from the same seed with this path watched: for any one node that is
        cheaper than keeping all paths of all sweeps.
        """
        tree = smoothed.tree
        nodes = tuple(reversed(tree.path(node)))
        if tree.n_nodes == 1:
            counts = whole_counts(tree)[0]
            size = counts.sum() + ROOT_CONCENTRATION
            uniform = np.full(tree.n_outcomes, ROOT_CONCENTRATION / tree.n_outcomes)
            values = np.vstack([counts, uniform]) / size
        else:
            layout = lay_out(tree, self.tying_of(tree))
            path = path_to(tree, layout, node)
            values = self._run(layout, path, 0, None).sums.path[0 if tree.is_leaf[node] else 1 :]
        # Another machine may round the last digit differently and so take another course:
        # what was averaged then is what is explained.
        sums = values.sum(axis=0)
        values = values * np.divide(
            smoothed.probs[node], sums, out=np.zeros_like(sums), where=sums > 0
        )
        return Contributions(nodes, values, values.sum(axis=1), has_rings=False)

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Fill the formula in with averages; products of averages are not quite their average."""
        tree = smoothed.tree
        is_leaf = bool(tree.is_leaf[node])
        c = ROOT_CONCENTRATION if node == 0 else float(smoothed.fitted["concentration"][node])
        parent = int(tree.arrays.parent[node])
        above = 1 / tree.n_outcomes if node == 0 else smoothed.probs[parent, outcome]
        value = float(smoothed.probs[node, outcome])
        symbols = {
            "c": f"{show_number(c, 3)}, the concentration: rows that the parent counts for",
            "q_k": f"{show_number(above)}, " + ("1/K" if node == 0 else "the parent's probability"),
        }
        if is_leaf:
            counts = whole_counts(tree)[node]
            count, total = (show_number(n) for n in (counts[outcome], counts.sum()))
            symbols["n_k"] = f"{count} rows with this outcome"
            symbols["n"] = f"{total} rows"
            typical = (counts[outcome] + c * above) / (counts.sum() + c)
            step = (
                f"p ≈ ({count} + {show_number(c, 3)}·{show_number(above)}) / "
                f"({total} + {show_number(c, 3)}) ≈ {show_number(typical)}"
            )
        else:
            symbols["n_k"] = symbols["n"] = "pseudo-counts passed up by the branches"
            step = "n_k and n differ from sweep to sweep"
        last = f"averaged over the sweeps: p = {show_number(value)}"
        return FilledFormula("p = (n_k + c·q_k) / (n + c)", (step, last), symbols, value)

    def tying_of(self, tree: CountTree) -> str:
        """Resolve "auto": level for a table, whose first split is on the class."""
        if self.tying != "auto":
            return self.tying
        # The class is the last column, so only in a table is the first split above the target.
        return "level" if tree.arrays.column[0] > tree.target else "single"

    def setting(self, n_outcomes: int) -> Setting:
        """Collect what the kernels are given."""
        return Setting((self.prior_shape, self.prior_rate), self.dropped_sweeps, n_outcomes)

    def _run(
        self, layout: Layout, path: Path, n_samples: int, progress: Progress | None
    ) -> Sampled:
        """Run all sweeps of all chains, each keeping the draws of some sweeps."""
        chains = [
            Chain(self.seed, number, self.n_iterations, n_samples)
            for number in range(self.n_chains)
        ]
        setting = self.setting(layout.counts.shape[1])
        return run_chains(layout, setting, path, chains, progress)


def _traces(sampled: Sampled) -> dict[str, FloatArray]:
    """Name the traced concentrations; those of chains after the first by their number."""
    traces = {}
    for number, trace in enumerate(sampled.traces, start=1):
        which = "" if number == 1 else f", chain {number}"
        traces[f"concentration{which}"] = trace[:, :-1]
        if sampled.sums.concentration.shape[0] > MOST_TRACED:
            traces[f"mean_concentration{which}"] = trace[:, -1]
    return traces


def _averages(layout: Layout, sums: Sums, n_kept: int) -> tuple[FloatArray, FloatArray]:
    """Turn sums over sweeps into every node's mean and standard deviation."""
    n_nodes, n_outcomes = layout.counts.shape
    n_tracked = tracked_outcomes(n_outcomes)
    n = layout.counts[layout.leaves, :n_tracked].astype(np.float64)
    per_size, per_square = sums.size[:, layout.leaf_class, None]
    inner = sums.inner.reshape(sums.inner.shape[0], -1, n_tracked)
    slot = sums.slot.reshape(sums.slot.shape[0], -1, n_tracked)
    mean = np.empty((n_nodes, n_tracked))
    mean[layout.inner] = inner[0]
    mean[layout.leaves] = n * per_size + slot[0, layout.leaf_slot]
    mean /= n_kept
    is_pair = n_tracked < n_outcomes
    probs = np.hstack([mean, 1 - mean]) if is_pair else mean / mean.sum(axis=1, keepdims=True)
    square = np.empty_like(mean)
    once, twice = slot[1:, layout.leaf_slot]
    square[layout.inner] = inner[1]
    square[layout.leaves] = n * (n + 1) * per_square + (2 * n + 1) * once + twice
    square /= n_kept
    if is_pair:
        square = np.hstack([square, 1 - 2 * mean + square])
    return probs, np.sqrt(np.maximum(square - probs**2, 0.0))


def _smooth_root(tree: CountTree, smoother: HDP, warnings: tuple[str, ...]) -> SmoothedTree:
    """Smooth a tree without splits: an ordinary Dirichlet."""
    shape = whole_counts(tree).astype(np.float64) + ROOT_CONCENTRATION / tree.n_outcomes
    size = shape.sum(axis=1, keepdims=True)
    mean = shape / size
    std = np.sqrt(mean * (1 - mean) / (size + 1))
    return SmoothedTree(tree, mean, smoother, {}, {}, std, *beta_interval(shape), warnings)
