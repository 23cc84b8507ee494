"""How much attributes say about the class and, the class given, about each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.code_table import CodeTable
from probtrees.grow import _mutual_information_kernels as kernels

FloatArray = NDArray[np.float64]

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

    def order(self) -> NDArray[np.int64]:
        """Attributes by descending MI with the class; equals in column order."""
        return descending(self.with_class)


def descending(values: FloatArray) -> NDArray[np.int64]:
    """Positions by descending value; equals keep their order.

    >>> descending(np.array([0.1, 0.3, 0.1])).tolist()
    [1, 0, 2]
    """
    return np.argsort(-np.round(values, DECIMALS), kind="stable")


def measure(table: CodeTable, *, pairs: bool = True) -> Information:
    """Measure MI with the class and, unless told not to, CMI of all pairs of attributes."""
    n_classes = int(table.n_values[-1])
    n_attributes = table.n_attributes
    first_cell = np.zeros(n_attributes + 1, dtype=np.int64)
    np.cumsum(table.n_values[:-1] * n_classes, out=first_cell[1:])
    counts = np.zeros(first_cell[-1])
    kernels.count_with_class(table, first_cell, counts)
    class_counts = np.bincount(table.codes[-1], weights=table.weights, minlength=n_classes)
    with_class = np.zeros(n_attributes)
    pairwise = np.zeros((n_attributes, n_attributes))
    total = float(class_counts.sum())
    if total > 0 and n_attributes > 0:
        kernels.class_information(table, first_cell, counts, class_counts, total, with_class)
        if pairs:
            n_cells = max(4 * table.codes.shape[1] + 1024, int(table.n_values.max()))
            kernels.pair_information(
                table, first_cell, counts, class_counts, total, np.empty(n_cells), pairwise
            )
    return Information(with_class, pairwise)
