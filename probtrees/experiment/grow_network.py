"""Grow a network: make the rows nominal, find the parents, count the tables.

Its inner evidence: all is learnt again without a part of the rows. Cuts, order, parents, selection
and tables of an inner network come from the other rows alone, so it may have other intervals, other
parents and other columns than the network of all rows. What the held-out rows say about the
settings of a column's table they say in the inner networks' tables of the same column; an inner
network without one says nothing about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from probtrees.experiment.inner_evidence import (
    EvidenceByTarget,
    GrownMember,
    InnerEvidence,
    InnerSplit,
    add_up,
    drop,
    for_each_part,
    inner_splits,
)
from probtrees.experiment.observation_weights import lighter
from probtrees.grow.count.cpt import count_tables
from probtrees.grow.count.held_out_losses import HeldOutPart, bundle_rows, code_judges
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Structure
from probtrees.grow.eskdb import ESKDB
from probtrees.smooth.evidence import Evidence, EvidencePart
from probtrees.table.content_order import content_order
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.table.discretize.mdlp import MDLP, RandomizedMDLP
from probtrees.types import Progress


class GrownNetwork(NamedTuple):
    """A structure with the tables and the cuts of each of its members."""

    structure: Structure
    tables: tuple[tuple[CountTree, ...], ...]
    cuts: tuple[Cuts, ...]


def grow_network(
    data: Dataset, learner: Any, discretizer: Any, seed: int = 0, unit: float = 1.0
) -> GrownNetwork:
    """Learn a structure and count its tables.

    An ensemble that cuts numbers again for every member (ESKDB) is given randomised MDLP in
    place of MDLP; any other method cuts the same for all members. Tables count rows as often as
    they weigh, whatever the unit.

    Parameters
    ----------
    data : the training rows, as read
    learner : a network learner
    discretizer : how numeric columns are cut; None if all columns are nominal
    seed : decides which rows judge, where the learner asks rows that had no part in learning
    unit : the weight of rows that counts as one where cuts and structure are judged
    """
    judged = lighter(data, unit)
    hold_out = partial(held_out_parts, judged, discretizer, seed)
    more = {"hold_out": hold_out} if getattr(learner, "selection", "") == "held-out" else {}
    if cuts_every_member(learner, discretizer) and _has_numbers(data):
        structure = learner.learn(judged, draw_cuts, **more)
        members = [(member.dag, member.cuts or Cuts({})) for member in structure.members]
        tables = tuple(
            count_tables(nominal_rows(cuts.apply(data)), data.schema, dag) for dag, cuts in members
        )
        return GrownNetwork(structure, tables, tuple(cuts for _, cuts in members))
    cuts = _find_cuts(judged, discretizer)
    rows = cuts.apply(data)
    structure = learner.learn(rows if judged is data else cuts.apply(judged), **more)
    table = nominal_rows(rows)
    tables = tuple(count_tables(table, data.schema, member.dag) for member in structure.members)
    return GrownNetwork(structure, tables, (cuts,) * len(tables))


def _find_cuts(data: Dataset, discretizer: Any) -> Cuts:
    cuts: Cuts = Cuts.noting_missing(data) if discretizer is None else discretizer.find_cuts(data)
    return cuts


def held_out_parts(
    data: Dataset, discretizer: Any, seed: int, cut_seed: int | None
) -> Iterator[HeldOutPart]:
    """Hold the rows of every inner part out, and cut by the others alone.

    Parameters
    ----------
    seed : decides which rows make a part
    cut_seed : of cuts drawn by chance; None: cut by the given method
    """
    bundles = bundle_rows(data, content_order(data))
    for trained, held_out in inner_splits(data, seed=seed):
        train = data.take(trained)
        cuts = _find_cuts(train, discretizer) if cut_seed is None else draw_cuts(train, cut_seed)
        judges = code_judges(cuts.apply(data.take(held_out)))
        yield HeldOutPart(nominal_rows(cuts.apply(train)), judges, bundles[held_out])


def cuts_every_member(learner: Any, discretizer: Any) -> bool:
    """Whether numeric columns are cut for every member of an ensemble on its own."""
    return (
        isinstance(learner, ESKDB) and learner.draws != "orders" and isinstance(discretizer, MDLP)
    )


def _has_numbers(data: Dataset) -> bool:
    return any(not column.is_nominal for column in data.schema.features)


def draw_cuts(data: Dataset, seed: int) -> Cuts:
    """Cut numeric columns for one member of an ensemble."""
    return RandomizedMDLP(seed=seed).find_cuts(data)


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
    seed: int = 0,
    progress: Progress | None = None,
) -> InnerEvidence:
    """Gather the evidence for every table of a network, or of every network of an ensemble.

    Members of an ensemble correspond by their number, which decides what they draw by chance;
    where there is one for every attribute (AODE, KDF), by that attribute.

    Parameters
    ----------
    data, learner, discretizer, unit : as where the network was learnt; inner ones are learnt alike
    members : the networks of all rows
    seed, progress : as in :func:`~probtrees.experiment.inner_evidence.gather_members`
    """
    has_names = getattr(learner, "member_per_attribute", False)
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

    parts = for_each_part(learn_and_drop, data, seed, progress)
    by_member = tuple(_by_target([part[member] for part in parts]) for member in range(len(names)))
    inner_members = tuple(tuple(judged.member for judged in part) for part in parts)
    return InnerEvidence(by_member, inner_members)


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
