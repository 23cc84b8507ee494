"""How the loss of a logit bends, which a descent to its minimum is measured by.

Nodes of a tree and steps of a column say almost the same about a row, so that the loss is a long
narrow valley: measured feature by feature a descent needs hundreds or thousands of steps. In units
of the root of the second derivatives the valley is round. At the base rates these are known: those
between outcomes, diag(p) - p p', times those between features. Further on they are those between
features, every row as heavy as its answer is open.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.smooth.optimise import _curvature_kernels as kernels
from probtrees.types import FloatArray, IntArray

MOST_FACTORED = 2000
"""Features that are measured together; what is beyond is measured feature by feature."""

ALIKE = 3.0
"""Directions among outcomes share a factor where none bends so many times as another."""


class Bends(NamedTuple):
    """Directions among outcomes in which the loss bends independently.

    Attributes
    ----------
    turn : float64[n_scores, n_scores], a direction in every column
    sizes : float64[n_scores], how much the loss of a row bends along it
    """

    turn: FloatArray
    sizes: FloatArray

    @classmethod
    def at(cls, rates: FloatArray) -> Bends:
        """Find them; of two outcomes there is one, of more they are sorted by size."""
        if rates.shape[0] == 2:
            return cls(np.ones((1, 1)), np.array([rates[0] * rates[1]]))
        sizes, turn = np.linalg.eigh(np.diag(rates) - np.outer(rates, rates))
        # What is added to all outcomes alike changes nothing and is never moved along.
        return cls(np.ascontiguousarray(turn), np.maximum(sizes, sizes[1]))

    @classmethod
    def apart(cls, sizes: FloatArray) -> Bends:
        """Take every outcome on its own."""
        return cls(np.eye(sizes.shape[0]), sizes)

    @property
    def groups(self) -> IntArray:
        """int64[n_scores]: directions that bend alike have the same number, from 0 on."""
        numbers = np.zeros(self.sizes.shape[0], dtype=np.int64)
        least = self.sizes[0]
        for at in range(1, numbers.shape[0]):
            apart = self.sizes[at] > ALIKE * least
            least = self.sizes[at] if apart else least
            numbers[at] = numbers[at - 1] + apart
        return numbers


class Units(NamedTuple):
    """What a point of a descent is measured in.

    Attributes
    ----------
    scale : float64[1 + n_features, n_scores], one over the root of the curvature, the intercept
        first; of features without a factor
    turn : float64[n_scores, n_scores], see :class:`Bends`
    factors : float64[n_groups, n_kept, n_kept], lower triangles: roots of the second derivatives
    group : int64[n_scores], the factor of every direction
    kept : int64[n_kept], the features that have one
    """

    scale: FloatArray
    turn: FloatArray
    factors: FloatArray
    group: IntArray
    kept: IntArray

    def point(self, coefficients: FloatArray) -> FloatArray:
        """Measure coefficients, the intercept first."""
        turned = coefficients @ self.turn
        found = np.ascontiguousarray(turned / self.scale)
        lines = self.kept + 1
        for direction, number in enumerate(self.group if self.kept.size else ()):
            found[lines, direction] = np.tril(self.factors[number]).T @ turned[lines, direction]
        return found


class Moments(NamedTuple):
    """Second moments of features.

    Attributes
    ----------
    kept : int64[n_kept], the features that vary most
    sums : float64[n_kept, n_kept], summed products of centred features, the lower triangle
    """

    kept: IntArray
    sums: FloatArray

    @classmethod
    def of(
        cls,
        arrays: tuple[NDArray[Any], ...],
        sizes: FloatArray,
        measured: tuple[FloatArray, FloatArray],
        most: int = MOST_FACTORED,
    ) -> Moments:
        """Add them up over rows as kernels receive them.

        Parameters
        ----------
        sizes : float64[n_rows], how heavy every row is
        measured : means and variances of the features
        most : at most so many features
        """
        means, variances = measured
        by_size = np.argsort(-variances, kind="stable")[:most]
        kept = np.sort(by_size[variances[by_size] > 0])
        place = np.full(means.shape[0], -1, dtype=np.int64)
        place[kept] = np.arange(kept.size)
        sums = np.zeros((kept.size, kept.size))
        kernels.second_moments(arrays, means, sizes, place, sums)
        return cls(kept, sums)


def without_factor(bends: Bends, squares: FloatArray, penalties: FloatArray) -> Units:
    """Measure every feature on its own.

    Parameters
    ----------
    squares : float64[1 + n_features], summed squares of the centred features
    penalties : float64[1 + n_features]
    """
    scale = 1.0 / np.sqrt(np.outer(squares, bends.sizes) + penalties[:, None])
    group, nothing = bends.groups, np.empty(0, dtype=np.int64)
    return Units(scale, bends.turn, np.empty((int(group.max()) + 1, 0, 0)), group, nothing)


def with_factor(units: Units, bends: Bends, moments: Moments, penalties: FloatArray) -> Units:
    """Measure features together, by a factor for directions that bend alike."""
    kept, sums = moments
    factors = np.zeros((units.factors.shape[0], kept.size, kept.size))
    for number, factor in enumerate(factors):
        bend = float(np.exp(np.log(bends.sizes[units.group == number]).mean()))
        kernels.factorise(sums, bend, penalties[kept + 1], factor)
    return units._replace(factors=factors, kept=kept)
