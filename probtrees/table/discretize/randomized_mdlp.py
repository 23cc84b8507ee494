"""Randomised MDLP: cuts drawn in proportion to how well they pay, for ensembles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from probtrees.options import Options, option
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.table.discretize.mdlp import cut_by_mdl
from probtrees.table.discretize.numeric_columns import NumericColumn, cut_each
from probtrees.types import FloatArray


@dataclass(frozen=True)
class RandomizedMDLP(Options):
    """Draw cuts in proportion to gain minus cost, so that members of an ensemble differ.

    Among all points whose gain exceeds the cost of MDLP one is drawn, then both parts are
    cut in the same way until no point pays. Where no point of a column pays, one cut is
    still drawn in proportion to the gain. Every column has random numbers of its own.
    Thesis Algorithms 10 and 11.
    """

    name: ClassVar[str] = "randomized-mdlp"

    seed: int = option(0, help="Seed of the random numbers.", minimum=0)

    def find_cuts(self, train: Dataset) -> Cuts:
        """Draw the cut points of every numeric column."""
        return cut_each(train, self._cut)

    def _cut(self, column: NumericColumn) -> FloatArray:
        generator = np.random.default_rng([self.seed, column.number])
        return cut_by_mdl(column, generator.random(column.values.shape[0] + 1))
