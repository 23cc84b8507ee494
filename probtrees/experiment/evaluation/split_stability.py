"""How often trees grown without a part of the rows choose the same split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from probtrees.grow.count_tree import NO_NODE, CountTree


@dataclass(frozen=True)
class SplitStability:
    """What other trees split on where a tree has a node.

    Attributes
    ----------
    n_trees : how many trees were asked
    reached : how many of them have the same way to the node: the same columns, and the same side
        of every cut, wherever that lies
    chosen : which column those split on there, and how many of them
    """

    n_trees: int
    reached: int
    chosen: Mapping[int, int]

    def sentence(self, column: int) -> str:
        """Say how often the same column was chosen."""
        same = self.chosen.get(column, 0)
        if not self.reached:
            return (
                f"None of the {self.n_trees} trees grown without a part of the rows leads here: "
                "the splits above differ already."
            )
        said = (
            f"This column was chosen by {same} of {self.n_trees} trees grown without a part of "
            "the rows"
        )
        if self.reached < self.n_trees:
            said += f"; {self.n_trees - self.reached} differ already further up"
        return said + "."


def split_stability(tree: CountTree, node: int, others: Iterable[CountTree]) -> SplitStability:
    """Look for a node of a tree in others, and at what they split on there."""
    asked = list(others)
    chosen: Counter[int] = Counter()
    reached = 0
    for other in asked:
        found = _same_place(tree, node, other)
        if found is None:
            continue
        reached += 1
        if not other.is_leaf[found]:
            chosen[int(other.arrays.column[found])] += 1
    return SplitStability(len(asked), reached, dict(chosen))


def _same_place(tree: CountTree, node: int, other: CountTree) -> int | None:
    """Follow the branches that lead to a node; None where the other tree splits otherwise."""
    at = 0
    for step in tree.path(node)[1:]:
        parent = int(tree.arrays.parent[step])
        if other.arrays.column[at] != tree.arrays.column[parent]:
            return None
        wanted = int(tree.arrays.branch[step])
        branches = {int(other.arrays.branch[child]): child for child in other.children(at)}
        at = branches.get(wanted, NO_NODE)
        if at == NO_NODE:
            return None
    return at
