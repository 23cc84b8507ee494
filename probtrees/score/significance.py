"""Which methods are better than which, without ever naming one winner.

The papers' tests under one roof: win-draw-loss with a sign test, Friedman's test with
Nemenyi and Holm, and Wilcoxon's.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probtrees.errors import DataError
from probtrees.score.paired_test import LEVEL, PairedTest, WinDrawLoss, wilcoxon, win_draw_loss
from probtrees.score.rank_test import (
    RankTest,
    critical_difference,
    friedman,
    holm,
    nemenyi_p_values,
    pairwise_p_values,
)


@dataclass(frozen=True)
class LeadingSet:
    """The methods that are not distinguishable from the best one.

    Attributes
    ----------
    best : the method with the best mean (folds) or average rank (data sets)
    members : the best and all that do not differ from it significantly, in the given order
    adjusted_p : Holm-adjusted p-value of every method against the best; 1 for the best
    """

    best: int
    members: tuple[int, ...]
    adjusted_p: NDArray[np.float64]

    @classmethod
    def of(cls, best: int, tests: Sequence[PairedTest]) -> LeadingSet:
        """Adjust the p-values against the best and keep those above the level."""
        others = [i for i in range(len(tests)) if i != best]
        adjusted = np.ones(len(tests))
        adjusted[others] = holm([tests[i].p_value for i in others])
        return cls(best, tuple(np.flatnonzero(adjusted > LEVEL).tolist()), adjusted)


@dataclass(frozen=True)
class MethodTests:
    """All tests of several methods over several data sets.

    Attributes
    ----------
    names : the methods
    ranks : Friedman's test with the average ranks
    critical_difference : of Nemenyi's test at 5 %
    records : win-draw-loss of every pair, by (row method, column method)
    p_values : by procedure ("nemenyi", "holm"), the adjusted p-values of the pairs of methods
    leading : the methods that are not distinguishable from the best
    """

    names: tuple[str, ...]
    ranks: RankTest
    critical_difference: float
    records: dict[tuple[int, int], WinDrawLoss]
    p_values: dict[str, NDArray[np.float64]]
    leading: LeadingSet


def compare_methods(
    names: Sequence[str], scores: ArrayLike, *, decimals: int | None = None
) -> MethodTests:
    """Run every test on a table of scores of which the lower is better.

    Parameters
    ----------
    names : the methods
    scores : float[n_sets, n_methods]; NaN where a measure is undefined
    decimals : round before counting wins, as a printed table does
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != len(names):
        raise DataError(f"scores.shape={table.shape} must have one column per method.")
    ranks = friedman(table)
    k = len(names)
    records = {
        (i, j): win_draw_loss(table[:, i], table[:, j], decimals=decimals)
        for i, j in itertools.permutations(range(k), 2)
    }
    return MethodTests(
        names=tuple(names),
        ranks=ranks,
        critical_difference=critical_difference(ranks),
        records=records,
        p_values={"nemenyi": nemenyi_p_values(ranks), "holm": holm(pairwise_p_values(ranks))},
        leading=leading_over_datasets(table),
    )


def leading_over_datasets(scores: ArrayLike) -> LeadingSet:
    """Find the methods that Wilcoxon's test, Holm-corrected, cannot tell from the best.

    The best has the lowest average rank over the data sets; the others are tested against it.
    """
    table = np.asarray(scores, dtype=np.float64)
    average = friedman(table).average_ranks
    table = table[~np.isnan(table).any(axis=1)]
    best = int(average.argmin())
    return LeadingSet.of(best, [wilcoxon(column, table[:, best]) for column in table.T])
