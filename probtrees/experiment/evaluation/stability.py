"""How sure arrows and splits are: how often models learnt without a part of the rows have them.

For a network the rows are cut into five parts in several ways; without each part all is learnt
again: cuts, order, parents, selection. An arrow that most of these networks have does not hang on
a few rows. One that few have may be as good as another: two columns that say the same take turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from probtrees.experiment.grow_network import grow_network
from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.inner_evidence import InnerSplit, for_each_part, in_part
from probtrees.grow.count_tree import NO_NODE, CountTree
from probtrees.grow.dag import Dag
from probtrees.types import Progress

N_WAYS = 4
"""Ways to cut the rows into parts: with five parts each, 20 networks are learnt again."""

_LEAST_SHARE = 0.5
"""Arrows that a network lacks are listed if at least this share of the others have them."""

Arc = tuple[int, int]
"""From one column to another."""


@dataclass(frozen=True)
class ArcStrength:
    """One arrow.

    Attributes
    ----------
    parent, child : the columns it joins
    share : of the networks learnt again that have it
    turned : of them that have it the other way round
    is_here : whether the network itself has it
    """

    parent: int
    child: int
    share: float
    turned: float
    is_here: bool


@dataclass(frozen=True)
class ArcStrengths:
    """All arrows of a network, the surest first, then those that it lacks and most others have.

    Attributes
    ----------
    n_networks : how many networks were learnt again
    """

    arcs: tuple[ArcStrength, ...]
    n_networks: int

    @property
    def shares(self) -> dict[Arc, float]:
        """The share of networks that have an arrow, by parent and child."""
        return {(arc.parent, arc.child): arc.share for arc in self.arcs}


def arc_strengths(
    grown: GrownModel, member: int = 0, *, n_ways: int = N_WAYS, progress: Progress | None = None
) -> ArcStrengths:
    """Learn a network again without parts of its rows, and count its arrows in what comes out.

    Parameters
    ----------
    member : which network of an ensemble; it is compared with those of the same number or, where
        every attribute has a network of its own (AODE, KDF), of the same attribute
    n_ways : how many times the rows are cut into five parts; by time there is one way
    progress : called now and then; may raise to cancel
    """
    learner = grown.spec.learner
    own = Dag.of_tables(grown.members[member].trees)
    has_name = getattr(learner, "member_per_attribute", False)

    def learn(split: InnerSplit) -> list[Dag]:
        rows = grown.data.take(split.trained)
        how = learner, grown.spec.discretizer, grown.spec.seed, grown.unit
        dags = [each.dag for each in grow_network(rows, *how)[0].members]
        if has_name:
            return [dag for dag in dags if dag.columns[1:2] == own.columns[1:2]]
        return dags[member : member + 1]

    n_ways = n_ways if grown.data.times is None else 1
    others: list[Dag] = []
    for way in range(n_ways):
        report = in_part(progress, way, n_ways)
        parts = for_each_part(learn, grown.data, grown.spec.seed + way, report)
        others += [dag for part in parts for dag in part]
    return count_arcs(own, others)


def count_arcs(own: Dag, others: Sequence[Dag]) -> ArcStrengths:
    """Count the arrows of a network in others.

    >>> found = count_arcs(Dag({0: (), 1: (0,)}), [Dag({0: (), 1: (0,)}), Dag({1: (), 0: (1,)})])
    >>> [(arc.parent, arc.child, arc.share, arc.turned) for arc in found.arcs]
    [(0, 1, 0.5, 0.5)]
    """
    counted = Counter(arc for dag in others for arc in dag.arcs)
    here = own.arcs
    n_networks = max(len(others), 1)
    lacking = [
        (parent, child)
        for (parent, child), count in counted.items()
        if count >= _LEAST_SHARE * n_networks
        and (parent, child) not in here
        and (child, parent) not in here
    ]
    arcs = [
        ArcStrength(
            parent,
            child,
            counted[parent, child] / n_networks,
            counted[child, parent] / n_networks,
            (parent, child) in here,
        )
        for parent, child in (*here, *lacking)
    ]
    arcs.sort(key=lambda arc: (not arc.is_here, -arc.share))
    return ArcStrengths(tuple(arcs), len(others))


def columns_chosen(tree: CountTree, node: int, others: Iterable[CountTree]) -> Counter[int]:
    """Count what other trees split on where a tree has a node, by column.

    Trees without the same way to the node, the same columns and the same side of every cut
    wherever that lies, split on nothing there.
    """
    there = ((other, _same_place(tree, node, other)) for other in others)
    return Counter(
        int(other.arrays.column[at])
        for other, at in there
        if at is not None and not other.is_leaf[at]
    )


MOST_SPLITS = 200
"""Splits of a tree that are looked for in others: the upper ones, which pictures open with."""


def splits_found_again(grown: GrownModel, tree: CountTree) -> dict[int, str]:
    """Say of splits, by node, how many inner trees have them: ``4/5``; nothing without such trees.

    A split is found again where the same way leads to one on the same column, wherever it cuts.
    """
    if not grown.has_evidence:
        return {}
    others = [members[0].trees[0] for members in grown.evidence().members]
    found = {}
    for node in np.flatnonzero(~tree.is_leaf)[:MOST_SPLITS].tolist():
        same = columns_chosen(tree, node, others)[int(tree.arrays.column[node])]
        found[node] = f"{same}/{len(others)}"
    return found


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
