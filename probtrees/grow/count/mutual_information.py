"""How much attributes say about the class and, the class given, about each other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from probtrees.errors import DataError
from probtrees.grow.count import _mutual_information_kernels as kernels
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.machine.checkpoint import passing
from probtrees.machine.kernel_cache import runnable
from probtrees.machine.limits import machine_memory, shown_bytes
from probtrees.types import FloatArray, IntArray

SHARE_FOR_PAIRS = 0.5
"""Of all memory, what the information of all pairs of attributes may take."""

DECIMALS = 12
"""Information is compared after rounding to this many decimals, so that rounding errors in
sums of logarithms never decide between equals."""


@dataclass(frozen=True)
class Information:
    r"""The measures every structure is chosen by, in nats, from raw counts.

    .. math:: MI(X; Y) = \sum_{x, y} p(x, y) \log \frac{p(x, y)}{p(x) p(y)}
    .. math:: CMI(X; Z | Y) = \sum_{x, z, y} p(x, z, y)
        \log \frac{p(x, z | y)}{p(x | y) p(z | y)}

    Thesis eq. 41 and 42 (p(x, z, y) in front, as in Friedman et al. 1997); empty cells are
    skipped.

    Attributes
    ----------
    with_class : float64[n_attributes], MI with the class
    pairwise : float64[n_attributes, n_attributes], CMI given the class; 0 on the diagonal
    """

    with_class: FloatArray
    pairwise: FloatArray

    def order(self) -> IntArray:
        """Attributes by descending MI with the class; equals in column order."""
        return descending(self.with_class)


def descending(values: FloatArray) -> IntArray:
    """Positions by descending value; equals keep their order.

    >>> descending(np.array([0.1, 0.3, 0.1])).tolist()
    [1, 0, 2]
    """
    return np.argsort(-np.round(values, DECIMALS), kind="stable")


def measure_information(table: NominalRows, *, pairs: bool = True) -> Information:
    """Measure MI with the class and, if asked, CMI of all pairs of attributes."""
    counted = WithClass.empty(table.n_values)
    counted.update(table)
    information = counted.information(pairs=pairs)
    if pairs and counted.total > 0 and table.n_attributes > 0:
        n_cells = max(4 * table.codes.shape[1] + 1024, int(table.n_values.max()))
        cells = np.empty(n_cells)
        for attribute in passing(range(table.n_attributes), "comparing attributes"):
            runnable(kernels.pair_information)(
                table,
                attribute,
                counted.first_cell,
                counted.counts,
                counted.class_counts,
                counted.total,
                cells,
                information.pairwise,
            )
    return information


@dataclass
class WithClass:
    """Every attribute's values counted by class; counts of parts of a table add up.

    Attributes
    ----------
    n_values : int64[n_columns], the class last
    first_cell : int64[n_attributes + 1]; value v of attribute i under class k is counted in
        ``counts[first_cell[i] + v * n_classes + k]``
    counts, class_counts : the counts
    """

    n_values: IntArray
    first_cell: IntArray
    counts: FloatArray
    class_counts: FloatArray

    @classmethod
    def empty(cls, n_values: IntArray) -> WithClass:
        """Begin with no rows."""
        first_cell = np.zeros(len(n_values), dtype=np.int64)
        np.cumsum(n_values[:-1] * n_values[-1], out=first_cell[1:])
        return cls(n_values, first_cell, np.zeros(first_cell[-1]), np.zeros(int(n_values[-1])))

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.class_counts.sum())

    def update(self, table: NominalRows) -> None:
        """Add the rows of a table."""
        runnable(kernels.count_with_class)(table, self.first_cell, self.counts)
        self.class_counts += np.bincount(
            table.codes[-1], weights=table.weights, minlength=len(self.class_counts)
        )

    def information(self, *, pairs: bool = True) -> Information:
        """Measure MI with the class; that of pairs is left at 0, to be filled in if wanted."""
        n_attributes = len(self.n_values) - 1
        shape = (n_attributes, n_attributes)
        if pairs:
            _check_room_for_pairs(n_attributes)
        with_class = np.zeros(n_attributes)
        if self.total > 0 and n_attributes > 0:
            runnable(kernels.class_information)(
                self.n_values,
                self.first_cell,
                self.counts,
                self.class_counts,
                self.total,
                with_class,
            )
        return Information(with_class, np.zeros(shape) if pairs else np.broadcast_to(0.0, shape))


def _check_room_for_pairs(n_attributes: int) -> None:
    """Refuse more attributes than this machine can compare with each other."""
    needed, memory = 8 * n_attributes**2, machine_memory()
    if needed > SHARE_FOR_PAIRS * memory:
        most = math.isqrt(int(SHARE_FOR_PAIRS * memory / 8))
        raise DataError(
            f"table has {n_attributes:,} columns beside the class: to compare each with every "
            f"other takes {shown_bytes(needed)} of this machine's {shown_bytes(memory)} of memory. "
            f"Leave out all but {most:,} of them, or use a model that does not compare them, "
            "such as nb or c45."
        )
