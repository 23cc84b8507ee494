"""How far groups of unseen rows were from what they were given, by forecast and by size.

A leaf's rows chose the tree, so the spread of a posterior given the tree is too narrow. Inner
trees grown without a part of the rows have leaves too, and the rows of the part say how often
the outcome really came in each. Groups with a similar forecast and of a similar size then
tell where the true rate of such a group lies (empirical Bayes).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from probtrees.errors import DataError
from probtrees.machine.json_file import decode, encode
from probtrees.types import FloatArray, IntArray

N_BINS = 200
"""Bins of equal width in the angle arcsin(sqrt(p)): narrow near 0 and 1, where a
percentage point matters most, and wide in the middle."""

N_SIZES = 32
"""Size classes: the logarithm to base 2 of the rows a group was learnt from, rounded."""

AMOUNTS = (
    "rows",
    "cases",
    "forecasts",
    "row_squares",
    "group_squares",
    "pair_rows",
    "pair_cases",
    "pair_products",
)

_LEVEL = 0.9

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
_SPREAD_REACH = (0.3, 1.5)

_PRIOR_ROWS_OVERALL, _PRIOR_ROWS_LOCAL = 300.0, 200.0
_PRIOR_PART, _PRIOR_LEAST = 0.5, 0.01
"""Before any pair of rows speaks, the spread left inside a forecast is taken as half of what
forecasts explain, and at least 0.01 of r(1 - r)."""

_TAIL = 1.3
"""True rates spread wider than the Beta fitted to their variance: measured in simulation
(``benchmarks/check_intervals.py``), one number for all scenarios. It and the numbers around
it were chosen on five of them; on the one kept apart fewer leaves are covered."""

_DOUBT = 0.1
"""How many standard errors of the spread are added to it for a single group."""


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
    excess, scale : per cell, the sum of squared distances of true rates from the line of
        rates on forecasts, and what it would be if rates were 0 or 1
    spread : their ratio over all cells, drawn to what forecasts explain
    """

    angle: FloatArray
    size: FloatArray
    amounts: Mapping[str, FloatArray]
    rate: float
    rare: float
    excess: FloatArray
    scale: FloatArray
    spread: float


@dataclass(frozen=True)
class GroupRecord:
    """Groups of unseen rows that were given one forecast, added up by forecast and size.

    A group is an inner leaf, or unseen rows of one inner model that share a forecast. With
    weights w its rows weigh m, its cases k, and q and s are the same sums of squares of w.

    Attributes
    ----------
    n_outcomes : outcomes that forecasts speak of
    n_parts : inner models
    cells : int64[n], (outcome * N_SIZES + size class) * N_BINS + bin, ascending
    amounts : float64[n, 8], sums over the groups of a cell, as named by ``AMOUNTS``:
        m, k, m * forecast, q, m^2, and of groups of two rows or more m, k and
        m (k^2 - s) / (m^2 - q), which estimates m times the square of the group's true rate
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
        several = (np.bincount(groups, minlength=n_groups) > 1) & (m * m > q * (1 + 1e-9))
        pairs = np.where(several, m * m - q, 1.0)
        keys, found = [], []
        for outcome in range(n_outcomes):
            happened = (outcomes == outcome).astype(np.float64)
            k, s = total(weights * happened), total(weights**2 * happened)
            given = total(weights * proba[:, outcome])
            product = m * (k * k - s) / pairs
            found.append(
                np.stack(
                    [m, k, given, q, m * m, m * several, k * several, product * several], axis=1
                )
            )
            keys.append((outcome * N_SIZES + size) * N_BINS + bin_of(given / np.maximum(m, 1e-300)))
        return cls._added(n_outcomes, n_parts, np.concatenate(keys), np.concatenate(found))

    @classmethod
    def _added(
        cls, n_outcomes: int, n_parts: int, keys: IntArray, amounts: FloatArray
    ) -> GroupRecord:
        cells, place = np.unique(keys, return_inverse=True)
        sums = np.zeros((len(cells), len(AMOUNTS)))
        np.add.at(sums, place.reshape(-1), amounts)
        return cls(n_outcomes, n_parts, cells.astype(np.int64), sums)

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

    def spread_near(self, outcome: int, angle: float, size: float | None = None) -> float:
        """Estimate how far true rates of groups with one forecast lie apart.

        Parameters
        ----------
        size : the size class of a single group that is asked about; None: groups of all sizes

        Returns
        -------
        their variance, as a part of r(1 - r): 0 if all were alike, 1 if each were 0 or 1
        """
        cells = self._cells[outcome]
        reach, size_reach = _SPREAD_REACH
        near = _fades(cells.angle - angle, reach)
        if size is not None:
            near = near * _fades(cells.size - size, size_reach)
        scale, excess = float(near @ cells.scale), float(near @ cells.excess)
        rows = float(near @ cells.amounts["pair_rows"])
        unit = scale / rows if rows > 0 else cells.rate * (1 - cells.rate)
        prior = _PRIOR_ROWS_LOCAL * unit
        spread = float(np.clip((excess + prior * cells.spread) / (scale + prior), 0.0, 0.9))
        if size is None:
            return spread
        squares = float(near @ cells.amounts["group_squares"])
        n_groups = rows * rows / squares if squares > 0 else 0.0
        error = n_groups / (rows + _PRIOR_ROWS_LOCAL) + spread
        error *= math.sqrt(2 / (n_groups + _PRIOR_ROWS_LOCAL / 3))
        return min(spread + _DOUBT * error, 0.9)

    def intervals(
        self, probabilities: FloatArray, sizes: FloatArray, outcome: int
    ) -> tuple[FloatArray, FloatArray]:
        """Bound the true rates of groups, each by its forecast and size, with 90 % confidence.

        Groups alike share an interval, so many rows cost little more than a few.
        """
        place = bin_of(probabilities) + N_BINS * size_of(sizes)
        alike, first = np.unique(place, return_inverse=True)
        if not (self.cells // (N_SIZES * N_BINS) == outcome).any():
            return np.zeros(len(place)), np.ones(len(place))
        moments = np.array(
            [self._rate_near(outcome, cell % N_BINS, cell // N_BINS) for cell in alike.tolist()]
        ).reshape(-1, 2)
        lower, upper = _beta_points(moments[:, 0], moments[:, 1])
        return lower[first.reshape(-1)], upper[first.reshape(-1)]

    def _rate_near(self, outcome: int, place: int, size: int) -> tuple[float, float]:
        """Return mean and variance of the true rates of groups with a forecast and a size."""
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
        spread = self.spread_near(outcome, angle, size)
        variance = rate * (1 - rate) * (
            _TAIL * spread
            + (1 - spread) / (observations + added)
            + spread * squares / (rows * rows)
        ) + away**2 / (8 * (line.width + 1))
        return rate, min(variance, 0.9 * rate * (1 - rate))

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
        if not (is_grid and inside.all() and (np.diff(cells) > 0).all()):
            raise DataError(
                f"track_record groups must have {N_BINS} bins and {N_SIZES} sizes, in order."
            )
        n_parts = int(record["n_parts"])
        amounts = np.zeros((len(cells), len(AMOUNTS)))
        for at, name in enumerate(AMOUNTS):
            amounts[:, at] = np.asarray(decode(record[name]), dtype=np.float64)
        is_sum = np.isfinite(amounts).all() and (amounts >= -1e-6).all() and n_parts > 0
        if not is_sum or not (amounts[:, [0, 3, 4]] > 0).all():
            raise DataError("track_record groups must be finite, and hold rows.")
        return cls(n_outcomes, n_parts, cells, amounts)


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


def _describe(cells: IntArray, amounts: FloatArray) -> _Cells:
    """Prepare the cells of one outcome for lookups."""
    held = {name: amounts[:, at] for at, name in enumerate(AMOUNTS)}
    angle = (cells % N_BINS + 0.5) / N_BINS * np.pi / 2
    size = (cells // N_BINS % N_SIZES).astype(np.float64)
    rows = float(held["rows"].sum())
    rate = (float(held["cases"].sum()) + 0.5) / (rows + 1)
    rare = min(rate, 1 - rate)
    fitted = np.empty(len(cells))
    for each in np.unique(size):
        line = _line(held, _fades(size - each, _SLOPE_REACH), size - each)
        own = size == each
        forecasts = held["forecasts"][own] / held["rows"][own]
        fitted[own] = line.rate + line.slope * (forecasts - line.middle)
    fitted = np.clip(fitted, rare / 10, 1 - rare / 10)
    excess = held["pair_products"] - 2 * fitted * held["pair_cases"] + fitted**2 * held["pair_rows"]
    scale = held["pair_rows"] * fitted * (1 - fitted)
    unit = rate * (1 - rate)
    explained = 0.0
    if rows > 0:
        explained = max(0.0, (float(held["rows"] @ (fitted - rate) ** 2) / unit - 5) / rows)
    prior = _PRIOR_ROWS_OVERALL * unit
    spread = (excess.sum() + prior * (_PRIOR_PART * explained + _PRIOR_LEAST)) / (
        scale.sum() + prior
    )
    return _Cells(angle, size, held, rate, rare, excess, scale, float(np.clip(spread, 0, 0.9)))


def _fades(away: FloatArray, reach: float) -> FloatArray:
    """Weigh what lies near: 1 at a distance of 0, 0 from twice the reach on."""
    return np.asarray(np.maximum(1 - np.abs(away) / (2 * reach), 0.0))


def _beta_points(mean: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the 5 % and 95 % points of the Betas with these means and variances."""
    size = np.maximum(mean * (1 - mean) / np.maximum(variance, 1e-12) - 1, 0.05)
    tail = (1 - _LEVEL) / 2
    a, b = mean * size, (1 - mean) * size
    return np.asarray(betaincinv(a, b, tail)), np.asarray(betaincinv(a, b, 1 - tail))
