"""The m-estimate, which lends every node the same number of imagined rows; Laplace; raw shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree
from probtrees.options import option
from probtrees.smooth.evidence import Evidence, least, losses_under_settings, require
from probtrees.smooth.smoothed_tree import FilledFormula, LinearSmoother, SmoothedTree, show_number
from probtrees.types import FloatArray

STRENGTHS = (0.0, 0.05, 0.2, 1.0, 5.0, 20.0)
"""The strengths that ``strength="auto"`` chooses from (Petitjean et al. 2018, sec. 5)."""

Base = Literal["uniform", "root"]


@dataclass(frozen=True)
class MEstimate(LinearSmoother):
    """Shrink every node towards one base distribution.

    .. math:: p_k = (n_k + m b_k) / (n + m)

    n_k = counts, n = their sum, m = strength, b_k = base: 1/K, or the root's frequencies.
    A node without rows answers like its nearest ancestor that has some.
    Cestnik (1990); thesis sec. 2.3.1.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> gene = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
    >>> MEstimate(strength=1).smooth(gene).probs[4, 0].item()
    0.25
    """

    name: ClassVar[str] = "m-estimate"

    strength: float | Literal["auto"] = option(
        1.0,
        help="Imagined rows lent to every node; 'auto' chooses 0, 0.05, 0.2, 1, 5 or 20 by "
        "what it says about rows held out of the tree.",
        minimum=0,
    )
    base: Base = option(
        "uniform", help="How the imagined rows are distributed: evenly, or like all rows."
    )

    @property
    def needs_evidence(self) -> bool:
        """Whether held-out rows are needed: only to choose the strength."""
        return self.strength == "auto"

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Give every node its m-estimate."""
        strength = self.strength
        if strength == "auto":
            strength = self._choose(require(evidence, self.name))
        probs = m_estimates(tree, strength, base_of(tree, self.base))
        return SmoothedTree(tree, probs, self, fitted={"strength": np.array([strength])})

    def path_shares(self, smoothed: SmoothedTree, nodes: Sequence[int]) -> FloatArray:
        """Weigh a node's rows and the base."""
        strength = float(smoothed.fitted["strength"][0])
        return shares_of_base(smoothed.tree, nodes, strength, self.base)

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Fill the formula in with a node's numbers."""
        strength = show_number(smoothed.fitted["strength"][0])
        base = show_number(base_of(smoothed.tree, self.base)[outcome])
        steps, symbols = fill_counts(smoothed, node, outcome, (f"{strength}·{base}", strength))
        symbols["m"] = f"{strength} imagined rows"
        symbols["b_k"] = f"{base}, this outcome's share of the imagined rows"
        value = float(smoothed.probs[node, outcome])
        return FilledFormula("p = (n_k + m·b_k) / (n + m)", steps, symbols, value)

    def _choose(self, evidence: Evidence) -> float:
        """Take the strength under which the held-out rows fare best; the least without any."""
        if evidence.n_rows == 0:
            return STRENGTHS[0]

        def answers(tree: CountTree) -> Iterator[FloatArray]:
            return (m_estimates(tree, strength, base_of(tree, self.base)) for strength in STRENGTHS)

        return STRENGTHS[least(np.array([*losses_under_settings(evidence, answers)]))]


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


def base_of(tree: CountTree, base: Base) -> FloatArray:
    """Return the distribution of the imagined rows; uniform where the root has no rows."""
    if base == "root" and tree.totals[0] > 0:
        return np.asarray(tree.arrays.counts[0] / tree.totals[0])
    return np.full(tree.n_outcomes, 1 / tree.n_outcomes)


def m_estimates(tree: CountTree, strength: float, base: FloatArray) -> FloatArray:
    """Compute the m-estimate of every node, backing off where there are no rows."""
    source = nodes_with_data(tree)
    total = tree.totals + strength
    probs = tree.arrays.counts + strength * base
    np.divide(probs, total[:, None], out=probs, where=total[:, None] > 0)
    if total[0] == 0:
        probs[0] = base
    return probs if (tree.totals > 0).all() else probs[source]


def shares_of_base(
    tree: CountTree, nodes: Sequence[int], strength: float, base: Base
) -> FloatArray:
    """Weigh the rows of a path's first node and the base: the uniform, or the root at its end."""
    total = tree.totals[nodes[0]]
    shares = np.zeros(len(nodes) + 1)
    shares[0] = total / (total + strength)
    shares[-2 if base == "root" else -1] += strength / (total + strength)
    return shares


def fill_counts(
    smoothed: SmoothedTree, node: int, outcome: int, lent: tuple[str, str] = ("", "")
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Write (n_k + lent) / (n + lent) with the numbers of one outcome of a node.

    Returns the lines, the first of which says so if the node has no rows of its own, and
    what n_k and n are.
    """
    tree = smoothed.tree
    source = int(nodes_with_data(tree)[node])
    count = show_number(tree.arrays.counts[source, outcome])
    total = show_number(tree.totals[source])
    value = show_number(smoothed.probs[node, outcome])
    top, bottom = (
        f"({number} + {imagined})" if imagined else number
        for number, imagined in zip((count, total), lent, strict=True)
    )
    steps: tuple[str, ...] = (f"p = {top} / {bottom} = {value}",)
    if source != node:
        steps = ("no rows here: the same formula at the nearest ancestor that has some", *steps)
    return steps, {"n_k": f"{count} rows with this outcome", "n": f"{total} rows"}


def nodes_with_data(tree: CountTree) -> NDArray[np.intp]:
    """For every node, itself if it has rows, else its nearest ancestor that has.

    In a tree without any row all nodes lead to the root.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> nodes_with_data(tree_of([2, 2, 0, 0, 0], [[1, 0], [0, 0], [2, 2]])).tolist()
    [0, 1, 2, 1, 4]
    """
    nodes = np.arange(tree.n_nodes, dtype=np.intp)
    source = np.where(tree.totals > 0, nodes, tree.arrays.parent)
    source[0] = 0
    # Doubling the stride settles chains of empty nodes in log2(depth) rounds.
    while not np.array_equal(further := source[source], source):
        source = further
    return source
