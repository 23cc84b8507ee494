"""Average ranks of several methods over data sets: Friedman's test and what follows it.

Of many comparisons at once p-values are adjusted, so that luck does not pass for a finding.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from probtrees.errors import DataError
from probtrees.machine.lazy_module import stats
from probtrees.score.paired_test import LEVEL
from probtrees.types import FloatArray


@dataclass(frozen=True)
class RankTest:
    """Whether methods differ at all, judged by their ranks.

    Attributes
    ----------
    n_sets : data sets on which all methods have a figure
    average_ranks : float64[n_methods]; 1 is best
    chi_square, p_chi_square : Friedman's statistic, corrected for ties, and its p-value
    """

    n_sets: int
    average_ranks: FloatArray
    chi_square: float
    p_chi_square: float

    @property
    def n_methods(self) -> int:
        """Number of methods ranked."""
        return int(self.average_ranks.shape[0])

    @property
    def standard_error(self) -> float:
        """That of a difference of average ranks."""
        return math.sqrt(self.n_methods * (self.n_methods + 1) / (6 * self.n_sets))


def friedman(scores: ArrayLike) -> RankTest:
    """Test whether some methods rank better than others (Friedman 1937; Demsar 2006, 3.2.2).

    Parameters
    ----------
    scores : float[n_sets, n_methods], the lower the better; data sets with an undefined figure
        (NaN) are left out
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise DataError(f"scores.shape={table.shape} must be (data sets, at least two methods).")
    table = table[~np.isnan(table).any(axis=1)]
    n_sets, k = table.shape
    if n_sets == 0:
        raise DataError("scores must have a data set on which every method has a figure.")
    ranks: FloatArray = stats.rankdata(table, axis=1)  # equal ones share the mean of theirs
    average = ranks.mean(axis=0)
    between = n_sets * float(((average - (k + 1) / 2) ** 2).sum())
    spread = float(((ranks - (k + 1) / 2) ** 2).sum()) / (n_sets * (k - 1))
    chi_square = between / spread if spread > 0 else 0.0
    return RankTest(n_sets, average, chi_square, float(stats.chi2.sf(chi_square, k - 1)))


def rank_differences(test: RankTest) -> FloatArray:
    """Give the z value of every pair: the difference of average ranks in standard errors."""
    ranks = test.average_ranks
    apart = [abs(ranks[i] - ranks[j]) for i, j in pairs(test.n_methods)]
    return np.array([each / test.standard_error for each in apart])


def pairwise_p_values(test: RankTest) -> FloatArray:
    """Give the unadjusted two-sided p-value of every pair, for Holm and the like."""
    return np.asarray(2 * stats.norm.sf(rank_differences(test)))


def nemenyi_p_values(test: RankTest) -> FloatArray:
    """Give Nemenyi's p-value of every pair: already adjusted for all pairs."""
    z = rank_differences(test) * math.sqrt(2)
    return np.asarray(stats.studentized_range.sf(z, test.n_methods, np.inf)).clip(0.0, 1.0)


def critical_difference(test: RankTest) -> float:
    """Give the difference of average ranks that Nemenyi's test calls significant.

    >>> import numpy as np
    >>> ranks = RankTest(14, np.ones(4), 0.0, 1.0)
    >>> round(critical_difference(ranks), 2)
    1.25
    """
    q = float(stats.studentized_range.ppf(1 - LEVEL, test.n_methods, np.inf)) / math.sqrt(2)
    return q * test.standard_error


def holm(p_values: ArrayLike) -> FloatArray:
    """Adjust p-values by Holm's step-down procedure (1979).

    The smallest is multiplied by their number m, the next by m - 1, ...; an adjusted value
    is never below that of a smaller one, nor above 1.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    factors = np.arange(len(p), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return adjusted


def pairs(n_methods: int) -> list[tuple[int, int]]:
    """List all pairs of methods in the order their p-values are given."""
    return list(itertools.combinations(range(n_methods), 2))
