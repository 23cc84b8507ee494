"""Hierarchical linear smoothing: every node adds its own bit to the log-odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from probtrees.errors import OptionError
from probtrees.grow.count_tree import CountTree
from probtrees.options import Options, option
from probtrees.smooth.evidence import Evidence, least, losses_under_settings, require
from probtrees.smooth.log_linear import _hls_kernels as kernels
from probtrees.smooth.log_linear.softmax import straight_line_parts
from probtrees.smooth.smoothed_tree import Contributions, FilledFormula, SmoothedTree, show_number
from probtrees.types import FloatArray

PENALTIES = (300.0, 100.0, 30.0, 10.0, 5.0, 3.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.03)
"""The penalties tried when none is given, each fit starting from the one before."""

DEFAULT_PENALTY = 2.0
"""Where no row could be held out."""

PUBLISHED_PENALTY = 1.0

CLOSE_ENOUGH = 1e-4
CONVERGED = 1e-10
"""The largest move of a score in the last step: while penalties are tried, and in the end."""

MOST_STEPS = 200
SMALLEST = 1e-300


@dataclass(frozen=True)
class HLS(Options):
    r"""Give every node a delta; the deltas of a path add up in log-odds.

    .. math:: p_v = softmax(\sum_{a \in path(v)} \delta_a),
              \min \sum_{leaves} -\sum_k n_k \log p_k + \frac\lambda2 \sum_v |\delta_v|^2

    n_k = counts of a leaf, lambda = penalty. Few rows move a delta little, so a leaf stays near
    its parent. Cooper, Webb and Schmidt (2025, arXiv 2505.23320). An inner node says what a
    branch without rows would: the average over its branches, not over its rows.

    - ``evidence``: the penalty under which rows held out of inner trees fare best. The root is
      free, except for one imagined row spread evenly over the outcomes.
    - ``published``: penalty 1, on the root too.

    The loss is convex. Newton's method finds its minimum: with two outcomes a step is solved
    exactly by one pass up the tree and one down, with more by conjugate gradients that use
    those passes.

    >>> from probtrees.smooth.example_trees import tree_of
    >>> gene = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
    >>> round(HLS(penalty=1).smooth(gene).probs[4, 0].item(), 3)
    0.391
    """

    name: ClassVar[str] = "hls"
    averages_branches: ClassVar[bool] = True

    fit: Literal["evidence", "published"] = option(
        "evidence",
        help="The penalty by rows held out of inner trees and a free root, or as published: 1, "
        "also on the root.",
    )
    penalty: float | None = option(
        None,
        help="How strongly every delta is drawn to 0; chosen by held-out rows unless given.",
        above=0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.fit == "published" and self.penalty not in (None, PUBLISHED_PENALTY):
            raise OptionError(
                f"penalty={self.penalty!r} must be 1 with fit='published'. Leave fit='evidence' "
                "to set another."
            )

    @property
    def needs_evidence(self) -> bool:
        """Whether held-out rows are needed: to choose a penalty that is not given."""
        return self.fit == "evidence" and self.penalty is None

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Choose the penalty, fit the deltas and give every node its probabilities."""
        penalty = self.penalty or PUBLISHED_PENALTY
        trace: dict[str, FloatArray] = {}
        if self.needs_evidence:
            penalty, trace = self._choose(require(evidence, self.name))
        fitted = {"penalty": np.array([penalty])}
        return SmoothedTree(tree, self.apply(tree, fitted), self, fitted, trace)

    def apply(self, tree: CountTree, fitted: Mapping[str, FloatArray]) -> FloatArray:
        """Give every node of a tree its probabilities under a penalty that is known."""
        penalty = float(np.asarray(fitted["penalty"])[0])
        return next(self._along(tree, (penalty,), CONVERGED))

    def contributions(self, smoothed: SmoothedTree, node: int) -> Contributions:
        """Split a node's log-odds into the deltas of its path, and its points by them.

        The points are those of a straight way from the root's answer to the node's, all
        deltas growing together: a split that depends on no order.
        """
        nodes = tuple(reversed(smoothed.tree.path(node)))
        deltas = self.deltas(smoothed, nodes)
        values = np.zeros((len(nodes) + 1, smoothed.tree.n_outcomes))
        values[: len(nodes) - 1] = straight_line_parts(deltas[-1], deltas[:-1])
        values[len(nodes) - 1] = smoothed.probs[0]
        shares = np.zeros(len(nodes) + 1)
        shares[len(nodes) - 1] = 1.0
        return Contributions(nodes, values, shares, has_rings=False, log_odds=deltas)

    def deltas(self, smoothed: SmoothedTree, nodes: Sequence[int]) -> FloatArray:
        """Return what every node of a path adds to the scores, the node first, the root last."""
        logs = np.log(np.maximum(smoothed.probs[list(nodes)], SMALLEST))
        scores = logs - logs.mean(axis=1, keepdims=True)
        scores[:-1] -= scores[1:].copy()
        return np.asarray(scores)

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Add the deltas up from the root to the node."""
        path = tuple(reversed(smoothed.tree.path(node)))
        deltas = self.deltas(smoothed, path)[::-1]
        value = float(smoothed.probs[node, outcome])
        symbols = {
            "δ": "what a node of the path adds; few rows move it little",
            "λ": f"penalty on every δ, {show_number(float(smoothed.fitted['penalty'][0]))}",
        }
        if smoothed.tree.n_outcomes == 2:
            steps = deltas[:, outcome] - deltas[:, 1 - outcome]
            total = float(steps.sum())
            lines = [f"log-odds = {_sum(steps)} = {show_number(total)}"]
            lines.append(f"p = 1 / (1 + exp({show_number(-total)})) = {show_number(value)}")
            return FilledFormula("log(p / (1 − p)) = Σ δ", tuple(lines), symbols, value)
        totals = deltas.sum(axis=0)
        all_of_them = float(np.exp(totals).sum())
        symbols["s"] = "the score of an outcome; only differences between outcomes matter"
        lines = [
            f"s = {_sum(deltas[:, outcome])} = {show_number(totals[outcome])}",
            f"p = exp({show_number(totals[outcome])}) / {show_number(all_of_them)} = "
            f"{show_number(value)}",
        ]
        return FilledFormula("s = Σ δ, p = exp(s) / Σ exp(s)", tuple(lines), symbols, value)

    def _choose(self, evidence: Evidence) -> tuple[float, dict[str, FloatArray]]:
        """Find the penalty under which held-out rows have the least loss."""
        if evidence.n_rows == 0:
            return DEFAULT_PENALTY, {}
        losses: list[float] = []
        for loss in losses_under_settings(
            evidence, lambda tree: self._along(tree, PENALTIES, CLOSE_ENOUGH)
        ):
            losses.append(loss)
            if len(losses) > 2 and losses[-1] > losses[-2] > losses[-3]:
                break  # ever smaller penalties do ever worse
        tried = np.array(PENALTIES[: len(losses)])
        return float(tried[least(np.array(losses))]), {"penalty": tried, "loss": np.array(losses)}

    def _along(
        self, tree: CountTree, penalties: Sequence[float], tolerance: float
    ) -> Iterator[FloatArray]:
        """Fit under one penalty after the other, and give the probabilities under each."""
        shape = tree.arrays.counts.shape
        if shape[1] < 2:  # one outcome is certain
            yield from (np.ones(shape) for _ in penalties)
            return
        data = np.where(tree.is_leaf[:, None], tree.arrays.counts, 0.0)
        published = self.fit == "published"
        if not published:
            data[0] += 1.0 / shape[1]
        logs = np.log(data.sum(axis=0) + 1.0 / shape[1])
        scores = np.tile(logs - logs.mean(), (shape[0], 1))  # as if no node differed from the root
        for penalty in penalties:
            root_penalty = penalty if published else 0.0
            kernels.fit_scores(
                tree.arrays.parent, data, penalty, root_penalty, tolerance, MOST_STEPS, scores
            )
            probs = np.empty(shape)
            kernels.fill_softmax(scores, probs)
            yield probs


def _sum(steps: FloatArray) -> str:
    """Write numbers as a sum: ``-2.2 + 1.3 − 0.4``."""
    first, *others = steps
    words = [show_number(first, 3)]
    words += [f"{'+' if step >= 0 else '−'} {show_number(abs(step), 3)}" for step in others]
    return " ".join(words)
