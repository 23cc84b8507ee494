"""Selective KDB: how many attributes, and how many parents each, chosen by leave-one-out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, NamedTuple

import numpy as np

from probtrees.code_table import CodeTable, code_table
from probtrees.dag import Dag, Structure, StructureMember
from probtrees.dataset import Dataset
from probtrees.grow.kdb import dag_of_order, describe
from probtrees.grow.leave_one_out import FloatArray, Loss, loss_surface
from probtrees.grow.mutual_information import DECIMALS, Information, measure
from probtrees.options import Options, option


@dataclass(frozen=True)
class SKDB(Options):
    """Learn a KDB, then keep as much of it as pays off on rows left out.

    Every KDB with the first 0, 1, 2, ... attributes and at most k = 0, 1, ..., k_max
    parents is judged by leave-one-out: the row is taken out of the counts of its own class
    in every context and of the class counts, tables are m-estimates with strength 1, and
    the deepest context that is left with rows answers, as at prediction. The lowest loss
    wins; among equals fewer attributes, then fewer parents. Martinez et al. (2016); thesis
    Algorithm 5.
    """

    name: ClassVar[str] = "skdb"

    k: int = option(
        5,
        help="Most parents an attribute may have beside the class; fewer if that is better.",
        minimum=0,
    )
    loss: Loss = option(
        "rmse",
        help="What is to be small on rows left out: the miss of the true class's probability "
        "(rmse), its log loss, or wrong answers (0-1).",
    )

    def learn(self, data: Dataset) -> Structure:
        """Find order and parents, then how much of them to keep."""
        table = code_table(data)
        information = measure(table)
        full = self.full_dag(information)
        surface = loss_surface(table, full, most_parents(full, self.k), self.loss)
        return self.structure(information, surface)

    def full_dag(self, information: Information) -> Dag:
        """Join attributes to as many parents as are allowed, before any is left out."""
        return dag_of_order(information.order(), information.pairwise, self.k)

    def structure(self, information: Information, surface: FloatArray) -> Structure:
        """Keep as much of the full network as its losses advise."""
        order = information.order()
        selection = choose(self.full_dag(information), surface)
        return Structure(
            (StructureMember(selection.dag),),
            diagnostics=describe(
                information,
                order,
                k=selection.k,
                n_attributes=selection.n_attributes,
                loss=self.loss,
                loss_surface=selection.surface,
            ),
        )


class Selection(NamedTuple):
    """The part of a KDB that leave-one-out keeps.

    ``surface[a, k]`` is the loss with the first a attributes and at most k parents.
    """

    dag: Dag
    n_attributes: int
    k: int
    surface: FloatArray


def select(table: CodeTable, full: Dag, k: int, loss: Loss) -> Selection:
    """Choose how many attributes and parents of a KDB to keep."""
    return choose(full, loss_surface(table, full, most_parents(full, k), loss))


def most_parents(full: Dag, k: int) -> int:
    """Bound k by what an attribute can reach; higher bounds are not tried."""
    return min(k, max(len(full.parents) - 2, 0))


def choose(full: Dag, surface: FloatArray) -> Selection:
    """Keep the part of a KDB with the lowest loss; of equals the smallest."""
    flat = np.round(surface, DECIMALS).ravel()
    n_attributes, best_k = divmod(int(np.argmin(flat)), surface.shape[1])
    kept = {
        column: parents[: best_k + 1]
        for column, parents in islice(full.parents.items(), n_attributes + 1)
    }
    return Selection(Dag(kept), n_attributes, best_k, surface)
