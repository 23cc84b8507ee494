"""What groups of unseen rows tell about the true rate of a group like them (hierarchical Bayes).

Groups with a similar forecast and of a similar size have a mean rate, which follows the forecast
along a line, and a posterior of how far their true rates lie apart, since few groups do not settle
that. Both together make the interval of a group.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, gammaln

from probtrees.types import FloatArray, IntArray

N_BINS = 200
"""Bins of equal width in the angle arcsin(sqrt(p)): narrow near 0 and 1, where a
percentage point matters most, and wide in the middle."""

N_SIZES = 32
"""Size classes: the logarithm to base 2 of the rows a group was learnt from, rounded."""

AMOUNTS = ("groups", "rows", "cases", "forecasts", "row_squares", "group_squares")

_LEVEL = 0.9

_HALVINGS = 16
"""Ends are found to the angle's 40,000th part."""

_REACHES = (
    (0.03, 0.5),
    (0.06, 0.6),
    (0.12, 0.8),
    (0.25, 1.0),
    (0.5, 1.2),
    (0.5, 2.0),
    (1.0, 4.0),
)
"""Windows tried one after another: half their width in the angle, and in size classes. The
forecast may differ sooner than the size, since a line takes care of the forecast."""

_ENOUGH_ROWS, _ENOUGH_CASES, _ENOUGH_GROUPS = 60, 5, 5
"""What a window should hold; groups are counted as if all were of one size."""

_SLOPE_REACH = 0.8
_SIZE_REACH = 1.0
"""Groups of half to twice the size tell most about how far true rates lie apart."""

_STEPS = (np.arange(24) + 0.5) / 24
_SPREADS, _PRIOR = _STEPS**4, _STEPS / _STEPS.sum()
"""Spreads that are tried, finer near 0: variances of true rates as a part of r(1 - r). Their
root is uniform beforehand (Gelman 2006)."""


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


class _Lots(NamedTuple):
    """Groups of two rows or more, those alike together.

    Attributes
    ----------
    groups : how many
    rows : rows of each
    size : the logarithm to base 2 of all its rows, seen in training or not
    likelihood : float64[n, spreads], the logarithm of a group's likelihood given a spread
    """

    groups: FloatArray
    rows: FloatArray
    size: FloatArray
    likelihood: FloatArray


class GroupRates(NamedTuple):
    """What the groups of one outcome tell about the true rate of such a group.

    Attributes
    ----------
    angle, size, amounts : where the cells lie and what they hold, by name of the amount
    rate : the overall rate; rare : it, or 1 minus it, whichever is smaller
    lots : groups of two rows or more, which tell how far true rates lie apart
    """

    angle: FloatArray
    size: FloatArray
    amounts: Mapping[str, FloatArray]
    rate: float
    rare: float
    lots: _Lots

    @classmethod
    def of(cls, cells: IntArray, amounts: FloatArray) -> GroupRates:
        """Prepare the cells of one outcome.

        Parameters
        ----------
        cells : int64[n], (outcome * N_SIZES + size class) * N_BINS + bin
        amounts : float64[n, 6], what the cells hold, as named by ``AMOUNTS``
        """
        filled, place = np.unique(cells, return_inverse=True)
        place = place.reshape(-1)
        sums = np.zeros((len(filled), len(AMOUNTS)))
        np.add.at(sums, place, amounts)
        held = {name: sums[:, at] for at, name in enumerate(AMOUNTS)}
        angle = (filled % N_BINS + 0.5) / N_BINS * np.pi / 2
        size = (filled // N_BINS % N_SIZES).astype(np.float64)
        rate = (float(held["cases"].sum()) + 0.5) / (float(held["rows"].sum()) + 1)
        rare = min(rate, 1 - rate)
        fitted = np.empty(len(filled))
        for each in np.unique(size):
            line = _line(held, _fades(size - each, _SLOPE_REACH), size - each)
            own = size == each
            forecasts = held["forecasts"][own] / held["rows"][own]
            fitted[own] = line.rate + line.slope * (forecasts - line.middle)
        fitted = np.clip(fitted, rare / 10, 1 - rare / 10)
        return cls(angle, size, held, rate, rare, _lots(amounts, size[place], fitted[place]))

    def spread_of_rows(self) -> float:
        """Estimate how far true rates of groups with one forecast lie apart, row by row.

        Returns
        -------
        their variance, as a part of r(1 - r): 0 if all were alike, 1 if each were 0 or 1
        """
        return float(_posterior(self.lots.groups @ self.lots.likelihood) @ _SPREADS)

    def intervals(self, place: IntArray, size: IntArray) -> tuple[FloatArray, FloatArray]:
        """Bound the true rates of groups, each by its bin and size class, with 90 % confidence."""
        estimates = np.array(
            [self._rate_near(*each) for each in zip(place.tolist(), size.tolist(), strict=True)]
        ).reshape(-1, 4)
        sizes, at = np.unique(size, return_inverse=True)
        spread = np.array([self._spread_near(each) for each in sizes.tolist()])
        return _mixture_points(estimates, spread.reshape(-1, len(_SPREADS))[at.reshape(-1)])

    def _spread_near(self, size: int) -> FloatArray:
        """Weigh the spreads by what groups of a similar size tell.

        Unseen rows fall into large leaves more often, and pairs of them even more so, while
        the interval is to hold leaf by leaf: so every leaf counts alike, as one pair would,
        and all together as so many leaves.
        """
        lots = self.lots
        near = lots.groups * _fades(lots.size - size, _SIZE_REACH)
        alike = near / (lots.rows - 1)
        share = near.sum() / alike.sum() if alike.any() else 1.0
        return _posterior(share * (alike @ lots.likelihood))

    def _rate_near(self, place: int, size: int) -> tuple[float, float, float, float]:
        """Estimate the mean of the true rates of groups with a forecast and a size.

        Returns
        -------
        the mean, 1 / rows and 1 / groups that it rests on, as if all were alike, and the variance
        that comes from forecasts further away; all but the mean as parts of r(1 - r)
        """
        held = self.amounts
        angle = (place + 0.5) / N_BINS * np.pi / 2
        enough = max(_ENOUGH_ROWS, _ENOUGH_CASES / self.rare)
        rows = observations = 0.0
        for reach, size_reach in _REACHES:
            near = _fades(self.angle - angle, reach) * _fades(self.size - size, size_reach)
            rows = float(near @ held["rows"])
            if rows <= 0:
                continue
            squares = float((near * near) @ held["group_squares"])
            observations = rows * rows / float((near * near) @ held["row_squares"])
            if observations >= enough and rows * rows >= _ENOUGH_GROUPS * squares:
                break
        if rows <= 0:
            near = np.ones_like(self.angle)
            rows, squares = float(held["rows"].sum()), float(held["group_squares"].sum())
            observations = rows * rows / float(held["row_squares"].sum())
        line = _line(held, _fades(self.size - size, _SLOPE_REACH), self.size - size)
        away = np.sin(angle) ** 2 - float(near @ held["forecasts"]) / rows
        rate = float(near @ held["cases"]) / rows + line.slope * away
        rate = float(np.clip(rate, self.rare / 10, 1 - self.rare / 10))
        # Half a case of the rarer outcome is added at the overall rate: none seen is not never.
        added = 0.5 / self.rare
        rate = (rate * observations + added * self.rate) / (observations + added)
        unsure = away**2 / (8 * (line.width + 1))
        return rate, 1 / (observations + added), squares / (rows * rows), unsure


class _Line(NamedTuple):
    """Rates as a line of forecasts: rate + slope (forecast - middle)."""

    rate: float
    middle: float
    slope: float
    width: float


def _line(held: Mapping[str, FloatArray], near: FloatArray, away: FloatArray) -> _Line:
    """Fit how rates follow forecasts among groups of similar size.

    In noise the slope is about 0, whatever is forecast; where forecasts hold it is 1.
    """
    if near @ held["rows"] < 30:
        near = 1 / (1 + np.abs(away)) ** 2
    rows = float(near @ held["rows"])
    forecasts = held["forecasts"] / held["rows"]
    rate, middle = float(near @ held["cases"]) / rows, float(near @ held["forecasts"]) / rows
    width = float(near @ (held["rows"] * (forecasts - middle) ** 2))
    slope = float(near @ (held["cases"] * (forecasts - middle))) / (width + 0.2)
    return _Line(rate, middle, float(np.clip(slope, 0.0, 1.2)), width)


def rows_and_cases(amounts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean rows of groups kept together, as many as they are worth, and the cases."""
    groups, rows, cases, _, squares, _ = amounts.T
    worth = rows * rows / np.maximum(squares * groups, 1e-300)
    return worth, worth * np.clip(cases / np.maximum(rows, 1e-300), 0.0, 1.0)


def _lots(amounts: FloatArray, size: FloatArray, fitted: FloatArray) -> _Lots:
    """Find how likely every group of two rows or more is, given its mean rate and a spread."""
    rows, cases = rows_and_cases(amounts)
    # Models without leaves say nothing of size: there all groups are alike.
    whole = np.log2(2**size + rows) if size.any() else np.zeros_like(size)
    several = rows > 1.5
    m, k, mean = (each[several][:, None] for each in (rows, cases, fitted))
    a, b = mean * (1 / _SPREADS - 1), (1 - mean) * (1 / _SPREADS - 1)
    likelihood = gammaln(k + a) - gammaln(a) + gammaln(m - k + b) - gammaln(b)
    likelihood += gammaln(a + b) - gammaln(m + a + b)
    groups = amounts[:, AMOUNTS.index("groups")]
    return _Lots(groups[several], rows[several], whole[several], likelihood)


def _posterior(likelihood: FloatArray) -> FloatArray:
    """Weigh the spreads by their prior and a logarithm of the likelihood."""
    weights = _PRIOR * np.exp(likelihood - likelihood.max())
    return np.asarray(weights / weights.sum())


def _fades(away: FloatArray, reach: float) -> FloatArray:
    """Weigh what lies near: 1 at a distance of 0, 0 from twice the reach on."""
    return np.asarray(np.maximum(1 - np.abs(away) / (2 * reach), 0.0))


def _mixture_points(estimates: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the 5 % and 95 % points of mixtures of Betas, one Beta per spread.

    Parameters
    ----------
    estimates : float64[n, 4], as :meth:`GroupRates._rate_near` returns them
    weights : float64[n, spreads], how likely every spread is
    """
    rate, per_row, per_group, unsure = estimates.T[:, :, None]
    unit = rate * (1 - rate)
    part = _SPREADS + (1 - _SPREADS) * per_row + _SPREADS * per_group + unsure / unit
    size = 1 / np.minimum(part, 0.95) - 1
    a, b = rate * size, (1 - rate) * size

    def point(share: float) -> FloatArray:
        low, high = np.zeros(len(rate)), np.full(len(rate), np.pi / 2)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            below = (weights * betainc(a, b, np.sin(middle)[:, None] ** 2)).sum(axis=1)
            low, high = np.where(below < share, [middle, high], [low, middle])
        return np.asarray(np.sin((low + high) / 2) ** 2)

    return point((1 - _LEVEL) / 2), point((1 + _LEVEL) / 2)
