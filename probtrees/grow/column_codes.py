"""Columns as small whole numbers: categories as they are, numbers as ranks.

Growing a tree needs the order of a column's values, never the values themselves, until a
threshold is placed. Ranking every numeric column once replaces all sorting in the nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.dataset import Dataset

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int32]


@dataclass(frozen=True)
class ColumnCodes:
    """The features of a table as codes.

    Attributes
    ----------
    codes : int32[n_features, n_rows]; a missing value has the code ``n_codes`` of its column
    n_codes : int32[n_features], declared categories or distinct values
    distinct : the distinct values of each numeric column, ascending; empty where nominal
    has_missing : bool[n_features]
    """

    codes: CodeArray
    n_codes: CodeArray
    distinct: tuple[FloatArray, ...]
    has_missing: NDArray[np.bool_]


def encode_columns(data: Dataset) -> ColumnCodes:
    """Encode every feature of a table."""
    features = data.schema.features
    codes = np.empty((len(features), data.n_rows), dtype=np.int32)
    n_codes = np.zeros(len(features), dtype=np.int32)
    has_missing = np.zeros(len(features), dtype=np.bool_)
    distinct: list[FloatArray] = []
    for number, column in enumerate(features):
        values = np.ascontiguousarray(data.values[:, number])
        if column.is_nominal:
            n_codes[number] = column.n_values
            known = values >= 0.0
            distinct.append(np.empty(0))
        else:
            known = ~np.isnan(values)
        has_missing[number] = not known.all()
        kept = values[known] if has_missing[number] else values
        if column.is_nominal:
            ranks = kept.astype(np.int32)
        else:
            ranks, values_met = _rank(kept)
            n_codes[number] = values_met.shape[0]
            distinct.append(values_met)
        if has_missing[number]:
            codes[number] = n_codes[number]
            codes[number, known] = ranks
        else:
            codes[number] = ranks
    return ColumnCodes(codes, n_codes, tuple(distinct), has_missing)


def _rank(values: FloatArray) -> tuple[CodeArray, FloatArray]:
    """Replace numbers by their rank among the distinct ones; equal numbers share a rank."""
    if values.shape[0] == 0:
        return np.empty(0, dtype=np.int32), np.empty(0)
    lowest = values.min()
    span = values.max() - lowest
    if span <= 4.0 * values.shape[0]:
        offsets = (values - lowest).astype(np.int64)
        if np.array_equal(offsets + lowest, values):
            return _rank_whole_numbers(offsets, lowest)
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    is_new = np.empty(values.shape[0], dtype=np.bool_)
    is_new[0] = True
    np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
    ranks = np.empty(values.shape[0], dtype=np.int32)
    ranks[order] = np.cumsum(is_new) - 1
    return ranks, ascending[is_new]


def _rank_whole_numbers(
    offsets: NDArray[np.int64], lowest: np.float64
) -> tuple[CodeArray, FloatArray]:
    """Rank whole numbers within a short range without sorting them."""
    met = np.zeros(int(offsets.max()) + 1, dtype=np.bool_)
    met[offsets] = True
    ranks = (np.cumsum(met) - 1).astype(np.int32)[offsets]
    return ranks, np.flatnonzero(met) + lowest
