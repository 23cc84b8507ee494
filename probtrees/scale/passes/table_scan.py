"""The first look through a whole table: types, categories, missing values, rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.scale.passes.column_summary import ColumnSummary
from probtrees.scale.passes.statistic import Arrays, Counted, RowForm, Statistic
from probtrees.table.encode import row_roles
from probtrees.table.findings import Finding, Role
from probtrees.table.infer.plan import TablePlan, plan_table
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions


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
        kept, dropped = found.kept_and_dropped(raw.n_rows, is_missing)
        self.n_rows += int(kept.sum())
        self.dropped.update(dropped)
        if found.weights is not None and kept.any():
            self.heaviest = max(self.heaviest, float(found.weights[kept].max()))
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
        steps = (
            s for s in self.options.steps if (s["step"], s.get("column")) == ("recode", target)
        )
        return any("" in step["values"] for step in steps)

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
        record = json.loads(kept["utf8"].tobytes())
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
        "ignored.",
        "Group its values to use it; if it holds numbers, empty the cells that hold words.",
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
