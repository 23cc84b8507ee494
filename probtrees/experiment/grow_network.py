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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.experiment.corrections import corrected
from probtrees.experiment.inner_evidence import (
    DroppedInto,
    GrownMember,
    InnerEvidence,
    InnerSplit,
    add_up,
    drop,
    gather_members,
    inner_splits,
)
from probtrees.experiment.observation_weights import lighter
from probtrees.grow.count.cpt import count_tables
from probtrees.grow.count.held_out_losses import HeldOutPart, bundle_rows, code_judges
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.dag import Structure
from probtrees.grow.eskdb import ESKDB
from probtrees.smooth.evidence import EvidencePart
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.table.discretize.methods import MDLP, RandomizedMDLP
from probtrees.table.repeats import content_order
from probtrees.types import Progress


def grow_network(
    data: Dataset, learner: Any, discretizer: Any, seed: int = 0, unit: float = 1.0
) -> tuple[Structure, tuple[GrownMember, ...]]:
    """Learn a structure, and count the tables of each of its members.

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
    has_numbers = not all(column.is_nominal for column in data.schema.features)
    if has_numbers and cuts_every_member(learner, discretizer):
        structure = learner.learn(judged, draw_cuts, **more)
        own = [member.cuts or Cuts({}) for member in structure.members]
        rows = [nominal_rows(cuts.apply(data)) for cuts in own]
    else:
        cuts = _find_cuts(judged, discretizer)
        cut = cuts.apply(data)
        structure = learner.learn(cut if judged is data else cuts.apply(judged), **more)
        if edits := getattr(learner, "edits", ()):
            structure = corrected(structure, edits, data.schema)
        own = [cuts] * len(structure.members)
        rows = [nominal_rows(cut)] * len(own)
    return structure, tuple(
        GrownMember(count_tables(table, data.schema, member.dag), cuts)
        for table, member, cuts in zip(rows, structure.members, own, strict=True)
    )


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
    draws_cuts = isinstance(learner, ESKDB) and learner.draws != "orders"
    return draws_cuts and isinstance(discretizer, MDLP)


def draw_cuts(data: Dataset, seed: int) -> Cuts:
    """Cut numeric columns for one member of an ensemble."""
    return RandomizedMDLP(seed=seed).find_cuts(data)


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

    def learn_and_drop(split: InnerSplit) -> list[DroppedInto]:
        _, inner = grow_network(data.take(split.trained), learner, discretizer, seed, unit)
        by_name = {_name(number, each, has_names): each for number, each in enumerate(inner)}
        held_out = data.take(split.held_out)
        found = [by_name[name] for name in names]
        return [(member, _judge(member, held_out, split.held_out)) for member in found]

    return gather_members(learn_and_drop, len(names), data, seed, progress)


def _name(number: int, member: GrownMember, has_name: bool) -> int:
    """Tell members of an ensemble apart: by the first attribute, or by number."""
    attributes = member.targets[1:]
    return attributes[0] if has_name and attributes else number


def _judge(
    member: GrownMember, held_out: Dataset, numbers: NDArray[np.int64]
) -> dict[int, EvidencePart]:
    """See by column where held-out rows, cut as the inner network cuts, land in its tables."""
    rows = held_out if member.cuts is None else member.cuts.apply(held_out)
    return {tree.target: add_up(drop(tree, rows, numbers)) for tree in member.trees}
