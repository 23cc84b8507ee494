"""Networks, one or an ensemble of them, learnt by passes: every pass counts for all members.

The members are those that all rows at once would give: orders are drawn from the same counts by
the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from probtrees.experiment.inner_evidence import GrownMember
from probtrees.grow.count.leave_one_out import LeftOutTable, Loss, LossSums
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.grow.dag import Dag, Structure
from probtrees.grow.eskdb import ESKDB
from probtrees.grow.naive_bayes import NaiveBayes
from probtrees.grow.skdb import SKDB, choose, most_parents
from probtrees.scale.learn.network_counts import CellFinder, PairCounts, TableCounts
from probtrees.scale.passes.chunked_table import ChunkedTable, NetworkForm
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.statistic import Statistic
from probtrees.table.cuts import Cuts
from probtrees.types import FloatArray

_ROWS_TOGETHER = 1 << 14
"""Rows whose losses are worked out table by table while they are in the cache."""


@dataclass
class LeftOutLosses(Statistic):
    """Selective KDB's last pass: what every smaller network would say about each row.

    Attributes
    ----------
    tables : every attribute's counts, and where to find a row's in them
    losses : the sums
    """

    tables: list[tuple[LeftOutTable, CellFinder]]
    losses: LossSums

    kept_arrays = ("losses.sums",)

    @classmethod
    def empty(
        cls, counted: TableCounts, loss: Loss, k: int, heaviest: float | None = None
    ) -> LeftOutLosses:
        """Begin with no rows; ``heaviest`` is the largest weight of one, None if all are 1."""
        tables = [counted.left_out(column) for column in counted.tables]
        most = 1.0 if heaviest is None else heaviest
        losses = LossSums.empty(loss, range(k + 1), counted.class_counts, len(tables), most)
        return cls(tables, losses)

    def __deepcopy__(self, memo: dict[int, Any]) -> LeftOutLosses:
        """Copy the sums; the counts are shared."""
        return replace(self, losses=replace(self.losses, sums=self.losses.sums.copy()))

    def sealed(self) -> LeftOutLosses:
        """Return what travels back from a task: the sums, not the counts."""
        return replace(self, tables=[])

    def update(self, table: NominalRows) -> None:
        """Add the rows of a chunk, some at a time."""
        n_rows = table.codes.shape[1]
        for start in range(0, n_rows, _ROWS_TOGETHER):
            rows = slice(start, start + _ROWS_TOGETHER)
            some = NominalRows(
                np.ascontiguousarray(table.codes[:, rows]), table.n_values, table.weights[rows]
            )
            pairs = ((left_out, finder.places(some)) for left_out, finder in self.tables)
            self.losses.update(some, pairs)


@dataclass
class EachCounts(Statistic):
    """What a pass counts for every member, as one statistic.

    Attributes
    ----------
    parts : what is counted for each
    """

    parts: list[Any]

    kept_arrays = ("parts",)

    @classmethod
    def empty(cls, makers: Sequence[Callable[[], Any]]) -> EachCounts:
        """Begin with no rows."""
        return cls([make() for make in makers])

    def sealed(self) -> EachCounts:
        """Return what travels back from a task."""
        return EachCounts([part.sealed() for part in self.parts])

    def update(self, tables: tuple[NominalRows, ...]) -> None:
        """Add the rows of a chunk: as each member cuts them, or once for all."""
        shared = tables * (len(self.parts) if len(tables) == 1 else 1)
        for part, table in zip(self.parts, shared, strict=True):
            part.update(table)


def learn_networks(
    table: ChunkedTable, learner: Any, cuts: tuple[Cuts, ...], conductor: Conductor, memory: int
) -> tuple[Structure, tuple[GrownMember, ...]]:
    """Find the parents of every column, and count the tables of every member.

    Three passes: pairs of attributes, tables with all parents there may be, and for selective
    networks the losses that say how many of them to keep.

    Parameters
    ----------
    learner : a learner of networks, NB to ESKDB
    cuts : of every member; one for all if they are the same
    memory : bytes that all counts may take together
    """
    passes = _Passes(table, learner, NetworkForm(cuts), conductor, memory)
    information = [part.information() for part in passes.pairs()]
    if isinstance(learner, ESKDB):
        each = information * (learner.size if len(cuts) == 1 else 1)
        drawn = list(map(learner.draw, each, learner.member_seeds()))
        counted = passes.tables([one.full for one in drawn])
        surfaces = passes.surfaces([one.full for one in drawn], counted)
        chosen = [
            (one, choose(one.full, losses)) for one, losses in zip(drawn, surfaces, strict=True)
        ]
        own_cuts = cuts if len(cuts) > 1 else (None,) * learner.size
        structure = learner.structure(chosen, own_cuts)
    elif isinstance(learner, SKDB):
        full = [learner.full_dag(information[0])]
        counted = passes.tables(full)
        structure = learner.structure(information[0], *passes.surfaces(full, counted))
    else:
        structure = learner.structure(information[0])
        counted = passes.tables([structure.members[0].dag])
    trees = [
        counts.count_trees(member.dag)
        for counts, member in zip(counted, structure.members, strict=True)
    ]
    return structure, tuple(map(GrownMember, trees, passes.cuts_of(len(trees))))


@dataclass(frozen=True)
class _Passes:
    table: ChunkedTable
    learner: Any
    form: NetworkForm
    conductor: Conductor
    memory: int

    def cuts_of(self, n_members: int) -> tuple[Cuts, ...]:
        """Return the cuts of every member."""
        return self.form.cuts if len(self.form.cuts) > 1 else self.form.cuts * n_members

    def pairs(self) -> list[PairCounts]:
        """Count what attributes say about each other, under all cuts."""
        pairs = not isinstance(self.learner, NaiveBayes)
        make, schema = partial(PairCounts.empty, pairs=pairs, memory=self._share), self.table.schema
        return self._run("pairs", pairs, [partial(make, schema, cuts) for cuts in self.form.cuts])

    def tables(self, full: Sequence[Dag]) -> list[TableCounts]:
        """Count the tables of every member's network."""
        makers = [
            partial(TableCounts.empty, self.table.schema, cuts, dag, self._share)
            for cuts, dag in zip(self.cuts_of(len(full)), full, strict=True)
        ]
        return self._run("tables", tuple(full), makers)

    def surfaces(self, full: Sequence[Dag], counted: Sequence[TableCounts]) -> list[FloatArray]:
        """Measure what every smaller network of each member would lose."""
        loss, k, heaviest = self.learner.loss, self.learner.k, self.table.heaviest
        makers = [
            partial(LeftOutLosses.empty, tables, loss, most_parents(dag, k), heaviest)
            for tables, dag in zip(counted, full, strict=True)
        ]
        found = self._run("losses", (tuple(full), loss, k), makers)
        return [part.losses.surface() for part in found]

    @property
    def _share(self) -> int:
        """The bytes that the counts of one member may take."""
        return self.memory // int(getattr(self.learner, "size", 1))

    def _run(self, name: str, made_from: Any, makers: Sequence[Callable[[], Any]]) -> list[Any]:
        key = ([repr(cuts.to_dict()) for cuts in self.form.cuts], made_from)
        make = partial(EachCounts.empty, makers)
        return self.conductor.run(name, key, self.table, self.form, make).parts
