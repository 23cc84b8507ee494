"""Which leaf to explain first."""

from __future__ import annotations

import numpy as np

from probtrees.smooth.smoothed_tree import SmoothedTree


def telling_leaf(smoothed: SmoothedTree, outcome: int) -> int:
    """Choose the largest leaf well above the overall rate of an outcome.

    Well above: at least one and a half times the overall odds. Without such a leaf, the
    one with the highest probability.
    """
    tree = smoothed.tree
    leaves = tree.leaves
    total = float(tree.totals[0])
    base = float(tree.arrays.counts[0, outcome]) / total if total > 0 else 0.0
    p = np.clip(smoothed.probs[leaves, outcome], 1e-9, 1 - 1e-9)
    odds = p / (1 - p)
    base = min(max(base, 1e-9), 1 - 1e-9)
    above = (odds >= 1.5 * base / (1 - base)) & (tree.totals[leaves] > 0)
    if above.any():
        return int(leaves[np.argmax(np.where(above, tree.totals[leaves], -1.0))])
    return int(leaves[np.argmax(p)])
