"""What comes of acting on forecasts: on how many, how often rightly, and whether it is worth it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from probtrees.errors import OptionError
from probtrees.model.track_record import wilson_interval
from probtrees.score.calibration_in_large import Estimate
from probtrees.score.curves import one_outcome
from probtrees.score.metrics import Figures
from probtrees.score.paired_test import CONFIDENCE
from probtrees.types import FloatArray, IntArray


class Cut(NamedTuple):
    """Act on rows with more than a chance of an outcome; on a share of those with it, by lot."""

    outcome: int
    threshold: float
    lot: float = 1.0

    def share(self, chances: ArrayLike) -> FloatArray:
        """Return the share of rows with each chance that is acted on."""
        over = np.asarray(chances) - self.threshold
        by_lot = (self.lot < 1) & (np.abs(over) <= 1e-9)  # where a sum may differ by its order
        return np.where(by_lot, self.lot, over >= 0)

    def done(self, chance: float) -> str:
        """Say what is done with a row, in the words of the column ``decision``."""
        return {0.0: "leave", 1.0: "act"}.get(float(self.share(chance)), "by lot")


@dataclass(frozen=True)
class Decision(Figures):
    """What comes of acting on every row from a threshold on; estimates have 95 % intervals.

    Attributes
    ----------
    threshold : rows with this chance or more are acted on
    lot : of the rows at the threshold itself, the share that is acted on, drawn by lot: 1 unless
        a capacity ends among them
    rows : how many rows the figures rest on
    acted_on, rightly, missed : shares of all rows: acted on; acted on and with the outcome; left
        alone though with the outcome
    sensitivity : the share of rows with the outcome that are acted on
    specificity : the share of rows without the outcome that are left alone
    predictive_value, rejected : the share of rows acted on that have the outcome, and of rows left
        alone that have not
    number_needed : rows acted on for one that has the outcome
    lift : how many times as often acting is right as on rows taken at random, whose rate is taken
        as known
    net_benefit : rightly acted on per row, less false alarms per row weighed t / (1 - t) for the
        threshold t (Vickers and Elkin 2006); for acting on nobody it is 0
    over_all : how much larger the net benefit is than that of acting on every row

    What cannot be known is None, as a predictive value where nobody is acted on.
    """

    threshold: float
    lot: float
    rows: int
    acted_on: Estimate | None
    rightly: Estimate | None
    missed: Estimate | None
    sensitivity: Estimate | None
    specificity: Estimate | None
    predictive_value: Estimate | None
    rejected: Estimate | None
    number_needed: Estimate | None
    lift: Estimate | None
    net_benefit: Estimate | None
    over_all: Estimate | None


def decide(
    forecasts: ArrayLike,
    outcomes: ArrayLike,
    *,
    threshold: float | None = None,
    costs: Sequence[float] | None = None,
    capacity: float | None = None,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> Decision:
    """Say what comes of acting on forecasts: from a threshold on, by costs, or up to a capacity.

    The rows should be unseen: the model was made without them.

    Parameters
    ----------
    forecasts : float[n], the probability of the outcome
    outcomes : bool[n], whether it came
    threshold : act on rows with this chance or more
    costs : of a miss and of a false alarm; see :func:`threshold_of_costs`
    capacity : the share of rows that can be acted on, those with the highest chances
    weights : float[n], how much each row counts; None: once
    groups : [n], rows of one group, such as a patient's visits, are no independent witnesses

    Examples
    --------
    >>> found = decide([0.9, 0.6, 0.4, 0.1], [1, 0, 1, 0], costs=(1, 1))
    >>> found.threshold, found.acted_on.value, found.rightly.value, found.missed.value
    (0.5, 0.5, 0.25, 0.25)
    >>> found.net_benefit.value, found.lift.value, found.number_needed.value
    (0.0, 1.0, 2.0)
    """
    counted = slice(None) if weights is None else np.asarray(weights) > 0
    rows, lot = one_outcome(forecasts, outcomes, weights), 1.0
    if [threshold, costs, capacity].count(None) != 2 or not 0 <= (threshold or 0) <= 1:
        raise OptionError(
            f"threshold={threshold!r} must be from 0 to 1; or give only another rule."
        )
    if costs is not None:
        threshold = threshold_of_costs(*costs)
    if capacity is not None:
        threshold, lot = capacity_threshold(rows.scores, rows.weights, capacity)
    at = float(threshold or 0.0)
    a = np.where(rows.scores == at, lot, rows.scores > at)
    case = np.arange(len(a)) if groups is None else np.asarray(groups)[counted]
    samples = _Samples(rows.weights, np.unique(case, return_inverse=True)[1])
    y, one = rows.cases.astype(np.float64), np.ones(len(a))
    right, rate = samples.share(a * y, a), float(rows.weights @ y / rows.weights.sum())
    needed = lift = None
    if right is not None and rate > 0:
        lift = Estimate(right.value / rate, right.lower / rate, right.upper / rate)
        if right.value > 0:
            needed = Estimate(1 / right.value, 1 / right.upper, 1 / right.lower)
    worth = y - (1 - y) * (at / (1 - at) if at < 1 else 0.0)
    return Decision(
        threshold=at,
        lot=lot,
        rows=len(a),
        acted_on=samples.share(a, one),
        rightly=samples.share(a * y, one),
        missed=samples.share((1 - a) * y, one),
        sensitivity=samples.share(a * y, y),
        specificity=samples.share((1 - a) * (1 - y), 1 - y),
        predictive_value=right,
        rejected=samples.share((1 - a) * (1 - y), 1 - a),
        number_needed=needed,
        lift=lift,
        net_benefit=samples.mean(a * worth) if at < 1 else None,
        over_all=samples.mean((a - 1) * worth) if at < 1 else None,
    )


def threshold_of_costs(*costs: float) -> float:
    """Return the chance from which on acting is expected to cost less (Elkan 2001)."""
    if len(costs) != 2 or not (min(costs) >= 0 and 0 < sum(costs) < math.inf):
        rule = "must be two from 0 on, not both 0: of a miss, and of a false alarm"
        raise OptionError(f"costs={costs} {rule}.")
    return costs[1] / sum(costs)


def capacity_threshold(
    scores: FloatArray, weights: FloatArray, capacity: float
) -> tuple[float, float]:
    """Return the chance at which a capacity ends, and the share of rows there that still fit.

    >>> capacity_threshold(np.array([0.9, 0.5, 0.5, 0.1]), np.ones(4), 0.5)
    (0.5, 0.5)
    """
    if not 0 < capacity <= 1:
        raise OptionError(f"capacity={capacity!r} must be a share of the rows, as 50 / 1000.")
    falling, place = np.unique(-scores, return_inverse=True)
    held = np.bincount(place, weights)
    filled, room = np.cumsum(held), capacity * float(held.sum())
    last = min(int(np.searchsorted(filled, room * (1 - 1e-12))), len(held) - 1)
    return float(-falling[last]), float(min(1.0, 1 - (filled[last] - room) / held[last]))


class _Samples(NamedTuple):
    """Rows that count by weight, in cases that are independent of each other."""

    weights: FloatArray
    case_of: IntArray

    def _by_case(self, values: FloatArray) -> FloatArray:
        return np.bincount(self.case_of, self.weights * values).astype(np.float64)

    def share(self, part: FloatArray, whole: FloatArray) -> Estimate | None:
        """Bound a share by Wilson's interval of as many independent rows as would vary alike.

        What varies is the linearised ratio, case by case. Where all or none have it nothing does:
        then every case is a row, by its weight (Kish 1965).
        """
        of_row, of_case = self.weights * whole, self._by_case(whole)
        total = float(of_row.sum())
        if total <= 0:
            return None
        value = min(1.0, float(self.weights @ part) / total)
        worth, most = (total**2 / float(each @ each) for each in (of_case, of_row))
        apart = self._by_case(part - value * whole) / total
        if 0 < value < 1 and apart.any():
            worth = min(value * (1 - value) / float(apart @ apart), most)
        return Estimate(value, *wilson_interval(value, worth, CONFIDENCE))

    def mean(self, values: FloatArray) -> Estimate:
        """Bound a mean of any numbers; the variance is that of sums by case."""
        total, n_cases = float(self.weights.sum()), int(self.case_of.max()) + 1
        mean = float(self.weights @ values) / total
        apart = self._by_case(values - mean) / total
        spread = float(apart @ apart) * n_cases / (n_cases - 1) if n_cases > 1 else math.inf
        return Estimate.around(mean, math.sqrt(spread))
