"""Raw rows straight to the codes that networks count, without the table of numbers between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.code_table import CodeTable
from probtrees.cuts import Cuts
from probtrees.dataset import Column, Schema
from probtrees.errors import DataError
from probtrees.prepare.encode import encode_column
from probtrees.prepare.raw_table import RawTable
from probtrees.prepare.row_roles import RowRoles
from probtrees.scale.scan import usable_rows

_NO_CODE = -1


def code_rows(raw: RawTable, schema: Schema, cuts: Cuts, found: RowRoles) -> CodeTable:
    """Lay raw rows out for counting, numbers cut; rows that cannot be learnt from are left out.

    The result is that of ``code_table(cuts.apply(encoded rows))``.
    """
    cut_schema = cuts.apply_to_schema(schema)
    codes = np.empty((schema.n_columns, raw.n_rows), dtype=np.int32)
    for number, column in enumerate(schema.columns):
        missing = cut_schema.columns[number].n_values - 1 if number in cuts.not_recorded else None
        codes[number] = _code_column(raw, column, cuts.points.get(number), missing)
    kept, _ = usable_rows(raw.n_rows, codes[-1] == _NO_CODE, found)
    weights = np.ones(raw.n_rows) if found.weights is None else found.weights
    if not kept.all():
        codes, weights = np.ascontiguousarray(codes[:, kept]), weights[kept]
    _check(codes, cut_schema)
    return CodeTable(codes, cut_schema.n_values.astype(np.int64), np.ascontiguousarray(weights))


def _code_column(
    raw: RawTable, column: Column, points: NDArray[np.float64] | None, missing: int | None
) -> NDArray[np.int32]:
    """Code one column; ``missing`` is the code of a missing value, if that has one."""
    encoded = encode_column(raw.columns[column.source_name], column, raw.decimal)
    if encoded.table is None:
        return _code_numbers(encoded.values, points, missing)
    of_value = _code_numbers(encoded.table, points, missing)
    # Code -1 stands for a missing value, which the table lists first and this one last.
    moved: NDArray[np.int32] = np.append(of_value[1:], of_value[:1])[encoded.values]
    return moved


def _code_numbers(
    values: NDArray[np.float64], points: NDArray[np.float64] | None, missing: int | None
) -> NDArray[np.int32]:
    is_missing = np.isnan(values)
    if points is None:
        found = np.where(is_missing, _NO_CODE, values).astype(np.int32)
    else:
        found = np.searchsorted(points, values, side="left").astype(np.int32)
    found[is_missing] = _NO_CODE if missing is None else missing
    return found


def _check(codes: NDArray[np.int32], schema: Schema) -> None:
    """Refuse values that the scan of the same rows has not met."""
    if codes.shape[1] == 0:
        return
    for number in np.flatnonzero(codes.min(axis=1) < 0).tolist():
        raise DataError(
            f"column={schema.names[number]!r} must not change between two passes; it has a value "
            "that was not there before. Leave the files alone while a model is grown."
        )
