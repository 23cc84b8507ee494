"""Multinomial logistic regression with a ridge penalty for every feature.

The model behind everything that adds up in log-odds: the deltas of hierarchical linear
smoothing, and the path and the shapes of a shaped tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from probtrees.machine.checkpoint import checkpoint
from probtrees.smooth.log_linear import _logit_kernels as kernels
from probtrees.smooth.log_linear.curvature import (
    MOST_ENTRIES,
    Bends,
    Places,
    Units,
    with_factor,
    without_factor,
)
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

STEPS_PER_FACTOR = 60
"""Steps after which the curvature between features is measured again; then twice as many, ..."""

STEPS_SPARED = 100
"""A factor of the curvature may cost as much as so many steps: it spares more."""

ROUGH = 1e-4
"""From this tolerance on few steps are made, and every feature is measured on its own."""

WORK_PER_STRETCH = 300_000_000
"""Products between two checkpoints: about a second."""


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
    minimum, which L-BFGS finds from the base rates on, measured in units of curvature
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
        halved = 0.5 if self._n_scores == 1 else 1.0
        all_penalties = halved * np.concatenate([[INTERCEPT_PENALTY], penalties])
        begin = self._as_scores(self._at_base_rates() if start is None else start)
        most_slope = tolerance * np.sqrt(self._total / (4 * self._bend_of_outcomes.max()))
        if signs is not None:
            wished = Differences(signs, outcome)
            found = self._within_bounds(wished, all_penalties, begin, most_slope, most_steps)
        elif tolerance >= ROUGH:
            bends = Bends.apart(self._bend_of_outcomes)
            units = without_factor(bends, self._squares, all_penalties)
            found, _ = self._descend(units, all_penalties, begin, most_slope, most_steps)
        else:
            found = self._descend_to_the_end(all_penalties, begin, most_slope, most_steps)
        return self._from_scores(found)

    def _descend_to_the_end(
        self, penalties: FloatArray, begin: FloatArray, tolerance: float, most_steps: int
    ) -> FloatArray:
        """Run L-BFGS in units of the curvature between features, measured again now and then."""
        found, n_made, n_steps = begin, 0, STEPS_PER_FACTOR
        # A factor may cost as much as some steps do, of two products each.
        room = STEPS_SPARED * 2 * self._n_products
        bends = Bends.at(self._base_rates)
        sizes = bends.of_groups
        places = Places.within(self.rows.arrays, self.variances, room / sizes.size)
        apart = self._worth_apart(places, room)
        weights = np.outer(self.rows.counts.sum(axis=1), sizes)
        while most_steps > 0:
            units = without_factor(bends, self._squares, penalties)
            measured = self.rows.arrays, self.means
            units = with_factor(units, found, places, measured, weights, penalties)
            n_steps = min(n_steps, most_steps)
            found, ended = self._descend(units, penalties, found, tolerance, n_steps, n_made)
            if ended != kernels.MORE:
                break
            n_made += n_steps
            most_steps, n_steps = most_steps - n_steps, 2 * n_steps
            bends, weights = self._bends_at(found, apart)
        return found

    def _worth_apart(self, places: Places, room: float) -> bool:
        """Tell whether every outcome may have a factor of its own: where it is nearly empty."""
        if places.n_full == 0:
            return False
        n_row = self._n_products / self._n_scores
        n_entries = places.column.size
        n_dense = int(self.rows.dense.shape[1])
        n_products = (places.n_products + n_dense * n_row / 2) * self._n_scores
        few = n_entries * self._n_scores <= MOST_ENTRIES and n_entries <= 2 * n_row
        return self._n_scores > 1 and few and n_products <= room

    def _bends_at(self, weights: FloatArray, apart: bool) -> tuple[Bends, FloatArray]:
        """Return how the loss bends at coefficients: on average, and in every row.

        Parameters
        ----------
        apart : whether every outcome is looked at on its own, or all on average
        """
        scores = np.empty((self.rows.counts.shape[0], self._n_scores))
        kernels.score_rows(self.rows.tables, self.means, weights, scores)
        if self._n_scores == 1:
            scores = np.hstack([np.zeros_like(scores), scores])
        proba = normalise(scores)
        open_ = proba * (1.0 - proba)
        counted = self.rows.counts.sum(axis=1)
        if apart:
            bent = counted[:, None] * open_
            return Bends.centred(np.maximum(bent.sum(axis=0) / self._total, 1e-12)), bent
        # Of K outcomes K - 1 directions bend, together by the sum of p (1 - p); of two outcomes
        # there is one score, which bends half of that.
        n_directions = 2 if self._n_scores == 1 else self._n_scores - 1
        undecided = counted * open_.sum(axis=1) / n_directions
        mean = max(float(undecided.sum()) / self._total, 1e-12)
        return Bends.apart(np.full(self._n_scores, mean)), undecided[:, None]

    def _descend(
        self,
        units: Units,
        penalties: FloatArray,
        begin: FloatArray,
        tolerance: float,
        most_steps: int,
        n_made: int = 0,
    ) -> tuple[FloatArray, int]:
        """Run L-BFGS from coefficients; it can be ended between stretches of its steps.

        Whoever watches reads how many were made, ``n_made`` before these.

        Returns
        -------
        where it ended, and whether more steps are needed
        """
        point = (begin - units.origin) / units.scale  # units with a factor begin at 0
        measures = self.means, penalties, tuple(units)
        moves, changes = np.empty((2, MEMORY, point.size))
        memory = moves, changes, np.empty(MEMORY)
        slope, known = np.empty_like(point), np.array([-1.0, 0.0])
        stretch = max(1, WORK_PER_STRETCH // (self._n_products + 1))
        ended = kernels.MORE
        for done in range(0, most_steps, stretch):
            n_steps = min(stretch, most_steps - done)
            rows = self.rows.tables
            ended = kernels.descend(rows, measures, point, slope, memory, known, tolerance, n_steps)
            if ended != kernels.MORE:
                break
            checkpoint(f"fitting path and shapes, step {n_made + done + n_steps:,}")
        found = np.empty_like(point)
        kernels.weights_at(tuple(units), point, found)
        return found, ended

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
        counted = self.rows.counts.sum(axis=0) + 1.0 / self.rows.counts.shape[1]
        return np.asarray(counted / counted.sum())

    @property
    def _bend_of_outcomes(self) -> FloatArray:
        """float64[n_scores]: how much the loss bends with the score of an outcome alone."""
        rates = self._base_rates[-self._n_scores :]
        return np.asarray(rates * (1.0 - rates))

    @property
    def _total(self) -> float:
        return float(self.rows.counts.sum()) + 1.0

    @property
    def _squares(self) -> FloatArray:
        """float64[1 + n_features]: summed squares of the centred features."""
        return np.concatenate([[1.0], self.variances]) * self._total

    @property
    def _n_products(self) -> int:
        """Products that the scores of all rows are made of."""
        return (self.rows.sparse.value.size + self.rows.dense.size) * self._n_scores

    def _at_base_rates(self) -> Coefficients:
        """Return where to begin if nothing is known: the outcomes' base rates for every row."""
        intercept = np.log(self._base_rates)
        weights = np.zeros((self.rows.n_features, intercept.shape[0]))
        return Coefficients(intercept - intercept.mean(), weights)

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
