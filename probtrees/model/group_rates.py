"""What groups of unseen rows tell about the true rate of a group like them (hierarchical Bayes).

The true rate of a leaf that was given the forecast p is a draw from a Beta. Its mean lies on the
line of log-odds from the overall rate b to p, as far from b as the slope says: 0 in noise, whatever
is forecast, 1 where forecasts hold. Its spread, the variance as a part of r(1 - r), says how far
rates of leaves with one forecast lie apart. Every inner leaf with m unseen rows and k cases tells
about both by its beta-binomial likelihood (Skellam 1948); leaves near in forecast and size most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, expit, gammaln, logit

from probtrees.types import FloatArray, IntArray

N_BINS = 200
"""Bins of equal width in the angle arcsin(sqrt(p)): narrow near 0 and 1, where a
percentage point matters most, and wide in the middle."""

N_SIZES = 32
"""Size classes: the logarithm to base 2 of the rows a group was learnt from, rounded."""

AMOUNTS = ("groups", "rows", "cases", "forecasts", "row_squares", "group_squares")

_ENDS = 0.045, 0.955
"""Points of the mixture. Leaves of one part of a tree err together, so that there are fewer than
it seems: with 5 % and 95 % fewer than 86 % of the leaves of some simulated tables were inside."""

_HALVINGS = 14
"""Ends are found to the angle's 10,000th part."""

_ANGLE_REACH, _SIZE_REACH = 0.4, 1.5
"""Standard deviations of the weight of groups with another forecast, or of another size."""

_BOLDEST = 50
"""No mean rate is further from the overall rate than this part of the rarer outcome's."""

_SLOPES = np.linspace(0.0, 1.5, 7)
_SPREADS = 0.7 * ((np.arange(12) + 0.5) / 12) ** 3
"""Slopes, and spreads of a group learnt from hardly a row, that are tried: all with all, alike
beforehand, finer near spread 0."""

_HALF_SPREAD = 16.0
"""Rows under which a group has half the spread; with ever more rows it has none."""


def bin_of(probability: ArrayLike) -> IntArray:
    """Find the bin of every probability."""
    angle = np.arcsin(np.sqrt(np.clip(probability, 0.0, 1.0)))
    place: IntArray = np.asarray(angle * (N_BINS / (np.pi / 2)), dtype=np.int64)
    return np.minimum(place, N_BINS - 1)


def size_of(rows: ArrayLike) -> IntArray:
    """Find the size class of groups learnt from so many rows.

    >>> size_of([0, 1, 3, 1000]).tolist()
    [0, 0, 2, 10]
    """
    classes = np.rint(np.log2(np.maximum(rows, 1.0))).astype(np.int64)
    return np.minimum(classes, N_SIZES - 1)


class GroupRates(NamedTuple):
    """What the groups of one outcome tell about the true rate of such a group.

    Attributes
    ----------
    places : int64[n], size class * N_BINS + bin, wherever there are groups
    likelihood : float64[n, slopes * spreads], the logarithm of the likelihood of the groups there,
        each as if it had one row: unseen rows fall into large leaves more often, while an interval
        is to hold leaf by leaf
    alike, groups : float64[n], those of two rows or more, counted like that and as they are
    rate : the overall rate; n_rows : of how many rows
    spread_of_rows : how far true rates of groups with one forecast lie apart, row by row: 0 if all
        were alike, 1 if each were 0 or 1
    """

    places: IntArray
    likelihood: FloatArray
    alike: FloatArray
    groups: FloatArray
    rate: float
    n_rows: float
    spread_of_rows: float

    @classmethod
    def of(cls, cells: IntArray, amounts: FloatArray) -> GroupRates:
        """Prepare the cells of one outcome.

        Parameters
        ----------
        cells : int64[n], (outcome * N_SIZES + size class) * N_BINS + bin, ascending
        amounts : float64[n, 6], what the cells hold, as named by ``AMOUNTS``
        """
        n_rows, n_cases = float(amounts[:, 1].sum()), float(amounts[:, 2].sum())
        rate = (n_cases + 0.5) / (n_rows + 1)
        groups = amounts[:, 0]
        rows, cases = rows_and_cases(amounts)
        places, first = np.unique(cells % (N_SIZES * N_BINS), return_index=True)
        size = 1 / _spreads(places // N_BINS)[:, None] - 1
        a = _means(places % N_BINS, rate)[:, :, None] * size
        none = gammaln(size) - gammaln(a) - gammaln(size - a)
        at = np.searchsorted(places, cells % (N_SIZES * N_BINS))
        m, k, a, size = rows[:, None, None], cases[:, None, None], a[at], size[at]
        found = none[at] + gammaln(k + a) + gammaln(m - k + size - a) - gammaln(m + size)
        likelihood = found.reshape(len(cells), -1)
        alike, several = groups / np.maximum(rows, 1.0), rows > 1.5
        by_row = _posterior((groups @ likelihood)[None])[0].sum(axis=0)
        spread = float((groups * rows) @ (_spreads(places // N_BINS)[at] @ by_row)) / n_rows
        return cls(
            places,
            np.add.reduceat(alike[:, None] * likelihood, first),
            np.add.reduceat(alike * several, first),
            np.add.reduceat(groups * several, first),
            rate,
            n_rows,
            spread,
        )

    def intervals(self, place: IntArray, size: IntArray) -> tuple[FloatArray, FloatArray]:
        """Bound the true rates of groups, each by its bin and size class, with 90 % confidence."""
        away = (place[:, None] - self.places % N_BINS) * (np.pi / 2 / N_BINS / _ANGLE_REACH)
        larger = (size[:, None] - self.places // N_BINS) / _SIZE_REACH
        near = np.exp(-(away**2 + larger**2) / 2)
        # However large their leaves, so many groups settle what is asked, not so many rows.
        alike = near @ self.alike
        as_many = np.divide(
            near @ self.groups, alike, out=np.ones_like(alike), where=alike > 1e-300
        )
        weights = _posterior(as_many[:, None] * (near @ self.likelihood))
        mean = _means(place, self.rate)[:, :, None]
        by_spread = weights.sum(axis=1)
        share = weights / np.maximum(by_spread, 1e-300)[:, None]
        # One Beta for all slopes under a spread: what is not known of the slope widens it.
        middle = np.where(by_spread > 0, (share * mean).sum(axis=1), self.rate)
        unsure = (share * (mean - middle[:, None]) ** 2).sum(axis=1) / (middle * (1 - middle))
        spreads = _spreads(size)
        part = spreads + (1 - spreads) * unsure + 1 / (self.n_rows + 1)
        return _mixture_points(by_spread, middle, np.minimum(part, 0.95))


def rows_and_cases(amounts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean rows of groups kept together, as many as they are worth, and the cases."""
    groups, rows, cases, _, squares, _ = amounts.T
    worth = rows * rows / np.maximum(squares * groups, 1e-300)
    return worth, worth * np.clip(cases / np.maximum(rows, 1e-300), 0.0, 1.0)


def _means(bins: IntArray, rate: float) -> FloatArray:
    """Return float64[n, slopes], the mean rate of groups by the bin of their forecast."""
    least, start = min(rate, 1 - rate) / _BOLDEST, float(logit(rate))
    forecast = np.sin((bins + 0.5) / N_BINS * np.pi / 2) ** 2
    far = logit(np.clip(forecast, least, 1 - least)) - start
    return np.asarray(expit(start + _SLOPES * far[:, None]))


def _spreads(size: IntArray) -> FloatArray:
    """Return float64[n, spreads], those of groups by size class: the larger, the less."""
    return np.asarray(_SPREADS / (1 + 2.0 ** size[:, None] / _HALF_SPREAD))


def _posterior(likelihood: FloatArray) -> FloatArray:
    """Return float64[n, slopes, spreads], how likely each is, from logarithms."""
    weights = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray(weights.reshape(-1, len(_SLOPES), len(_SPREADS)))


def _mixture_points(
    weights: FloatArray, mean: FloatArray, part: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return two points of mixtures of Betas, each with its weight, its mean and its spread."""
    a, b = mean * (1 / part - 1), (1 - mean) * (1 / part - 1)

    def point(share: float) -> FloatArray:
        low, high = np.zeros(len(mean)), np.full(len(mean), np.pi / 2)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            below = (weights * betainc(a, b, np.sin(middle)[:, None] ** 2)).sum(axis=1)
            low, high = np.where(below < share, [middle, high], [low, middle])
        return np.asarray(np.sin((low + high) / 2) ** 2)

    return point(_ENDS[0]), point(_ENDS[1])
