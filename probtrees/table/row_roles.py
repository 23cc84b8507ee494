"""Columns that say something about rows rather than describe them: weight, group, time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.table.findings import Role
from probtrees.table.raw_table import Dates, RawColumn, RawTable, Texts
from probtrees.table.readings.find_reading import find_reading, read_cells
from probtrees.table.readings.reading import ColumnReading
from probtrees.table.repeats import number_rows
from probtrees.types import FloatArray, IntArray

COPIES = "copies of earlier rows"
"""Why rows are left out that repeat another one in every cell."""


@dataclass(frozen=True)
class RowRoles:
    """Weights and times (NaN where missing) and groups of all rows; None where not given."""

    weights: FloatArray | None = None
    groups: IntArray | None = None
    times: FloatArray | None = None

    def kept_and_dropped(
        self,
        n_rows: int,
        class_missing: NDArray[np.bool_] | None,
        again: NDArray[np.bool_] | None = None,
    ) -> tuple[NDArray[np.bool_], dict[str, int]]:
        """Find the rows to learn from, and count the others by the first reason that applies.

        ``again`` are copies that are to be left out.
        """
        reasons = {}
        if class_missing is not None:
            reasons["no class"] = class_missing
        if self.weights is not None:
            reasons["no weight"] = ~(self.weights > 0)
        if self.times is not None:
            reasons["no time"] = np.isnan(self.times)
        if again is not None:
            reasons[COPIES] = again
        kept = np.ones(n_rows, dtype=np.bool_)
        dropped = {}
        for reason, applies in reasons.items():
            if count := int((applies & kept).sum()):
                dropped[reason] = count
            kept &= ~applies
        return kept, dropped


def row_roles(raw: RawTable, roles: Mapping[str, Role]) -> RowRoles:
    """Read the columns with the roles weight, group and time."""
    by_role = {role: raw.columns.get(name) for name, role in roles.items()}
    name_of = {role: name for name, role in roles.items()}
    weight, group, time = (by_role.get(role) for role in ("weight", "group", "time"))
    return RowRoles(
        None if weight is None else _weights(weight, name_of["weight"], raw.decimal),
        None if group is None else _groups(group.as_texts()),
        None if time is None else _times(time, name_of["time"], raw.decimal),
    )


def _weights(column: RawColumn, name: str, decimal: str) -> FloatArray:
    weights, unread = _read(column, decimal, "numeric")
    wrong = unread | (weights < 0) | np.isinf(weights)
    _refuse(wrong, column, name, "a weight of at least 0")
    return weights


def _times(column: RawColumn, name: str, decimal: str) -> FloatArray:
    """Read a time: dates as days since 1970-01-01, numbers as they are."""
    times, unread = _read(column, decimal)
    _refuse(unread, column, name, "a date or a number")
    return times


def _read(column: RawColumn, decimal: str, kind: str = "") -> tuple[FloatArray, NDArray[np.bool_]]:
    """Read numbers or days, and tell which cells are neither; words for no value are missing."""
    reading = ColumnReading()
    if isinstance(column, Texts):
        found = find_reading(column, decimal, kind).reading
        reading = found or find_reading(column, decimal, "date").reading or reading
    return read_cells(column, reading, decimal=decimal)


def _refuse(wrong: NDArray[np.bool_], column: RawColumn, name: str, what: str) -> None:
    if wrong.any():
        row = int(wrong.argmax())
        raise DataError(
            f"{name!r}={column.cell(row)!r} in row {row + 1} must be {what}. Correct the cell, or "
            "give the column another role."
        )


def _groups(column: Texts) -> IntArray:
    """Count off the groups; a row whose group is missing is a group of its own."""
    groups = column.codes.astype(np.int64)
    alone = np.flatnonzero(groups < 0)
    groups[alone] = column.n_distinct + np.arange(len(alone))
    return groups


def repeats_earlier(raw: RawTable) -> NDArray[np.bool_]:
    """Say which rows repeat an earlier one in every cell that was read."""
    again = np.ones(raw.n_rows, dtype=np.bool_)
    contents = identities_of(raw, raw.names)
    if contents is not None:
        again[np.unique(contents, return_index=True)[1]] = False
    return again


def identities_of(
    raw: RawTable, names: Sequence[str], rows: NDArray[np.intp] | None = None
) -> IntArray | None:
    """Count off whose rows they are by the columns that say so; None where none does.

    Parameters
    ----------
    rows : those to look at; None: all
    """
    taken = slice(None) if rows is None else rows
    found = []
    for name in names:
        column = raw.columns.get(name)
        if isinstance(column, Texts):
            found.append(column.codes[taken].astype(np.float64))
        elif column is not None:
            found.append((column.days if isinstance(column, Dates) else column.values)[taken])
    return number_rows(np.column_stack(found)) if found else None
