"""Many comparisons at once: p-values adjusted so that luck does not pass for a finding."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
Pair = tuple[int, int]

MOST_METHODS = 9
"""Up to this many methods Bergmann and Hommel's procedure looks at all exhaustive sets."""


def holm(p_values: ArrayLike) -> FloatArray:
    """Adjust p-values by Holm's step-down procedure (1979).

    The smallest is multiplied by their number m, the next by m - 1, ...; an adjusted value
    is never below that of a smaller one, nor above 1.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    return _step_down(p, np.arange(len(p), 0, -1))


def shaffer(p_values: ArrayLike, n_methods: int) -> FloatArray:
    """Adjust the p-values of all pairs by Shaffer's static procedure (1986).

    Like Holm's, with the number of hypotheses that can still be true together once some
    are rejected: if two methods differ, not all the others can be equal to both.
    """
    p = np.asarray(p_values, dtype=np.float64)
    possible = sorted(_counts_of_true_hypotheses(n_methods))
    m = len(p)
    factors = [max(t for t in possible if t <= m - rank) for rank in range(m)]
    return _step_down(p, np.array(factors))


def bergmann_hommel(p_values: ArrayLike, n_methods: int) -> FloatArray:
    r"""Adjust the p-values of all pairs by Bergmann and Hommel's procedure (1988).

    .. math:: \max \{ |I| \min_{j \in I} p_j : I \text{ exhaustive}, i \in I \}

    A set of pairs is exhaustive if exactly those can be equal at once: the pairs inside the
    blocks of a partition of the methods. Garcia and Herrera (2008), sec. 2. For more than
    nine methods, where partitions get too many, Shaffer's procedure is used instead.

    Parameters
    ----------
    p_values : of the pairs (0, 1), (0, 2), ..., (1, 2), ... in the order of ``pairs``
    """
    p = np.asarray(p_values, dtype=np.float64)
    if n_methods > MOST_METHODS:
        return shaffer(p, n_methods)
    place = {pair: number for number, pair in enumerate(pairs(n_methods))}
    adjusted = p.copy()
    for blocks in partitions(n_methods):
        members = [place[pair] for block in blocks for pair in itertools.combinations(block, 2)]
        if members:
            bound = len(members) * p[members].min()
            adjusted[members] = np.maximum(adjusted[members], bound)
    return np.minimum(adjusted, 1.0)


def pairs(n_methods: int) -> list[Pair]:
    """List all pairs of methods in the order their p-values are given."""
    return list(itertools.combinations(range(n_methods), 2))


def partitions(n: int) -> Iterator[list[list[int]]]:
    """Give every way to put the numbers 0 .. n-1 into blocks.

    >>> sum(1 for _ in partitions(4))
    15
    """
    if n == 0:
        yield []
        return
    for blocks in partitions(n - 1):
        for number, block in enumerate(blocks):
            yield [*blocks[:number], [*block, n - 1], *blocks[number + 1 :]]
        yield [*blocks, [n - 1]]


def _counts_of_true_hypotheses(n_methods: int) -> set[int]:
    """List how many pairs can be equal at once: the sums of the pairs inside blocks."""
    counts: dict[int, set[int]] = {0: {0}, 1: {0}}
    for n in range(2, n_methods + 1):
        counts[n] = {
            block * (block - 1) // 2 + rest
            for block in range(1, n + 1)
            for rest in counts[n - block]
        }
    return counts[n_methods]


def _step_down(p: FloatArray, factors: NDArray[np.int64]) -> FloatArray:
    """Multiply the sorted p-values, keep them ascending, and put them back in place."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return adjusted
