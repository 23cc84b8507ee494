"""The habits of the program behind the published tables, around any smoother."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.smoothed_tree import Contributions, SmoothedTree, Smoother


@dataclass(frozen=True)
class AsPublished:
    """Smooth as the published program does.

    Two habits, kept only to reproduce its figures. A row that a missing value splits over
    branches counts as a whole row in every node it reaches. And a leaf without rows
    answers with its parent's raw frequencies (true weights), whatever the smoother says.

    Attributes
    ----------
    smoother : what is applied to the whole-row counts
    """

    name: ClassVar[str] = "as-published"

    smoother: Smoother

    @property
    def needs_evidence(self) -> bool:
        """Whether the smoother inside needs held-out rows."""
        return self.smoother.needs_evidence

    def smooth(self, tree: CountTree, evidence: Evidence | None = None) -> SmoothedTree:
        """Smooth whole-row counts, then overwrite the leaves without rows."""
        smoothed = self.smoother.smooth(with_whole_rows(tree), evidence)
        empty = np.flatnonzero(_is_empty_branch(tree))
        probs = smoothed.probs.copy()
        parents = tree.arrays.parent[empty]
        probs[empty] = tree.arrays.counts[parents] / tree.totals[parents, None]
        return replace(smoothed, tree=tree, probs=probs, smoother=self)

    def contributions(self, smoothed: SmoothedTree, node: int) -> Contributions:
        """Take a node apart as the smoother inside does; an empty leaf is all its parent.

        Rings would count the fragments of a split row several times, so there are none
        where rows were split.
        """
        tree = smoothed.tree
        if _is_empty_branch(tree)[node]:
            nodes = tuple(reversed(tree.path(node)))
            shares = np.zeros(len(nodes) + 1)
            shares[1] = 1.0
            return Contributions.of_shares(tree, nodes, shares)
        inside = replace(smoothed, tree=with_whole_rows(tree), smoother=self.smoother)
        split = self.smoother.contributions(inside, node)
        return replace(split, has_rings=split.has_rings and tree.fragments is None)

    def to_dict(self) -> dict[str, Any]:
        """Return the smoother inside by name, with its options."""
        return {"smoother": self.smoother.name, "options": self.smoother.to_dict()}


def with_whole_rows(tree: CountTree) -> CountTree:
    """Count every fragment of a row as a row; the weights stay as they are."""
    if tree.fragments is None:
        return tree
    return CountTree(tree.target, tree.arrays._replace(counts=tree.fragments))


def _is_empty_branch(tree: CountTree) -> NDArray[np.bool_]:
    """Find the leaves that none of the rows in their parent reached."""
    empty = tree.is_leaf & (tree.totals == 0)
    return np.asarray(empty & (tree.totals[tree.arrays.parent] > 0))
