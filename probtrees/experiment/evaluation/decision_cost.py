"""What it costs to act on a model's probabilities, measured on rows it has not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.errors import OptionError
from probtrees.experiment.evaluation.cross_validate import cross_validate
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import DEFAULT_LEARNER, DEFAULT_SMOOTHER
from probtrees.model.predict import predict_proba
from probtrees.score.cost import cost_at, threshold_costs
from probtrees.table.dataset import Dataset
from probtrees.table.fold_plan import read_plan
from probtrees.table.folds import NEVER_TESTED, Folds
from probtrees.types import Progress


@dataclass(frozen=True)
class DecisionCost:
    """Mean cost per row of three ways to decide, over all out-of-fold rows.

    Attributes
    ----------
    tuned : acting above the threshold that cost least on inner folds of the training rows
    by_probability : acting above false_alarm / (false_alarm + miss), the right threshold
        for probabilities that mean what they say
    always, never : acting on every row, on none
    thresholds : the tuned threshold of every fold
    """

    tuned: float
    by_probability: float
    always: float
    never: float
    thresholds: tuple[float, ...]

    @property
    def best_constant(self) -> float:
        """The cost of the better decision that ignores the row."""
        return min(self.always, self.never)


def decision_cost(
    data: Dataset,
    learner: Any = DEFAULT_LEARNER,
    smoother: Any = DEFAULT_SMOOTHER,
    *,
    outcome: int,
    false_alarm: float,
    miss: float,
    folds: int | str | Folds = 10,
    n_inner_folds: int = 5,
    progress: Progress | None = None,
    **settings: Any,
) -> DecisionCost:
    """Choose thresholds on inner folds and pay for them on outer ones.

    A threshold chosen on the rows it is judged by looks cheaper than it is.

    Parameters
    ----------
    learner, smoother, settings : as in :func:`~probtrees.experiment.fit.fit`
    outcome : the class that one may act on
    false_alarm, miss : cost of acting on a row of another class, of not acting on one of it
    folds : as in :func:`~probtrees.experiment.evaluation.cross_validate.cross_validate`, one cut
    """
    if not 0 <= outcome < data.n_classes:
        raise OptionError(f"outcome={outcome!r} must be a class from 0 to {data.n_classes - 1}.")
    if not (false_alarm >= 0 and miss >= 0 and false_alarm + miss > 0):
        raise OptionError(
            f"false_alarm={false_alarm!r} and miss={miss!r} must not be negative, nor both 0."
        )
    spec = learner if isinstance(learner, ModelSpec) else make_spec(learner, **settings)
    fair = false_alarm / (false_alarm + miss)
    if not isinstance(folds, Folds):
        data = data.copies_apart()
        folds = read_plan(folds).cut(data, spec.seed)[0]
    cases = data.labels == outcome
    acted = {"tuned": np.zeros(data.n_rows), "fair": np.zeros(data.n_rows)}
    thresholds = []
    for n_done, (train_rows, test_rows) in enumerate(folds.splits()):
        if progress is not None:
            progress(n_done / folds.n_folds, f"fold {n_done + 1} of {folds.n_folds}")
        train, test = data.take(train_rows).copies_apart(), data.take(test_rows)
        inner = cross_validate(train, spec, smoother, folds=n_inner_folds).proba[0][:, outcome]
        costs = threshold_costs(
            inner, train.labels == outcome, false_alarm, miss, train.row_weights
        )
        thresholds.append(costs.best_threshold)
        scores = predict_proba(grow_model(train, spec).smooth(smoother), test)[:, outcome]
        acted["tuned"][test_rows] = scores >= costs.best_threshold
        acted["fair"][test_rows] = scores >= fair
    ways = {**acted, "always": np.ones(data.n_rows), "never": np.zeros(data.n_rows)}
    tested = folds.test_fold != NEVER_TESTED
    paid = {
        way: cost_at(
            decision[tested], cases[tested], 0.5, false_alarm, miss, data.row_weights[tested]
        )
        for way, decision in ways.items()
    }
    return DecisionCost(
        paid["tuned"], paid["fair"], paid["always"], paid["never"], tuple(thresholds)
    )
