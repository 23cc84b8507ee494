"""Raw rows straight to the codes that networks count, without the table of numbers between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.scale.passes import _cell_counts_kernels as kernels
from probtrees.scale.passes.table_scan import usable_rows
from probtrees.table.cells.encode import encode_column
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Column, Schema
from probtrees.table.row_roles import RowRoles

_NO_CODE = -1


def code_rows(raw: RawTable, schema: Schema, cuts: Cuts, found: RowRoles) -> NominalRows:
    """Lay raw rows out for counting, numbers cut; rows that cannot be learnt from are left out.

    The result is that of ``nominal_rows(cuts.apply(encoded rows))``.
    """
    cut_schema = cuts.apply_to_schema(schema)
    codes = np.empty((schema.n_columns, raw.n_rows), dtype=np.int32)
    for number, column in enumerate(schema.columns):
        missing = cut_schema.columns[number].n_values - 1 if number in cuts.not_recorded else None
        _code_column(raw, column, cuts.points.get(number), missing, codes[number])
    kept, _ = usable_rows(raw.n_rows, codes[-1] == _NO_CODE, found)
    weights = np.ones(raw.n_rows) if found.weights is None else found.weights
    if not kept.all():
        codes, weights = np.ascontiguousarray(codes[:, kept]), weights[kept]
    _check(codes, cut_schema)
    return NominalRows(codes, cut_schema.n_values.astype(np.int64), np.ascontiguousarray(weights))


def _code_column(
    raw: RawTable,
    column: Column,
    points: NDArray[np.float64] | None,
    missing: int | None,
    codes: NDArray[np.int32],
) -> None:
    """Write the codes of one column; ``missing`` is that of a missing value, if it has one."""
    encoded = encode_column(raw.columns[column.source_name], column, raw.decimal)
    if encoded.table is None:
        codes[:] = _code_numbers(encoded.values, points, missing)
    else:
        of_value = _code_numbers(encoded.table, points, missing)
        kernels.translate(encoded.values, of_value, codes)


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
