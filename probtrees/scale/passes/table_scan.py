"""The first look through a whole table: types, categories, missing values, rows.

What is remembered of a column is enough to decide its type as if it had been read whole. Summaries
of parts merge into the summary of the whole, whatever the order: values are counted while they are
few, and only their range and nature is kept once there are many.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.scale.passes.statistic import Arrays, Counted, RowForm, Statistic, fitting
from probtrees.table.encode import row_roles, rows_to_learn_from
from probtrees.table.findings import Finding, Role
from probtrees.table.infer.plan import TablePlan, plan_table
from probtrees.table.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.read_options import ReadOptions

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


def _of_numbers(column: Numbers) -> ColumnSummary:
    cells = column.values
    values = cells[~np.isnan(cells)]
    n_known, n_missing = len(values), len(cells) - len(values)
    if not n_known:
        return ColumnSummary(n_missing=n_missing)
    kind = "dates" if isinstance(column, Dates) else "numbers"
    distinct, rows_of = np.unique(values, return_counts=True)
    counts = None
    if len(distinct) <= MOST_DISTINCT:
        counts = dict(zip(distinct.tolist(), rows_of.tolist(), strict=True))
    is_whole = bool(np.isfinite(distinct[[0, -1]]).all() and (distinct % 1 == 0).all())
    lowest, highest = float(distinct[0]), float(distinct[-1])
    return ColumnSummary({kind}, counts, None, n_known, n_missing, lowest, highest, is_whole)


@dataclass
class TableScan(Statistic):
    """What was seen of a table, column by column; scans of parts merge into that of the whole.

    Attributes
    ----------
    options : what the user said about the columns
    columns : a summary by column
    missing : cells without a value by column, among the rows that can be learnt from
    stretch_rows : rows of every file or partition, by number
    n_rows : rows that can be learnt from
    dropped : rows that cannot, by the first reason that applies
    heaviest : the largest weight of a row
    decimal : the decimal mark of the text
    """

    options: ReadOptions
    columns: dict[str, ColumnSummary] = field(default_factory=dict)
    missing: Counter[str] = field(default_factory=Counter)
    stretch_rows: Counter[int] = field(default_factory=Counter)
    n_rows: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    heaviest: float = 1.0
    decimal: str = "."

    def update(self, chunk: tuple[int, RawTable]) -> None:
        """Add the rows of a chunk, which comes with the number of its stretch."""
        stretch, raw = chunk
        for name, column in raw.columns.items():
            raw.columns[name] = column.without(self.options.missing_for(name))
        self.decimal = _decimal_mark(self.decimal, raw.decimal)
        self.stretch_rows[stretch] += raw.n_rows
        found = row_roles(raw, self.options.roles)
        target = self.options.target_name(raw.names)
        stated = None if self._is_never_missing(target) else raw.columns.get(target or "")
        is_missing = None if stated is None else stated.missing
        kept, dropped = rows_to_learn_from(found, raw.n_rows, is_missing)
        self.n_rows += int(kept.sum())
        self.dropped.update(dropped)
        if "weights" in found and kept.any():
            self.heaviest = max(self.heaviest, float(found["weights"][kept].max()))
        all_kept = bool(kept.all())
        for name, column in raw.columns.items():
            seen = self.columns.setdefault(name, ColumnSummary())
            before = seen.n_missing
            seen.update(column)
            # Masks are made only where rows are left out: this loop meets every cell.
            absent = seen.n_missing - before if all_kept else int((column.missing & kept).sum())
            self.missing[name] += absent

    def _is_never_missing(self, target: str | None) -> bool:
        """Whether somebody said what empty cells of the target are."""
        recoded = [step for step in self.options.steps if step["step"] == "recode"]
        return any("" in step["values"] for step in recoded if step["column"] == target)

    def merge(self, other: TableScan) -> None:
        """Add what another scan has seen."""
        for name, summary in other.columns.items():
            self.columns.setdefault(name, ColumnSummary()).merge(summary)
        self.missing.update(other.missing)
        self.stretch_rows.update(other.stretch_rows)
        self.dropped.update(other.dropped)
        self.n_rows += other.n_rows
        self.heaviest = max(self.heaviest, other.heaviest)
        self.decimal = _decimal_mark(self.decimal, other.decimal)

    @property
    def in_conflict(self) -> tuple[str, ...]:
        """Columns that were read as numbers here and as texts there."""
        return tuple(name for name, seen in self.columns.items() if len(seen.kinds) > 1)

    def plan(self, names: tuple[str, ...], where: str) -> TablePlan:
        """Decide role and type of every column as if the table had been read whole.

        Columns of too many different texts are left out as identifiers.
        """
        columns, options = {}, self.options
        left_out = []
        for name, seen in self.columns.items():
            if seen.kinds <= {"texts"} and seen.counts is None and seen.declared is None:
                if options.roles.get(name) in ("group", "time", "weight"):
                    continue
                _refuse_many(name, options, names)
                left_out.append(name)
            else:
                columns[name] = seen.stand_in()
        ignored: dict[str, Role] = dict.fromkeys(left_out, "ignore")
        options = replace(options, roles={**options.roles, **ignored})
        n_rows = sum(self.stretch_rows.values())
        raw = RawTable(columns, n_rows, names, self.decimal)
        plan = plan_table(raw, options, where)
        notes = tuple(_note_many(name) for name in left_out)
        return TablePlan(plan.columns, (*plan.findings, *notes))

    def arrays(self) -> Arrays:
        """Return the scan as JSON: as bytes, since an array of text takes four for every letter."""
        record = {name: value for name, value in vars(self).items() if name != "options"}
        record["columns"] = {name: seen.to_dict() for name, seen in self.columns.items()}
        record["stretch_rows"] = list(self.stretch_rows.items())
        return {"utf8": np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)}

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        record = json.loads(fitting(kept, "utf8", np.empty(0, dtype=np.uint8)).tobytes())
        vars(self).update(record, stretch_rows=dict(record["stretch_rows"]))
        self.columns = {n: ColumnSummary.from_dict(seen) for n, seen in record["columns"].items()}


def _decimal_mark(one: str, other: str) -> str:
    """Let the comma be the decimal mark of all where it is that of some."""
    return max(one, other, key=(".", ",").index)


def _refuse_many(name: str, options: ReadOptions, names: tuple[str, ...]) -> None:
    wanted = options.roles.get(name) == "feature" or name in options.types
    if wanted or name == options.target_name(names):
        raise DataError(
            f"column={name!r} has too many different texts to be categories when a table is read "
            "in chunks. Group them, or give the column the role 'ignore'."
        )


def _note_many(name: str) -> Finding:
    return Finding(
        name,
        None,
        f"Column {name!r} has so many different texts that it looks like an identifier; it is "
        "ignored. Group its values to use it; if it holds numbers, empty cells that hold words.",
        "warning",
        kind="identifier",
    )


def as_spelled(options: ReadOptions, names: tuple[str, ...]) -> ReadOptions:
    """Ask for some columns to be read as they are spelled."""
    spelled = dict.fromkeys(names, "text")
    return replace(options, types={**options.types, **spelled})


@dataclass(frozen=True)
class RawForm(RowForm):
    """Rows as they are written, with the number of their stretch: for the first look."""

    options: ReadOptions

    def read(self, table: Any, part: Any) -> Iterator[Counted]:
        """Yield the rows of a part, some at a time."""
        for _, raw in table.reader.read(part, self.options):
            yield raw.n_rows, (part.stretch, raw)
