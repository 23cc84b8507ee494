"""How the loss of a logit bends, nearly, which a descent to its minimum is measured by.

Nodes of a tree and steps of a column say almost the same about a row, so that the loss is a long
narrow valley: measured feature by feature a descent needs hundreds or thousands of steps. The
second derivatives are those between features times those between outcomes, row by row. Their mean
over rows in either way is close to them, and is solved for by a factor for every direction among
outcomes; conjugate gradients do the rest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from probtrees.machine.lazy_module import LazyModule, sparse
from probtrees.smooth.log_linear.logit_rows import LogitRows
from probtrees.types import FloatArray, IntArray

linalg = LazyModule("scipy.linalg")

MOST_PRODUCTS = 5e9
"""Of all factors together: about a second. Features that would take more are taken one by one."""

FACTORS_OF_A_TURN = 5
"""For so many directions factors cost as much as turning the features once for all of them."""

ROWS_AT_ONCE = 2**16
"""Rows whose products are added up together: a copy of all would be large."""

ROUNDING = 1e-10
"""Less curvature than this share is taken for none: a factor stays finite without a penalty."""


class Curvature:
    """Second derivatives of a penalised loss at a point, on average over its rows.

    Parameters
    ----------
    means, variances : of the features
    proba : float64[n_rows, n_outcomes], what the rows are given at the point
    penalties : float64[1 + n_features], the intercept first
    n_scores : 1 where two outcomes are one column of log-odds, else how many; 32 bits will do then
    """

    def __init__(
        self,
        rows: LogitRows,
        means: FloatArray,
        variances: FloatArray,
        proba: FloatArray,
        penalties: FloatArray,
        n_scores: int,
    ) -> None:
        weights = rows.weights
        total = float(weights.sum()) + 1.0
        between = np.diag(weights @ proba) - (proba * weights[:, None]).T @ proba
        between = between[-n_scores:, -n_scores:] / total
        open_ = weights * (1.0 - (proba**2).sum(axis=1))
        open_ *= total / max(float(open_.sum()), 1e-300)
        self._sizes, self._turn = np.linalg.eigh(between)
        self._apart = np.outer(np.concatenate([[1.0], variances]) * total, self._sizes)
        self._apart += penalties[:, None]
        n_together = int((3 * MOST_PRODUCTS / min(n_scores, FACTORS_OF_A_TURN)) ** (1 / 3))
        chosen = np.sort(np.argsort(-variances, kind="stable")[:n_together])
        self._lines = np.concatenate([[0], chosen + 1])
        shared = _products(rows, means, open_, chosen)
        self._together: Callable[[FloatArray], FloatArray]
        if n_scores == 1:
            factor = _factor(self._sizes[0] * shared, penalties[self._lines])
            self._together = lambda slope: linalg.cho_solve(factor, slope)
        else:
            units, bends = _turned(shared, penalties[self._lines], self._sizes)
            units, bends = units.astype(np.float32), bends.astype(np.float32)
            self._turn, self._apart = self._turn.astype(np.float32), self._apart.astype(np.float32)
            self._together = lambda slope: units @ (units.T @ slope / bends)

    def solve(self, slope: FloatArray) -> FloatArray:
        """Return the move along which the slope changes by as much as it is."""
        turned = slope.astype(self._turn.dtype) @ self._turn
        found = turned / self._apart
        found[self._lines] = self._together(turned[self._lines])
        return np.asarray(found @ self._turn.T)


def _factor(shared: FloatArray, penalties: FloatArray) -> tuple[FloatArray, bool]:
    diagonal = np.einsum("ii->i", shared)
    diagonal += np.maximum(penalties, ROUNDING) + ROUNDING * diagonal
    factor: tuple[FloatArray, bool] = linalg.cho_factor(shared, lower=True, overwrite_a=True)
    return factor


def _turned(
    shared: FloatArray, penalties: FloatArray, sizes: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Turn features such that what they share and their penalties stand apart in all directions.

    With U.T shared U = diag(bends) and U.T diag(penalties) U = I, the inverse for a direction of
    size s is U diag(1 / (s bends + 1)) U.T. Returned are U, and s bends + 1 for every s.
    """
    units = 1.0 / np.sqrt(np.maximum(penalties, ROUNDING))
    bends, turn = np.linalg.eigh(units[:, None] * shared * units)
    return units[:, None] * turn, np.outer(np.maximum(bends, 0.0), np.maximum(sizes, 0.0)) + 1.0


def _products(
    rows: LogitRows, means: FloatArray, weights: FloatArray, chosen: IntArray
) -> FloatArray:
    """Add up products of centred features, and of the intercept, which comes first, over rows."""
    first, feature, value = rows.sparse
    n_rows, n_sparse = weights.size, int(np.searchsorted(chosen, rows.n_sparse))
    all_sparse = sparse.csr_array((value, feature, first), (n_rows, rows.n_sparse))
    places = chosen[n_sparse:] - rows.n_sparse
    both = np.zeros((1 + chosen.size, 1 + chosen.size))
    for start in range(0, n_rows, ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        heavy = weights[some, None]
        own = all_sparse[some][:, chosen[:n_sparse]]
        dense = np.column_stack([rows.dense[some][:, places], np.ones(len(heavy))])
        mixed = own.T @ (dense * heavy)
        alike = (own.T @ (own * heavy)).toarray()
        both += np.block([[alike, mixed], [mixed.T, dense.T @ (dense * heavy)]])
    both = np.roll(both, 1, axis=(0, 1))
    # Features are not centred so far, which would leave none of them sparse.
    centre = np.concatenate([[0.0], means[chosen]])
    both -= np.outer(centre, both[0])
    both -= np.outer(both[:, 0], centre)
    return np.asarray(both)
