"""The first look through a whole table: types, categories, missing values, rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.scale.passes.column_summary import ColumnSummary
from probtrees.table.encode import row_roles
from probtrees.table.findings import Finding, Role
from probtrees.table.infer.plan import TablePlan, plan_table
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions


@dataclass
class TableScan:
    """What was seen of a table, column by column; scans of parts merge into that of the whole.

    Attributes
    ----------
    options : what the user said about the columns
    columns : a summary by column
    missing : cells without a value by column, among the rows that can be learnt from
    stretch_rows : rows of every stretch of the table, by number, see :class:`.file_parts.FilePart`
    n_rows : rows that can be learnt from
    dropped : rows that cannot, by the first reason that applies
    heaviest : the largest weight of a row
    decimal : the decimal mark of the text
    """

    options: ReadOptions
    columns: dict[str, ColumnSummary] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    stretch_rows: dict[int, int] = field(default_factory=dict)
    n_rows: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    heaviest: float = 1.0
    decimal: str = "."

    def fresh(self) -> TableScan:
        """Begin again with no rows."""
        return TableScan(self.options)

    def update(self, stretch: int, raw: RawTable) -> None:
        """Add the rows of a chunk."""
        for name, column in raw.columns.items():
            raw.columns[name] = column.without(self.options.missing_for(name))
        self._merge_decimal(raw.decimal)
        self.stretch_rows[stretch] = self.stretch_rows.get(stretch, 0) + raw.n_rows
        found = row_roles(raw, self.options.roles)
        target = self.options.target_name(raw.names)
        stated = None if self._is_never_missing(target) else raw.columns.get(target or "")
        is_missing = None if stated is None else stated.missing
        kept, dropped = found.kept_and_dropped(raw.n_rows, is_missing)
        self._count_rows(kept, dropped)
        if found.weights is not None and kept.any():
            self.heaviest = max(self.heaviest, float(found.weights[kept].max()))
        all_kept = bool(kept.all())
        for name, column in raw.columns.items():
            seen = self.columns.setdefault(name, ColumnSummary())
            before = seen.n_missing
            seen.update(column)
            # Masks are made only where rows are left out: this loop meets every cell.
            absent = seen.n_missing - before if all_kept else int((column.missing & kept).sum())
            self.missing[name] = self.missing.get(name, 0) + absent

    def _count_rows(self, kept: NDArray[np.bool_], dropped: Mapping[str, int]) -> None:
        self.n_rows += int(kept.sum())
        _add(self.dropped, dropped)

    def _is_never_missing(self, target: str | None) -> bool:
        """Whether somebody said what empty cells of the target are."""
        steps = (
            s for s in self.options.steps if (s["step"], s.get("column")) == ("recode", target)
        )
        return any("" in step["values"] for step in steps)

    def _merge_decimal(self, other: str) -> None:
        """Let the comma be the decimal mark of all where it is that of some."""
        self.decimal = max(self.decimal, other, key=(".", ",").index)

    def merge(self, other: TableScan) -> None:
        """Add what another scan has seen."""
        for name, summary in other.columns.items():
            self.columns.setdefault(name, ColumnSummary()).merge(summary)
        _add(self.missing, other.missing)
        _add(self.stretch_rows, other.stretch_rows)
        _add(self.dropped, other.dropped)
        self.n_rows += other.n_rows
        self.heaviest = max(self.heaviest, other.heaviest)
        self._merge_decimal(other.decimal)

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

    def to_dict(self) -> dict[str, Any]:
        """Return the scan as plain values, ready for JSON."""
        return {
            "columns": {name: seen.to_dict() for name, seen in self.columns.items()},
            "missing": self.missing,
            "stretch_rows": {str(n): rows for n, rows in self.stretch_rows.items()},
            "n_rows": self.n_rows,
            "dropped": self.dropped,
            "heaviest": self.heaviest,
            "decimal": self.decimal,
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], options: ReadOptions) -> TableScan:
        """Read a scan written by :meth:`to_dict`."""
        columns = record["columns"].items()
        return cls(
            options,
            {name: ColumnSummary.from_dict(seen) for name, seen in columns},
            dict(record["missing"]),
            {int(n): int(rows) for n, rows in record["stretch_rows"].items()},
            int(record["n_rows"]),
            dict(record["dropped"]),
            float(record["heaviest"]),
            str(record.get("decimal", ".")),
        )


def _add(counts: dict[Any, int], more: Mapping[Any, int]) -> None:
    for name, count in more.items():
        counts[name] = counts.get(name, 0) + count


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
