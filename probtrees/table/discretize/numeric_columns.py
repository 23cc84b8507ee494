"""The numeric columns of a table, one after the other, as discretisers look at them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.machine.checkpoint import checkpoint
from probtrees.options import Options
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

_HUGE = 1e270
_SHRINK = 2.0**-200
"""A power of two: nothing is rounded."""


class NumericColumn(NamedTuple):
    """The rows in which one column is recorded, by ascending value. What kernels receive.

    Attributes
    ----------
    number : the column's number
    values : float64[n], ascending
    labels : int32[n], the rows' classes
    weights : float64[n], the rows' weights
    n_classes : number of declared classes
    """

    number: int
    values: FloatArray
    labels: NDArray[np.int32]
    weights: FloatArray
    n_classes: int


def numeric_columns(train: Dataset) -> Iterator[NumericColumn]:
    """Sort every numeric column; rows of no weight and missing values are left out."""
    labels = train.labels.astype(np.int32)
    weights = train.row_weights
    for number, column in enumerate(train.schema.features):
        if column.is_nominal:
            continue
        values = np.ascontiguousarray(train.values[:, number])
        rows = np.argsort(values, kind="stable")  # missing values come last
        is_known = ~np.isnan(values) & (weights > 0)
        if not is_known.all():
            rows = rows[is_known[rows]]
        yield NumericColumn(
            number=number,
            values=values[rows],
            labels=labels[rows],
            weights=np.ascontiguousarray(weights[rows], dtype=np.float64),
            n_classes=train.n_classes,
        )


class ColumnCuts(Options, ABC):
    """A method that cuts every numeric column by itself."""

    @abstractmethod
    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""

    def find_cuts(self, train: Dataset) -> Cuts:
        """Find the cut points of every numeric column.

        Very large numbers are made smaller first, so that sums stay finite.
        """
        points: dict[int, FloatArray] = {}
        for column in numeric_columns(train):
            checkpoint(f"cutting numbers, {len(points) + 1:,}")
            if np.abs(column.values).max(initial=0.0) < _HUGE:
                points[column.number] = self.cut(column)
            else:
                found = self.cut(column._replace(values=column.values * _SHRINK)) / _SHRINK
                ends = column.values[0], column.values[-1]
                points[column.number] = np.unique(np.clip(found, *ends))
        return Cuts.noting_missing(train, points)


def between(low: FloatArray, high: FloatArray) -> FloatArray:
    """Put cut points halfway between values, and never on the upper one.

    >>> between(np.array([1.0]), np.array([2.0])).tolist()
    [1.5]
    """
    middle = low + (high - low) / 2
    return np.where(middle < high, middle, low)
