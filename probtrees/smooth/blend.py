"""A mixture of smoothers, each as strong as rows the tree has never seen let it be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.options import option
from probtrees.smooth.candidates import Candidates, hgs_candidates, shrinkage_candidates
from probtrees.smooth.evidence import Evidence, require
from probtrees.smooth.shrinkage import PENALTIES, STRENGTHS
from probtrees.smooth.smoothed_tree import FilledFormula, LinearSmoother, SmoothedTree, show_number
from probtrees.types import FloatArray

WEIGHTS = np.exp(np.linspace(-3, 4, 15))
"""The weights of hierarchical smoothing that take part."""

UNIFORM = 0.5
"""Their imagined rows above the root."""

SMALLEST_SHARE = 1e-9
"""Candidates below this share are left out."""


@dataclass(frozen=True)
class Blend(LinearSmoother):
    """Average hierarchical shrinkage and hierarchical smoothing over their settings.

    .. math:: p = sum_c s_c p_c,  s_c proportional to exp(-S_c / (2 T))

    c = a setting of either family, S_c = the Brier scores, added up, of the rows held out
    of inner trees that are smoothed with it, T = temperature. The sum, not the mean:
    with more held-out rows the best settings crowd out the others. An average of linear
    smoothers is linear, so every probability can still be taken apart along its path.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), "c45", probtrees.Blend())
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.75, 0.25]]
    """

    name: ClassVar[str] = "blend"

    temperature: float = option(
        1.0, help="Above 1 the settings share more evenly, below 1 the best takes more.", above=0
    )

    @property
    def needs_evidence(self) -> bool:
        """Whether held-out rows are needed: always."""
        return True

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Weigh the candidates and give every node their average."""
        tried = shrinkage_candidates(PENALTIES, STRENGTHS) + hgs_candidates(WEIGHTS, UNIFORM)
        losses = tried.losses(require(evidence, self.name))
        with np.errstate(over="ignore"):  # at a temperature near 0 the best takes all
            shares = softmax((losses.min() - losses) / (2 * self.temperature))
        fitted = {
            **dict(zip(("penalty", "strength", "weight", "uniform"), tried.table.T, strict=True)),
            "shares": shares,
        }
        return SmoothedTree(tree, self.apply(tree, fitted), self, fitted, {"loss": losses})

    def apply(self, tree: CountTree, fitted: Mapping[str, FloatArray]) -> FloatArray:
        """Give every node of a tree its probabilities under shares that are known."""
        tried, shares = _fitted(fitted)
        return tried.probs(tree, shares)

    def path_shares(self, smoothed: SmoothedTree, nodes: Sequence[int]) -> FloatArray:
        """Weigh the nodes of a path and the uniform."""
        tried, shares = _fitted(smoothed.fitted)
        return tried.path_shares(smoothed.tree, nodes, shares)

    def formula(self, smoothed: SmoothedTree, node: int, outcome: int) -> FilledFormula:
        """Name the settings that matter and what each says about the node."""
        tree = smoothed.tree
        tried, shares = _fitted(smoothed.fitted)
        steps = []
        for number in np.argsort(-shares, kind="stable"):
            if shares[number] < 0.01:
                break
            alone = np.zeros(len(tried))
            alone[number] = 1.0
            says = show_number(tried.probs(tree, alone)[node, outcome])
            steps.append(f"{shares[number]:.0%} {_describe(tried.table[number])}: {says}")
        value = float(smoothed.probs[node, outcome])
        steps.append(f"together: {show_number(value)}")
        symbols = {
            "p_c": "what one setting of hierarchical shrinkage or smoothing says",
            "s_c": "its share: the better it did on rows the tree had not seen, the larger",
        }
        return FilledFormula("p = Σ s_c·p_c", tuple(steps), symbols, value)


def softmax(scores: FloatArray) -> FloatArray:
    """Turn log scores into shares; the smallest are left out.

    >>> softmax(np.log([3.0, 1.0])).round(6).tolist()
    [0.75, 0.25]
    """
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    shares[shares < SMALLEST_SHARE] = 0.0
    return np.asarray(shares / shares.sum())


def _fitted(fitted: Mapping[str, FloatArray]) -> tuple[Candidates, FloatArray]:
    columns = [fitted[name] for name in ("penalty", "strength", "weight", "uniform")]
    return Candidates(np.column_stack(columns)), np.asarray(fitted["shares"])


def _describe(candidate: FloatArray) -> str:
    penalty, strength, weight, _ = candidate
    if np.isnan(weight):
        lent = f", strength {show_number(strength)}" if strength else ""
        return f"shrinkage, penalty {show_number(penalty)}{lent}"
    return f"smoothing, weight {show_number(weight)}"
