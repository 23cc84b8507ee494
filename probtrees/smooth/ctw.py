"""Context-tree weighting: the exact average over all prunings of the tree."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.options import option
from probtrees.smooth import _ctw_kernels as kernels
from probtrees.smooth.evidence import Evidence, least, losses_under_settings, require
from probtrees.smooth.smoothed_tree import FilledFormula, LinearSmoother, SmoothedTree, show_number
from probtrees.types import FloatArray
from probtrees.words import percent

ALPHAS = (0.05, 0.2, 0.5, 1.0, 2.0)
SPLITS = (0.05, 0.2, 0.5, 0.8, 0.95)
POWERS = (0.03, 0.1, 0.3, 1.0)
"""What is tried of a setting that is not given."""

DEFAULT = (0.5, 0.5, 0.3)
"""Alpha, split and power where no row could be held out."""


@dataclass(frozen=True)
class CTW(LinearSmoother):
    r"""Average what all prunings of the tree say, each as likely as the rows make it.

    .. math:: P_v = (1 - s) E_v^\eta + s \prod_c P_c,  P_{leaf} = E_{leaf}^\eta,
              \; p_k = \sum_{v \in path} w_v (n_{vk} + \alpha) / (n_v + \alpha K)

    E_v = the probability of a node's rows under a Dirichlet(alpha) prior, c = the children,
    s = split, how likely a node is to be split before any row is seen, eta = power. The weight
    w_v is how likely the tree should have stopped at v: (1 - s) E_v^eta / P_v, times one minus
    that of every node above. Willems, Shtarkov and Tjalkens (1995), whose alpha is 1/2, s 1/2
    and eta 1. Rows that chose the splits make them look too likely; a power below 1 lets them
    speak more quietly. Settings that are not given are chosen so that rows held out of inner
    trees fare best. A node without rows answers like its parent.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> gene = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
    >>> smoothed = CTW(alpha=0.5, split=0.5, power=1).smooth(gene)
    >>> smoothed.smoother.cuts(smoothed, 4).round(3).tolist()
    [0.0, 0.083, 0.917]
    """

    name: ClassVar[str] = "ctw"

    alpha: float | None = option(
        None,
        help="Imagined rows of every outcome in every node; chosen by held-out rows unless given.",
        above=0,
    )
    split: float | None = option(
        None,
        help="How likely a node is to be split before any row is seen, between 0 and 1; chosen "
        "by held-out rows unless given.",
        above=0,
        maximum=0.999,
    )
    power: float | None = option(
        None,
        help="How loudly the rows speak for or against a split: 1 as they stand, less if they "
        "chose it; chosen by held-out rows unless given.",
        above=0,
        maximum=1,
    )

    @property
    def needs_evidence(self) -> bool:
        """Whether held-out rows are needed: to choose a setting that is not given."""
        return None in (self.alpha, self.split, self.power)

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Choose the settings, weigh all prunings and give every node their average."""
        trace: dict[str, FloatArray] = {}
        tried = list(
            itertools.product(
                ALPHAS if self.alpha is None else (self.alpha,),
                SPLITS if self.split is None else (self.split,),
                POWERS if self.power is None else (self.power,),
            )
        )
        chosen = tried[0]
        if self.needs_evidence:
            chosen, trace = self._choose(require(evidence, self.name), tried)
        fitted = {
            name: np.array([value])
            for name, value in zip(("alpha", "split", "power"), chosen, strict=True)
        }
        return SmoothedTree(tree, self.apply(tree, fitted), self, fitted, trace)

    def apply(self, tree: CountTree, fitted: Mapping[str, FloatArray]) -> FloatArray:
        """Give every node of a tree its probabilities under settings that are known."""
        return next(_averages(tree, [_setting(fitted)]))

    def cuts(self, smoothed: SmoothedTree, node: int) -> FloatArray:
        """Return how likely the tree should have stopped at each node of a path, the root first.

        They sum to 1: for an inner node, the last is the chance to come that far.
        """
        path = smoothed.tree.path(node)
        stops = next(_stops(smoothed.tree, [_setting(smoothed.fitted)]))[path]
        stops[-1] = 1.0
        return np.asarray(stops * np.concatenate([[1.0], np.cumprod(1 - stops[:-1])]))

    def path_shares(self, smoothed: SmoothedTree, nodes: Sequence[int]) -> FloatArray:
        """Weigh every node of a path by how likely the tree should have stopped there."""
        alpha, _, _ = _setting(smoothed.fitted)
        totals = smoothed.tree.totals[list(nodes)]
        cuts = self.cuts(smoothed, nodes[0])[::-1]
        shares = cuts * totals / (totals + alpha * smoothed.tree.n_outcomes)
        return np.append(shares, 1.0 - shares.sum())

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Say for every node how likely the tree should have stopped there, and what it says."""
        tree = smoothed.tree
        alpha, split, power = _setting(smoothed.fitted)
        while node > 0 and tree.totals[node] == 0:
            node = int(tree.arrays.parent[node])
        lines = []
        for at, weight in zip(tree.path(node), self.cuts(smoothed, node), strict=True):
            cases, rows = tree.arrays.counts[at, outcome] + alpha, tree.totals[at]
            rows += alpha * tree.n_outcomes
            says = f"{show_number(cases)}/{show_number(rows)} = {show_number(cases / rows)}"
            is_last = at == node and not tree.is_leaf[at]
            words = "it goes on here" if is_last else "the tree should have stopped here"
            lines.append(f"{words}: {percent(weight)}, p = {says}")
        value = float(smoothed.probs[node, outcome])
        lines.append(f"together: {show_number(value)}")
        symbols = {
            "w_v": "how likely the tree should have stopped at a node of the path",
            "α": f"imagined rows of every outcome, {show_number(alpha)}",
            "s": f"how likely a split is before any row is seen, {show_number(split)}",
            "η": f"how loudly the rows speak for it, {show_number(power)}",
        }
        return FilledFormula("p = Σ w_v·(n_k + α)/(n + α·K)", tuple(lines), symbols, value)

    def _choose(
        self, evidence: Evidence, tried: Sequence[tuple[float, float, float]]
    ) -> tuple[tuple[float, float, float], dict[str, FloatArray]]:
        """Find the settings under which held-out rows have the least loss."""
        if evidence.n_rows == 0:
            given = (self.alpha, self.split, self.power)
            alpha, split, power = (
                d if g is None else g for g, d in zip(given, DEFAULT, strict=True)
            )
            return (alpha, split, power), {}
        losses = np.array([*losses_under_settings(evidence, lambda tree: _averages(tree, tried))])
        table = np.array(tried).T
        trace = dict(zip(("alpha", "split", "power"), table, strict=True))
        return tried[least(losses)], {**trace, "loss": losses}


def _averages(
    tree: CountTree, settings: Sequence[tuple[float, float, float]]
) -> Iterator[FloatArray]:
    """Give every node its probabilities under one setting after the other."""
    reach, above = np.empty(tree.n_nodes), np.empty_like(tree.arrays.counts)
    for (alpha, _, _), stops in zip(settings, _stops(tree, settings), strict=True):
        probs = np.empty_like(above)
        kernels.mix_prunings(
            tree.arrays.parent, tree.arrays.counts, tree.totals, alpha, stops, reach, above, probs
        )
        yield probs


def _stops(tree: CountTree, settings: Sequence[tuple[float, float, float]]) -> Iterator[FloatArray]:
    """Tell how likely the tree should have stopped at every node, under one after the other."""
    arrays = tree.arrays
    log_evidence, weighted, stops = np.empty((3, tree.n_nodes))
    last = None
    for alpha, split, power in settings:
        if alpha != last:
            kernels.fill_log_evidence(arrays.counts, tree.totals, alpha, log_evidence)
            last = alpha
        kernels.fill_stops(
            arrays.parent, arrays.n_children, log_evidence, split, power, weighted, stops
        )
        yield stops


def _setting(fitted: Mapping[str, FloatArray]) -> tuple[float, float, float]:
    alpha, split, power = (
        float(np.asarray(fitted[name])[0]) for name in ("alpha", "split", "power")
    )
    return alpha, split, power
