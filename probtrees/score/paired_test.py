"""Two methods on the same data sets or folds, and whether their difference is luck."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from probtrees.errors import DataError


@dataclass(frozen=True)
class PairedTest:
    """A difference and its p-value.

    Attributes
    ----------
    difference : mean of first minus second
    statistic : the test's own number; None where it is infinite or undefined
    p_value : two-sided; 1 where there is nothing to test
    """

    difference: float
    statistic: float | None
    p_value: float


def wilcoxon(first: ArrayLike, second: ArrayLike) -> PairedTest:
    """Test two methods over data sets by signed ranks (Wilcoxon 1945; Demsar 2006, 3.1.3).

    Equal figures are split evenly between both sides. The p-value is exact up to 25 data
    sets without equal differences, else by the normal approximation.
    """
    differences = _differences(first, second)
    mean = float(differences.mean())
    if not differences.any():
        return PairedTest(mean, None, 1.0)
    ties = len(np.unique(np.abs(differences))) < len(differences) or (differences == 0).any()
    exact = len(differences) <= 25 and not ties
    found = stats.wilcoxon(
        differences,
        zero_method="zsplit",
        method="exact" if exact else "approx",
    )
    return PairedTest(mean, float(found.statistic), float(min(found.pvalue, 1.0)))


def corrected_t_test(first: ArrayLike, second: ArrayLike, test_share: float) -> PairedTest:
    r"""Test two methods over resampled folds (Nadeau and Bengio 2003).

    .. math:: t = \bar d / \sqrt{(1/n + n_{test}/n_{train}) s^2}

    Folds share training rows, so their differences vary less than independent ones would;
    the second term in the root makes up for it. n - 1 degrees of freedom.

    Parameters
    ----------
    first, second : a measure of the two methods, one entry per fold (of every repeat)
    test_share : test rows per training row: 1/9 for 10-fold cross-validation
    """
    if not test_share > 0:
        raise DataError(f"test_share={test_share!r} must be above 0. For k folds it is 1/(k-1).")
    differences = _differences(first, second)
    mean = float(differences.mean())
    n = len(differences)
    variance = float(differences.var(ddof=1)) if n > 1 else 0.0
    if variance <= 0 or n < 2:
        return PairedTest(mean, None, 1.0 if mean == 0 or n < 2 else 0.0)
    t = mean / math.sqrt((1 / n + test_share) * variance)
    return PairedTest(mean, t, float(2 * stats.t.sf(abs(t), n - 1)))


def _differences(first: ArrayLike, second: ArrayLike) -> np.ndarray:
    """Subtract, leaving out entries where one of the two is undefined."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise DataError(f"first.shape={a.shape} must equal second.shape={b.shape}, one entry each.")
    differences = (a - b)[~(np.isnan(a) | np.isnan(b))]
    if len(differences) == 0:
        raise DataError("first and second must have an entry in which both are defined.")
    return differences
