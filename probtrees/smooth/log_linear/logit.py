"""Multinomial logistic regression with a ridge penalty for every feature.

The model behind everything that adds up in log-odds: the deltas of hierarchical linear
smoothing, and the path and the shapes of a shaped tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from probtrees.machine.checkpoint import checkpoint
from probtrees.smooth.log_linear import _logit_kernels as kernels
from probtrees.smooth.log_linear.curvature import Curvature, apart
from probtrees.smooth.log_linear.logit_rows import LogitRows
from probtrees.smooth.log_linear.minimise import Differences, minimise
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.types import FloatArray, IntArray

INTERCEPT_PENALTY = 1e-4
"""Settles what is added to the intercepts of all outcomes alike."""

CONVERGED = 1e-9
"""Of the loss at the start: the largest slope left when nothing more is to be gained.

At ten times as much, rows given twice and rows of weight 2 differ by 1e-6 of a probability."""


MEMORY = 10
"""Steps that L-BFGS remembers."""

STRETCH = 5
"""Steps of L-BFGS between two checkpoints."""

ROUGH = 1e-4
"""To this tolerance L-BFGS is enough, which measures every feature on its own."""

NEAR, FEW_STEPS = 1e-2, 100
"""Else Newton's method takes over from this tolerance on, or after so many steps."""

SOLVED, ROUGHLY, MOST_ROUNDS = 0.01, 0.3, 200
"""The share of a slope that a step may leave, near the minimum and far from it; its most rounds."""

MANY_ROUNDS, FAR = 20, 0.7
"""After a step that takes so many, curvature is measured anew if the loss has fallen that far."""


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

    def of(self, outcomes: IntArray) -> Coefficients:
        """Return the same for outcomes in another order."""
        return Coefficients(self.intercept[outcomes], self.weights[:, outcomes])


@dataclass(frozen=True)
class Logit:
    r"""Fits softmax(b + (z - mean) B) to rows.

    .. math:: \min \sum_i -\log p(y_i | z_i) - \frac1K \sum_k \log softmax(b)_k
              + \frac12 \sum_j \lambda_j |B_j|^2

    The second term is one more row, average in every feature and divided evenly over the
    outcomes, so that an outcome without rows keeps a probability. All features are centred:
    what is penalised are deviations from the average row. The loss is convex and has one
    minimum. From the base rates on L-BFGS leads near it, and Newton's method to it: every step is
    solved for by conjugate gradients, helped by the second derivatives of every outcome by itself
    (:mod:`probtrees.smooth.log_linear.curvature`).

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
        outcome: int = 1,
    ) -> Coefficients:
        """Find the coefficients with the least penalised loss.

        Parameters
        ----------
        penalties : float64[n_features], above 0
        start : where to begin, such as the coefficients under a larger penalty
        tolerance : the largest slope that may be left, as a share of the rows' weight
        signs : float64[n_features], 1 where what a feature adds to ``outcome`` must not be below
            what it adds to any other, -1 where it must not be above, 0 where it is free
        """
        n_outcomes, used = self.rows.counts.shape[1], self.rows.used
        if n_outcomes < 2:  # one outcome is certain, whatever a row holds
            return Coefficients(np.zeros(1), np.zeros((self.rows.n_features, 1)))
        if used.size < self.rows.n_features:
            if start is not None:
                start = Coefficients(start.intercept, start.weights[used])
            signs = signs if signs is None else signs[used]
            fewer = self._of_used.fit(penalties[used], start, tolerance, most_steps, signs, outcome)
            weights = np.zeros((self.rows.n_features, n_outcomes))
            weights[used] = fewer.weights
            return Coefficients(fewer.intercept, weights)
        all_penalties, steep = self._measures(penalties)
        begin = self._as_scores(self._at_base_rates() if start is None else start)
        if signs is not None:
            wished = Differences(signs, outcome)
            found = self._within_bounds(wished, all_penalties, begin, tolerance * steep, most_steps)
        else:
            enough, most = tolerance, most_steps
            if tolerance < ROUGH:
                enough, most = NEAR, min(most_steps, FEW_STEPS)
            found = self._descend(all_penalties, begin, enough * steep, most)
        if signs is None and tolerance < ROUGH:
            found = self._newton(all_penalties, found, tolerance * steep, most_steps)
        return self._from_scores(found)

    def without_first(self, n_sparse: int) -> Logit:
        """Return the fit of rows that have none of the first features."""
        return Logit.of(self.rows.without_first(n_sparse))

    def _measures(self, penalties: FloatArray) -> tuple[FloatArray, float]:
        """Return the penalties as scores are penalised, and the slope that a tolerance is of."""
        halved = 0.5 if self._n_scores == 1 else 1.0
        steep = float(np.sqrt(self._total / (4 * self._bend_of_outcomes.max())))
        return halved * np.concatenate([[INTERCEPT_PENALTY], penalties]), steep

    def _newton(
        self, penalties: FloatArray, found: FloatArray, tolerance: float, most_steps: int
    ) -> FloatArray:
        """Make Newton's steps as long as they pay."""
        # Matrices are small: threads would wait for each other longer than they work. Only what is
        # loaded can be held back.
        import_module("scipy.linalg")
        with import_module("threadpoolctl").threadpool_limits(1):
            return self._step_down(penalties, found, tolerance, most_steps)

    def _step_down(
        self, penalties: FloatArray, found: FloatArray, tolerance: float, most_steps: int
    ) -> FloatArray:
        found = apart(found)
        checkpoint("fitting path and shapes, measuring how the loss bends")
        curvature = self._curvature(found, penalties)
        last = lowest = np.inf
        loss, slope = self.loss(found, penalties)
        measured = loss
        for step in range(most_steps):
            checkpoint(f"fitting path and shapes, Newton's step {step + 1:,}")
            steep = float((slope * curvature.solve(slope)).sum()) ** 0.5
            if steep <= tolerance or (steep >= last and loss >= lowest):
                break
            # A step is worth its rounds where the one before came near (Eisenstat and Walker 1996).
            share_left = min(max((steep / last) ** 1.5, SOLVED), ROUGHLY) if step else ROUGHLY
            last, lowest, before = steep, min(loss, lowest), loss
            move, n_rounds = self._move(found, slope, penalties, curvature, share_left)
            promised = float((slope * move).sum())
            for halved in range(40):  # shorter until it pays
                there = found + 0.5**halved * move
                loss, slope = self.loss(there, penalties)
                if loss <= before + 1e-4 * 0.5**halved * promised:
                    break
                # At the bottom the loss is rounded: there the slope says whether it was worth it.
                is_level = loss <= before + 1e-12 * abs(before)
                if is_level and float((slope * move).sum()) <= -0.5 * promised:
                    break
            found = there
            if n_rounds >= MANY_ROUNDS and loss < FAR * measured:
                curvature, measured = self._curvature(found, penalties), loss
        return found

    def _curvature(self, found: FloatArray, penalties: FloatArray) -> Any:
        """Measure how the loss bends at a point: what solves for a slope."""
        return Curvature(self.rows, self.means, self._proba(found)[:-1], penalties)

    def _move(
        self,
        found: FloatArray,
        slope: FloatArray,
        penalties: FloatArray,
        curvature: Any,
        share_left: float,
    ) -> tuple[FloatArray, int]:
        """Find a move that leaves a share of the slope, and the rounds of conjugate gradients."""
        proba, steepest = self._proba(found), float(np.abs(slope).max())
        near = curvature.solve(-slope / steepest)
        left = (-slope / steepest).astype(near.dtype)
        move, direction = np.zeros_like(left), near
        size = whole = float((left * near).sum())
        n_rounds = 0
        while size > share_left**2 * whole and n_rounds < MOST_ROUNDS:
            n_rounds += 1
            checkpoint("fitting path and shapes, one of Newton's steps")
            bent = self._bent(direction, proba, penalties)
            share = size / max(float((direction * bent).sum()), 1e-300)
            move = move + share * direction
            left = left - share * bent
            near = curvature.solve(left)
            before, size = size, float((left * near).sum())
            direction = near + size / before * direction
        return steepest * move.astype(np.float64), n_rounds

    def _bent(self, move: FloatArray, proba: FloatArray, penalties: FloatArray) -> FloatArray:
        """Return by how much the slope changes along a move: second derivatives times it."""
        scores = self._scores(move)
        if self._n_scores == 1:
            bent = scores * proba[:, :1] * proba[:, 1:]
        else:
            bent = proba * (scores - (proba * scores).sum(axis=1, keepdims=True))
        slopes = self._slopes(bent[:-1] * self.rows.weights.astype(bent.dtype)[:, None])
        slopes[0] += bent[-1]
        return np.asarray(slopes + penalties.astype(bent.dtype)[:, None] * move)

    def _slopes(self, residuals: FloatArray) -> FloatArray:
        """Return features times residuals, summed over rows, the intercept first."""
        slopes = np.zeros((1 + self.rows.n_features, self._n_scores), residuals.dtype)
        if self._n_scores == 1:
            kernels.data_slopes(self.rows.tables, self.means, residuals, slopes)
            return slopes
        # Numpy is faster at common features of several scores; directions need but 32 bits.
        _, _, _, first, row, value, common, _, turned, _ = self.rows.tables_in_32_bits
        slopes[0] = residuals.sum(axis=0)
        slopes[1 + common] = turned @ residuals
        kernels.add_sparse(first, row, value, residuals, slopes[1 : first.size])
        slopes[1:] -= np.outer(self.means.astype(residuals.dtype), slopes[0])
        return slopes

    def _scores(self, weights: FloatArray) -> FloatArray:
        """Return what weights add to the scores of all rows, and below them of the average row."""
        if self._n_scores == 1:
            scores = np.empty((self.rows.counts.shape[0], 1))
            kernels.score_rows(self.rows.tables, self.means, weights, scores)
        else:
            first, feature, value, _, _, _, common, table, _, _ = self.rows.tables_in_32_bits
            weights, means = weights.astype(np.float32), self.means.astype(np.float32)
            scores = table @ weights[1 + common] + (weights[0] - means @ weights[1:])
            kernels.add_sparse(first, feature, value, weights[1:], scores)
        return np.vstack([scores, weights[:1]])

    def _proba(self, weights: FloatArray) -> FloatArray:
        """Return the probabilities of all rows, and below them those of the average row."""
        scores = self._scores(weights)
        if self._n_scores == 1:
            scores = np.hstack([np.zeros_like(scores), scores])
        return normalise(scores)

    def _descend(
        self, penalties: FloatArray, begin: FloatArray, tolerance: float, most_steps: int
    ) -> FloatArray:
        """Run L-BFGS, every feature measured on its own; it can be ended now and then."""
        scale = 1.0 / np.sqrt(np.outer(self._squares, self._bend_of_outcomes) + penalties[:, None])
        point = begin / scale
        moves, changes = np.empty((2, MEMORY, point.size))
        memory = moves, changes, np.empty(MEMORY)
        slope, known = np.empty_like(point), np.array([-1.0, 0.0])
        measures = self.means, penalties, scale
        for done in range(0, most_steps, STRETCH):
            n_steps = min(STRETCH, most_steps - done)
            rows = self.rows.tables
            if kernels.descend(rows, measures, point, slope, memory, known, tolerance, n_steps):
                break
            checkpoint(f"fitting path and shapes, step {done + n_steps:,}")
        return np.asarray(point * scale)

    def _within_bounds(
        self,
        wished: Differences,
        penalties: FloatArray,
        begin: FloatArray,
        tolerance: float,
        most_steps: int,
    ) -> FloatArray:
        """Run L-BFGS-B from a point, with the sign of some differences given."""
        # Seldom outcomes bend the loss less: each has the curvature of its own base rate.
        bends = np.outer(self._squares, self._bend_of_outcomes)
        scale = 1.0 / np.sqrt(bends + penalties[:, None])

        def loss(point: FloatArray) -> tuple[float, FloatArray]:
            given = wished.coefficients(point.reshape(begin.shape) * scale)
            value, slope = self.loss(given, penalties)
            return value, (wished.slope(slope) * scale).ravel()

        found = minimise(
            loss,
            (wished.of(begin) / scale).ravel(),
            wished.bounds(begin.shape[1]),
            maxiter=most_steps,
            maxfun=2 * most_steps,
            maxcor=MEMORY,
            gtol=tolerance,
            ftol=0.0,
        )
        return wished.coefficients(found.reshape(begin.shape) * scale)

    def loss(self, point: FloatArray, penalties: FloatArray) -> tuple[float, FloatArray]:
        """Return the penalised loss and its gradient.

        Parameters
        ----------
        point : float64[1 + n_features, n_scores], the intercept first
        penalties : float64[1 + n_features], of the columns of scores as they are
        """
        gradient = np.empty_like(point)
        value = kernels.logit_loss(self.rows.tables, self.means, penalties, point, gradient)
        return value, gradient

    @cached_property
    def _of_used(self) -> Logit:
        """The same fit of the features that some row has; the weights of the others are 0."""
        used = self.rows.used
        return Logit(self.rows.of_used(), self.means[used], self.variances[used])

    @cached_property
    def _base_rates(self) -> FloatArray:
        """float64[n_outcomes]: how often an outcome happens."""
        counted = self._counted + 1.0 / self._counted.size
        return np.asarray(counted / counted.sum())

    @property
    def _bend_of_outcomes(self) -> FloatArray:
        """float64[n_scores]: how much the loss bends with the score of an outcome alone."""
        rates = self._base_rates[-self._n_scores :]
        return np.asarray(rates * (1.0 - rates))

    @property
    def _counted(self) -> FloatArray:
        """float64[n_outcomes]: how often every outcome happened."""
        return np.asarray(self.rows.counts.sum(axis=0))

    @property
    def _total(self) -> float:
        return float(self.rows.counts.sum()) + 1.0

    @property
    def _squares(self) -> FloatArray:
        """float64[1 + n_features]: summed squares of the centred features."""
        return np.concatenate([[1.0], self.variances]) * self._total

    def _at_base_rates(self) -> Coefficients:
        """Return where to begin if nothing is known: the outcomes' base rates for every row."""
        logs = np.log(self._base_rates)
        return Coefficients(logs - logs.mean(), np.zeros((self.rows.n_features, logs.size)))

    @property
    def _n_scores(self) -> int:
        n_outcomes = int(self.rows.counts.shape[1])
        return 1 if n_outcomes == 2 else n_outcomes

    def _as_scores(self, given: Coefficients) -> FloatArray:
        both = np.vstack([given.intercept, given.weights])
        return both[:, 1:] - both[:, :1] if self._n_scores == 1 else both

    def _from_scores(self, point: FloatArray) -> Coefficients:
        both = np.concatenate([-point, point], axis=1) / 2 if self._n_scores == 1 else point
        both = both - both.mean(axis=1, keepdims=True)
        return Coefficients(both[0], both[1:])


def score_rows(rows: LogitRows, means: FloatArray, found: Coefficients) -> FloatArray:
    """Return the scores of rows under coefficients that were fitted to others.

    Parameters
    ----------
    means : of the features of the rows that were fitted

    Returns
    -------
    float64[n_rows, n_outcomes]; their softmax are the probabilities
    """
    scores = np.empty((rows.counts.shape[0], found.intercept.shape[0]))
    weights = np.vstack([found.intercept, found.weights])
    kernels.score_rows(rows.tables, means, weights, scores)
    return scores
