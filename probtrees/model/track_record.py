"""What happened to unseen rows that were given a similar number.

A leaf's probability rests on few rows, and the same rows chose the tree. The honest
question is: when models like this one said about 30 % of rows they had not seen, how often
did it come true? Inner trees, grown without a part of the rows, answer it for that part.

Rows of one leaf share its error, so they are worth fewer than so many independent rows; how
many fewer is estimated from leaves with two unseen rows or more. So rows are added up by the
groups that share a forecast; :mod:`.group_rates` finds what these tell about the true rate of a
group with a similar forecast and of a similar size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from probtrees.errors import DataError
from probtrees.machine.json_file import decode, encode
from probtrees.model.group_rates import (
    AMOUNTS,
    N_BINS,
    N_SIZES,
    GroupRates,
    bin_of,
    rows_and_cases,
    size_of,
)
from probtrees.types import FloatArray, IntArray

ENOUGH_ROWS = 100
"""Rows that a window around a probability should hold."""

ENOUGH_GROUPS = 5
"""Leaves, as if all were of one size, that it should hold."""

WIDEST = 0.1
"""How far, in that angle, a window may reach: 0.4 to 0.6 around 0.5, up to 0.01 around 0."""

_REACHES = tuple(2.5 * 1.4**step for step in range(13, -1, -1))
"""Half the widths, in bins, of windows around a number, the widest first: it holds all rows."""

_ENOUGH_POWER, _OF_OTHERS = 0.65, 1.7
"""Of 300 rows a window holds 41, of 2,000 rows 140; on simulated tables rows of inner models told
about so much less of the model itself."""

_AMOUNTS = ("rows", "cases", "forecasts")


@dataclass(frozen=True)
class Similar:
    """Unseen rows that were given a similar probability of an outcome.

    Attributes
    ----------
    low, high : the probabilities taken as similar
    rows, cases : how many unseen rows got one of these, and how many had the outcome
    forecast : the mean probability they were given; None without rows
    rate : cases / rows; None without rows
    lower, upper : 90 % interval of the true rate of fresh rows to which the model gives one
        of these probabilities (Wilson, with as many rows as they are worth)
    worth : how many independent rows would say as much; None where that is not known
    """

    low: float
    high: float
    rows: float
    cases: float
    forecast: float | None
    rate: float | None
    lower: float
    upper: float
    worth: float | None = None


@dataclass(frozen=True)
class LeafInterval:
    """Where the true rates of 90 of 100 such leaves lie, judged by unseen rows."""

    lower: float
    upper: float


@dataclass(frozen=True)
class TrackRecord:
    """How often forecasts of every size came true, on rows not seen in training.

    Attributes
    ----------
    rows : float64[n_outcomes, n_bins], rows by the probability given to the outcome
    cases : float64[n_outcomes, n_bins], those that had the outcome
    forecasts : float64[n_outcomes, n_bins], the sum of the probabilities given
    n_parts : inner models that made the forecasts
    cells : int64[n], (outcome * N_SIZES + size class) * N_BINS + bin, ascending
    amounts : float64[n, 6], sums over the groups of a cell, as named by ``AMOUNTS``: 1, m, k,
        m * forecast, q and m^2. A group is an inner leaf, or unseen rows of one inner model that
        share a forecast. With weights w its rows weigh m, its cases k, and q is the sum of
        squares of w. Groups with the same numbers of rows and cases are kept together.
    """

    rows: FloatArray
    cases: FloatArray
    forecasts: FloatArray
    n_parts: int
    cells: IntArray
    amounts: FloatArray

    @classmethod
    def of(
        cls,
        proba: FloatArray,
        outcomes: NDArray[np.int64],
        weights: FloatArray | None = None,
        groups: NDArray[np.int64] | None = None,
        sizes: FloatArray | None = None,
        n_parts: int = 1,
    ) -> TrackRecord:
        """Sort forecasts into bins and count what happened.

        Parameters
        ----------
        groups : which rows share an inner leaf; None: none do
        sizes : rows that each row's leaf was learnt from
        n_parts : inner models that made the forecasts

        >>> record = TrackRecord.of(np.array([[0.7, 0.3]] * 10), np.array([0] * 6 + [1] * 4))
        >>> record.lookup(0.72, outcome=0).rate
        0.6
        """
        n_rows, n_outcomes = proba.shape
        weights = np.ones(n_rows) if weights is None else weights
        groups = np.arange(n_rows) if groups is None else groups
        sizes = np.ones(n_rows) if sizes is None else sizes
        # A weighted row is one observation: rows of equal weight weigh 1, so that weights alone
        # never narrow an interval.
        scale = observation_scale(weights)
        weights = weights * scale
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
        cells, amounts = _kept_together(np.concatenate(keys), np.concatenate(found))
        rows, cases, forecasts = (
            _by_bin(cells, amounts, name, n_outcomes) / scale for name in _AMOUNTS
        )
        return cls(rows, cases, forecasts, n_parts, cells, amounts)

    def lookup(self, probability: float, outcome: int, enough: float = ENOUGH_ROWS) -> Similar:
        """Find what happened to unseen rows given about this probability of an outcome.

        The window around the probability grows until it holds enough rows or would reach
        numbers that are no longer similar.
        """
        own = int(bin_of(probability))
        most = math.floor(WIDEST / (math.pi / 2) * N_BINS)
        reach = 0
        while reach < most and not self._is_enough(outcome, _window(own, reach), enough):
            reach += 1
        inside = _window(own, reach)
        return self.between(outcome, inside.start, inside.stop)

    def lookup_all(self, probabilities: FloatArray, outcome: int) -> list[Similar]:
        """Look up many probabilities; those of one bin have one answer, which is found once."""
        _, first, place = np.unique(bin_of(probabilities), return_index=True, return_inverse=True)
        found = [self.lookup(float(probabilities[at]), outcome) for at in first.tolist()]
        return [found[at] for at in place.tolist()]

    def between(self, outcome: int, first: int, end: int) -> Similar:
        """Return what happened to unseen rows whose forecasts lie in the bins first to end - 1."""
        inside = slice(first, end)
        rows, cases, forecasts = (
            float(amounts[outcome, inside].sum())
            for amounts in (self.rows, self.cases, self.forecasts)
        )
        rate = cases / rows if rows > 0 else None
        worth = None if rate is None else self._worth(outcome, inside)
        lower, upper = (0.0, 1.0) if rate is None or worth is None else wilson_interval(rate, worth)
        return Similar(
            low=_edge(first),
            high=_edge(end),
            rows=rows,
            cases=cases,
            forecast=forecasts / rows if rows > 0 else None,
            rate=rate,
            lower=lower,
            upper=upper,
            worth=worth,
        )

    def leaf_interval(self, probability: float, rows: float, outcome: int) -> LeafInterval | None:
        """Bound the true rate of a leaf by unseen rows of leaves like it, with 90 % confidence.

        Parameters
        ----------
        probability : what the leaf says
        rows : training rows in it
        """
        if not self.rows[outcome].any():
            return None
        lower, upper = self.intervals(np.array([probability]), np.array([rows]), outcome)
        return LeafInterval(float(lower[0]), float(upper[0]))

    def intervals(
        self, probabilities: FloatArray, sizes: FloatArray | None, outcome: int
    ) -> tuple[FloatArray, FloatArray]:
        """Bound true rates with 90 % confidence: of leaves, each by its number and its rows.

        Without sizes: of all rows that are given about this number. Groups alike share an interval,
        so many rows cost little more than a few. It holds the forecast too: a number outside of
        its own range would be read as an error.
        """
        if not (self.cells // (N_SIZES * N_BINS) == outcome).any():
            return np.zeros(len(probabilities)), np.ones(len(probabilities))
        place = bin_of(probabilities) + (0 if sizes is None else N_BINS * size_of(sizes))
        alike, at = np.unique(place, return_inverse=True)
        if sizes is None:
            lower, upper = self._rates_of_rows(alike, outcome)
        else:
            lower, upper = self._rates[outcome].intervals(alike % N_BINS, alike // N_BINS)
        lower, upper = lower[at.reshape(-1)], upper[at.reshape(-1)]
        return np.minimum(lower, probabilities), np.maximum(upper, probabilities)

    def _rates_of_rows(self, place: IntArray, outcome: int) -> tuple[FloatArray, FloatArray]:
        """Bound the rate of rows around each bin (Wilson), near ones weighing most.

        The narrowest window with enough rows is taken: a power of all rows, so that with more of
        them windows get narrower and intervals too. Rows count for fewer (``_OF_OTHERS``), since
        it were inner models that gave them their numbers.
        """
        rows, cases, squares = (
            self._amounts_by_bin[name][outcome] for name in ("rows", "cases", "row_squares")
        )
        away = np.abs(place[:, None] - np.arange(N_BINS))
        share, worth = np.zeros(len(place)), np.zeros(len(place))
        for reach in _REACHES:
            near = np.maximum(1 - away / reach, 0.0)
            inside = near @ rows
            held = inside**2 / np.maximum(near**2 @ squares, 1e-300)
            taken = (held >= rows.sum() ** _ENOUGH_POWER) | (reach == _REACHES[0])
            share[taken] = ((near @ cases) / np.maximum(inside, 1e-300))[taken]
            worth[taken] = held[taken] / _OF_OTHERS
        pairs = zip(share.tolist(), worth.tolist(), strict=True)
        ends = np.array([wilson_interval(*pair) for pair in pairs]).reshape(-1, 2)
        return ends[:, 0], ends[:, 1]

    @cached_property
    def _rates(self) -> tuple[GroupRates, ...]:
        outcome = self.cells // (N_SIZES * N_BINS)
        return tuple(
            GroupRates.of(self.cells[outcome == each], self.amounts[outcome == each])
            for each in range(len(self.rows))
        )

    def _is_enough(self, outcome: int, inside: slice, enough: float) -> bool:
        rows, squares = self._sums(outcome, inside, "rows", "group_squares")
        return rows >= enough and rows * rows >= ENOUGH_GROUPS * squares

    def _worth(self, outcome: int, inside: slice) -> float:
        """Return how many independent rows would say as much as those in a window.

        With spread s, the variance of true rates among leaves given one number as a part of
        r(1 - r), the rate differs from that of fresh rows by a variance of r(1 - r) times

        .. math:: 1 / n + s (H - 1 / n + H_{final})

        H is the sum of squared shares of the inner leaves; 1 / n is what rows alone would have.
        The model itself has its leaves in the window too, as many as one inner model has:
        H_final is the same for one of them, expected for rows without end.
        """
        names = ("rows", "row_squares", "group_squares")
        rows, row_squares, group_squares = self._sums(outcome, inside, *names)
        if rows <= 0:
            return rows
        spread = self._rates[outcome].spread_of_rows
        shared = max(group_squares - row_squares, 0.0) / rows**2
        final = min(1.0, self.n_parts * shared)
        return 1 / (row_squares / rows**2 + spread * (shared + final))

    def _sums(self, outcome: int, inside: slice, *names: str) -> list[float]:
        """Add amounts up over the bins of a window."""
        return [float(self._amounts_by_bin[name][outcome, inside].sum()) for name in names]

    @cached_property
    def _amounts_by_bin(self) -> dict[str, FloatArray]:
        n_outcomes = len(self.rows)
        return {name: _by_bin(self.cells, self.amounts, name, n_outcomes) for name in AMOUNTS}

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, ready for JSON."""
        filled = np.flatnonzero(self.rows)
        return {
            "n_bins": N_BINS,
            "filled": encode(filled),
            **{name: encode(getattr(self, name).flat[filled]) for name in _AMOUNTS},
            "groups": {
                "n_bins": N_BINS,
                "n_sizes": N_SIZES,
                "n_parts": self.n_parts,
                "cells": encode(self.cells),
                **{name: encode(self.amounts[:, at]) for at, name in enumerate(AMOUNTS)},
            },
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], n_outcomes: int) -> TrackRecord:
        """Read what :meth:`to_dict` wrote."""
        filled = np.asarray(decode(record["filled"]), dtype=np.int64)
        size = n_outcomes * N_BINS
        if record["n_bins"] != N_BINS or ((filled < 0) | (filled >= size)).any():
            raise DataError(f"track_record must have {N_BINS} bins for every outcome.")
        arrays = {name: np.zeros((n_outcomes, N_BINS)) for name in _AMOUNTS}
        for name, array in arrays.items():
            array.flat[filled] = np.asarray(decode(record[name]), dtype=np.float64)
            if not ((array >= 0) & (array < 1e100)).all():  # which can be squared
                raise DataError(f"track_record {name} must be finite and not negative.")
        n_parts, cells, amounts = _read_groups(record["groups"], n_outcomes)
        return cls(**arrays, n_parts=n_parts, cells=cells, amounts=amounts)


def wilson_interval(share: float, rows: float, level: float = 0.9) -> tuple[float, float]:
    """Bound a rate of which a share was seen in so many independent rows (Wilson 1927).

    >>> [round(end, 3) for end in wilson_interval(9 / 80, 80)]
    [0.067, 0.184]
    """
    z = float(ndtri((1 + level) / 2))
    scale = 1 + z * z / rows
    middle = (share + z * z / (2 * rows)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _read_groups(record: Mapping[str, Any], n_outcomes: int) -> tuple[int, IntArray, FloatArray]:
    """Read the groups of a record: the inner models, the cells and what they hold."""
    cells = np.asarray(decode(record["cells"]), dtype=np.int64)
    is_grid = record["n_bins"] == N_BINS and record["n_sizes"] == N_SIZES
    seen = np.unique(cells // (N_SIZES * N_BINS)).tolist()  # a row is counted for every outcome
    if not (is_grid and seen in ([], [*range(n_outcomes)]) and (np.diff(cells) >= 0).all()):
        raise DataError(
            f"track_record groups must have {N_BINS} bins and {N_SIZES} sizes, in order."
        )
    n_parts = int(record["n_parts"])
    amounts = np.zeros((len(cells), len(AMOUNTS)))
    for at, name in enumerate(AMOUNTS):
        amounts[:, at] = np.asarray(decode(record[name]), dtype=np.float64)
    is_sum = (amounts < 1e100).all() and (amounts >= -1e-6).all() and n_parts > 0
    if not is_sum or not (amounts[:, [0, 1, 4, 5]] > 0).all():
        raise DataError("track_record groups must be finite, and hold rows.")
    return n_parts, cells, amounts


def observation_scale(weights: FloatArray) -> float:
    """Return the factor under which weights add up to the rows they are worth (Kish 1965).

    >>> observation_scale(np.array([4.0, 4.0]))
    0.25
    """
    squares = float(weights @ weights)
    return float(weights.sum()) / squares if squares > 0 else 1.0


def _kept_together(keys: IntArray, amounts: FloatArray) -> tuple[IntArray, FloatArray]:
    """Add up what has the same cell, and about as many rows and cases."""
    m, k = (np.rint(each) for each in rows_and_cases(amounts))
    order = np.lexsort((k, m, keys))
    columns = np.stack([keys.astype(np.float64), m, k])[:, order]
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = (np.diff(columns, axis=1) != 0).any(axis=0)
    first = np.flatnonzero(is_first)
    sums = np.add.reduceat(amounts[order], first, axis=0) if len(first) else amounts
    return keys[order][first].astype(np.int64), sums


def _by_bin(cells: IntArray, amounts: FloatArray, name: str, n_outcomes: int) -> FloatArray:
    """Return float64[n_outcomes, n_bins], an amount by forecast, of groups of all sizes."""
    place = cells // (N_SIZES * N_BINS) * N_BINS + cells % N_BINS
    sums = np.bincount(place, amounts[:, AMOUNTS.index(name)], n_outcomes * N_BINS)
    return sums.reshape(n_outcomes, N_BINS).astype(np.float64)


def _window(own: int, reach: int) -> slice:
    return slice(max(own - reach, 0), min(own + reach + 1, N_BINS))


def _edge(place: int) -> float:
    return math.sin(place / N_BINS * math.pi / 2) ** 2
