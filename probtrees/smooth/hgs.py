"""Hierarchical gradient smoothing: every ancestor lends its frequencies, each by a weight."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from probtrees.errors import OptionError
from probtrees.grow.count_tree import CountTree
from probtrees.machine.kernel_cache import runnable
from probtrees.options import option
from probtrees.smooth import _hgs_kernels as kernels
from probtrees.smooth.candidates import hgs_candidates
from probtrees.smooth.evidence import Evidence, least, require
from probtrees.smooth.log_linear.minimise import SmoothLoss, minimise
from probtrees.smooth.smoothed_tree import FilledFormula, LinearSmoother, SmoothedTree, show_number
from probtrees.types import FloatArray

SINGLE_WEIGHTS = np.exp(np.linspace(-3, 5, 33))
"""The weights tried where one serves all ancestors: 0.05 to 148 rows."""

LARGEST_LOG_WEIGHT = 9.0


@dataclass(frozen=True)
class HGS(LinearSmoother):
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
        "single",
        help="One weight for all ancestors, or, by leave-one-out, one per depth or one per node.",
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
        if self.fit == "evidence" and self.weights != "single":
            raise OptionError(
                f"weights={self.weights!r} must go with fit='map'. Inner trees have other nodes: "
                "rows held out of them choose one weight for all ancestors."
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
            weights, trace = self._fit_evidence(require(evidence, self.name))
        return replace(self.with_weights(tree, weights), trace=trace)

    def with_weights(self, tree: CountTree, weights: FloatArray) -> SmoothedTree:
        """Smooth by given weights: one, one per depth or one per node, as ``weights`` says."""
        fitted = {"weights": weights}
        return SmoothedTree(tree, self.apply(tree, fitted), self, fitted)

    def apply(self, tree: CountTree, fitted: Mapping[str, FloatArray]) -> FloatArray:
        """Give every node of a tree its probabilities under weights that are known."""
        probs = np.empty_like(tree.arrays.counts)
        of_nodes = self.weights_of_nodes(tree, np.asarray(fitted["weights"]))
        runnable(kernels.smooth_with_weights)(
            tree.arrays, tree.totals, of_nodes, self._uniform, probs
        )
        return probs

    def path_shares(self, smoothed: SmoothedTree, nodes: Sequence[int]) -> FloatArray:
        """Weigh a node's own rows, what each ancestor lent, and the uniform."""
        tree = smoothed.tree
        of_nodes = self.weights_of_nodes(tree, np.asarray(smoothed.fitted["weights"]))
        rows = [tree.totals[nodes[0]], *of_nodes[list(nodes[1:])], self._uniform]
        return np.asarray(np.array(rows) / np.sum(rows))

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

    def _leave_one_out(
        self, tree: CountTree, weights: FloatArray, uniform: float
    ) -> tuple[float, FloatArray]:
        """Return the mean leave-one-out loss (eq. 5), and its slope by the weight of every node."""
        slope = np.empty(tree.n_nodes)
        given = (tree.arrays, tree.totals, tree.row_weights)
        loss = kernels.leave_one_out(*given, weights, uniform, self.loss == "log", slope)
        return float(loss), slope

    @property
    def _uniform(self) -> float:
        return 0.0 if self.fit == "published" else self.uniform

    def _fit_evidence(self, evidence: Evidence) -> tuple[FloatArray, dict[str, FloatArray]]:
        """Choose the weight under which held-out rows fare best."""
        if evidence.n_rows == 0:
            return np.array([self.prior_weight]), {}
        losses = hgs_candidates(SINGLE_WEIGHTS, self.uniform).losses(evidence, self.loss)
        n_rows = sum(part.weights.sum() for part in evidence.parts)
        best = SINGLE_WEIGHTS[[least(losses)]]
        return best, {"weight": SINGLE_WEIGHTS, "loss": losses / n_rows}

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
            mean, by_node = self._leave_one_out(tree, weights[group], self.uniform)
            gradient = np.bincount(group, by_node, n_weights)
            return mean * n_rows, np.asarray(gradient * weights * n_rows)

        return self._minimise(n_weights, loss, math.log(self.prior_weight), n_rows)

    def _minimise(
        self, n_weights: int, loss: SmoothLoss, centre: float, n_rows: float
    ) -> tuple[FloatArray, dict[str, FloatArray]]:
        """Minimise a loss plus the prior on log weights; also tell of the way there, per row."""

        def penalised(logs: FloatArray) -> tuple[float, FloatArray]:
            value, gradient = loss(logs)
            off = (logs - centre) / self.prior_spread
            return value + float(off @ off) / 2, gradient + off / self.prior_spread

        start = np.full(n_weights, centre)
        steps, losses = [start], [penalised(start)[0]]

        def note(logs: FloatArray, value: float) -> None:
            steps.append(logs)
            losses.append(value)

        bounds = [(-LARGEST_LOG_WEIGHT, LARGEST_LOG_WEIGHT)] * n_weights
        best = minimise(penalised, start.copy(), bounds, note, maxiter=200)
        return np.exp(best), {"loss": np.array(losses) / n_rows, "weights": np.exp(steps)}


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
