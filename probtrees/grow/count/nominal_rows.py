"""Rows as learners count them: codes column by column, and parts of like classes."""

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


def deal_rows(data: Dataset, n_parts: int, seed: int) -> IntArray:
    """Give every row the number of a part, in random order but evenly within each class.

    Rows of one group stay together; then the parts are even in groups only. Classes and groups
    take turns as they appear among the rows, so that their codes do not matter.

    >>> from probtrees.table.dataset import Column, Schema
    >>> data = Dataset(Schema((Column("y", ("a", "b")),)), np.array([[0.0]] * 4 + [[1.0]] * 2))
    >>> np.bincount(deal_rows(data, 2, seed=0)).tolist()
    [3, 3]
    """
    random = np.random.default_rng(seed)
    if data.groups is not None:
        group_of = numbered_by_appearance(data.groups)
        return (random.permutation(int(group_of.max(initial=-1)) + 1) % n_parts)[group_of]
    shuffled = random.permutation(data.n_rows)
    class_of = numbered_by_appearance(data.labels)
    by_class = shuffled[np.argsort(class_of[shuffled], kind="stable")]
    parts = np.empty(data.n_rows, dtype=np.int64)
    parts[by_class] = np.arange(data.n_rows) % n_parts
    return parts


def numbered_by_appearance(codes: IntArray) -> IntArray:
    """Give the first code met the number 0, the next new one 1, and so on.

    >>> numbered_by_appearance(np.array([7, 3, 7, 5])).tolist()
    [0, 1, 0, 2]
    """
    _, first, code_of = np.unique(codes, return_index=True, return_inverse=True)
    numbers = np.argsort(np.argsort(first))
    return np.asarray(numbers[code_of], dtype=np.int64)
