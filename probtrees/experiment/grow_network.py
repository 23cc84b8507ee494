"""Grow a network: make the rows nominal, find the parents, count the tables."""

from __future__ import annotations

from typing import Any, NamedTuple

from probtrees.code_table import code_table
from probtrees.count_tree import CountTree
from probtrees.cuts import Cuts
from probtrees.dag import Structure
from probtrees.dataset import Dataset
from probtrees.experiment.observation_weights import lighter
from probtrees.grow.cpt import count_tables
from probtrees.grow.eskdb import ESKDB
from probtrees.prepare.discretize.mdlp import MDLP
from probtrees.prepare.discretize.randomized_mdlp import RandomizedMDLP


class GrownNetwork(NamedTuple):
    """A structure with the tables and the cuts of each of its members."""

    structure: Structure
    tables: tuple[tuple[CountTree, ...], ...]
    cuts: tuple[Cuts, ...]


def grow_network(data: Dataset, learner: Any, discretizer: Any, unit: float = 1.0) -> GrownNetwork:
    """Learn a structure and count its tables.

    An ensemble that cuts numbers anew for every member (ESKDB) is given randomised MDLP in
    place of MDLP; any other method cuts the same for all members. Tables count rows as often as
    they weigh, whatever the unit.

    Parameters
    ----------
    data : the training rows, as read
    learner : a network learner
    discretizer : how numeric columns are cut; None if all columns are nominal
    unit : the weight of rows that counts as one where cuts and structure are judged
    """
    judged = lighter(data, unit)
    if _cuts_every_member(learner, discretizer) and _has_numbers(data):
        structure = learner.learn(judged, _draw_cuts)
        members = [(member.dag, member.cuts or Cuts({})) for member in structure.members]
        tables = tuple(
            count_tables(code_table(cuts.apply(data)), data.schema, dag) for dag, cuts in members
        )
        return GrownNetwork(structure, tables, tuple(cuts for _, cuts in members))
    cuts = Cuts.noting_missing(data) if discretizer is None else discretizer.find_cuts(judged)
    structure = learner.learn(cuts.apply(judged))
    table = code_table(cuts.apply(data))
    tables = tuple(count_tables(table, data.schema, member.dag) for member in structure.members)
    return GrownNetwork(structure, tables, (cuts,) * len(tables))


def _cuts_every_member(learner: Any, discretizer: Any) -> bool:
    return (
        isinstance(learner, ESKDB) and learner.draws != "orders" and isinstance(discretizer, MDLP)
    )


def _has_numbers(data: Dataset) -> bool:
    return any(not column.is_nominal for column in data.schema.features)


def _draw_cuts(data: Dataset, seed: int) -> Cuts:
    return RandomizedMDLP(seed=seed).find_cuts(data)
