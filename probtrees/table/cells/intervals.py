"""Classes made from a numeric target: intervals whose names say where they end."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from probtrees.table.cells.spelled_numbers import spell
from probtrees.types import FloatArray

_FIRST = re.compile(r"up to (\S+)")
_MIDDLE = re.compile(r"over (\S+) to (\S+)")
_LAST = re.compile(r"over (\S+)")


def equal_frequency_intervals(
    values: FloatArray, n_bins: int
) -> tuple[FloatArray, tuple[str, ...]]:
    """Cut values into intervals of about equal numbers of rows, and name these.

    >>> equal_frequency_intervals(np.array([1.0, 2.0, 3.14, 4.0]), 2)
    (array([2.]), ('up to 2', 'over 2'))
    """
    cuts = equal_frequency_cuts(values, n_bins)
    return cuts, interval_names(cuts) if len(cuts) else ()


def equal_frequency_cuts(values: FloatArray, n_bins: int) -> FloatArray:
    """Cut values into bins of about equal numbers of rows.

    Equal values stay together, so there can be fewer bins than asked for. A cut is the
    shortest number that separates its two neighbours.

    >>> equal_frequency_cuts(np.array([1.0, 2.0, 3.14, 4.0]), 2).tolist()
    [2.0]
    """
    ordered = np.sort(values[~np.isnan(values)])
    wanted = np.arange(1, n_bins) * len(ordered) / n_bins
    distinct, first = np.unique(ordered, return_index=True)
    starts = first[1:]
    if not len(starts):
        return np.empty(0)
    above = np.clip(np.searchsorted(starts, wanted), 0, len(starts) - 1)
    below = np.maximum(above - 1, 0)
    nearest = np.where(wanted - starts[below] < starts[above] - wanted, below, above)
    return np.array([shortest_between(distinct[n], distinct[n + 1]) for n in np.unique(nearest)])


def interval_names(cuts: Sequence[float] | FloatArray) -> tuple[str, ...]:
    """Name the intervals between cuts; a value equal to a cut lies below it.

    >>> interval_names([2.0, 3.5])
    ('up to 2', 'over 2 to 3.5', 'over 3.5')
    """
    shown = [spell(float(cut)) for cut in cuts]
    middle = (f"over {low} to {high}" for low, high in pairwise(shown))
    return (f"up to {shown[0]}", *middle, f"over {shown[-1]}")


def cuts_of_names(names: Sequence[str]) -> FloatArray | None:
    """Read the cuts back from the names of intervals; None if these are other names."""
    if len(names) < 2 or not _FIRST.fullmatch(names[0]) or not _LAST.fullmatch(names[-1]):
        return None
    ends = [_FIRST.fullmatch(names[0]), *(_MIDDLE.fullmatch(name) for name in names[1:-1])]
    try:
        cuts = np.array([float(match.groups()[-1]) for match in ends if match is not None])
    except ValueError:
        return None
    return cuts if len(cuts) == len(names) - 1 and interval_names(cuts) == tuple(names) else None


def shortest_between(low: float, high: float) -> float:
    """Find the number with the fewest decimals in [low, high).

    >>> shortest_between(2.348336594911937, 2.3514)
    2.35
    """
    for decimals in range(-15, 16):
        scale = 10.0**-decimals
        candidate = round(math.ceil(low / scale) * scale, max(decimals, 0))
        if low <= candidate < high:
            return float(candidate) + 0.0
    return float(low)
