"""The trees of a model's members before smoothing, and what inner twins of them are asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.evidence import Evidence
from probtrees.table.cuts import Cuts


@dataclass(frozen=True)
class GrownMember:
    """The trees of one member, and the cuts applied before them."""

    trees: tuple[CountTree, ...]
    cuts: Cuts | None = None

    @property
    def targets(self) -> tuple[int, ...]:
        """The column that each tree tells of: the class, or a column of a network."""
        return tuple(tree.target for tree in self.trees)


EvidenceByTarget = Mapping[int, Evidence]
"""The evidence for the trees of one member, by the column that a tree tells of."""


class InnerEvidence(NamedTuple):
    """What inner twins of a model, learnt without a part of the rows, say about that part.

    Attributes
    ----------
    by_member : for every member its evidence, also for columns that only twins have
    twins : for every part the members that have not seen it, in the order of the model's
    """

    by_member: tuple[EvidenceByTarget, ...]
    twins: tuple[tuple[GrownMember, ...], ...]

    @classmethod
    def of_trees(cls, evidence: tuple[Evidence, ...]) -> InnerEvidence:
        """Take the evidence of decision trees, each a member of its own."""
        n_parts = len(evidence[0].parts) if evidence else 0
        twins = tuple(
            tuple(GrownMember((of_tree.parts[part].tree,)) for of_tree in evidence)
            for part in range(n_parts)
        )
        by_member = tuple(
            {part.tree.target: of_tree for part in of_tree.parts[:1]} for of_tree in evidence
        )
        return cls(by_member, twins)

    def of_tree(self, member: int, tree: CountTree) -> Evidence:
        """Return the evidence for a tree of a member; without parts if no twin has the like."""
        return self.by_member[member].get(tree.target, Evidence(()))

    def of_table(self, member: int, target: int) -> InnerEvidence:
        """Keep what is known of one table alone, which has no twins to predict with."""
        known = self.by_member[member]
        return InnerEvidence(({target: known[target]} if target in known else {},), ())
