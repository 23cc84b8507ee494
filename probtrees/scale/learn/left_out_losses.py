"""The last pass of selective KDB: what every smaller network would say about each row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count.leave_one_out import LeftOutTable, Loss, LossSums
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.scale.learn.network_counts import Arrays, TableCounts
from probtrees.scale.passes.cell_counts import CellFinder

_MOST_SHARES = 1 << 22
"""Probabilities of a table that are worked out beforehand, up to 32 MB."""

_ROWS_TOGETHER = 1 << 14
"""Rows whose losses are worked out table by table while they are in the cache."""


@dataclass
class LeftOutLosses:
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
