"""HDP: every node's distribution is a draw around its parent's, learned by sampling."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.special import betaincinv

from probtrees.count_tree import CountTree
from probtrees.errors import OptionError
from probtrees.evidence import Evidence
from probtrees.formula import FilledFormula, show_number
from probtrees.options import Options, option
from probtrees.smooth._hdp_kernels import ROOT_CONCENTRATION, run_sweeps
from probtrees.smooth.effective_sample_size import effective_sample_size
from probtrees.smooth.hdp_plan import Layout, lay_out, tracked_outcomes, whole_counts
from probtrees.smooth.hdp_state import Path, Setting, State, start
from probtrees.smoothed_tree import Contributions, FloatArray, SmoothedTree

Tying = Literal["auto", "single", "level", "parent", "none"]
Progress = Callable[[float, str], None]

CELLS_PER_CALL = 2_000_000
"""Nodes times outcomes times sweeps between two reports of progress: well under a second."""

MOST_TRACED = 16
"""Concentrations traced one by one; with more groups there is also their mean."""

FEWEST_INDEPENDENT = 30
"""Kept sweeps should be worth at least this many independent draws of a concentration."""

NEGLIGIBLE = 1e-9
"""Probabilities nearer than this to 0 or 1 are not told apart from them by an interval."""


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
    conditional density; then the inner nodes' probabilities are drawn anew from the root
    down. What is averaged are not those draws but their expectations given t and c, which
    vary less; ``std`` and the interval add the spread that the expectations lack.

    Whole rows are needed: fractions, from missing values spread over branches, are rounded in
    the leaves, and a warning says so.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> gene = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
    >>> smoothed = HDP(n_iterations=2000).smooth(gene)
    >>> bool(0.32 < smoothed.probs[4, 0] < 0.38)
    True
    >>> bool(smoothed.upper[4, 0] - smoothed.lower[4, 0] > 0.5)
    True
    """

    name: ClassVar[str] = "hdp"

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

    @property
    def needs_evidence(self) -> bool:
        """Whether held-out rows are needed: never."""
        return False

    def smooth(
        self,
        tree: CountTree,
        evidence: Evidence | None = None,
        progress: Progress | None = None,
    ) -> SmoothedTree:
        """Give every node its posterior mean, standard deviation and 90 % interval.

        Parameters
        ----------
        tree : whole counts in the leaves
        evidence : not needed
        progress : told the share of the sweeps that is done; may raise to cancel
        """
        warnings = _warn_of_fractions(tree)
        if tree.n_nodes == 1:
            mean, square = _root_alone(tree)
            lower, upper = _interval(mean, square - mean**2)
            std = np.sqrt(np.maximum(square - mean**2, 0.0))
            return SmoothedTree(tree, mean, self, {}, {}, std, lower, upper, warnings)
        layout = lay_out(tree, self.tying_of(tree))
        state = self._run(layout, _nobody(layout), progress)
        n_kept = self.n_iterations - self.dropped_sweeps
        mean, square = _averages(layout, state, n_kept)
        variance = np.maximum(square - mean**2, 0.0)
        lower, upper = _interval(mean, variance)
        trace = {"concentration": state.trace[:, :-1]}
        if state.draws.concentration.shape[0] > MOST_TRACED:
            trace["mean_concentration"] = state.trace[:, -1]
        kept = trace["concentration"][self.dropped_sweeps :]
        sizes = [effective_sample_size(draws) for draws in kept.T]
        concentration = np.append(state.sums.concentration / n_kept, ROOT_CONCENTRATION)
        return SmoothedTree(
            tree,
            probs=mean,
            smoother=self,
            fitted={
                "concentration": concentration[layout.group],
                "effective_sample_size": np.array(sizes),
            },
            trace=trace,
            std=np.sqrt(variance),
            lower=lower,
            upper=upper,
            warnings=warnings + self._warn_of_few(min(sizes), n_kept),
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
            inner = [at for at in nodes if not tree.is_leaf[at]]
            is_leaf = bool(tree.is_leaf[node])
            counts = layout.counts[node].astype(np.float64)
            path = Path(
                inner=layout.inner_of[inner].astype(np.uint32),
                leaf_group=int(layout.group[node]) if is_leaf else -1,
                leaf_total=float(counts.sum()),
                leaf_counts=counts,
            )
            values = self._run(layout, path, None).sums.path[0 if is_leaf else 1 :]
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

    def _run(self, layout: Layout, path: Path, progress: Progress | None) -> State:
        """Run all sweeps, in calls short enough to report in between."""
        n_nodes, n_outcomes = layout.counts.shape
        setting = Setting((self.prior_shape, self.prior_rate), self.dropped_sweeps, n_outcomes)
        state = start(layout, setting, path, self.n_iterations, MOST_TRACED, self.seed)
        at_once = max(1, CELLS_PER_CALL // (n_nodes * tracked_outcomes(n_outcomes)))
        # Without the JIT numpy reports that random words wrap around, as they should.
        with np.errstate(over="ignore"):
            for first in range(0, self.n_iterations, at_once):
                n_sweeps = min(at_once, self.n_iterations - first)
                run_sweeps(layout.plan, state, path, setting, first, n_sweeps)
                if progress is not None:
                    progress((first + n_sweeps) / self.n_iterations, "sampling")
        return state

    def _warn_of_few(self, size: float, n_kept: int) -> tuple[str, ...]:
        """Say in plain words if the sampler has moved too little."""
        if size >= FEWEST_INDEPENDENT:
            return ()
        enough = _round_up(self.n_iterations * 2 * FEWEST_INDEPENDENT / max(size, 1.0))
        return (
            f"The {n_kept:,} sweeps kept by HDP are worth only about {size:.0f} independent "
            f"ones, so another seed may give other numbers. Try n_iterations={enough}.",
        )


def _nobody(layout: Layout) -> Path:
    """Watch no node."""
    return Path(np.zeros(0, dtype=np.uint32), -1, 0.0, np.zeros(layout.counts.shape[1]))


def _averages(layout: Layout, state: State, n_kept: int) -> tuple[FloatArray, FloatArray]:
    """Turn sums over sweeps into every node's mean and mean square."""
    sums = state.sums
    n_nodes, n_outcomes = layout.counts.shape
    n_tracked = tracked_outcomes(n_outcomes)
    n = layout.counts[layout.leaves, :n_tracked].astype(np.float64)
    per_size, per_square = sums.size[:, layout.leaf_class, None]
    slot = sums.slot.reshape(3, -1, n_tracked)
    pulled, pulled_once, pulled_twice = slot[:, layout.leaf_slot]
    moments = np.empty((2, n_nodes, n_tracked))
    moments[:, layout.inner] = sums.inner.reshape(2, -1, n_tracked)
    moments[0, layout.leaves] = n * per_size + pulled
    moments[1, layout.leaves] = n * (n + 1) * per_square + (2 * n + 1) * pulled_once + pulled_twice
    mean, square = moments / n_kept
    if n_tracked < n_outcomes:
        return np.hstack([mean, 1 - mean]), np.hstack([square, 1 - 2 * mean + square])
    return mean / mean.sum(axis=1, keepdims=True), square


def _root_alone(tree: CountTree) -> tuple[FloatArray, FloatArray]:
    """Mean and mean square of a tree without splits: an ordinary Dirichlet."""
    shape = whole_counts(tree) + ROOT_CONCENTRATION / tree.n_outcomes
    size = shape.sum(axis=1, keepdims=True)
    return shape / size, shape * (shape + 1) / (size * (size + 1))


def _interval(mean: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the 5 % and 95 % points of the Beta with this mean and variance.

    Where there is no spread, or none that a Beta could have, both are the mean. A Beta that
    piles up at 0 or 1 has points like 1e-60 that mean nothing: bounds are moved
    outwards by up to ``NEGLIGIBLE``.
    """
    if mean.shape[1] == 2:
        lower, upper = _interval(mean[:, :1], variance[:, :1])
        return np.hstack([lower, 1 - upper]), np.hstack([upper, 1 - lower])
    spread = mean * (1 - mean)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        size = spread / variance - 1
    known = np.isfinite(size) & (size > 0) & (spread > 0)
    lower, upper = mean.copy(), mean.copy()
    a, b = mean[known] * size[known], (1 - mean[known]) * size[known]
    lower[known] = betaincinv(a, b, 0.05)
    upper[known] = betaincinv(a, b, 0.95)
    lower[lower < NEGLIGIBLE] = 0.0
    upper[upper > 1 - NEGLIGIBLE] = 1.0
    return np.minimum(lower, 1 - NEGLIGIBLE), np.maximum(upper, NEGLIGIBLE)


def _warn_of_fractions(tree: CountTree) -> tuple[str, ...]:
    """Say it if the leaves hold fractions of rows."""
    counts = tree.arrays.counts[tree.leaves]
    n_fractional = int((np.abs(counts - np.rint(counts)) > 1e-9).any(axis=1).sum())
    if n_fractional == 0:
        return ()
    return (
        f"HDP needs whole rows: the counts of {n_fractional:,} of {tree.n_leaves:,} leaves, which "
        "hold fractions of rows with missing values, were rounded.",
    )


def _round_up(number: float) -> int:
    """Round up to one leading digit.

    >>> _round_up(1234)
    2000
    """
    unit = 10.0 ** int(math.log10(number))
    return int(math.ceil(number / unit) * unit)
