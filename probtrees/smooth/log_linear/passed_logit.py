"""A logit of more rows than fit into memory: all pass by for every step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from probtrees.errors import OptionError
from probtrees.machine.lazy_module import LazyModule
from probtrees.smooth.log_linear.logit import CONVERGED, NEAR, ROUGH, Coefficients, Logit
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.types import FloatArray

linalg = LazyModule("scipy.linalg")

LARGEST = 6000
"""Weights of all outcomes: their second derivatives take 288 MB, and as much while added up."""

RENEWED, FEWEST_MOVES = 0.3, 3
"""A step that leaves more of the slope than this has new second derivatives after it, but for the
first steps: on all rows, adding them up takes several times as long as the slope."""

MORE = 4
"""Steps on few rows are cheap: a fit passes a small share of them first, then this many times as
many, at last all. The first second derivatives there are added up from a share of the rows, too."""

AddUp = Callable[[FloatArray, bool, int, bool], tuple[float, FloatArray, FloatArray]]
"""Passes every n-th row, n given, under weights of all outcomes, with the features of its path or
without. Returns loss, slopes and, if they are asked for, second derivatives; see
:func:`_logit_kernels.add_coded`."""


class PassedCurvature:
    """Second derivatives where they were added up last, mended by the steps since then.

    The slope's changes along these steps are known, as in L-BFGS (Nocedal 1980): rows that were
    rare there no longer send every step too far.
    """

    def __init__(self, bends: FloatArray) -> None:
        self.factor, self.steep = linalg.cho_factor(bends, lower=True, overwrite_a=True), np.inf
        self.steps: list[tuple[FloatArray, FloatArray]] = []
        self.last: tuple[FloatArray, FloatArray] | None = None

    def solve(self, slope: FloatArray) -> FloatArray:
        """Return the move along which the slope changes by as much as it is."""
        left, shares = slope.copy(), []
        for move, change in reversed(self.steps):
            shares.append(float((move * left).sum() / (move * change).sum()))
            left -= shares[-1] * change
        found = np.asarray(linalg.cho_solve(self.factor, left.T.ravel())).reshape(left.T.shape).T
        for (move, change), share in zip(self.steps, reversed(shares), strict=True):
            found = found + (share - (change * found).sum() / (move * change).sum()) * move
        return found

    def note(self, found: FloatArray, slope: FloatArray) -> None:
        """Learn from how the slope has changed since the last step."""
        if self.last is not None:
            move, change = found - self.last[0], slope - self.last[1]
            if (move * change).sum() > 0:  # else nothing but rounding
                self.steps.append((move, change))
        self.last = found, slope


@dataclass(frozen=True)
class PassedLogit(Logit):
    """Fits a logit to rows that pass by, by Newton's steps from where the fit to a sample ends.

    The first steps are made on some of the rows.

    Attributes
    ----------
    rows : the sample; only where the fit begins depends on it
    means, variances : of the features over all rows; one that does not vary keeps the weight 0
    outcomes : float64[n_outcomes], how often each happened in all rows
    add_up : passes rows
    some : at first only every n-th row is passed, n this number, to come near
    every : the same of the rows that are passed now
    has_path : whether the features of a row's path are among them
    """

    outcomes: FloatArray
    add_up: AddUp
    some: int = 1
    every: int = 1
    has_path: bool = True

    def fit(
        self,
        penalties: FloatArray,
        start: Coefficients | None = None,
        tolerance: float = CONVERGED,
        most_steps: int = 5000,
        signs: FloatArray | None = None,
        outcome: int = 1,
    ) -> Coefficients:
        """Find the coefficients with the least penalised loss, as :meth:`Logit.fit` does."""
        sample = Logit(self.rows, self.means, self.variances)
        start = sample.fit(penalties, start, ROUGH, most_steps, signs, outcome)
        size = self._n_scores * (1 + self.rows.n_features)
        if size > LARGEST:
            raise OptionError(
                f"weights={size:,} must be at most {LARGEST:,} where a shaped tree is fitted in "
                "chunks. Ask for larger leaves (min_leaf), or group values or classes."
            )
        all_penalties, steep = self._measures(penalties)
        found = self._as_scores(start)
        every = self.some
        while every > 1:
            fewer = replace(self, every=every)
            found = fewer._newton(all_penalties, found, NEAR * steep, most_steps)
            every //= MORE
        return self._from_scores(self._newton(all_penalties, found, tolerance * steep, most_steps))

    def without_first(self, n_sparse: int) -> PassedLogit:
        """Return the fit of rows without their path, whose features are the first."""
        kept = np.arange(self.rows.n_features) >= n_sparse
        return replace(
            self,
            rows=self.rows.without_first(n_sparse),
            means=self.means * kept,
            variances=self.variances * kept,
            has_path=False,
        )

    def loss(self, point: FloatArray, penalties: FloatArray) -> tuple[float, FloatArray]:
        """Return the penalised loss of all rows and its gradient."""
        which = False, self.every, self.has_path
        loss, slopes, _ = self.add_up(self._uncentred(point), *which)
        slopes[1:] -= np.outer(self.means, slopes[0])
        slopes[1:] *= (self.variances > 0)[:, None]
        even = self._even(point)
        loss -= float(np.log(even).mean())
        slopes[0] += even - 1 / even.size  # the one more row
        pull = penalties[:, None] * point
        return loss + 0.5 * float((pull * point).sum()), slopes[:, -self._n_scores :] + pull

    def _curvature(
        self, found: FloatArray, penalties: FloatArray, thinned: int = MORE
    ) -> PassedCurvature:
        """Return all second derivatives, outcome by outcome; the more pairs, the fewer rows."""
        size, n_scores = len(found), self._n_scores
        every = max(self.every, min(n_scores * (n_scores + 1) // 2 * thinned, self.some))
        _, _, halves = self.add_up(self._uncentred(found), True, every, self.has_path)
        even = self._even(found)
        table = np.empty((n_scores, size, n_scores, size))
        centre, known = np.append(0.0, self.means), np.append(1.0, self.variances > 0)
        for pair, (k, other) in enumerate(zip(*np.tril_indices(n_scores), strict=True)):
            both = halves[:, :, pair] + halves[:, :, pair].T
            both[np.diag_indices(size)] /= 2
            both -= np.outer(centre, both[0])
            both -= np.outer(both[:, 0], centre)
            own, others = even[-n_scores:][[k, other]]
            both[0, 0] += own * ((k == other) - others)
            table[k, :, other] = table[other, :, k] = both * np.outer(known, known)
        bends = table.reshape(n_scores * size, -1)
        bends[np.diag_indices(len(bends))] += np.tile(penalties, n_scores)
        return PassedCurvature(bends)

    def _move(
        self,
        found: FloatArray,
        slope: FloatArray,
        penalties: FloatArray,
        curvature: Any,
        share_left: float,
    ) -> tuple[FloatArray, int]:
        """Move to where the slope would end, in one round: all second derivatives are known."""
        curvature.note(found, slope)
        steep = float((slope * curvature.solve(slope)).sum()) ** 0.5
        n_fewest = FEWEST_MOVES if self.every == 1 else 1
        if len(curvature.steps) >= n_fewest and steep > RENEWED * curvature.steep:
            curvature.factor, curvature.steps = self._curvature(found, penalties, 1).factor, []
        curvature.steep = steep
        return -curvature.solve(slope), 1

    def _even(self, point: FloatArray) -> FloatArray:
        """Return the probabilities of a row that is average in every feature."""
        return np.asarray(normalise(self._of_all(point[:1]))[0])

    def _of_all(self, point: FloatArray) -> FloatArray:
        """Return the weights of all outcomes; of two the first has none."""
        none = np.zeros((len(point), self.outcomes.size - self._n_scores))
        return np.hstack([none, point])

    def _uncentred(self, point: FloatArray) -> FloatArray:
        weights = self._of_all(point)
        weights[1:] *= (self.variances > 0)[:, None]
        weights[0] -= self.means @ weights[1:]
        return weights

    @property
    def _counted(self) -> FloatArray:
        return self.outcomes

    @property
    def _total(self) -> float:
        return float(self.outcomes.sum()) + 1.0
