"""Grow a network: make the rows nominal, find the parents, count the tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from probtrees.experiment.inner_evidence import inner_splits
from probtrees.experiment.observation_weights import lighter
from probtrees.grow.count.cpt import count_tables
from probtrees.grow.count.held_out_losses import HeldOutPart, bundle_rows, code_judges
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Structure
from probtrees.grow.eskdb import ESKDB
from probtrees.table.content_order import content_order
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.table.discretize.mdlp import MDLP
from probtrees.table.discretize.randomized_mdlp import RandomizedMDLP


class GrownNetwork(NamedTuple):
    """A structure with the tables and the cuts of each of its members."""

    structure: Structure
    tables: tuple[tuple[CountTree, ...], ...]
    cuts: tuple[Cuts, ...]


def grow_network(
    data: Dataset, learner: Any, discretizer: Any, seed: int = 0, unit: float = 1.0
) -> GrownNetwork:
    """Learn a structure and count its tables.

    An ensemble that cuts numbers anew for every member (ESKDB) is given randomised MDLP in
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
    if _cuts_every_member(learner, discretizer) and _has_numbers(data):
        structure = learner.learn(judged, _draw_cuts, **more)
        members = [(member.dag, member.cuts or Cuts({})) for member in structure.members]
        tables = tuple(
            count_tables(nominal_rows(cuts.apply(data)), data.schema, dag) for dag, cuts in members
        )
        return GrownNetwork(structure, tables, tuple(cuts for _, cuts in members))
    cuts = _find_cuts(judged, discretizer)
    structure = learner.learn(cuts.apply(judged), **more)
    table = nominal_rows(cuts.apply(data))
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
        cuts = _find_cuts(train, discretizer) if cut_seed is None else _draw_cuts(train, cut_seed)
        judges = code_judges(cuts.apply(data.take(held_out)))
        yield HeldOutPart(nominal_rows(cuts.apply(train)), judges, bundles[held_out])


def _cuts_every_member(learner: Any, discretizer: Any) -> bool:
    return (
        isinstance(learner, ESKDB) and learner.draws != "orders" and isinstance(discretizer, MDLP)
    )


def _has_numbers(data: Dataset) -> bool:
    return any(not column.is_nominal for column in data.schema.features)


def _draw_cuts(data: Dataset, seed: int) -> Cuts:
    return RandomizedMDLP(seed=seed).find_cuts(data)
