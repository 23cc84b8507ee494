"""Ensemble of SKDBs: attribute orders and cuts are drawn for every member."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from probtrees.grow.count.held_out_losses import HoldOut, dealt_parts
from probtrees.grow.count.leave_one_out import Loss
from probtrees.grow.count.mutual_information import Information, measure
from probtrees.grow.count.nominal_rows import NominalRows, nominal_rows
from probtrees.grow.dag import Dag, Structure, StructureMember
from probtrees.grow.kdb import dag_of_order
from probtrees.grow.skdb import SELECTION_HELP, Choice, select, select_held_out
from probtrees.options import Options, option
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

FindCuts = Callable[[Dataset, int], Cuts]
"""Cuts the training rows for one member, given the seed of its random numbers."""


@dataclass(frozen=True)
class ESKDB(Options):
    """Average SKDBs that differ in the order of attributes and in the cuts of numbers.

    Each member draws its order without replacement, in proportion to the MI with the class,
    and keeps as much of the KDB of that order as rows left out say, see SKDB. Numeric columns
    are cut for every member on its own. Answers are averaged. Thesis Algorithms 9 to 15.
    ``draws`` leaves one of the two to all members alike, as in the thesis' sec. 4.3.3: an
    order by descending MI, or cuts by the given method.
    """

    name: ClassVar[str] = "eskdb"

    size: int = option(10, flag=True, help="Number of members.", minimum=1, maximum=1000)
    k: int = option(
        5,
        help="Most parents an attribute may have beside the class; fewer if that is better.",
        minimum=0,
    )
    loss: Loss = option("rmse", help="What each member makes small on rows left out, see SKDB.")
    draws: Literal["both", "orders", "cuts"] = option(
        "both", help="What differs between members: orders of attributes, cuts of numbers, or both."
    )
    selection: Choice = option("leave-one-out", help=SELECTION_HELP)
    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def learn(
        self,
        data: Dataset,
        find_cuts: FindCuts | None = None,
        hold_out: HoldOut | None = None,
    ) -> Structure:
        """Learn all members.

        Parameters
        ----------
        data : the training rows; nominal and complete unless ``find_cuts`` is given
        find_cuts : how each member makes the rows nominal
        hold_out : gives the rows that judge, cut by the seed of the member; None: rows that are
            nominal are dealt to parts here
        """
        known = None if find_cuts else _look_at(data)
        members: list[StructureMember] = []
        drawn: list[dict[str, Any]] = []
        for seeds in np.random.SeedSequence(self.seed).spawn(self.size):
            cut_seed = None if find_cuts is None else int(seeds.generate_state(1)[0])
            cuts = None if find_cuts is None or cut_seed is None else find_cuts(data, cut_seed)
            table, information = known or _look_at(data if cuts is None else cuts.apply(data))
            order, full = self._draw(information, seeds)
            selection = None
            if self.selection == "held-out":
                parts = dealt_parts(data) if hold_out is None else hold_out(cut_seed)
                learn = partial(self._learn_full, seeds)
                selection = select_held_out(full, parts, learn, self.k, self.loss)
            if selection is None:
                selection = select(table, full, self.k, self.loss)
            members.append(StructureMember(selection.dag, cuts))
            drawn.append(
                {
                    "order": order,
                    "mutual_information": information.with_class,
                    **selection.notes(),
                }
            )
        return Structure(tuple(members), diagnostics={"loss": self.loss, "members": drawn})

    def _learn_full(self, seeds: np.random.SeedSequence, table: NominalRows) -> Dag:
        return self._draw(measure(table), seeds)[1]

    def _draw(
        self, information: Information, seeds: np.random.SeedSequence
    ) -> tuple[list[int], Dag]:
        """Draw the order of a member, and join its attributes to all parents they may have."""
        if self.draws == "cuts":
            order = [int(attribute) for attribute in information.order()]
        else:
            order = draw_order(information.with_class, np.random.default_rng(seeds))
        return order, dag_of_order(order, information.pairwise, self.k)


def _look_at(data: Dataset) -> tuple[NominalRows, Information]:
    table = nominal_rows(data)
    return table, measure(table)


def draw_order(information: FloatArray, generator: np.random.Generator) -> list[int]:
    """Draw attributes without replacement, in proportion to their information.

    The largest of log(weight) plus Gumbel noise is a draw in proportion to the weights, and
    sorting by it a draw without replacement. Attributes that say nothing come last, in
    random order.

    >>> draw_order(np.array([0.0, 2.0]), np.random.default_rng(0))
    [1, 0]
    """
    noise = generator.gumbel(size=information.shape[0])
    says_nothing = information <= 0
    keys = np.log(np.where(says_nothing, 1.0, information)) + noise
    return [int(attribute) for attribute in np.lexsort((-keys, says_nothing))]
