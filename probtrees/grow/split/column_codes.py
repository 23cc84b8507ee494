"""Columns as small whole numbers: categories as they are, numbers as ranks.

Growing a tree needs the order of a column's values, never the values themselves, until a
threshold is placed. Ranking every numeric column once replaces all sorting of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.machine.lazy_module import LazyModule
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray

pandas = LazyModule("pandas")

CodeArray = NDArray[np.int32]

_MISSING = -1
"""The code of a missing value before that is the number of codes, as pandas has it."""

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
    for first in range(0, n_features, _COLUMNS_AT_ONCE):
        block = np.ascontiguousarray(data.values[:, first : first + _COLUMNS_AT_ONCE].T)
        for number, values in enumerate(block[: n_features - first], start=first):
            if nominal[number]:
                # A category the schema does not know is as good as missing.
                codes[number] = np.where(values >= 0.0, values, _MISSING)
                distinct.append(np.empty(0))
            else:
                codes[number], ascending = pandas.factorize(values, sort=True)
                distinct.append(np.asarray(ascending))
                n_codes[number] = distinct[number].shape[0]
            is_missing = codes[number] == _MISSING
            has_missing[number] = is_missing.any()
            if has_missing[number]:
                codes[number, is_missing] = n_codes[number]
    return ColumnCodes(codes, n_codes, tuple(distinct), nominal, has_missing)
