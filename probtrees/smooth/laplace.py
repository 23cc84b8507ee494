"""Laplace's rule of succession: one imagined row per outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.m_estimate import base_of, fill_counts, m_estimates, shares_of_base
from probtrees.smooth.smoothed_tree import FilledFormula, LinearSmoother, SmoothedTree
from probtrees.types import FloatArray


@dataclass(frozen=True)
class Laplace(LinearSmoother):
    """Add one row of every outcome: the m-estimate of strength K with a uniform base.

    .. math:: p_k = (n_k + 1) / (n + K)

    n_k = counts, n = their sum, K = number of outcomes. A node without rows answers like
    its nearest ancestor that has some. Thesis sec. 2.3.1.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> Laplace().smooth(tree_of([0], [[2, 0]])).probs.tolist()
    [[0.75, 0.25]]
    """

    name: ClassVar[str] = "laplace"

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Give every node its Laplace estimate."""
        probs = m_estimates(tree, float(tree.n_outcomes), base_of(tree, "uniform"))
        return SmoothedTree(tree, probs, self)

    def path_shares(self, smoothed: SmoothedTree, nodes: Sequence[int]) -> FloatArray:
        """Weigh a node's rows and the one imagined row per outcome."""
        return shares_of_base(smoothed.tree, nodes, float(smoothed.tree.n_outcomes), "uniform")

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Fill the formula in with a node's numbers."""
        n_outcomes = str(smoothed.tree.n_outcomes)
        steps, symbols = fill_counts(smoothed, node, outcome, ("1", n_outcomes))
        symbols["K"] = f"{n_outcomes} outcomes, one imagined row each"
        value = float(smoothed.probs[node, outcome])
        return FilledFormula("p = (n_k + 1) / (n + K)", steps, symbols, value)
