"""An ensemble of selective KDBs in chunks: every pass counts for all its members.

The passes are those of one selective KDB, and the members those that all rows at once would give:
orders are drawn from the same counts by the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.experiment.inner_evidence import GrownMember
from probtrees.grow.count.leave_one_out import LeftOutTable, Loss, LossSums
from probtrees.grow.count.mutual_information import Information
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.grow.dag import Dag, Structure
from probtrees.grow.eskdb import ESKDB
from probtrees.grow.skdb import choose, most_parents
from probtrees.scale.learn.network_counts import PairCounts, TableCounts
from probtrees.scale.passes.cell_counts import CellFinder
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.row_forms import EnsembleForm, NetworkForm
from probtrees.scale.passes.statistic import Arrays, KeptStatistic
from probtrees.table.cuts import Cuts

_MOST_SHARES = 1 << 22
"""Probabilities of a table that are worked out beforehand, up to 32 MB."""

_ROWS_TOGETHER = 1 << 14
"""Rows whose losses are worked out table by table while they are in the cache."""


@dataclass
class LeftOutLosses(KeptStatistic):
    """Selective KDB's last pass: what every smaller network would say about each row.

    Attributes
    ----------
    tables : every attribute's counts, and where to find a row's in them
    losses : the sums
    weighted : whether rows may count other than once
    """

    tables: list[tuple[LeftOutTable, CellFinder]]
    losses: LossSums
    weighted: bool

    @classmethod
    def empty(
        cls, counted: TableCounts, loss: Loss, k: int, heaviest: float | None = None
    ) -> LeftOutLosses:
        """Begin with no rows; ``heaviest`` is the largest weight of one, None if all are 1."""
        tables = counted.left_out_tables()
        most = 1.0 if heaviest is None else heaviest
        losses = LossSums.empty(loss, range(k + 1), counted.class_counts, len(tables), most)
        return cls(tables, losses, heaviest is not None)

    def fresh(self) -> LeftOutLosses:
        """Begin again with no rows; the counts are shared."""
        sums = np.zeros_like(self.losses.sums)
        return replace(self, losses=replace(self.losses, sums=sums))

    def sealed(self) -> LeftOutLosses:
        """Return what travels back from a task: the sums, not the counts."""
        return replace(self, tables=[])

    def update(self, table: NominalRows) -> None:
        """Add the rows of a chunk, some at a time."""
        self._list_shares()
        n_rows = table.codes.shape[1]
        for start in range(0, n_rows, _ROWS_TOGETHER):
            rows = slice(start, start + _ROWS_TOGETHER)
            some = NominalRows(
                np.ascontiguousarray(table.codes[:, rows]), table.n_values, table.weights[rows]
            )
            pairs = ((left_out, finder.places(some)) for left_out, finder in self.tables)
            self.losses.update(some, pairs)

    def _list_shares(self) -> None:
        """Work probabilities out beforehand: here, since the list would be long to send."""
        for number, (left_out, finder) in enumerate(self.tables):
            size = left_out.prefixes.contexts.size * 2 * self.losses.class_counts.shape[0]
            if not self.weighted and left_out.shares is None and size <= _MOST_SHARES:
                self.tables[number] = (left_out.with_shares(int(finder.n_values[-1])), finder)

    def merge(self, other: LeftOutLosses) -> None:
        """Add what was added up elsewhere."""
        self.losses.merge(other.losses)

    def arrays(self) -> Arrays:
        """Return the sums, to be kept in a file."""
        return {"sums": self.losses.sums}

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        self.losses.sums[:] = kept["sums"]


@dataclass
class EachCounts(KeptStatistic):
    """What a pass counts for every member, as one statistic.

    Attributes
    ----------
    parts : what is counted for each
    """

    parts: list[Any]

    @classmethod
    def empty(cls, makers: Sequence[Callable[[], Any]]) -> EachCounts:
        """Begin with no rows."""
        return cls([make() for make in makers])

    def fresh(self) -> EachCounts:
        """Begin again with no rows."""
        return EachCounts([part.fresh() for part in self.parts])

    def sealed(self) -> EachCounts:
        """Return what travels back from a task."""
        return EachCounts([part.sealed() for part in self.parts])

    def update(self, chunk: NominalRows | tuple[NominalRows, ...]) -> None:
        """Add the rows of a chunk: the same for all, or as each member cuts them."""
        tables = [chunk] * len(self.parts) if isinstance(chunk, NominalRows) else chunk
        for part, table in zip(self.parts, tables, strict=True):
            part.update(table)

    def merge(self, other: EachCounts) -> None:
        """Add what was counted elsewhere."""
        for part, others in zip(self.parts, other.parts, strict=True):
            part.merge(others)

    def arrays(self) -> Arrays:
        """Return what was counted, to be kept in a file."""
        return {
            f"{number} {name}": array
            for number, part in enumerate(self.parts)
            for name, array in part.arrays().items()
        }

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        for number, part in enumerate(self.parts):
            start = f"{number} "
            own = {name: array for name, array in kept.items() if name.startswith(start)}
            part.restore({name.removeprefix(start): array for name, array in own.items()})


class EnsemblePasses(NamedTuple):
    """How an ensemble is learnt from a table.

    Attributes
    ----------
    cuts : of every member; one for all if they are the same
    """

    table: ChunkedTable
    learner: ESKDB
    cuts: tuple[Cuts, ...]
    conductor: Conductor
    memory: int

    def learn(self) -> tuple[Structure, tuple[GrownMember, ...]]:
        """Run the passes: pairs of attributes, tables of all members, losses."""
        learner = self.learner
        drawn = [
            learner.draw(information, seeds)
            for information, seeds in zip(self._pairs(), learner.member_seeds(), strict=True)
        ]
        counted = self._tables([full for _, full, _ in drawn])
        losses = self._losses([full for _, full, _ in drawn], counted)
        chosen = [
            (each, choose(each.full, part.losses.surface()))
            for each, part in zip(drawn, losses, strict=True)
        ]
        cuts = self._cuts_of_each()
        members = tuple(
            GrownMember(tables.count_trees(selection.dag), own)
            for tables, (_, selection), own in zip(counted, chosen, cuts, strict=True)
        )
        own_cuts = cuts if len(self.cuts) > 1 else (None,) * learner.size
        return learner.structure(chosen, own_cuts), members

    def _cuts_of_each(self) -> tuple[Cuts, ...]:
        return self.cuts if len(self.cuts) > 1 else self.cuts * self.learner.size

    def _pairs(self) -> list[Information]:
        """Measure what attributes say, under the cuts of every member."""
        makers = [
            partial(PairCounts.empty, self.table.schema, cuts, pairs=True, memory=self._share)
            for cuts in self.cuts
        ]
        found = [part.information() for part in self._run("pairs", (), makers)]
        return found if len(found) > 1 else found * self.learner.size

    def _tables(self, full: Sequence[Dag]) -> list[TableCounts]:
        makers = [
            partial(TableCounts.empty, self.table.schema, cuts, dag, self._share)
            for cuts, dag in zip(self._cuts_of_each(), full, strict=True)
        ]
        return self._run("tables", tuple(full), makers)

    def _losses(self, full: Sequence[Dag], counted: Sequence[TableCounts]) -> list[LeftOutLosses]:
        loss, heaviest = self.learner.loss, self.table.heaviest
        makers = [
            partial(LeftOutLosses.empty, tables, loss, most_parents(dag, self.learner.k), heaviest)
            for tables, dag in zip(counted, full, strict=True)
        ]
        return self._run("losses", (tuple(full), loss, self.learner.k), makers)

    @property
    def _share(self) -> int:
        """The bytes that the counts of one member may take."""
        return self.memory // self.learner.size

    def _run(self, name: str, made_from: Any, makers: Sequence[Callable[[], Any]]) -> list[Any]:
        several = len(self.cuts) > 1
        form = EnsembleForm(self.cuts) if several else NetworkForm(self.cuts[0])
        key = ("each", [repr(cuts.to_dict()) for cuts in self.cuts], made_from)
        make = partial(EachCounts.empty, makers)
        return self.conductor.run(name, key, self.table, form, make).parts
