"""Hierarchical gradient smoothing: every ancestor lends its frequencies, each by a weight."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from probtrees.errors import OptionError
from probtrees.grow.count_tree import CountTree
from probtrees.options import Options, option
from probtrees.smooth import _hgs_kernels as kernels
from probtrees.smooth.candidates import hgs_candidates, require
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.filled_formula import FilledFormula, show_number
from probtrees.smooth.held_out import least
from probtrees.smooth.optimise.minimise import Descent, minimise
from probtrees.smooth.smoothed_tree import Contributions, SmoothedTree
from probtrees.types import FloatArray

SINGLE_WEIGHTS = np.exp(np.linspace(-3, 5, 33))
"""The weights tried where one serves all ancestors: 0.05 to 148 rows."""

LARGEST_LOG_WEIGHT = 9.0


@dataclass(frozen=True)
class HGS(Options):
    """Let every ancestor lend its frequencies to a leaf.

    .. math:: p_k = (n_k + sum_a w_a n_ak / n_a + u / K) / (n + sum_a w_a + u)

    n_k = counts, n = their sum, a = the ancestors, w = weights, u = uniform, K = number of
    outcomes. A node without rows answers like its parent. Zhang, Petitjean and Buntine
    (2020), eq. 4; the u imagined rows above the root are ours and keep every probability
    above 0. How the weights are found:

    - ``evidence``: those under which rows held out of inner trees fare best.
    - ``map``: those with the least leave-one-out loss (eq. 5 and 6) plus a prior on their
      logarithms. Without the prior it overfits: the rows also chose the splits.
    - ``published``: gradient descent from 1 as in the paper, u = 0. Its stopping rule ends
      it after one step, so all weights stay at 1 to within 0.0003.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), "c45", probtrees.HGS())
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.73, 0.27]]
    """

    name: ClassVar[str] = "hgs"

    fit: Literal["evidence", "map", "published"] = option(
        "evidence",
        help="Weights by rows held out of inner trees, by leave-one-out with a prior, or 1 as "
        "published.",
    )
    weights: Literal["single", "depth", "node"] = option(
        "single", help="One weight for all ancestors, one per depth, or one per node."
    )
    loss: Literal["squared", "log"] = option(
        "squared", help="What the weights make small: the squared error or the log loss."
    )
    uniform: float = option(
        0.5, help="Imagined rows, spread evenly over the outcomes, above the root.", minimum=0
    )
    prior_weight: float = option(
        4.0, help="The weight that is most likely before any row is seen.", above=0
    )
    prior_spread: float = option(
        1.0, help="Standard deviation of the logarithm of a weight around that.", above=0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.fit == "evidence" and self.weights == "node":
            raise OptionError(
                "weights='node' must go with fit='map'. Inner trees have other nodes, so "
                "evidence can weigh depths but not nodes."
            )
        if self.fit == "published" and self.loss == "log":
            raise OptionError(
                "loss='log' must go with fit='map' or fit='evidence'. The published descent "
                "breaks down on it where a probability is 0."
            )

    @property
    def needs_evidence(self) -> bool:
        """Whether held-out rows are needed: to fit weights by evidence."""
        return self.fit == "evidence"

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Find the weights and give every node its probabilities."""
        if self.fit == "published":
            weights, trace = _descend(tree)
        elif self.fit == "map":
            weights, trace = self._fit_leave_one_out(tree)
        else:
            weights, trace = self._fit_evidence(tree, require(evidence, self.name))
        return replace(self.with_weights(tree, weights), trace=trace)

    def with_weights(self, tree: CountTree, weights: FloatArray) -> SmoothedTree:
        """Smooth by given weights: one, one per depth or one per node, as ``weights`` says."""
        fitted = {"weights": weights}
        return SmoothedTree(tree, self.apply(tree, fitted), self, fitted)

    def apply(self, tree: CountTree, fitted: Mapping[str, FloatArray]) -> FloatArray:
        """Give every node of a tree its probabilities under weights that are known."""
        probs = np.empty_like(tree.arrays.counts)
        of_nodes = self.weights_of_nodes(tree, np.asarray(fitted["weights"]))
        kernels.smooth_with_weights(tree.arrays, tree.totals, of_nodes, self._uniform, probs)
        return probs

    def contributions(self, smoothed: SmoothedTree, node: int) -> Contributions:
        """Split a node's estimate into its own rows, what each ancestor lent, the uniform."""
        tree = smoothed.tree
        nodes = tuple(reversed(tree.path(node)))
        return Contributions.of_shares(tree, nodes, self._shares(smoothed, nodes))

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Fill the formula in with a node's numbers."""
        tree = smoothed.tree
        nodes = [n for n in reversed(tree.path(node)) if tree.totals[n] > 0]
        of_nodes = self.weights_of_nodes(tree, np.asarray(smoothed.fitted["weights"]))
        value = float(smoothed.probs[node, outcome])
        counts, totals = tree.arrays.counts[:, outcome], tree.totals
        above = [show_number(self._uniform / tree.n_outcomes)] if self._uniform else []
        below = [show_number(self._uniform)] if self._uniform else []
        lent = [
            f"{show_number(of_nodes[a])}·{show_number(counts[a])}/{show_number(totals[a])}"
            for a in nodes[1:]
        ]
        weights = [show_number(of_nodes[a]) for a in nodes[1:]]
        own = [(show_number(counts[n]), show_number(totals[n])) for n in nodes[:1]]
        upper = " + ".join([n for n, _ in own] + lent + above) or "1"
        lower = " + ".join([n for _, n in own] + weights + below) or str(tree.n_outcomes)
        symbols = {
            "n_k": "rows with this outcome in the node",
            "n": "rows in the node",
            "a": "each ancestor, the parent first",
            "w_a": "how many rows the ancestor's frequency counts for",
            "u": "imagined rows spread evenly over the K outcomes",
        }
        general = "p = (n_k + Σ w_a·n_ak/n_a + u/K) / (n + Σ w_a + u)"
        steps = (f"p = ({upper}) / ({lower}) = {show_number(value)}",)
        return FilledFormula(general, steps, symbols, value)

    def weights_of_nodes(self, tree: CountTree, weights: FloatArray) -> FloatArray:
        """Spell the fitted weights out, one for every node."""
        if self.fit == "published" or self.weights == "node":
            return weights
        if self.weights == "depth":
            return np.asarray(weights[tree.arrays.depth])
        return np.full(tree.n_nodes, weights[0])

    def leave_one_out_loss(self, tree: CountTree, weight: float) -> float:
        """Mean loss of rows predicted from the others, one weight for all ancestors (eq. 5)."""
        weights = np.full(tree.n_nodes, weight)
        unused = np.empty(tree.n_nodes)
        return float(
            kernels.leave_one_out(
                tree.arrays,
                tree.totals,
                tree.row_weights,
                weights,
                self._uniform,
                self.loss == "log",
                unused,
            )
        )

    @property
    def _uniform(self) -> float:
        return 0.0 if self.fit == "published" else self.uniform

    def _shares(self, smoothed: SmoothedTree, nodes: tuple[int, ...]) -> FloatArray:
        """Share of each node of a path, the node itself first, and of the uniform."""
        tree = smoothed.tree
        totals = tree.totals[list(nodes)]
        shares = np.zeros(len(nodes) + 1)
        with_rows = np.flatnonzero(totals > 0)
        if len(with_rows) == 0:
            shares[-1] = 1.0
            return shares
        start = int(with_rows[0])
        of_nodes = self.weights_of_nodes(tree, np.asarray(smoothed.fitted["weights"]))
        shares[start] = totals[start]
        shares[start + 1 : -1] = of_nodes[list(nodes[start + 1 :])]
        shares[-1] = self._uniform
        return np.asarray(shares / shares.sum())

    def _fit_evidence(
        self, tree: CountTree, evidence: Evidence
    ) -> tuple[FloatArray, dict[str, FloatArray]]:
        """Choose the weights under which held-out rows fare best."""
        n_weights = 1 if self.weights == "single" else _n_depths(tree, evidence)
        if evidence.n_rows == 0:
            return np.full(n_weights, self.prior_weight), {}
        losses = hgs_candidates(SINGLE_WEIGHTS, self.uniform).losses(evidence, self.loss)
        best = float(SINGLE_WEIGHTS[least(losses)])
        n_rows = sum(part.weights.sum() for part in evidence.parts)
        trace = {"weight": SINGLE_WEIGHTS, "loss": losses / n_rows}
        if self.weights == "single":
            return np.array([best]), trace
        found = self._minimise(n_weights, self._held_out(evidence, n_weights), math.log(best))
        return np.exp(found.best), {"loss": found.losses / n_rows, "weights": np.exp(found.steps)}

    def _held_out(self, evidence: Evidence, n_depths: int) -> _LossOfLogs:
        """Make the loss of held-out rows as a function of log weights by depth."""

        def loss(logs: FloatArray) -> tuple[float, FloatArray]:
            total, gradient = 0.0, np.zeros(n_depths)
            weights = np.exp(logs)
            for part in evidence.parts:
                tree = part.tree
                depth = tree.arrays.depth
                by_node = np.empty(tree.n_nodes)
                total += kernels.held_out(
                    tree.arrays,
                    tree.totals,
                    weights[depth],
                    self.uniform,
                    part.added_up,
                    self.loss == "log",
                    by_node,
                )
                gradient += np.bincount(depth, by_node, n_depths)
            return total, gradient * weights

        return loss

    def _fit_leave_one_out(self, tree: CountTree) -> tuple[FloatArray, dict[str, FloatArray]]:
        """Choose the weights with the least leave-one-out loss plus prior."""
        group = {
            "single": np.zeros(tree.n_nodes, dtype=np.int64),
            "depth": tree.arrays.depth.astype(np.int64),
            "node": np.arange(tree.n_nodes),
        }[self.weights]
        n_weights = int(group.max()) + 1
        n_rows = max(float((tree.arrays.counts[0] / tree.row_weights[0]).sum()), 1.0)

        def loss(logs: FloatArray) -> tuple[float, FloatArray]:
            weights = np.exp(logs)
            by_node = np.empty(tree.n_nodes)
            mean = kernels.leave_one_out(
                tree.arrays,
                tree.totals,
                tree.row_weights,
                weights[group],
                self.uniform,
                self.loss == "log",
                by_node,
            )
            gradient = np.bincount(group, by_node, n_weights)
            return float(mean) * n_rows, np.asarray(gradient * weights * n_rows)

        found = self._minimise(n_weights, loss, math.log(self.prior_weight))
        return np.exp(found.best), {"loss": found.losses / n_rows, "weights": np.exp(found.steps)}

    def _minimise(self, n_weights: int, loss: _LossOfLogs, centre: float) -> Descent:
        """Minimise a loss plus the prior on log weights."""

        def penalised(logs: FloatArray) -> tuple[float, FloatArray]:
            value, gradient = loss(logs)
            off = (logs - centre) / self.prior_spread
            return value + float(off @ off) / 2, gradient + off / self.prior_spread

        return minimise(penalised, np.full(n_weights, centre), LARGEST_LOG_WEIGHT)


_LossOfLogs = Callable[[FloatArray], tuple[float, FloatArray]]


def _n_depths(tree: CountTree, evidence: Evidence) -> int:
    """Count the depths of a tree and of its inner trees."""
    return 1 + max([tree.max_depth, *(part.tree.max_depth for part in evidence.parts)])


def _descend(
    tree: CountTree, rate: float = 0.01, precision: float = 1e-4, most_steps: int = 10_000
) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Find weights by gradient descent as published: Algorithm 1 of the paper."""
    weights: FloatArray = np.ones(tree.n_nodes)
    gradient = np.empty(tree.n_nodes)
    given = (tree.arrays, tree.totals, np.ones_like(tree.arrays.counts))
    losses = [kernels.leave_one_out(*given, weights, 0.0, False, gradient)]
    for _ in range(most_steps):
        weights = weights - rate * gradient
        losses.append(kernels.leave_one_out(*given, weights, 0.0, False, gradient))
        if losses[-2] - losses[-1] < precision:
            break
    return weights, {"loss": np.array(losses)}
