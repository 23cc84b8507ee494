"""Columns as small whole numbers: categories as they are, numbers as ranks.

Growing a tree needs the order of a column's values, never the values themselves, until a
threshold is placed. Ranking every numeric column once replaces all sorting of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.split import _c45_kernels as kernels
from probtrees.machine.uncompiled import runnable
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray

CodeArray = NDArray[np.int32]

_FEW_ENOUGH = 1024
"""So many distinct values are always looked for before a column is sorted instead."""

_COLUMNS_AT_ONCE = 32
"""Columns turned into contiguous pieces together, to pass over the table's rows less often."""


@dataclass(frozen=True)
class ColumnCodes:
    """The features of a table as codes.

    Attributes
    ----------
    codes : int32[n_features, n_rows]; a missing value has the code ``n_codes`` of its column
    n_codes : int64[n_features], declared categories or distinct values
    distinct : the distinct values of each numeric column, ascending; empty where nominal
    nominal, has_missing : bool[n_features]
    """

    codes: CodeArray
    n_codes: IntArray
    distinct: tuple[FloatArray, ...]
    nominal: NDArray[np.bool_]
    has_missing: NDArray[np.bool_]


def encode_columns(data: Dataset) -> ColumnCodes:
    """Encode every feature of a table."""
    features = data.schema.features
    n_features = len(features)
    codes = np.empty((n_features, data.n_rows), dtype=np.int32)
    n_codes = np.array([column.n_values for column in features], dtype=np.int64)
    nominal = np.array([column.is_nominal for column in features], dtype=np.bool_)
    has_missing = np.empty(n_features, dtype=np.bool_)
    distinct: list[FloatArray] = []
    room = min(data.n_rows, max(_FEW_ENOUGH, data.n_rows // 8))
    met = np.empty(room)
    slots = np.empty(1 << (2 * room).bit_length(), dtype=np.int32)
    for first in range(0, n_features, _COLUMNS_AT_ONCE):
        block = np.ascontiguousarray(data.values[:, first : first + _COLUMNS_AT_ONCE].T)
        for number, values in enumerate(block[: n_features - first], start=first):
            if nominal[number]:
                # A category the schema does not know is as good as missing.
                codes[number] = np.where(values >= 0.0, values, kernels.MISSING_CODE)
                distinct.append(np.empty(0))
            else:
                distinct.append(_rank(values, codes[number], met, slots))
                n_codes[number] = distinct[number].shape[0]
            is_missing = codes[number] == kernels.MISSING_CODE
            has_missing[number] = is_missing.any()
            if has_missing[number]:
                codes[number, is_missing] = n_codes[number]
    return ColumnCodes(codes, n_codes, tuple(distinct), nominal, has_missing)


def _rank(
    values: FloatArray, codes: CodeArray, met: FloatArray, slots: NDArray[np.int32]
) -> FloatArray:
    """Write the ranks of numbers into ``codes``; return the distinct numbers, ascending."""
    number_values = runnable(kernels.number_values)
    n_met = number_values(values, values.view(np.int64), codes, met, slots)
    if n_met == kernels.TOO_MANY:
        return _rank_by_sorting(values, codes)
    return _rank_by_number(met[:n_met], codes)


def _rank_by_number(met: FloatArray, codes: CodeArray) -> FloatArray:
    """Turn numbers in order of meeting into ranks, in place; return the ascending values."""
    order = np.argsort(met)
    ranks = np.empty(met.shape[0] + 1, dtype=np.int32)
    ranks[order] = np.arange(met.shape[0], dtype=np.int32)
    ranks[-1] = kernels.MISSING_CODE
    # The code of a missing value, -1, picks the last entry.
    codes[:] = ranks[codes]
    return met[order]


def _rank_by_sorting(values: FloatArray, codes: CodeArray) -> FloatArray:
    """Rank numbers, most of them different, in place; return the ascending distinct ones."""
    order = np.argsort(values)
    ascending = values[order]
    n_known = int(np.searchsorted(ascending, np.nan))
    codes[order[n_known:]] = kernels.MISSING_CODE
    ascending = ascending[:n_known]
    is_new = np.append(True, ascending[1:] != ascending[:-1])
    codes[order[:n_known]] = np.cumsum(is_new) - 1
    return np.compress(is_new, ascending)
