"""Hierarchical shrinkage: steps down the tree, each shortened the fewer rows decide it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.options import option
from probtrees.smooth.candidates import Candidates, shrinkage_candidates
from probtrees.smooth.evidence import Evidence, least, require
from probtrees.smooth.smoothed_tree import FilledFormula, LinearSmoother, SmoothedTree, show_number
from probtrees.types import FloatArray

PENALTIES = (0.3, 1.0, 3.0, 6.0, 12.0, 25.0, 50.0, 100.0, 200.0, 500.0, 2000.0)
"""The penalties tried when none is given."""

STRENGTHS = (0.0, 1.0)
"""The strengths tried when none is given."""


@dataclass(frozen=True)
class Shrinkage(LinearSmoother):
    """Walk from the root down and shorten every step.

    .. math::
        phi_v = (n_v + m phi_p) / (N_v + m),
        psi_v = psi_p + (phi_v - phi_p) / (1 + lambda / N_p)

    psi = probs, n = counts, N = their sum, p = the parent, lambda = penalty, m = strength;
    at the root phi = psi = (n_k + 1/K) / (N + 1). A node without rows answers like its
    parent. Agarwal et al. (2022), eq. 3, who have m = 0; the shrunken phi are ours. Settings
    that are not given are chosen so that rows held out of inner trees fare best.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> gene = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
    >>> round(Shrinkage(penalty=11, strength=0).smooth(gene).probs[4, 0].item(), 3)
    0.446
    """

    name: ClassVar[str] = "shrinkage"

    penalty: float | None = option(
        None,
        help="A step out of a node with this many rows is halved; none: chosen by evidence.",
        minimum=0,
    )
    strength: float | None = option(
        None,
        help="Imagined rows lent by the parent before the step; none: chosen by evidence.",
        minimum=0,
    )

    @property
    def needs_evidence(self) -> bool:
        """Whether held-out rows are needed: to choose a setting that is not given."""
        return self.penalty is None or self.strength is None

    @property
    def candidates(self) -> Candidates:
        """The settings to choose from."""
        return shrinkage_candidates(
            PENALTIES if self.penalty is None else (self.penalty,),
            STRENGTHS if self.strength is None else (self.strength,),
        )

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Choose the settings and give every node its probabilities."""
        tried = self.candidates
        losses = np.zeros(len(tried))
        if self.needs_evidence:
            losses = tried.losses(require(evidence, self.name))
        # Without a held-out row there is nothing to choose by: take the middle of the list.
        best = least(losses) if losses.any() else len(tried) // 2
        penalty, strength = tried.table[best, :2]
        fitted = {"penalty": np.array([penalty]), "strength": np.array([strength])}
        trace = {"penalty": tried.table[:, 0], "strength": tried.table[:, 1], "loss": losses}
        if not self.needs_evidence:
            trace = {}
        return SmoothedTree(tree, self.apply(tree, fitted), self, fitted, trace)

    def apply(self, tree: CountTree, fitted: Mapping[str, FloatArray]) -> FloatArray:
        """Give every node of a tree its probabilities under settings that are known."""
        return _candidate(fitted).probs(tree, np.ones(1))

    def path_shares(self, smoothed: SmoothedTree, nodes: Sequence[int]) -> FloatArray:
        """Weigh the nodes of a path and the uniform."""
        return _candidate(smoothed.fitted).path_shares(smoothed.tree, nodes, np.ones(1))

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Fill the formula in for every node on the path, the root first."""
        tree = smoothed.tree
        penalty, strength = _candidate(smoothed.fitted).table[0, :2]
        phi = psi = (tree.arrays.counts[0, outcome] + 1 / tree.n_outcomes) / (tree.totals[0] + 1)
        lines = [f"at the root: {show_number(psi)}"]
        rows_above = tree.totals[0]
        for at in tree.path(node)[1:]:
            rows = tree.totals[at] + strength
            here = (tree.arrays.counts[at, outcome] + strength * phi) / rows if rows else phi
            step = rows_above / (rows_above + penalty) if rows_above else 0.0
            new = psi + (here - phi) * step
            lines.append(
                f"p = {show_number(psi)} + ({show_number(here)} − {show_number(phi)})"
                f"·{show_number(rows_above)}/({show_number(rows_above)} + {show_number(penalty)})"
                f" = {show_number(new)}"
            )
            phi, psi, rows_above = here, new, tree.totals[at]
        symbols = {
            "p": "the estimate, from the root down to the node",
            "φ": "the frequency here and one node above"
            + (f", with {show_number(strength)} rows lent by the node above" if strength else ""),
            "N": "rows one node above",
            "λ": f"penalty, {show_number(penalty)}",
        }
        value = float(smoothed.probs[node, outcome])
        return FilledFormula("p = p_above + (φ − φ_above)·N/(N + λ)", tuple(lines), symbols, value)


def _candidate(fitted: Mapping[str, FloatArray]) -> Candidates:
    penalty, strength = (np.asarray(fitted[name])[0] for name in ("penalty", "strength"))
    return shrinkage_candidates((penalty,), (strength,))
