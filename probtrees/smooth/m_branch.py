"""M-branch: shrink every node towards its parent, all the way down a branch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.machine.kernel_cache import runnable
from probtrees.options import Options, option
from probtrees.smooth._m_branch_kernels import smooth_branches, smooth_chain
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.smoothed_tree import Contributions, FilledFormula, SmoothedTree, show_number
from probtrees.types import FloatArray


class BranchStep(NamedTuple):
    """One node on the way from the root to the end of a branch.

    Attributes
    ----------
    node : its number
    height : nodes from here to the end of the branch, both included
    strength : imagined rows that its parent's estimate counts for here (m)
    probs : the estimate after this step
    """

    node: int
    height: int
    strength: float
    probs: FloatArray


@dataclass(frozen=True)
class MBranch(Options):
    """Shrink every node towards its parent's estimate, more strongly near the root.

    From the root down to the end of a branch of depth d:

    .. math:: p_k = (n_k + m q_k) / (n + m), m = M (1 + (1 - 1/h) sqrt(N)), h = d + 1 - depth

    n_k = counts, n = their sum, q_k = the parent's estimate (uniform above the root),
    M = strength, N = rows in the root. An inner node lies on branches of several lengths:
    every leaf is computed along its own, an inner node as if its branch ended there.
    Ferri, Flach and Hernandez-Orallo (2003); eq. 17 and 18 of the thesis.

    ``chained`` repeats a slip of the published program: the branch of a leaf starts not
    from the uniform but from the estimate of the next leaf, depth first, and a node shared
    by several branches keeps the strength it has on the last of them.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> gene = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
    >>> round(MBranch(strength=4).smooth(gene).probs[4, 0].item(), 3)
    0.193
    """

    name: ClassVar[str] = "m-branch"
    needs_evidence: ClassVar[bool] = False

    strength: float = option(
        4.0, help="Imagined rows that a leaf is lent by its parent (M).", minimum=0
    )
    chained: bool = option(
        False,
        help="Start every branch from the next leaf's estimate, as the published program does.",
    )

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Give every node the estimate at the end of its branch."""
        probs = np.empty_like(tree.arrays.counts)
        kernel = smooth_chain if self.chained else smooth_branches
        runnable(kernel)(tree.arrays, self.strength, math.sqrt(tree.totals[0]), probs)
        return SmoothedTree(tree, probs, self)

    def contributions(self, smoothed: SmoothedTree, node: int) -> Contributions:
        """Split a node's estimate into the rows of every node on its branch and the start.

        Under ``chained`` the start is the next leaf's estimate, listed as "other leaves".
        """
        tree = smoothed.tree
        strengths = self._strengths(tree, node)
        totals = tree.totals[list(strengths)]
        lent = np.array(list(strengths.values()))
        known = totals + lent > 0
        passed_on = np.divide(lent, totals + lent, out=np.ones_like(lent), where=known)
        # What the nodes below pass on of a node's own share, the end of the branch first.
        remaining = np.concatenate([[1.0], np.cumprod(passed_on[::-1])])
        own = (1 - passed_on[::-1]) * remaining[:-1]
        split = Contributions.of_shares(
            tree, tuple(reversed(strengths)), np.append(own, remaining[-1])
        )
        if not self.chained or _next_leaf(tree, node) is None:
            return split
        shares = np.append(own, [0.0, remaining[-1]])
        others = smoothed.probs[node] - split.values[:-1].sum(axis=0)
        values = np.vstack([split.values[:-1], np.zeros_like(others), others])
        return Contributions(split.nodes, values, shares, other_leaves=True)

    def steps(self, smoothed: SmoothedTree, node: int) -> list[BranchStep]:
        """Walk down the branch that ends in a node, one estimate after the other."""
        tree = smoothed.tree
        start = _next_leaf(tree, node) if self.chained else None
        uniform = np.full(tree.n_outcomes, 1 / tree.n_outcomes)
        estimate = uniform if start is None else smoothed.probs[start]
        steps: list[BranchStep] = []
        for at, strength in self._strengths(tree, node).items():
            total = tree.totals[at] + strength
            if total > 0:
                estimate = (tree.arrays.counts[at] + strength * estimate) / total
            height = int(tree.arrays.depth[node] - tree.arrays.depth[at]) + 1
            steps.append(BranchStep(at, height, strength, estimate))
        return steps

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Fill the formula in for every node on the branch, the root first."""
        tree = smoothed.tree
        steps = self.steps(smoothed, node)
        start = _next_leaf(tree, node) if self.chained else None
        parent = 1 / tree.n_outcomes if start is None else smoothed.probs[start, outcome]
        lines = []
        for step in steps:
            strength = show_number(step.strength)
            count = show_number(tree.arrays.counts[step.node, outcome])
            total = show_number(tree.totals[step.node])
            estimate = step.probs[outcome]
            lines.append(
                f"p = ({count} + {strength}·{show_number(parent)}) / ({total} + {strength})"
                f" = {show_number(estimate)}"
            )
            parent = estimate
        symbols = {
            "n_k": "rows with this outcome in the node",
            "n": "rows in the node",
            "q_k": "the estimate one line above; at the root "
            + ("1/K" if start is None else "the estimate of the next leaf"),
            "m": f"M·(1 + (1 − 1/h)·√N), M = {show_number(self.strength)}, "
            f"N = {show_number(tree.totals[0])}",
            "h": "nodes from here to the end of the branch",
        }
        value = float(smoothed.probs[node, outcome])
        return FilledFormula("p = (n_k + m·q_k) / (n + m)", tuple(lines), symbols, value)

    def _strengths(self, tree: CountTree, end: int) -> dict[int, float]:
        """Give the strength of every node on the branch that ends in a node."""
        depth = tree.arrays.depth
        last = _last_leaf(tree, end)
        strengths = {}
        for node in tree.path(end):
            length = int(depth[end])
            if self.chained and (ending := _last_leaf(tree, node)) != last:
                length = int(depth[ending])
            height = length + 1 - int(depth[node])
            strengths[node] = self.strength * (1 + (1 - 1 / height) * math.sqrt(tree.totals[0]))
        return strengths


def _last_leaf(tree: CountTree, node: int) -> int:
    """Find the last leaf below a node, depth first."""
    while children := tree.children(node):
        node = children[-1]
    return node


def _next_leaf(tree: CountTree, node: int) -> int | None:
    """Find the leaf that follows a node and all below it, depth first."""
    while node > 0:
        siblings = tree.children(int(tree.arrays.parent[node]))
        if node != siblings[-1]:
            leaf = node + 1
            while children := tree.children(leaf):
                leaf = children[0]
            return leaf
        node = int(tree.arrays.parent[node])
    return None
