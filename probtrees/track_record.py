"""What happened to unseen rows that were given a similar number.

A leaf's probability rests on few rows, and the same rows chose the tree. The honest
question is: when models like this one said about 30 % of rows they had not seen, how often
did it come true? Inner trees, grown without a part of the rows, answer it for that part.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probtrees.errors import DataError
from probtrees.json_file import decode, encode

FloatArray = NDArray[np.float64]

N_BINS = 200
"""Bins of equal width in the angle arcsin(sqrt(p)): narrow near 0 and 1, where a
percentage point matters most, and wide in the middle."""

ENOUGH_ROWS = 100
"""Rows that a window around a probability should hold."""

WIDEST = 0.1
"""How far, in that angle, a window may reach: 0.4 to 0.6 around 0.5, up to 0.01 around 0."""

_AMOUNTS = ("rows", "cases", "forecasts")

_Z_90 = 1.6448536269514722


@dataclass(frozen=True)
class Similar:
    """Unseen rows that were given a similar probability of an outcome.

    Attributes
    ----------
    low, high : the probabilities taken as similar
    rows, cases : how many unseen rows got one of these, and how many had the outcome
    forecast : the mean probability they were given; None without rows
    rate : cases / rows; None without rows
    lower, upper : 90 % interval of the rate (Wilson)
    """

    low: float
    high: float
    rows: float
    cases: float
    forecast: float | None
    rate: float | None
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
    """

    rows: FloatArray
    cases: FloatArray
    forecasts: FloatArray

    @classmethod
    def of(
        cls, proba: FloatArray, outcomes: NDArray[np.int64], weights: FloatArray | None = None
    ) -> TrackRecord:
        """Sort forecasts into bins and count what happened.

        >>> record = TrackRecord.of(np.array([[0.7, 0.3]] * 10), np.array([0] * 6 + [1] * 4))
        >>> record.lookup(0.72, outcome=0).rate
        0.6
        """
        n_rows, n_outcomes = proba.shape
        weights = np.ones(n_rows) if weights is None else weights
        place = _bin_of(proba) + N_BINS * np.arange(n_outcomes)
        shape, size = (n_outcomes, N_BINS), n_outcomes * N_BINS
        happened = np.equal(outcomes[:, None], np.arange(n_outcomes))

        def add_up(amounts: FloatArray) -> FloatArray:
            totals = np.bincount(place.ravel(), (weights[:, None] * amounts).ravel(), size)
            return totals.reshape(shape).astype(np.float64)

        return cls(add_up(np.ones_like(proba)), add_up(happened.astype(np.float64)), add_up(proba))

    def __add__(self, other: TrackRecord) -> TrackRecord:
        """Join two records."""
        return TrackRecord(
            self.rows + other.rows, self.cases + other.cases, self.forecasts + other.forecasts
        )

    def lookup(self, probability: float, outcome: int, enough: float = ENOUGH_ROWS) -> Similar:
        """Find what happened to unseen rows given about this probability of an outcome.

        The window around the probability grows until it holds enough rows or would reach
        numbers that are no longer similar.
        """
        own = int(_bin_of(probability))
        most = math.floor(WIDEST / (math.pi / 2) * N_BINS)
        reach = 0
        while reach < most and self._inside(self.rows, outcome, own, reach) < enough:
            reach += 1
        rows = self._inside(self.rows, outcome, own, reach)
        cases = self._inside(self.cases, outcome, own, reach)
        forecasts = self._inside(self.forecasts, outcome, own, reach)
        lower, upper = wilson_interval(cases, rows)
        return Similar(
            low=_edge(max(own - reach, 0)),
            high=_edge(min(own + reach + 1, N_BINS)),
            rows=rows,
            cases=cases,
            forecast=forecasts / rows if rows > 0 else None,
            rate=cases / rows if rows > 0 else None,
            lower=lower,
            upper=upper,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, ready for JSON."""
        filled = np.flatnonzero(self.rows)
        return {
            "n_bins": N_BINS,
            "filled": encode(filled),
            **{name: encode(getattr(self, name).flat[filled]) for name in _AMOUNTS},
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
        return cls(**arrays)

    @staticmethod
    def _inside(amounts: FloatArray, outcome: int, own: int, reach: int) -> float:
        return float(amounts[outcome, max(own - reach, 0) : own + reach + 1].sum())


def wilson_interval(cases: float, rows: float, z: float = _Z_90) -> tuple[float, float]:
    """Bound a rate from above and below with 90 % confidence (Wilson 1927).

    >>> tuple(round(bound, 3) for bound in wilson_interval(0, 10))
    (0.0, 0.213)
    """
    if rows <= 0:
        return 0.0, 1.0
    rate = cases / rows
    scale = 1 + z * z / rows
    centre = (rate + z * z / (2 * rows)) / scale
    half = z / scale * math.sqrt(rate * (1 - rate) / rows + z * z / (4 * rows * rows))
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def _bin_of(probability: ArrayLike) -> NDArray[np.int64]:
    angle = np.arcsin(np.sqrt(np.clip(probability, 0.0, 1.0)))
    place: NDArray[np.int64] = np.asarray(angle * (N_BINS / (np.pi / 2)), dtype=np.int64)
    return np.minimum(place, N_BINS - 1)


def _edge(place: int) -> float:
    return math.sin(place / N_BINS * math.pi / 2) ** 2
