"""A number of which only a range is known, as networks see it that cut the column elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.table.column_profile import ColumnProfile
from probtrees.table.cuts import interval_names
from probtrees.types import FloatArray


class KnownRange(NamedTuple):
    """A range that a number is known to lie in: above ``low``, at most ``high``.

    >>> str(KnownRange(34.0, 51.0)), str(KnownRange(51.0, math.inf))
    ('34 to 51', 'above 51')
    """

    low: float
    high: float

    def __str__(self) -> str:
        """Name it as the ranges of networks are named."""
        ends = [end for end in self if math.isfinite(end)]
        names = interval_names(np.array(ends))
        return names[1] if len(ends) == 2 or self.high == math.inf else names[0]

    @classmethod
    def of_value(cls, points: Sequence[float], value: int) -> KnownRange:
        """Return one of the ranges between cut points.

        >>> KnownRange.of_value((10.0, 20.0), 2)
        KnownRange(low=20.0, high=inf)
        """
        ends = (-math.inf, *points, math.inf)
        return cls(ends[value], ends[value + 1])


def shares_within(
    points: Sequence[float], known: KnownRange, profile: ColumnProfile | None
) -> FloatArray:
    """Return what share of each range between cut points lies in the range that is known.

    A network that knows a number only by ranges of its own has that much of each of them left:
    evidence by likelihoods (Pearl 1988, section 2.2.2).

    Parameters
    ----------
    profile : how the numbers of training are spread; without it they are taken to be spread
        evenly, outer ranges as wide as their neighbours

    Examples
    --------
    >>> shares_within((10.0, 20.0), KnownRange(15.0, math.inf), None).round(9).tolist()
    [0.0, 0.5, 1.0]
    """
    if not known.low < known.high:
        raise DataError(f"range={tuple(known)!r} must begin below its end. Exchange the two.")
    if len(points) == 0:  # the column is left whole
        return np.ones(1)
    ends = np.array([-math.inf, *points, math.inf])
    lows, highs = ends[:-1], ends[1:]
    within = np.minimum(highs, known.high), np.maximum(lows, known.low)
    rank = _rank(points, profile)
    whole = rank(highs) - rank(lows)
    shares = np.maximum(rank(within[0]) - rank(within[1]), 0.0)
    shares = np.divide(shares, whole, out=np.zeros(len(whole)), where=whole > 0)
    # Where a range is known altogether, or not at all, nothing is left to rounding.
    shares[(lows >= known.low) & (highs <= known.high)] = 1.0
    shares[within[0] <= within[1]] = 0.0
    if not shares.any():  # no number of training was there: the first range that it touches
        shares[np.searchsorted(points, known.low, side="right")] = 1.0
    return shares


def _rank(
    points: Sequence[float], profile: ColumnProfile | None
) -> Callable[[FloatArray], FloatArray]:
    """Return a function that says which share of the numbers is at most one."""
    if profile is not None and profile.edges is not None and profile.counts.sum() > 0:
        edges = profile.edges
        below = np.concatenate([[0.0], np.cumsum(profile.counts)])
    else:
        widths = np.diff(points).tolist() or [1.0]
        edges = np.array([points[0] - widths[0], *points, points[-1] + widths[-1]])
        below = edges - edges[0]
    return lambda numbers: np.interp(numbers, edges, below / below[-1])
