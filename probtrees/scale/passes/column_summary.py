"""What a scan remembers of a column: enough to decide its type as if it had been read whole.

Summaries of parts merge into the summary of the whole, whatever the order: values are counted
while they are few, and only their range and nature is kept once there are many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.table.raw_table import Dates, Numbers, RawColumn, Texts

MOST_DISTINCT = 100_000
"""Values are counted one by one up to this many different ones."""

_MOST_CELLS = 100_000
_CELLS_PER_VALUE = 40
"""The stand-in for a whole column has no more cells than this, all in all or for each different
value: enough for every rule about types, which ask whether values occur ten times or less."""

_MANY_NUMBERS = 64


@dataclass
class ColumnSummary:
    """A column as far as it was seen.

    Attributes
    ----------
    kinds : what its cells were: "numbers", "texts", "booleans", "dates"; more than one is a
        conflict to be settled by reading the cells as they are spelled
    counts : how often each text or number occurs; None once there are too many
    declared : the categories that the data declare, in their order; None if they do not
    n_known, n_missing : cells with and without a value
    lowest, highest : of numbers and dates
    is_whole : whether all numbers are whole
    """

    kinds: set[str] = field(default_factory=set)
    counts: dict[Any, int] | None = field(default_factory=dict)
    declared: tuple[str, ...] | None = None
    n_known: int = 0
    n_missing: int = 0
    lowest: float = np.inf
    highest: float = -np.inf
    is_whole: bool = True

    def update(self, column: RawColumn) -> None:
        """Add the cells of a chunk."""
        self.merge(_of_texts(column) if isinstance(column, Texts) else _of_numbers(column))

    def merge(self, other: ColumnSummary) -> None:
        """Add what another summary has seen."""
        if not self.kinds:
            self.declared = other.declared
        elif other.kinds and self.declared != other.declared:
            self.declared = None
        self.kinds |= other.kinds
        if self.counts is not None and other.counts is not None:
            for value, rows in other.counts.items():
                self.counts[value] = self.counts.get(value, 0) + rows
        if other.counts is None or len(self.counts or ()) > MOST_DISTINCT:
            self.counts = None  # too many: it stays so, whatever comes
        self.n_known += other.n_known
        self.n_missing += other.n_missing
        self.lowest = min(self.lowest, other.lowest)
        self.highest = max(self.highest, other.highest)
        self.is_whole = self.is_whole and other.is_whole

    def stand_in(self) -> RawColumn:
        """Make a short column about which the same is true as about the whole one."""
        kinds = self.kinds or {"texts"}
        if kinds == {"booleans"}:
            codes = self._codes(["False", "True"])
            return Texts(codes, Texts.of(codes, ["False", "True"]).distinct, boolean=True)
        if kinds == {"dates"}:
            return Dates(self._numbers())
        if kinds == {"numbers"}:
            return Numbers(self._numbers())
        if self.declared is not None:
            return Texts.of(self._codes(self.declared), self.declared, declared=True)
        texts = sorted(self.counts or ())
        return Texts.of(self._codes(texts), texts)

    def _codes(self, texts: Any) -> NDArray[np.int32]:
        counts = self.counts or {}
        repeats = self._repeats([counts.get(text, 0) for text in texts])
        known = np.repeat(np.arange(len(texts), dtype=np.int32), repeats)
        missing = self._repeats([self.n_missing])[0]
        return np.concatenate([known, np.full(missing, -1, dtype=np.int32)])

    def _numbers(self) -> NDArray[np.float64]:
        if self.counts is not None:
            distinct = np.array(sorted(self.counts), dtype=np.float64)
            repeats = self._repeats([self.counts[value] for value in distinct.tolist()])
            known = np.repeat(distinct, repeats)
        elif self._counts_rows():
            known = self.lowest + np.arange(_MANY_NUMBERS, dtype=np.float64)
        else:
            known = np.linspace(self.lowest, self.highest, _MANY_NUMBERS)
            known[1:-1] = np.floor(known[1:-1]) + (0.0 if self.is_whole else 0.5)
        return np.append(known, np.full(self._repeats([self.n_missing])[0], np.nan))

    def _repeats(self, counts: list[int]) -> NDArray[np.int64]:
        """Scale counts down so that the stand-in stays short; what occurs still occurs."""
        total = self.n_known + self.n_missing
        most = max(_MOST_CELLS, _CELLS_PER_VALUE * len(self.counts or ()))
        scaled = np.array(counts, dtype=np.float64)
        if total > most:
            scaled = np.ceil(scaled * (most / total))
        return scaled.astype(np.int64)

    def _counts_rows(self) -> bool:
        """Whether the numbers are whole ones, as many as lie between the lowest and the highest."""
        return (
            self.is_whole and not self.n_missing and self.highest - self.lowest == self.n_known - 1
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain values, ready for JSON."""
        counts = None if self.counts is None else list(self.counts.items())
        return {**vars(self), "kinds": sorted(self.kinds), "counts": counts}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> ColumnSummary:
        """Read a summary written by :meth:`to_dict`."""
        made = cls(**record)
        made.kinds = set(made.kinds)
        made.counts = None if made.counts is None else dict(record["counts"])
        made.declared = None if made.declared is None else tuple(made.declared)
        return made


def _of_texts(column: Texts) -> ColumnSummary:
    rows_of = np.bincount(column.codes + 1, minlength=column.n_distinct + 1)
    n_missing, n_known = int(rows_of[0]), int(rows_of[1:].sum())
    counts: dict[Any, int] | None = None
    if column.n_distinct <= MOST_DISTINCT:
        counts = {}
        for text, rows in zip(column.texts, rows_of[1:].tolist(), strict=True):
            if rows:
                counts[text] = counts.get(text, 0) + rows
    kinds = {"booleans"} if column.boolean else {"texts"} if column.n_distinct else set()
    declared = column.texts if column.declared else None
    return ColumnSummary(kinds, counts, declared, n_known, n_missing)


def _of_numbers(column: Numbers | Dates) -> ColumnSummary:
    cells = column.values if isinstance(column, Numbers) else column.days
    values = cells[~np.isnan(cells)]
    n_known, n_missing = len(values), len(cells) - len(values)
    if not n_known:
        return ColumnSummary(n_missing=n_missing)
    kind = "numbers" if isinstance(column, Numbers) else "dates"
    distinct, rows_of = np.unique(values, return_counts=True)
    counts = None
    if len(distinct) <= MOST_DISTINCT:
        counts = dict(zip(distinct.tolist(), rows_of.tolist(), strict=True))
    is_whole = bool(np.isfinite(distinct[[0, -1]]).all() and (distinct % 1 == 0).all())
    lowest, highest = float(distinct[0]), float(distinct[-1])
    return ColumnSummary({kind}, counts, None, n_known, n_missing, lowest, highest, is_whole)
