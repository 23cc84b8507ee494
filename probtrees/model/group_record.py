"""How far groups of unseen rows were from what they were given, by forecast and by size.

A leaf's rows chose the tree, so the spread of a posterior given the tree is too narrow. Inner
trees grown without a part of the rows have leaves too, and the rows of the part say how often
the outcome really came in each. Groups with a similar forecast and of a similar size then
tell where the true rate of such a group lies: their mean, and a posterior of how far they lie
apart, since few groups do not settle that (hierarchical Bayes).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, gammaln

from probtrees.errors import DataError
from probtrees.machine.json_file import decode, encode
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


def observation_scale(weights: FloatArray) -> float:
    """Return the factor under which weights add up to the rows they are worth (Kish 1965).

    >>> observation_scale(np.array([4.0, 4.0]))
    0.25
    """
    squares = float(weights @ weights)
    return float(weights.sum()) / squares if squares > 0 else 1.0


class _Cells(NamedTuple):
    """The filled cells of one outcome, and what is common to all of its lookups.

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


@dataclass(frozen=True)
class GroupRecord:
    """Groups of unseen rows that were given one forecast, added up by forecast and size.

    A group is an inner leaf, or unseen rows of one inner model that share a forecast. With
    weights w its rows weigh m, its cases k, and q is the sum of squares of w. Groups of one
    forecast and size with the same numbers of rows and cases are kept together.

    Attributes
    ----------
    n_outcomes : outcomes that forecasts are about
    n_parts : inner models
    cells : int64[n], (outcome * N_SIZES + size class) * N_BINS + bin, ascending
    amounts : float64[n, 6], sums over the groups kept together, as named by ``AMOUNTS``:
        1, m, k, m * forecast, q and m^2
    """

    n_outcomes: int
    n_parts: int
    cells: IntArray
    amounts: FloatArray

    @classmethod
    def of(
        cls,
        proba: FloatArray,
        outcomes: IntArray,
        weights: FloatArray,
        groups: IntArray,
        sizes: FloatArray,
        n_parts: int = 1,
    ) -> GroupRecord:
        """Add up what happened in every group.

        A weighted row is one observation, so weights are scaled such that rows of equal
        weight weigh 1: they alone never narrow an interval.

        Parameters
        ----------
        proba : float64[n_rows, n_outcomes], what the rows were given
        groups : int64[n_rows], which rows go together
        sizes : float64[n_rows], rows that the row's group was learnt from
        n_parts : inner models
        """
        n_outcomes = proba.shape[1]
        weights = weights * observation_scale(weights)
        groups = np.unique(groups, return_inverse=True)[1].reshape(-1)
        n_groups = int(groups.max(initial=-1)) + 1

        def total(values: FloatArray) -> FloatArray:
            return np.bincount(groups, values, n_groups).astype(np.float64)

        m, q = total(weights), total(weights**2)
        size = size_of(total(weights * sizes) / np.maximum(m, 1e-300))
        keys, found = [], []
        for outcome in range(n_outcomes):
            k = total(weights * (outcomes == outcome))
            given = total(weights * proba[:, outcome])
            found.append(np.stack([np.ones(n_groups), m, k, given, q, m * m], axis=1))
            keys.append((outcome * N_SIZES + size) * N_BINS + bin_of(given / np.maximum(m, 1e-300)))
        return cls._added(n_outcomes, n_parts, np.concatenate(keys), np.concatenate(found))

    @classmethod
    def _added(
        cls, n_outcomes: int, n_parts: int, keys: IntArray, amounts: FloatArray
    ) -> GroupRecord:
        """Keep together what has the same cell, and about as many rows and cases."""
        m, k = (np.rint(each) for each in _rows_and_cases(amounts))
        order = np.lexsort((k, m, keys))
        columns = np.stack([keys.astype(np.float64), m, k])[:, order]
        is_first = np.ones(len(keys), dtype=bool)
        is_first[1:] = (np.diff(columns, axis=1) != 0).any(axis=0)
        first = np.flatnonzero(is_first)
        sums = np.add.reduceat(amounts[order], first, axis=0) if len(first) else amounts
        return cls(n_outcomes, n_parts, keys[order][first].astype(np.int64), sums)

    def __add__(self, other: GroupRecord) -> GroupRecord:
        """Join two records."""
        return GroupRecord._added(
            self.n_outcomes,
            self.n_parts,
            np.concatenate([self.cells, other.cells]),
            np.concatenate([self.amounts, other.amounts]),
        )

    def by_bin(self, name: str) -> FloatArray:
        """Return float64[n_outcomes, n_bins], an amount by forecast, of groups of all sizes."""
        place = self.cells // (N_SIZES * N_BINS) * N_BINS + self.cells % N_BINS
        sums = np.bincount(place, self.amounts[:, AMOUNTS.index(name)], self.n_outcomes * N_BINS)
        return sums.reshape(self.n_outcomes, N_BINS).astype(np.float64)

    def spread_of_rows(self, outcome: int) -> float:
        """Estimate how far true rates of groups with one forecast lie apart, row by row.

        Returns
        -------
        their variance, as a part of r(1 - r): 0 if all were alike, 1 if each were 0 or 1
        """
        lots = self._cells[outcome].lots
        return float(_posterior(lots.groups @ lots.likelihood) @ _SPREADS)

    def intervals(
        self, probabilities: FloatArray, sizes: FloatArray, outcome: int
    ) -> tuple[FloatArray, FloatArray]:
        """Bound the true rates of groups, each by its forecast and size, with 90 % confidence.

        Groups alike share an interval, so many rows cost little more than a few. It holds the
        forecast too: a number outside of its own range would be read as an error.
        """
        place = bin_of(probabilities) + N_BINS * size_of(sizes)
        alike, first = np.unique(place, return_inverse=True)
        if not (self.cells // (N_SIZES * N_BINS) == outcome).any():
            return np.zeros(len(place)), np.ones(len(place))
        moments = np.array(
            [self._rate_near(outcome, cell % N_BINS, cell // N_BINS) for cell in alike.tolist()]
        ).reshape(-1, len(_RateEstimate._fields))
        size, place = np.unique(alike // N_BINS, return_inverse=True)
        spread = np.array([self._spread_near(outcome, each) for each in size.tolist()])
        lower, upper = _mixture_points(
            moments, spread.reshape(-1, len(_SPREADS))[place.reshape(-1)]
        )
        lower, upper = lower[first.reshape(-1)], upper[first.reshape(-1)]
        return np.minimum(lower, probabilities), np.maximum(upper, probabilities)

    def _spread_near(self, outcome: int, size: int) -> FloatArray:
        """Weigh the spreads by what groups of a similar size tell.

        Unseen rows fall into large leaves more often, and pairs of them even more so, while
        the interval is to hold leaf by leaf: so every leaf counts alike, as one pair would,
        and all together as so many leaves.
        """
        lots = self._cells[outcome].lots
        near = lots.groups * _fades(lots.size - size, _SIZE_REACH)
        alike = near / (lots.rows - 1)
        share = near.sum() / alike.sum() if alike.any() else 1.0
        return _posterior(share * (alike @ lots.likelihood))

    def _rate_near(self, outcome: int, place: int, size: int) -> _RateEstimate:
        """Estimate the mean of the true rates of groups with a forecast and a size."""
        cells = self._cells[outcome]
        held = cells.amounts
        angle = (place + 0.5) / N_BINS * np.pi / 2
        enough = max(_ENOUGH_ROWS, _ENOUGH_CASES / cells.rare)
        rows = observations = 0.0
        for reach, size_reach in _REACHES:
            near = _fades(cells.angle - angle, reach) * _fades(cells.size - size, size_reach)
            rows = float(near @ held["rows"])
            if rows <= 0:
                continue
            squares = float((near * near) @ held["group_squares"])
            observations = rows * rows / float((near * near) @ held["row_squares"])
            if observations >= enough and rows * rows >= _ENOUGH_GROUPS * squares:
                break
        if rows <= 0:
            near = np.ones_like(cells.angle)
            rows, squares = float(held["rows"].sum()), float(held["group_squares"].sum())
            observations = rows * rows / float(held["row_squares"].sum())
        line = _line(held, _fades(cells.size - size, _SLOPE_REACH), cells.size - size)
        away = np.sin(angle) ** 2 - float(near @ held["forecasts"]) / rows
        rate = float(near @ held["cases"]) / rows + line.slope * away
        rate = float(np.clip(rate, cells.rare / 10, 1 - cells.rare / 10))
        # Half a case of the rarer outcome is added at the overall rate: none seen is not never.
        added = 0.5 / cells.rare
        rate = (rate * observations + added * cells.rate) / (observations + added)
        unsure = away**2 / (8 * (line.width + 1))
        return _RateEstimate(rate, 1 / (observations + added), squares / (rows * rows), unsure)

    @cached_property
    def _cells(self) -> tuple[_Cells, ...]:
        outcome = self.cells // (N_SIZES * N_BINS)
        return tuple(
            _describe(self.cells[outcome == each], self.amounts[outcome == each])
            for each in range(self.n_outcomes)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, ready for JSON."""
        amounts = {name: encode(self.amounts[:, at]) for at, name in enumerate(AMOUNTS)}
        return {
            "n_bins": N_BINS,
            "n_sizes": N_SIZES,
            "n_parts": self.n_parts,
            "cells": encode(self.cells),
            **amounts,
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], n_outcomes: int) -> GroupRecord:
        """Read what :meth:`to_dict` wrote."""
        cells = np.asarray(decode(record["cells"]), dtype=np.int64)
        is_grid = record["n_bins"] == N_BINS and record["n_sizes"] == N_SIZES
        inside = (cells >= 0) & (cells < n_outcomes * N_SIZES * N_BINS)
        if not (is_grid and inside.all() and (np.diff(cells) >= 0).all()):
            raise DataError(
                f"track_record groups must have {N_BINS} bins and {N_SIZES} sizes, in order."
            )
        n_parts = int(record["n_parts"])
        amounts = np.zeros((len(cells), len(AMOUNTS)))
        for at, name in enumerate(AMOUNTS):
            amounts[:, at] = np.asarray(decode(record[name]), dtype=np.float64)
        is_sum = np.isfinite(amounts).all() and (amounts >= -1e-6).all() and n_parts > 0
        if not is_sum or not (amounts[:, [0, 1, 4, 5]] > 0).all():
            raise DataError("track_record groups must be finite, and hold rows.")
        return cls(n_outcomes, n_parts, cells, amounts)


class _RateEstimate(NamedTuple):
    """A mean of true rates, and what makes it uncertain as parts of r(1 - r).

    Attributes
    ----------
    rate : the mean
    per_row, per_group : 1 / rows and 1 / groups that it rests on, as if all were alike
    unsure : the variance that comes from forecasts further away
    """

    rate: float
    per_row: float
    per_group: float
    unsure: float


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


def _rows_and_cases(amounts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean rows of groups kept together, as many as they are worth, and the cases."""
    groups, rows, cases, _, squares, _ = amounts.T
    worth = rows * rows / np.maximum(squares * groups, 1e-300)
    return worth, worth * np.clip(cases / np.maximum(rows, 1e-300), 0.0, 1.0)


def _describe(cells: IntArray, amounts: FloatArray) -> _Cells:
    """Prepare the cells of one outcome for lookups."""
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
    return _Cells(angle, size, held, rate, rare, _lots(amounts, size[place], fitted[place]))


def _lots(amounts: FloatArray, size: FloatArray, fitted: FloatArray) -> _Lots:
    """Find how likely every group of two rows or more is, given its mean rate and a spread."""
    rows, cases = _rows_and_cases(amounts)
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
    estimates : float64[n, 4], as named by ``_RateEstimate``
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
