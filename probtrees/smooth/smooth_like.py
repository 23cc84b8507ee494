"""Smooth one tree with the settings that were chosen for another."""

from __future__ import annotations

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import FloatArray


def smooth_like(smoothed: SmoothedTree, tree: CountTree, evidence: Evidence | None) -> FloatArray:
    """Give every node of a tree its probabilities, as the smoother of another tree would.

    A smoother whose settings do not depend on the tree has a method ``apply``; others smooth
    anew, with the evidence that the first tree was smoothed with.
    """
    smoother = smoothed.smoother
    apply = getattr(smoother, "apply", None)
    if apply is not None and getattr(smoother, "fit", "evidence") == "evidence":
        probs: FloatArray = apply(tree, smoothed.fitted)
        return probs
    return smoother.smooth(tree, evidence if smoother.needs_evidence else None).probs
