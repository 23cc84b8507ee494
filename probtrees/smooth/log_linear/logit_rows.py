"""Rows that a logit is fitted to, in the orders in which their features are looked at.

Features that are 0 in most rows, such as the nodes of a tree, are kept as lists of those that are
not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.machine.lazy_module import sparse as matrices
from probtrees.types import FloatArray, IntArray

COMMON = 5
"""A sparse feature that one of so many rows has, or more, is common and kept like a dense one."""


class SparseRows(NamedTuple):
    """Features that are 0 in most rows.

    Row i has the features ``feature[first[i]:first[i + 1]]`` with the values at the same places.
    """

    first: IntArray
    feature: NDArray[np.int32]
    value: FloatArray


@dataclass(frozen=True)
class LogitRows:
    """Rows to fit a logit to.

    Attributes
    ----------
    sparse, n_sparse : features that are 0 in most rows, and how many there are
    dense : float64[n_rows, n_dense], the others
    counts : float64[n_rows, n_outcomes], how often each outcome happened in a row
    """

    sparse: SparseRows
    n_sparse: int
    dense: FloatArray
    counts: FloatArray

    @property
    def n_features(self) -> int:
        """Number of features of both kinds."""
        return self.n_sparse + int(self.dense.shape[1])

    @cached_property
    def tables(self) -> tuple[NDArray[Any], ...]:
        """Rows as scores are made of them: rare features by row and by feature, and the rest.

        Common are dense features and the sparse ones that many rows have: adding up lines is
        faster than looking many of their entries up.
        """
        sparse, n_rows = self.sparse, self.counts.shape[0]
        met = np.bincount(sparse.feature, minlength=self.n_sparse) * COMMON > n_rows
        chosen = np.flatnonzero(met)
        common = np.concatenate([chosen, np.arange(self.n_sparse, self.n_features)])
        table = self.dense
        if chosen.size > 0:
            moved = met[sparse.feature]
            place = (np.cumsum(met) - 1)[sparse.feature]
            place += np.repeat(np.arange(n_rows) * common.size, np.diff(sparse.first))
            table = np.zeros((n_rows, common.size))
            table.reshape(-1)[place[moved]] = sparse.value[moved]
            table[:, chosen.size :] = self.dense
            first = np.concatenate([[0], np.cumsum(~moved)])[sparse.first]
            sparse = SparseRows(first, sparse.feature[~moved], sparse.value[~moved])
        turned = np.ascontiguousarray(table.T)
        return (*sparse, *self._by_feature(sparse), common, table, turned, self.counts)

    @cached_property
    def tables_in_32_bits(self) -> tuple[NDArray[Any], ...]:
        """The same with half the digits, for twice the speed."""
        return tuple(t.astype(np.float32) if t.dtype == np.float64 else t for t in self.tables)

    @cached_property
    def weights(self) -> FloatArray:
        """float64[n_rows]: how often every row counts."""
        return np.asarray(self.counts.sum(axis=1))

    def _by_feature(self, listed: SparseRows) -> tuple[NDArray[Any], ...]:
        """List sparse features by feature: first, row, value."""
        shape = (len(listed.first) - 1, self.n_sparse)
        turned = matrices.csr_matrix((listed.value, listed.feature, listed.first), shape).tocsc()
        return turned.indptr.astype(np.int64), turned.indices.astype(np.int32), turned.data

    @cached_property
    def used(self) -> IntArray:
        """The features that some row has, by number; no other can tell rows apart."""
        met = np.bincount(self.sparse.feature, minlength=self.n_sparse) > 0
        return np.concatenate([np.flatnonzero(met), np.arange(self.n_sparse, self.n_features)])

    def of_used(self) -> LogitRows:
        """Return the same rows with the features that some row has, numbered anew."""
        n_sparse = self.used.size - int(self.dense.shape[1])
        number = np.zeros(self.n_sparse, dtype=np.int32)
        number[self.used[:n_sparse]] = np.arange(n_sparse)
        sparse = self.sparse._replace(feature=number[self.sparse.feature])
        return LogitRows(sparse, n_sparse, self.dense, self.counts)

    def without_first(self, n_sparse: int) -> LogitRows:
        """Return rows that have none of the first features; features keep their numbers."""
        first, feature, value = self.sparse
        kept = feature >= n_sparse
        before = np.concatenate([[0], np.cumsum(kept)])
        return replace(self, sparse=SparseRows(before[first], feature[kept], value[kept]))

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance of every feature over the counted rows."""
        weights = self.weights
        first, feature, value = self.sparse
        heavy = np.repeat(weights, np.diff(first)) * value
        dense = weights[:, None] * self.dense
        sums = np.bincount(feature, heavy, self.n_sparse), dense.sum(axis=0)
        squares = (
            np.bincount(feature, heavy * value, self.n_sparse),
            (dense * self.dense).sum(axis=0),
        )
        total = max(float(weights.sum()), 1e-300)
        means = np.concatenate(sums) / total
        return means, np.maximum(np.concatenate(squares) / total - means**2, 0.0)
