"""Gather inner evidence for networks: all is learnt again without a part of the rows.

Cuts, order, parents, selection and tables of an inner network come from the other rows alone.
So it may have other intervals, other parents and other columns than the network of all rows.
What the held-out rows say about the settings of a column's table they say in the inner
networks' tables of the same column; an inner network without one says nothing about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from probtrees.experiment.grow_network import grow_network
from probtrees.experiment.grown_member import EvidenceByTarget, GrownMember, InnerEvidence
from probtrees.experiment.inner_evidence import N_PARTS, InnerSplit, add_up, drop, for_each_part
from probtrees.grow.aode import AODE
from probtrees.grow.kdf import KDF
from probtrees.smooth.evidence import Evidence, EvidencePart
from probtrees.table.dataset import Dataset
from probtrees.types import Progress


class _Judged(NamedTuple):
    """A member of an inner network, and by column where the held-out rows land in it."""

    member: GrownMember
    parts: dict[int, EvidencePart]


def gather_networks(
    data: Dataset,
    learner: Any,
    discretizer: Any,
    members: Sequence[GrownMember],
    unit: float = 1.0,
    n_parts: int = N_PARTS,
    seed: int = 0,
    progress: Progress | None = None,
) -> InnerEvidence:
    """Gather the evidence for every table of a network, or of every network of an ensemble.

    Members of an ensemble correspond by their number, which decides what they draw by chance;
    where there is one for every attribute (AODE, KDF), by that attribute.

    Parameters
    ----------
    data : the training rows, as read
    learner, discretizer : how the network was learnt; inner ones are learnt alike
    members : the networks of all rows
    unit : the weight of rows that counts as one, as where the network was learnt
    n_parts, seed, progress : as in :func:`~probtrees.experiment.inner_evidence.gather`
    """
    has_names = isinstance(learner, (AODE, KDF))
    names = [_name(number, member, has_names) for number, member in enumerate(members)]

    def learn_and_drop(split: InnerSplit) -> list[_Judged]:
        grown = grow_network(data.take(split.trained), learner, discretizer, seed, unit)
        held_out = data.take(split.held_out)
        inner = [GrownMember(*member) for member in zip(grown.tables, grown.cuts, strict=True)]
        judged = {
            _name(number, member, has_names): _judge(member, held_out, split)
            for number, member in enumerate(inner)
        }
        return [judged[name] for name in names]

    parts = for_each_part(learn_and_drop, data, n_parts, seed, progress)
    by_member = tuple(_by_target([part[member] for part in parts]) for member in range(len(names)))
    twins = tuple(tuple(judged.member for judged in part) for part in parts)
    return InnerEvidence(by_member, twins)


def _name(number: int, member: GrownMember, has_name: bool) -> int:
    """Tell members of an ensemble apart: by the first attribute, or by number."""
    attributes = member.targets[1:]
    return attributes[0] if has_name and attributes else number


def _judge(member: GrownMember, held_out: Dataset, split: InnerSplit) -> _Judged:
    """Drop held-out rows, cut as the inner network cuts, into all of its tables."""
    rows = held_out if member.cuts is None else member.cuts.apply(held_out)
    parts = {tree.target: add_up(drop(tree, rows, split.held_out)) for tree in member.trees}
    return _Judged(member, parts)


def _by_target(judged: Sequence[_Judged]) -> EvidenceByTarget:
    """Collect, column by column, the parts of the inner networks that have its table."""
    targets = {target: None for part in judged for target in part.parts}
    return {
        target: Evidence(tuple(part.parts[target] for part in judged if target in part.parts))
        for target in targets
    }
