"""Selective KDB: how many attributes, and how many parents each, chosen by rows left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Literal, NamedTuple

from probtrees.grow.count.held_out_losses import (
    HeldOutPart,
    HoldOut,
    dealt_parts,
    held_out_surface,
    least,
    least_within_error,
)
from probtrees.grow.count.leave_one_out import Loss, loss_surface
from probtrees.grow.count.mutual_information import Information, measure_information
from probtrees.grow.count.nominal_rows import NominalRows, nominal_rows
from probtrees.grow.dag import Dag, OneNetwork, Structure, StructureMember
from probtrees.grow.kdb import dag_of_order, describe
from probtrees.options import option
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

Choice = Literal["held-out", "leave-one-out"]

SELECTION_HELP = (
    "Judged by rows that had no part in learning (held-out), or by rows that are only taken out "
    "of the counts, as published (leave-one-out)."
)


@dataclass(frozen=True)
class SKDB(OneNetwork):
    """Learn a KDB, then keep as much of it as pays off on rows left out.

    Every KDB with the first 0, 1, 2, ... attributes and at most k = 0, 1, ..., k_max
    parents is judged; tables are m-estimates with strength 1, and the deepest context that
    has rows answers, as at prediction. How much is kept:

    - ``held-out``: rows are cut into parts, and without each part cuts, order, parents and
      tables are found again; the part judges. The smallest network whose loss is within one
      standard error of the least is kept: fewest attributes, then fewest parents. The error
      is that, over rows or groups, of the difference to the least loss.
    - ``leave-one-out``: as published. The row is taken out of the counts of its own class in
      every context and of the class counts, but it has helped to find cuts, order and
      parents. The lowest loss wins; among equals fewer attributes, then fewer parents. So it
      is, too, where no row can be held out: a single row, group or moment.

    Martinez et al. (2016); thesis Algorithm 5.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.SKDB(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.67, 0.33]]
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
    selection: Choice = option("held-out", help=SELECTION_HELP)

    def learn(self, data: Dataset, hold_out: HoldOut | None = None) -> Structure:
        """Find order and parents, then how much of them to keep.

        Parameters
        ----------
        data : the training rows, nominal and complete
        hold_out : gives the rows that judge; None: rows are dealt to parts here, which is
            honest if no row decided how others were cut
        """
        table = nominal_rows(data)
        information = measure_information(table)
        full = self.full_dag(information)
        selection = None
        if self.selection == "held-out":
            parts = dealt_parts(data) if hold_out is None else hold_out(None)
            selection = select_held_out(full, parts, self._learn_full, self.k, self.loss)
        if selection is None:
            selection = select(table, full, self.k, self.loss)
        return self._structure(information, selection)

    def full_dag(self, information: Information) -> Dag:
        """Join attributes to as many parents as are allowed, before any is left out."""
        return dag_of_order(information.order(), information.pairwise, self.k)

    def structure(self, information: Information, surface: FloatArray) -> Structure:
        """Keep as much of the full network as its leave-one-out losses advise."""
        return self._structure(information, choose(self.full_dag(information), surface))

    def _learn_full(self, table: NominalRows) -> Dag:
        return self.full_dag(measure_information(table))

    def _structure(self, information: Information, selection: Selection) -> Structure:
        notes = describe(information, information.order(), loss=self.loss, **selection.notes())
        return Structure((StructureMember(selection.dag),), diagnostics=notes)


class Selection(NamedTuple):
    """The part of a KDB that is kept.

    ``surface[a, k]`` is the loss with the first a attributes and at most k parents;
    ``errors[a, k]`` the standard error of its difference to the least, None if not measured.
    """

    dag: Dag
    n_attributes: int
    k: int
    surface: FloatArray
    errors: FloatArray | None = None

    def notes(self) -> dict[str, Any]:
        """Note what was kept and why, for the app and the reports."""
        notes = {"k": self.k, "n_attributes": self.n_attributes, "loss_surface": self.surface}
        if self.errors is None:
            return {**notes, "selection": "leave-one-out"}
        return {**notes, "selection": "held-out", "loss_errors": self.errors}


def select(table: NominalRows, full: Dag, k: int, loss: Loss) -> Selection:
    """Choose how many attributes and parents of a KDB to keep, by leave-one-out."""
    return choose(full, loss_surface(table, full, most_parents(full, k), loss))


def select_held_out(
    full: Dag, parts: Iterable[HeldOutPart], learn: Callable[[NominalRows], Dag], k: int, loss: Loss
) -> Selection | None:
    """Choose how much of a KDB to keep, by rows that had no part in learning the like of it.

    Parameters
    ----------
    full : the network of all rows
    parts, learn, loss : as in :func:`~probtrees.grow.count.held_out_losses.held_out_surface`

    Returns
    -------
    None if no row could be held out: a single row, group or moment
    """
    shape = (len(full.parents), most_parents(full, k) + 1)
    found = held_out_surface(parts, learn, shape, loss)
    if found is None:
        return None
    n_attributes, best_k = least_within_error(found)
    return Selection(keep(full, n_attributes, best_k), n_attributes, best_k, *found)


def most_parents(full: Dag, k: int) -> int:
    """Bound k by what an attribute can reach; higher bounds are not tried."""
    return min(k, max(len(full.parents) - 2, 0))


def choose(full: Dag, surface: FloatArray) -> Selection:
    """Keep the part of a KDB with the lowest loss; of equals the smallest."""
    n_attributes, best_k = least(surface)
    return Selection(keep(full, n_attributes, best_k), n_attributes, best_k, surface)


def keep(full: Dag, n_attributes: int, k: int) -> Dag:
    """Take the first attributes of a KDB, with at most k parents each."""
    first = islice(full.parents.items(), n_attributes + 1)
    return Dag({column: parents[: k + 1] for column, parents in first})
