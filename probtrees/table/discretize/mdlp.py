"""MDLP: cut where knowing the interval says enough about the class to pay for the cut.

Randomised MDLP draws cuts in proportion to how well they pay, for ensembles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.machine.kernel_cache import runnable
from probtrees.options import option
from probtrees.table.discretize import _entropy_kernels as kernels
from probtrees.table.discretize.numeric_columns import ColumnCuts, NumericColumn, between
from probtrees.types import FloatArray


@dataclass(frozen=True)
class MDLP(ColumnCuts):
    r"""Cut every numeric column by entropy, as long as a cut pays for its description.

    A set S of N rows is cut at the point of highest gain if

    .. math:: Gain > \frac{\log_2(N - 1)}{N} + \frac{\log_2(3^k - 2) - [k E(S)
        - k_1 E(S_1) - k_2 E(S_2)]}{N}

    and so on in both parts. E = entropy in bits, k, k_1, k_2 = classes present. Cut points
    lie halfway between neighbouring values; of equal gains the lowest value is cut. Fayyad
    & Irani (1993); thesis eq. 37 and 38.
    """

    name: ClassVar[str] = "mdlp"

    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""
        return _cut_by_mdl(column, np.empty(0))


def _cut_by_mdl(column: NumericColumn, draws: FloatArray) -> FloatArray:
    """Cut one column; with ``draws`` at random places, see :class:`RandomizedMDLP`."""
    is_cut = np.zeros(column.values.shape[0], dtype=np.bool_)
    runnable(kernels.cut_by_mdl)(column, draws, is_cut)
    return between(column.values[:-1][is_cut[:-1]], column.values[1:][is_cut[:-1]])


@dataclass(frozen=True)
class RandomizedMDLP(ColumnCuts):
    """Draw cuts in proportion to gain minus cost, so that members of an ensemble differ.

    Among all points whose gain exceeds the cost of MDLP one is drawn, then both parts are
    cut in the same way until no point pays. Where no point of a column pays, one cut is
    still drawn in proportion to the gain. Every column has random numbers of its own.
    Thesis Algorithms 10 and 11.
    """

    name: ClassVar[str] = "randomized-mdlp"

    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def cut(self, column: NumericColumn) -> FloatArray:
        """Return the cut points of one column."""
        generator = np.random.default_rng([self.seed, column.number])
        return _cut_by_mdl(column, generator.random(column.values.shape[0] + 1))
