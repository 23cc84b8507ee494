"""What happened to unseen rows that were given a similar number.

A leaf's probability rests on few rows, and the same rows chose the tree. The honest
question is: when models like this one said about 30 % of rows they had not seen, how often
did it come true? Inner trees, grown without a part of the rows, answer it for that part.

Rows of one leaf share its error, so they are worth fewer than so many independent rows; how
many fewer is estimated from leaves with two unseen rows or more.
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
from probtrees.model.group_rates import N_BINS, bin_of
from probtrees.model.group_record import GroupRecord, observation_scale
from probtrees.types import FloatArray

ENOUGH_ROWS = 100
"""Rows that a window around a probability should hold."""

ENOUGH_GROUPS = 5
"""Leaves, as if all were of one size, that it should hold."""

WIDEST = 0.1
"""How far, in that angle, a window may reach: 0.4 to 0.6 around 0.5, up to 0.01 around 0."""

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
    """Where the true rate of a leaf lies, 9 in 10 times, judged by unseen rows."""

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
    groups : the same by group of rows that share a forecast
    """

    rows: FloatArray
    cases: FloatArray
    forecasts: FloatArray
    groups: GroupRecord

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
        n_rows = proba.shape[0]
        weights = np.ones(n_rows) if weights is None else weights
        groups = np.arange(n_rows) if groups is None else groups
        sizes = np.ones(n_rows) if sizes is None else sizes
        grouped = GroupRecord.of(proba, outcomes, weights, groups, sizes, n_parts)
        scale = observation_scale(weights)
        rows, cases, forecasts = (grouped.by_bin(name) / scale for name in _AMOUNTS)
        return cls(rows, cases, forecasts, grouped)

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
        lower, upper = self.groups.intervals(np.array([probability]), np.array([rows]), outcome)
        return LeafInterval(float(lower[0]), float(upper[0]))

    def _is_enough(self, outcome: int, inside: slice, enough: float) -> bool:
        rows = float(self._observed[outcome, inside].sum())
        squares = float(self._group_squares[outcome, inside].sum())
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
        rows = float(self._observed[outcome, inside].sum())
        if rows <= 0:
            return rows
        row_squares = float(self._row_squares[outcome, inside].sum())
        group_squares = float(self._group_squares[outcome, inside].sum())
        spread = self.groups.rates[outcome].spread_of_rows()
        shared = max(group_squares - row_squares, 0.0) / rows**2
        final = min(1.0, self.groups.n_parts * shared)
        return 1 / (row_squares / rows**2 + spread * (shared + final))

    @cached_property
    def _observed(self) -> FloatArray:
        return self.groups.by_bin("rows")

    @cached_property
    def _group_squares(self) -> FloatArray:
        return self.groups.by_bin("group_squares")

    @cached_property
    def _row_squares(self) -> FloatArray:
        return self.groups.by_bin("row_squares")

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, ready for JSON."""
        filled = np.flatnonzero(self.rows)
        return {
            "n_bins": N_BINS,
            "filled": encode(filled),
            **{name: encode(getattr(self, name).flat[filled]) for name in _AMOUNTS},
            "groups": self.groups.to_dict(),
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
            if not (np.isfinite(array).all() and (array >= 0).all()):
                raise DataError(f"track_record {name} must be finite and not negative.")
        return cls(**arrays, groups=GroupRecord.from_dict(record["groups"], n_outcomes))


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


def _window(own: int, reach: int) -> slice:
    return slice(max(own - reach, 0), min(own + reach + 1, N_BINS))


def _edge(place: int) -> float:
    return math.sin(place / N_BINS * math.pi / 2) ** 2
