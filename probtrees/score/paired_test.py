"""Two methods on the same data sets or folds, and whether their difference is luck.

By signed ranks (Wilcoxon), by folds that share training rows (corrected t-test), and by counting
wins, draws and losses (sign test).
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from probtrees.errors import DataError
from probtrees.machine.lazy_module import stats
from probtrees.score.metrics import Figures

LEVEL = 0.05
"""The level of every test of results: a difference that chance makes less often counts."""

CONFIDENCE = 1 - LEVEL
"""Confidence of every interval that stands beside such a test."""


@dataclass(frozen=True)
class PairedTest:
    """A difference and its p-value.

    Attributes
    ----------
    difference : mean of first minus second
    statistic : the test's own number; None where it is infinite or undefined
    p_value : two-sided; 1 where there is nothing to test
    lower, upper : 95 % interval of the difference; None where the test gives none
    """

    difference: float
    statistic: float | None
    p_value: float
    lower: float | None = None
    upper: float | None = None

    @classmethod
    def by_error(cls, difference: float, error: float, degrees: float) -> PairedTest:
        """Test a difference by its standard error, as Student's t; without error it is exact."""
        if error <= 0:
            return cls(difference, None, 1.0 if difference == 0 else 0.0, difference, difference)
        statistic = difference / error
        reach = float(stdtrit(degrees, (1 + CONFIDENCE) / 2)) * error
        p_value = 2 * float(stdtr(degrees, -abs(statistic)))
        return cls(difference, statistic, p_value, difference - reach, difference + reach)


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
    with warnings.catch_warnings():  # scipy before 1.15 warns of few differences with ties
        warnings.simplefilter("ignore", UserWarning)
        method = "exact" if exact else "approx"
        found = stats.wilcoxon(differences, zero_method="zsplit", method=method)
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
    if n < 2:
        return PairedTest(mean, None, 1.0)
    error = math.sqrt((1 / n + test_share) * float(differences.var(ddof=1)))
    return PairedTest.by_error(mean, error, n - 1)


def _differences(first: ArrayLike, second: ArrayLike) -> np.ndarray:
    """Subtract, leaving out entries where one of the two is undefined."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise DataError(f"first.shape={a.shape} must equal second.shape={b.shape}, one entry each.")
    differences = (a - b)[~(np.isnan(a) | np.isnan(b))]
    if len(differences) == 0:
        raise DataError("first and second must have an entry in which both are defined.")
    return differences


@dataclass(frozen=True)
class WinDrawLoss(Figures):
    """How often a first method did better than a second one.

    Attributes
    ----------
    wins, draws, losses : data sets on which the first was better, equal, worse
    p_one_sided : the chance of so many wins or more among wins + losses fair coin throws
    p_two_sided : the chance of a result as lopsided either way
    """

    wins: int
    draws: int
    losses: int
    p_one_sided: float
    p_two_sided: float

    @property
    def text(self) -> str:
        """The record as the papers print it: ``96-3-44``."""
        return f"{self.wins}-{self.draws}-{self.losses}"


def win_draw_loss(
    first: ArrayLike, second: ArrayLike, *, decimals: int | None = None
) -> WinDrawLoss:
    """Count wins, draws and losses over data sets, with a sign test on wins and losses.

    Draws say nothing about which method is better and are left out of the test. Data sets
    on which one of the two is undefined (NaN) are left out altogether.

    Parameters
    ----------
    first, second : a measure of the two methods, the lower the better, one entry per data set
    decimals : round before comparing, as a printed table does; None compares as they are

    Examples
    --------
    >>> record = win_draw_loss([0.1, 0.2, 0.3, 0.4], [0.2, 0.3, 0.3, 0.6])
    >>> record.text, record.p_one_sided, record.p_two_sided
    ('3-1-0', 0.125, 0.25)
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    known = ~(np.isnan(a) | np.isnan(b))
    a, b = a[known], b[known]
    if decimals is not None:
        a, b = np.round(a, decimals), np.round(b, decimals)
    wins, losses = int((a < b).sum()), int((a > b).sum())
    return WinDrawLoss(
        wins=wins,
        draws=len(a) - wins - losses,
        losses=losses,
        p_one_sided=binomial_tail(wins, wins + losses),
        p_two_sided=min(1.0, 2 * binomial_tail(max(wins, losses), wins + losses)),
    )


def binomial_tail(successes: int, trials: int) -> float:
    """Give the chance of at least so many heads in fair coin throws, exactly.

    >>> binomial_tail(3, 4)
    0.3125
    """
    heads = sum(math.comb(trials, k) for k in range(successes, trials + 1))
    return heads / (1 << trials)
