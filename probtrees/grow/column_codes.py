"""Columns as small whole numbers: categories as they are, numbers as ranks.

Growing a tree needs the order of a column's values, never the values themselves, until a
threshold is placed. Ranking every numeric column once replaces all sorting of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.dataset import Dataset
from probtrees.grow import _column_codes_kernels as kernels

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int32]

_FEW_ENOUGH = 1024
"""So many distinct values are always looked for before a column is sorted instead."""


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
    n_codes: NDArray[np.int64]
    distinct: tuple[FloatArray, ...]
    nominal: NDArray[np.bool_]
    has_missing: NDArray[np.bool_]


def encode_columns(data: Dataset) -> ColumnCodes:
    """Encode every feature of a table."""
    features = data.schema.features
    n_features = len(features)
    codes = np.empty((n_features, data.n_rows), dtype=np.int32)
    n_codes = np.empty(n_features, dtype=np.int64)
    has_missing = np.empty(n_features, dtype=np.bool_)
    distinct: list[FloatArray] = []
    room = min(data.n_rows, max(_FEW_ENOUGH, data.n_rows // 8))
    met = np.empty(room)
    slots = np.empty(1 << (2 * room).bit_length(), dtype=np.int32)
    values = np.ascontiguousarray(data.values)
    bits = values.view(np.int64)
    for number, column in enumerate(features):
        if column.is_nominal:
            # A category the schema does not know is as good as missing.
            categories = values[:, number]
            codes[number] = np.where(categories >= 0.0, categories, kernels.MISSING_CODE)
            distinct.append(np.empty(0))
            n_codes[number] = column.n_values
        else:
            n_met = kernels.number_values(values, bits, number, codes[number], met, slots)
            if n_met == kernels.TOO_MANY:
                ascending = _rank_by_sorting(values[:, number], codes[number])
            else:
                ascending = _rank_by_number(met[:n_met], codes[number])
            distinct.append(ascending)
            n_codes[number] = ascending.shape[0]
        is_missing = codes[number] == kernels.MISSING_CODE
        has_missing[number] = is_missing.any()
        if has_missing[number]:
            codes[number, is_missing] = n_codes[number]
    nominal = np.array([column.is_nominal for column in features], dtype=np.bool_)
    return ColumnCodes(codes, n_codes, tuple(distinct), nominal, has_missing)


def _rank_by_number(met: FloatArray, codes: CodeArray) -> FloatArray:
    """Turn numbers in order of meeting into ranks, in place; return the ascending values."""
    order = np.argsort(met)
    ranks = np.empty(met.shape[0] + 1, dtype=np.int32)
    ranks[order] = np.arange(met.shape[0], dtype=np.int32)
    ranks[-1] = kernels.MISSING_CODE
    # The code of a missing value, -1, picks the last entry.
    np.take(ranks, codes, out=codes, mode="wrap")
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
    return ascending[is_new]
