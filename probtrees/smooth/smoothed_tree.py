"""A count tree with probabilities, and what is needed to explain them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.evidence import Evidence
from probtrees.types import FloatArray


@dataclass(frozen=True)
class Contributions:
    """A node's probabilities taken apart by where they come from.

    Attributes
    ----------
    nodes : the node itself first, then its ancestors up to the root
    values : float64[len(nodes) + 1, n_outcomes]; one row per entry of ``nodes``, then the
        uniform. The rows sum to the node's probabilities. With ``other_leaves`` one more
        row follows the uniform.
    shares : float64[len(values)], the weight each source carries; they sum to 1. For a
        linear smoother ``values[i] == shares[i] * raw frequency of nodes[i]``.
    has_rings : whether the sources are the rows themselves, so that they can be recut into
        rings that count no row twice. Not so for HDP, whose ancestors hold pseudo-counts.
    other_leaves : whether a last row holds what leaked in from other leaves (the published
        M-branch program)
    log_odds : float64[len(nodes), n_outcomes] where the smoother adds up in log-odds: what each
        node adds to the scores whose softmax are the probabilities. The root then has all
        the weight, ``values`` of the other nodes are the points they move, which sum to 0
        over the outcomes, and their shares are 0.
    """

    nodes: tuple[int, ...]
    values: FloatArray
    shares: FloatArray
    has_rings: bool = True
    other_leaves: bool = False
    log_odds: FloatArray | None = None

    @classmethod
    def of_shares(
        cls, tree: CountTree, nodes: tuple[int, ...], shares: FloatArray
    ) -> Contributions:
        """Multiply the shares of a linear smoother with the frequencies they are shares of.

        The last share is the uniform's. A node without rows must have no share.
        """
        counts = tree.arrays.counts[list(nodes)]
        totals = tree.totals[list(nodes)][:, None]
        frequencies = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
        uniform = np.full((1, tree.n_outcomes), 1 / tree.n_outcomes)
        return cls(nodes, shares[:, None] * np.concatenate([frequencies, uniform]), shares)


@runtime_checkable
class Smoother(Protocol):
    """Turns counts into probabilities. Its fields are its options.

    A smoother may offer more, which is looked for by name:

    - ``formula(smoothed, node, outcome)`` returns its formula with the numbers of a node as a
      :class:`~probtrees.smooth.filled_formula.FilledFormula`; without it the sum of the
      contributions is shown.
    - ``apply(tree, fitted)`` gives the nodes of another tree their probabilities, with the settings
      that were chosen before; without it settings are chosen again for every tree.
    - ``averages_branches`` is true if an inner node averages over its branches instead of telling
      the rate of its rows.
    """

    name: ClassVar[str]

    @property
    def needs_evidence(self) -> bool:
        """Whether :meth:`smooth` must be given inner evidence."""

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Give every node of the tree its probabilities."""

    def contributions(self, smoothed: SmoothedTree, node: int) -> Contributions:
        """Take the probabilities of one node apart."""

    def to_dict(self) -> dict[str, Any]:
        """Return the options by name."""


@dataclass(frozen=True)
class SmoothedTree:
    """What a smoother makes of a tree.

    Attributes
    ----------
    tree : the counts
    probs : float64[n_nodes, n_outcomes]. For a leaf, its probabilities; for an inner node,
        what the smoother would say if the tree were cut there.
    smoother : the smoother that made it
    fitted : what the smoother learned or chose, by name (weights, a strength, ...)
    trace : how it got there: losses, concentrations, one array per name, for drawing
    std, lower, upper : float64[n_nodes, n_outcomes] or None: posterior standard deviation
        and 90 % interval where the smoother has a posterior
    warnings : sentences for the user, such as "too few sweeps"
    """

    tree: CountTree
    probs: FloatArray
    smoother: Smoother
    fitted: Mapping[str, FloatArray] = field(default_factory=dict)
    trace: Mapping[str, FloatArray] = field(default_factory=dict)
    std: FloatArray | None = None
    lower: FloatArray | None = None
    upper: FloatArray | None = None
    warnings: tuple[str, ...] = ()

    @property
    def averages_branches(self) -> bool:
        """Whether an inner node averages over its branches: no rate of its rows.

        So do smoothers with a posterior, whose inner nodes hold pseudo-counts, one vote per
        branch, and those that add up in log-odds.
        """
        return self.std is not None or getattr(self.smoother, "averages_branches", False)

    def contributions(self, node: int) -> Contributions:
        """Take the probabilities of one node apart; they sum to ``probs[node]``."""
        return self.smoother.contributions(self, node)


def smooth_like(smoothed: SmoothedTree, tree: CountTree, evidence: Evidence | None) -> FloatArray:
    """Give every node of a tree its probabilities, as the smoother of another tree would.

    A smoother whose settings do not depend on the tree has a method ``apply``; others smooth
    again, with the evidence that the first tree was smoothed with.
    """
    smoother = smoothed.smoother
    apply = getattr(smoother, "apply", None)
    if apply is not None and getattr(smoother, "fit", "evidence") == "evidence":
        probs: FloatArray = apply(tree, smoothed.fitted)
        return probs
    return smoother.smooth(tree, evidence if smoother.needs_evidence else None).probs
