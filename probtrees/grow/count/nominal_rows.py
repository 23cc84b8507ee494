"""Rows of nominal columns as networks count them: whole-number codes, column by column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray


class NominalRows(NamedTuple):
    """What the kernels of networks receive.

    Attributes
    ----------
    codes : int32[n_columns, n_rows]; the class is the last column
    n_values : int64[n_columns], declared categories
    weights : float64[n_rows]
    """

    codes: NDArray[np.int32]
    n_values: IntArray
    weights: FloatArray

    @property
    def n_attributes(self) -> int:
        """Number of columns apart from the class."""
        return int(self.codes.shape[0]) - 1


def nominal_rows(data: Dataset) -> NominalRows:
    """Lay a nominal data set out for counting.

    Raises
    ------
    DataError : if a column is numeric, or a value is missing or outside its categories
    """
    n_values = data.schema.n_values.astype(np.int64)
    for column in np.flatnonzero(n_values == 0).tolist():
        raise DataError(
            f"column={data.schema.names[column]!r} must be nominal for a network. "
            "Cut it into intervals first: see probtrees.table.discretize."
        )
    if data.n_rows == 0:
        raise DataError("rows=0 must be at least 1. A network is learned from rows.")
    # NaN fails both comparisons.
    is_known = (data.values.min(axis=0) >= 0) & (data.values.max(axis=0) < n_values)
    for column in np.flatnonzero(~is_known).tolist():
        raise DataError(
            f"column={data.schema.names[column]!r} must not have missing or unknown values "
            "here. Give missing values a category of their own: see "
            "probtrees.table.cuts.Cuts.noting_missing."
        )
    codes = np.ascontiguousarray(data.values.T, dtype=np.int32)
    return NominalRows(codes, n_values, np.ascontiguousarray(data.row_weights))
