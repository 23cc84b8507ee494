"""Ensemble of SKDBs: attribute orders and cuts are drawn for every member."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from probtrees.grow.count.held_out_losses import HoldOut, dealt_parts
from probtrees.grow.count.leave_one_out import Loss
from probtrees.grow.count.mutual_information import Information, measure_information
from probtrees.grow.count.nominal_rows import NominalRows, nominal_rows
from probtrees.grow.dag import Dag, Structure, StructureMember
from probtrees.grow.kdb import dag_of_order
from probtrees.grow.skdb import SELECTION_HELP, Choice, Selection, select, select_held_out
from probtrees.options import Options, option
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

FindCuts = Callable[[Dataset, int], Cuts]
"""Cuts the training rows for one member, given the seed of its random numbers."""


class DrawnMember(NamedTuple):
    """A member before rows left out say how much of it to keep.

    Attributes
    ----------
    order : of the attributes
    full : the network with all parents that are allowed
    with_class : mutual information of every attribute with the class
    """

    order: list[int]
    full: Dag
    with_class: FloatArray


def seed_of_cuts(seeds: np.random.SeedSequence) -> int:
    """Return the number that decides how a member cuts numeric columns."""
    return int(seeds.generate_state(1)[0])


@dataclass(frozen=True)
class ESKDB(Options):
    """Average SKDBs that differ in the order of attributes and in the cuts of numbers.

    Each member draws its order without replacement, in proportion to the MI with the class,
    and keeps as much of the KDB of that order as rows left out say, see SKDB. Numeric columns
    are cut for every member on its own. Answers are averaged. Thesis Algorithms 9 to 15.
    ``draws`` leaves one of the two to all members alike, as in the thesis' sec. 4.3.3: an
    order by descending MI, or cuts by the given method.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.ESKDB(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.69, 0.31]]
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
        self, data: Dataset, find_cuts: FindCuts | None = None, hold_out: HoldOut | None = None
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
        chosen: list[tuple[DrawnMember, Selection]] = []
        own_cuts: list[Cuts | None] = []
        for seeds in self.member_seeds():
            cut_seed = None if find_cuts is None else seed_of_cuts(seeds)
            cuts = None if find_cuts is None or cut_seed is None else find_cuts(data, cut_seed)
            table, information = known or _look_at(data if cuts is None else cuts.apply(data))
            drawn = self.draw(information, seeds)
            selection = None
            if self.selection == "held-out":
                parts = dealt_parts(data) if hold_out is None else hold_out(cut_seed)
                learn = partial(self._learn_full, seeds)
                selection = select_held_out(drawn.full, parts, learn, self.k, self.loss)
            if selection is None:
                selection = select(table, drawn.full, self.k, self.loss)
            chosen.append((drawn, selection))
            own_cuts.append(cuts)
        return self.structure(chosen, own_cuts)

    def member_seeds(self) -> list[np.random.SeedSequence]:
        """Return the random numbers of every member: of its cuts, and of its order."""
        return np.random.SeedSequence(self.seed).spawn(self.size)

    def structure(
        self, chosen: Sequence[tuple[DrawnMember, Selection]], cuts: Sequence[Cuts | None]
    ) -> Structure:
        """Put members together, with what was drawn and kept of each."""
        members = tuple(
            StructureMember(selection.dag, own)
            for (_, selection), own in zip(chosen, cuts, strict=True)
        )
        notes = [
            {"order": drawn.order, "mutual_information": drawn.with_class, **selection.notes()}
            for drawn, selection in chosen
        ]
        return Structure(members, diagnostics={"loss": self.loss, "members": notes})

    def _learn_full(self, seeds: np.random.SeedSequence, table: NominalRows) -> Dag:
        return self.draw(measure_information(table), seeds).full

    def draw(self, information: Information, seeds: np.random.SeedSequence) -> DrawnMember:
        """Draw the order of a member, and join its attributes to all parents they may have."""
        if self.draws == "cuts":
            order = [int(attribute) for attribute in information.order()]
        else:
            order = draw_order(information.with_class, np.random.default_rng(seeds))
        full = dag_of_order(order, information.pairwise, self.k)
        return DrawnMember(order, full, information.with_class)


def _look_at(data: Dataset) -> tuple[NominalRows, Information]:
    table = nominal_rows(data)
    return table, measure_information(table)


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
