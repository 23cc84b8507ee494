"""How the loss of a logit bends, nearly, which a descent to its minimum is measured by.

Nodes of a tree and steps of a column say almost the same about a row, so that the loss is a long
narrow valley: measured feature by feature a descent needs hundreds or thousands of steps. Here
second derivatives between features are solved for, outcome by outcome. Those between outcomes are
left to conjugate gradients, but for one thing: what is added to all of them alike changes no
probability, and is kept out.
"""

from __future__ import annotations

import numpy as np

from probtrees.machine.lazy_module import LazyModule, sparse
from probtrees.smooth.log_linear.logit_rows import LogitRows
from probtrees.types import FloatArray, IntArray

linalg = LazyModule("scipy.linalg")

MOST_PRODUCTS = 5e9
"""Of all inverses together: about a second. Features that would take more are taken one by one."""

OF_ROWS = 4
"""Products are added up over rows faster than they are inverted: so many times as many."""

STEEP = 0.25
"""A feature along which the loss bends by less than this share of its penalty stands alone."""

ROWS_AT_ONCE = 2**16
"""Rows whose products are added up together: a copy of all would be large."""

ROUNDING = 1e-10
"""Less curvature than this share is taken for none: an inverse stays finite without a penalty."""


class Curvature:
    """Second derivatives of a penalised loss at a point, for every outcome by itself.

    Parameters
    ----------
    means : of the features
    proba : float64[n_rows, n_outcomes], what the rows are given at the point; two outcomes are one
        column of log-odds, for more 32 bits will do
    penalties : float64[1 + n_features], the intercept first
    """

    def __init__(
        self, rows: LogitRows, means: FloatArray, proba: FloatArray, penalties: FloatArray
    ) -> None:
        n_scores, kind = (proba.shape[1], np.float32) if proba.shape[1] > 2 else (1, np.float64)
        heavy = (rows.weights[:, None] * proba * (1.0 - proba))[:, -n_scores:]
        features = _Features(rows, means)
        alone: FloatArray = features.squares(heavy) + penalties[:, None]
        self._alone = alone.astype(kind)
        self._together: list[tuple[IntArray, FloatArray]] = []
        most = MOST_PRODUCTS / n_scores
        for score in range(n_scores):
            bends = alone[:, score] / penalties
            lines = np.argsort(-bends, kind="stable")[: int(most ** (1 / 3))]
            lines = np.union1d(0, lines[bends[lines] > 1.0 + STEEP])  # the intercept in any case
            n_rows = int(OF_ROWS * most / lines.size**2)
            shared = features.products(lines, heavy[:, score], n_rows)
            known = np.maximum(alone[lines, score], np.diagonal(shared) + penalties[lines])
            shared[np.diag_indices(lines.size)] = known * (1.0 + ROUNDING) + ROUNDING
            factor = linalg.cho_factor(shared, lower=True, overwrite_a=True)
            inverse = linalg.cho_solve(factor, np.eye(lines.size), overwrite_b=True)
            self._together.append((lines, inverse.astype(kind)))

    def solve(self, slope: FloatArray) -> FloatArray:
        """Return the move along which the slope changes by as much as it is."""
        slope = apart(np.asarray(slope, dtype=self._alone.dtype))
        found = np.divide(slope, self._alone)
        for score, (lines, inverse) in enumerate(self._together):
            found[lines, score] = inverse @ slope[lines, score]
        return apart(found)


def apart(scores: FloatArray) -> FloatArray:
    """Take out what all outcomes have alike."""
    return scores - scores.mean(axis=1, keepdims=True) if scores.shape[1] > 1 else scores


class _Features:
    """Centred features of rows, and the intercept, which is the first of them."""

    def __init__(self, rows: LogitRows, means: FloatArray) -> None:
        first, feature, value = rows.sparse
        shape = rows.counts.shape[0], rows.n_sparse
        # A copy: to take some of its rows the library sorts it.
        self._sparse = sparse.csr_array((value, feature, first), shape, copy=True)
        self._dense = rows.dense
        self._centre = np.concatenate([[0.0], means])

    def squares(self, heavy: FloatArray) -> FloatArray:
        """float64[1 + n_features, n_scores]: summed squares, rows as heavy as given for a score."""
        total, centre = heavy.sum(axis=0)[None], self._centre[:, None]
        sums = np.vstack([total, self._sparse.T @ heavy, self._dense.T @ heavy])
        squares = [total, self._sparse.power(2).T @ heavy, (self._dense**2).T @ heavy]
        found = np.vstack(squares) + centre * (centre * total - 2 * sums)
        return np.asarray(np.maximum(found, 0.0))

    def products(self, lines: IntArray, heavy: FloatArray, n_rows: int) -> FloatArray:
        """Add up products of some features; of more rows than so many, some stand for all.

        These are taken at even distances along all that rows weigh together, heavy ones for sure.
        """
        rows = np.flatnonzero(heavy)
        if rows.size > n_rows:
            so_far = np.cumsum(heavy)
            marks = (np.arange(n_rows) + 0.5) * so_far[-1] / n_rows
            rows, times = np.unique(np.searchsorted(so_far, marks), return_counts=True)
            heavy = np.zeros(heavy.size)
            heavy[rows] = times * so_far[-1] / n_rows
        first_dense = 1 + self._sparse.shape[1]
        in_sparse = lines[(lines > 0) & (lines < first_dense)] - 1
        in_dense = lines[lines >= first_dense] - first_dense
        both = np.zeros((lines.size, lines.size))
        for start in range(0, rows.size, ROWS_AT_ONCE):
            some = rows[start : start + ROWS_AT_ONCE]
            own = self._sparse[some][:, in_sparse].toarray()
            table = np.hstack([np.ones((some.size, 1)), own, self._dense[some][:, in_dense]])
            table -= self._centre[lines]
            table *= np.sqrt(heavy[some])[:, None]
            both += table.T @ table
        return both
