"""Maximum likelihood: the raw frequencies, nothing lent."""

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
class MLE(LinearSmoother):
    """Answer with the frequencies seen in training: the m-estimate of strength 0.

    .. math:: p_k = n_k / n

    n_k = counts, n = their sum. A node without rows answers like its nearest ancestor that
    has some, a tree without rows with the uniform.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> MLE().smooth(tree_of([2, 0, 0], [[3, 1], [0, 0]])).probs.tolist()
    [[0.75, 0.25], [0.75, 0.25], [0.75, 0.25]]
    """

    name: ClassVar[str] = "mle"

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Give every node its frequencies."""
        return SmoothedTree(tree, m_estimates(tree, 0.0, base_of(tree, "uniform")), self)

    def path_shares(self, smoothed: SmoothedTree, nodes: Sequence[int]) -> FloatArray:
        """Rest a node's frequencies on its own rows alone."""
        return shares_of_base(smoothed.tree, nodes, 0.0, "uniform")

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Fill the formula in with a node's numbers."""
        steps, symbols = fill_counts(smoothed, node, outcome)
        return FilledFormula("p = n_k / n", steps, symbols, float(smoothed.probs[node, outcome]))
