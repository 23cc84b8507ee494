"""Multinomial logistic regression with a ridge penalty for every feature.

The model behind everything that adds up in log-odds: the deltas of hierarchical linear
smoothing, and the path and the shapes of a shaped tree. Features that are 0 in most rows, such
as the nodes of a tree, are kept as lists of those that are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.smooth.optimise import _logit_kernels as kernels
from probtrees.types import FloatArray, IntArray

INTERCEPT_PENALTY = 1e-4
"""Settles what is added to the intercepts of all outcomes alike."""

CONVERGED = 1e-8
"""Of the loss at the start: the largest slope left when nothing more is to be gained."""


class SparseRows(NamedTuple):
    """Features that are 0 in most rows.

    Row i has the features ``feature[first[i]:first[i + 1]]`` with the values at the same places.
    """

    first: IntArray
    feature: NDArray[np.int32]
    value: FloatArray


@dataclass(frozen=True)
class Coefficients:
    """What every feature adds to the scores of the outcomes.

    Attributes
    ----------
    intercept : float64[n_outcomes], the scores of a row whose features are all average
    weights : float64[n_features, n_outcomes], the sparse features first; rows sum to 0
    """

    intercept: FloatArray
    weights: FloatArray


@dataclass(frozen=True)
class LogitRows:
    """Rows to fit a logit to.

    Attributes
    ----------
    sparse, n_sparse : features that are 0 in most rows, and how many there are
    dense : float64[n_rows, n_dense], the others
    counts : float64[n_rows, n_outcomes], how often each outcome happened in a row
    """

    sparse: SparseRows
    n_sparse: int
    dense: FloatArray
    counts: FloatArray

    @property
    def n_features(self) -> int:
        """Number of features of both kinds."""
        return self.n_sparse + int(self.dense.shape[1])

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance of every feature over the counted rows."""
        weights = self.counts.sum(axis=1)
        total = max(float(weights.sum()), 1e-300)
        sums, squares = np.zeros(self.n_sparse), np.zeros(self.n_sparse)
        kernels.sparse_moments(*self.sparse, weights, sums, squares)
        means = np.concatenate([sums, weights @ self.dense]) / total
        second = np.concatenate([squares, weights @ self.dense**2]) / total
        return means, np.maximum(second - means**2, 0.0)


@dataclass(frozen=True)
class Logit:
    r"""Fits softmax(b + (z - mean) B) to rows.

    .. math:: \min \sum_i -\log p(y_i | z_i) - \frac1K \sum_k \log softmax(b)_k
              + \frac12 \sum_j \lambda_j |B_j|^2

    The second term is one more row, average in every feature and divided evenly over the
    outcomes, so that an outcome without rows keeps a probability. All features are centred:
    what is penalised are deviations from the average row. The loss is convex and has one
    minimum, which L-BFGS finds, every feature measured in units of its curvature.

    Two outcomes are fitted as one column of log-odds, at half the price: by symmetry the
    penalised minimum has B_1 = -B_0.

    Attributes
    ----------
    rows : what is fitted
    means, variances : of the features, ``rows.moments()``
    """

    rows: LogitRows
    means: FloatArray
    variances: FloatArray

    @classmethod
    def of(cls, rows: LogitRows) -> Logit:
        """Measure the features and get ready to fit."""
        return cls(rows, *rows.moments())

    def fit(
        self,
        penalties: FloatArray,
        start: Coefficients | None = None,
        tolerance: float = CONVERGED,
        most_steps: int = 5000,
        signs: FloatArray | None = None,
    ) -> Coefficients:
        """Find the coefficients with the least penalised loss.

        Parameters
        ----------
        penalties : float64[n_features], above 0
        start : where to begin, such as the coefficients under a larger penalty
        tolerance : the largest slope that may be left, as a share of the rows' weight
        signs : float64[n_features], 1 where what a feature adds to the second of two outcomes
            must not be below 0, -1 where it must not be above, 0 where it is free
        """
        from scipy.optimize import minimize  # noqa: PLC0415  slow to import, seldom needed

        if self.rows.counts.shape[1] < 2:  # one outcome is certain, whatever a row holds
            return Coefficients(np.zeros(1), np.zeros((self.rows.n_features, 1)))
        n_scores = self._n_scores
        halved = 0.5 if n_scores == 1 else 1.0
        all_penalties = halved * np.concatenate([[INTERCEPT_PENALTY], penalties])
        total = float(self.rows.counts.sum()) + 1.0
        curvature = np.concatenate([[1.0], self.variances]) * total / 4 + all_penalties
        scale = 1.0 / np.sqrt(curvature)[:, None]

        def loss(point: FloatArray) -> tuple[float, FloatArray]:
            value, slope = self.loss(point.reshape(-1, n_scores) * scale, all_penalties)
            return value, (slope * scale).ravel()

        begin = np.zeros((self.rows.n_features + 1, n_scores))
        if start is not None:
            begin = self._as_scores(start)
        found = minimize(
            loss,
            (begin / scale).ravel(),
            jac=True,
            method="L-BFGS-B",
            bounds=None if signs is None else _bounds(signs),
            options={
                "maxiter": most_steps,
                "maxfun": 2 * most_steps,
                "maxcor": 10,
                "gtol": tolerance * np.sqrt(total),
                "ftol": 0.0,
            },
        )
        return self._from_scores(found.x.reshape(-1, n_scores) * scale)

    def loss(self, point: FloatArray, penalties: FloatArray) -> tuple[float, FloatArray]:
        """Return the penalised loss and its gradient.

        Parameters
        ----------
        point : float64[1 + n_features, n_scores], the intercept first
        penalties : float64[1 + n_features], of the columns of scores as they are
        """
        rows, n_sparse = self.rows, self.rows.n_sparse
        scores = _scores(rows, self.means, point)
        value = kernels.logit_loss(scores, rows.counts)
        n_outcomes = rows.counts.shape[1]
        average = point[:1].copy()
        value += kernels.logit_loss(average, np.full((1, n_outcomes), 1 / n_outcomes))
        value += 0.5 * float(penalties @ (point * point).sum(axis=1))
        gradient = penalties[:, None] * point
        kernels.sparse_gradient(*rows.sparse, scores, gradient[1 : n_sparse + 1])
        gradient[n_sparse + 1 :] += rows.dense.T @ scores
        left = scores.sum(axis=0)
        gradient[1:] -= self.means[:, None] * left
        gradient[0] += left + average[0]
        return value, gradient

    @property
    def _n_scores(self) -> int:
        n_outcomes = int(self.rows.counts.shape[1])
        return 1 if n_outcomes == 2 else n_outcomes

    def _as_scores(self, given: Coefficients) -> FloatArray:
        both = np.concatenate([given.intercept[None], given.weights])
        return both[:, 1:] - both[:, :1] if self._n_scores == 1 else both

    def _from_scores(self, point: FloatArray) -> Coefficients:
        both = np.concatenate([-point, point], axis=1) / 2 if self._n_scores == 1 else point
        both = both - both.mean(axis=1, keepdims=True)
        return Coefficients(both[0], both[1:])


def _bounds(signs: FloatArray) -> list[tuple[float | None, float | None]]:
    """Bound every coefficient by its sign; the intercept is free."""
    sides: dict[float, tuple[float | None, float | None]] = {1.0: (0.0, None), -1.0: (None, 0.0)}
    return [(None, None), *(sides.get(float(sign), (None, None)) for sign in signs)]


def score_rows(rows: LogitRows, means: FloatArray, found: Coefficients) -> FloatArray:
    """Return the scores of rows under coefficients that were fitted to others.

    Parameters
    ----------
    means : of the features of the rows that were fitted

    Returns
    -------
    float64[n_rows, n_outcomes]; their softmax are the probabilities
    """
    return _scores(rows, means, np.concatenate([found.intercept[None], found.weights]))


def _scores(rows: LogitRows, means: FloatArray, point: FloatArray) -> FloatArray:
    weights = np.ascontiguousarray(point[1:])
    scores: FloatArray = rows.dense @ weights[rows.n_sparse :]
    scores += point[0] - means @ weights
    kernels.add_sparse(*rows.sparse, weights[: rows.n_sparse], scores)
    return scores
