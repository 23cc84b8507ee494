"""How the loss of a logit bends, which a descent to its minimum is measured by.

Nodes of a tree and steps of a column say almost the same about a row, so that the loss is a long
narrow valley: measured feature by feature a descent needs hundreds or thousands of steps. In units
of the root of the second derivatives the valley is round. At the base rates these are known: those
between outcomes, diag(p) - p p', times those between features. Further on they are those between
features for every outcome, each row as heavy as its answer is open there; where that is too much,
for all outcomes alike.

Features are not centred here, the intercept is one of them: centred, all nodes would meet in all
rows, while as they are most pairs never meet and a factor is nearly empty. Where it is not, its
elimination tree tells (Liu, 1990).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.smooth.log_linear import _curvature_kernels as kernels
from probtrees.types import FloatArray, IntArray

MOST_ENTRIES = 8_000_000
"""Of all factors together; features that would take more are measured one by one."""

CROWDED = 8
"""Rows are crowded where each has one of so many sparse features or more: lines are full then."""

ALIKE = 3.0
"""Directions among outcomes share a factor where none bends so many times as another."""


class Bends(NamedTuple):
    """Directions among outcomes in which the loss bends independently.

    Attributes
    ----------
    turn : float64[n_scores, n_scores], a direction in every column
    sizes : float64[n_scores], how much the loss of a row bends along it
    group : int64[n_scores], directions with the same number, from 0 on, share a factor
    """

    turn: FloatArray
    sizes: FloatArray
    group: IntArray

    @classmethod
    def at(cls, rates: FloatArray) -> Bends:
        """Find them; of two outcomes there is one, of more they are sorted by size."""
        if rates.shape[0] == 2:
            return cls.apart(np.array([rates[0] * rates[1]]))
        sizes, turn = np.linalg.eigh(np.diag(rates) - np.outer(rates, rates))
        # What is added to all outcomes alike changes nothing and is never moved along.
        sizes = np.maximum(sizes, sizes[1])
        group = np.zeros(sizes.shape[0], dtype=np.int64)
        least = sizes[0]
        for at in range(1, group.shape[0]):
            apart = sizes[at] > ALIKE * least
            least = sizes[at] if apart else least
            group[at] = group[at - 1] + apart
        return cls(np.ascontiguousarray(turn), sizes, group)

    @classmethod
    def apart(cls, sizes: FloatArray) -> Bends:
        """Take every outcome on its own; all have one factor in common."""
        return cls(np.eye(sizes.shape[0]), sizes, np.zeros(sizes.shape[0], dtype=np.int64))

    @classmethod
    def centred(cls, sizes: FloatArray) -> Bends:
        """Take every outcome with its own factor, but nothing that is added to all alike."""
        n_scores = sizes.shape[0]
        return cls(np.eye(n_scores) - 1.0 / n_scores, sizes, np.arange(n_scores))

    @property
    def of_groups(self) -> FloatArray:
        """float64[n_groups]: how much the loss of a row bends in the middle of every group."""
        n_in_group = np.bincount(self.group)
        return np.asarray(np.exp(np.bincount(self.group, np.log(self.sizes)) / n_in_group))


class Places(NamedTuple):
    """Where a factor has entries: in lines, the last of which is the intercept's.

    Attributes
    ----------
    features : int64[n_lines - 1], the feature of every line but the last
    place : int64[n_features], the line of every feature, -1 where it has none
    first, column : line i has entries in the columns ``column[first[i]:first[i + 1]]``
    n_full : from which line on lines have entries in all columns before
    """

    features: IntArray
    place: IntArray
    first: IntArray
    column: NDArray[np.int32]
    n_full: int

    @classmethod
    def within(
        cls, arrays: tuple[NDArray[Any], ...], variances: FloatArray, most_products: float
    ) -> Places:
        """Find them for the features that vary most, as many as are worth their products.

        Parameters
        ----------
        arrays : rows as kernels receive them
        variances : float64[n_features]
        """
        by_size = np.argsort(-variances, kind="stable")
        kept = by_size[variances[by_size] > 0]
        n_met = np.zeros(arrays[3].size - 1, dtype=np.int64)
        # Where a row has many of all features, nearly all of them meet: nobody need look.
        sparse = arrays[2].size * CROWDED <= (arrays[0].size - 1) * n_met.size
        if sparse:
            kernels.met_features(arrays, n_met)
        while True:
            found = cls._of(arrays, np.sort(kept), n_met, sparse)
            if found is not None and (kept.size == 0 or found.n_products <= most_products):
                return found
            kept = kept[: kept.size // 2]

    @classmethod
    def _of(
        cls,
        arrays: tuple[NDArray[Any], ...],
        features: IntArray,
        n_met: IntArray,
        sparse_lines: bool,
    ) -> Places | None:
        """Find them for features; return None where they are too many.

        Features that meet few others come first, since what comes early spreads most; dense ones,
        which meet all, come last.
        """
        n_sparse = n_met.size
        sparse, dense = features[features < n_sparse], features[features >= n_sparse]
        features = np.concatenate([sparse[np.lexsort((-sparse, n_met[sparse]))], dense])
        place = np.full(n_sparse + arrays[6].shape[1], -1, dtype=np.int64)
        place[features] = np.arange(features.size)
        first, column = np.zeros(features.size + 2, dtype=np.int64), np.empty(0, dtype=np.int32)
        n_full = sparse.size if sparse_lines else 0
        kernels.find_places(arrays, features, place, n_full, first, column)
        if first[-1] > MOST_ENTRIES:
            return None
        column = np.empty(first[-1], dtype=np.int32)
        kernels.find_places(arrays, features, place, n_full, first, column)
        return cls(features, place, first, column, n_full)

    @property
    def n_products(self) -> int:
        """Products that a factor is made of, those of the rows not counted."""
        return int(kernels.count_products(self.first, self.column))


Entries = tuple[tuple[IntArray, NDArray[np.int32]], FloatArray]


class Units(NamedTuple):
    """What a point of a descent is measured in.

    Attributes
    ----------
    origin : float64[1 + n_features, n_scores], the coefficients where the point is 0, the
        intercept first
    scale : of the same shape, one over the root of the curvature, for those without a factor
    turn : float64[n_scores, n_scores], see :class:`Bends`
    group : int64[n_scores], the factor of every direction
    lines : int64[n_lines], the lines of coefficients that have a factor, the intercept's last
    means : float64[n_lines - 1], of the features of these lines
    roots : float64[n_lines, n_groups], the diagonals of the factors: lower triangles, roots of
        the second derivatives
    ahead, back : the rest of them by line and by column: where entries are, first and column,
        and float64[n_entries, n_groups]
    """

    origin: FloatArray
    scale: FloatArray
    turn: FloatArray
    group: IntArray
    lines: IntArray
    means: FloatArray
    roots: FloatArray
    ahead: Entries
    back: Entries


def without_factor(bends: Bends, squares: FloatArray, penalties: FloatArray) -> Units:
    """Measure every feature on its own, from 0 on.

    Parameters
    ----------
    squares : float64[1 + n_features], summed squares of the centred features
    penalties : float64[1 + n_features]
    """
    scale = 1.0 / np.sqrt(np.outer(squares, bends.sizes) + penalties[:, None])
    none, nothing = np.empty(0, dtype=np.int64), np.empty((0, 1))
    entries = (none, np.empty(0, dtype=np.int32)), nothing
    origin, means = np.zeros_like(scale), np.empty(0)
    return Units(origin, scale, bends.turn, bends.group, none, means, nothing, entries, entries)


def with_factor(
    units: Units,
    origin: FloatArray,
    places: Places,
    measured: tuple[tuple[NDArray[Any], ...], FloatArray],
    weights: FloatArray,
    penalties: FloatArray,
) -> Units:
    """Measure features together, by a factor for every group of directions.

    Parameters
    ----------
    origin : float64[1 + n_features, n_scores], the coefficients to begin with
    measured : rows as kernels receive them, and the means of their features
    weights : float64[n_rows, n_groups], how much the loss of every row bends along them
    """
    arrays, means = measured
    features, _, first, column, n_full = places
    lines = np.concatenate([features + 1, [0]])
    values = np.empty((column.size, weights.shape[1]))
    roots = np.empty((lines.size, weights.shape[1]))
    value, root = np.empty(column.size), np.empty(lines.size)
    for number, heavy in enumerate(np.ascontiguousarray(weights.T)):
        kernels.factorise(arrays, heavy, penalties[lines], places[:4], n_full, value, root)
        values[:, number], roots[:, number] = value, root
    turned, by_column, order = np.zeros_like(first), *np.empty((2, column.size), dtype=np.int32)
    kernels.turn_places(first, column, (turned, by_column, order))
    return units._replace(
        origin=origin,
        lines=lines,
        means=means[features],
        roots=roots,
        ahead=((first, column), values),
        back=((turned, by_column), values[order]),
    )
