"""A tree whose small counts are hidden, with whatever else would give them away.

Probabilities are numbers made of counts: a leaf of 7 rows at 28.6 % holds 2 cases. So where
a count is hidden, the estimate is printed only as the range that every hidden count allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from probtrees.draw.node_card import Mask
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.words import percent

NOT_SHOWN = "not shown"


@dataclass(frozen=True)
class MaskedTree(SmoothedTree):
    """A smoothed tree to be drawn: counts are rounded, and small ones stand for all small ones.

    Attributes
    ----------
    mask : what is hidden
    ranges : what to print instead of an estimate that would give a count away, by node
    """

    mask: Mask = field(default_factory=Mask)
    ranges: Mapping[int, str] = field(default_factory=dict)

    def estimate(self, node: int, outcome: int) -> str:
        """Print the estimate of a node, or its range."""
        return self.ranges.get(node) or percent(float(self.probs[node, outcome]))


def masked(smoothed: SmoothedTree, outcome: int, mask: Mask) -> MaskedTree:
    """Hide a tree's small counts.

    Parameters
    ----------
    outcome : the outcome whose cases are printed
    mask : which counts are small; the mask of 0 hides nothing
    """
    parts = {
        name: getattr(smoothed, name)
        for name in ("tree", "probs", "smoother", "fitted", "trace", "warnings")
    }
    if mask.smallest <= 1:
        intervals = {name: getattr(smoothed, name) for name in ("std", "lower", "upper")}
        return MaskedTree(**parts, **intervals, mask=mask)
    tree = smoothed.tree
    counts = shown_counts(tree.arrays.counts, mask)
    rounded = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    # An inner node's estimate would tell its exact counts, and by subtraction its children's.
    probs = np.where(tree.is_leaf[:, None] | (tree.totals <= 0)[:, None], smoothed.probs, rounded)
    ranges = {}
    for node in np.flatnonzero(_has_small(tree.arrays.counts, mask) & tree.is_leaf).tolist():
        rows, cases = float(tree.totals[node]), float(tree.arrays.counts[node, outcome])
        probs[node] = rounded[node]
        if mask.hides(rows):
            ranges[node] = NOT_SHOWN
        elif mask.hides_rate(cases, rows):
            low, high = estimate_range(smoothed, node, outcome, mask)
            ranges[node] = f"{percent(low).removesuffix(' %')} to {percent(high)}"
        else:
            probs[node, outcome] = smoothed.probs[node, outcome]
    parts["tree"] = replace(
        tree, arrays=tree.arrays._replace(counts=counts), fragments=None, mean_weights=None
    )
    return MaskedTree(**{**parts, "probs": probs}, mask=mask, ranges=ranges)


def shown_counts(counts: NDArray[np.float64], mask: Mask) -> NDArray[np.float64]:
    """Round counts to multiples; one that is hidden becomes half the smallest that is printed."""
    unit = float(mask.smallest)
    small = (counts > 0) & (counts < unit)
    shown = np.where(small, unit / 2, unit * np.rint(counts / unit))
    total = counts.sum(axis=1)
    few = (total > 0) & (total < unit)
    filled = counts[few] > 0
    shown[few] = filled * (unit / 2) / filled.sum(axis=1, keepdims=True)
    return np.asarray(shown, dtype=np.float64)


def estimate_range(
    smoothed: SmoothedTree, node: int, outcome: int, mask: Mask
) -> tuple[float, float]:
    """Bound an estimate by what it would be under any number of cases that the mask hides.

    The node's own rows carry a share of the estimate; only that part depends on its cases.
    """
    rows = mask.rounded(float(smoothed.tree.totals[node]))
    cases = float(smoothed.tree.arrays.counts[node, outcome])
    parts = smoothed.contributions(node)
    others = float(smoothed.probs[node, outcome] - parts.values[0, outcome])
    share = float(parts.shares[0])
    hidden = min(mask.smallest / max(rows, 1e-300), 1.0)
    low, high = (0.0, hidden) if mask.hides(cases) else (1 - hidden, 1.0)
    return max(others + share * low, 0.0), min(others + share * high, 1.0)


def _has_small(counts: NDArray[np.float64], mask: Mask) -> NDArray[np.bool_]:
    """Mark the nodes that hold a count too small to be printed, or all but such a count."""
    small = (counts > 0) & (counts < mask.smallest)
    others = counts.sum(axis=1, keepdims=True) - counts
    return np.asarray((small | ((others > 0) & (others < mask.smallest))).any(axis=1))
