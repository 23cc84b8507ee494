"""A count tree with probabilities, and what is needed to explain them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.options import Options
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


@dataclass(frozen=True)
class FilledFormula:
    """How one probability was computed, in plain text.

    Attributes
    ----------
    general : the formula with its symbols
    steps : the formula with this node's numbers, one line per node it walks through
    symbols : what each symbol is, in words
    value : the probability it ends with
    """

    general: str
    steps: tuple[str, ...]
    symbols: Mapping[str, str]
    value: float

    def to_dict(self) -> dict[str, Any]:
        """Return the formula as plain values, ready for JSON."""
        return {**vars(self), "steps": list(self.steps), "symbols": dict(self.symbols)}


def show_number(value: float, digits: int = 4) -> str:
    """Print a number with as many digits as help reading, whole numbers without a point.

    >>> show_number(1001), show_number(66.9567), show_number(0.19298), show_number(1e-7)
    ('1001', '66.96', '0.193', '1e-07')
    """
    value = float(value)
    if value.is_integer() and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.{digits}g}"


@runtime_checkable
class Smoother(Protocol):
    """Turns counts into probabilities. Its fields are its options.

    A smoother may offer more, which is looked for by name:

    - ``formula(smoothed, node, outcome)`` returns its formula with the numbers of a node as a
      :class:`FilledFormula`; without it the sum of the
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


class LinearSmoother(Options):
    """A smoother whose probabilities are weighted means of frequencies on the node's path.

    A node without rows answers like its nearest ancestor that has some. Held-out rows are not
    needed unless the smoother says so.
    """

    @property
    def needs_evidence(self) -> bool:
        """Whether held-out rows are needed."""
        return False

    def path_shares(self, smoothed: SmoothedTree, nodes: Sequence[int]) -> FloatArray:
        """Return the weights of a path whose first node has rows, the uniform's last.

        Parameters
        ----------
        nodes : the node, then its ancestors up to the root
        """
        raise NotImplementedError

    def contributions(self, smoothed: SmoothedTree, node: int) -> Contributions:
        """Split a node's estimate into the rows of every node on its path and the uniform."""
        tree = smoothed.tree
        nodes = tuple(reversed(tree.path(node)))
        shares = np.zeros(len(nodes) + 1)
        start = next((at for at, n in enumerate(nodes) if tree.totals[n] > 0), None)
        if start is None:
            shares[-1] = 1.0
        else:
            shares[start:] = self.path_shares(smoothed, nodes[start:])
        return Contributions.of_shares(tree, nodes, shares)


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
