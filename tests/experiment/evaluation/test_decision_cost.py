"""Decisions paid for on rows that chose nothing."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.experiment.evaluation.decision_cost import tuned_decisions_cost
from probtrees.experiment.model_spec import make_spec, named_smoother
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.folds import read_plan


def noisy_table(n_rows: int = 240) -> Dataset:
    random = np.random.default_rng(3)
    x = random.random(n_rows)
    noise = random.random((n_rows, 2))
    y = (random.random(n_rows) < np.where(x > 0.7, 0.6, 0.1)).astype(float)
    schema = Schema((Column("x"), Column("a"), Column("b"), Column("y", ("no", "yes"))))
    return Dataset(schema, np.column_stack([x, noise, y]))


@pytest.mark.parametrize(("plan", "n_folds"), [("4", 4), ("holdout=0.4", 1)])
def test_thresholds_of_inner_folds_cost_less_than_one_decision(plan: str, n_folds: int) -> None:
    data = noisy_table()
    folds = read_plan(plan).cut(data)[0]
    costs = [[0, 1], [4, 0]]
    found = tuned_decisions_cost(data, make_spec("c45"), named_smoother("laplace"), costs, folds)
    assert found is not None
    rate = float((data.labels[folds.test_fold >= 0] == 1).mean())
    assert found["threshold_chosen_on_inner_folds"] < min(1 - rate, 4 * rate)
    assert len(found["thresholds"]) == n_folds
    dearer = np.add(costs, 2)
    more = tuned_decisions_cost(data, make_spec("c45"), named_smoother("laplace"), dearer, folds)
    assert more is not None
    assert more["threshold_chosen_on_inner_folds"] == pytest.approx(
        found["threshold_chosen_on_inner_folds"] + 2
    )


def test_costs_must_be_those_of_two_decisions() -> None:
    data = noisy_table(20)
    folds = read_plan("2").cut(data)[0]
    for costs in ([[0, 0], [0, 0]], [[0, 1, 2], [1, 0, 2]], [[1, 0], [0, 1]]):
        found = tuned_decisions_cost(data, make_spec("c45"), named_smoother("mle"), costs, folds)
        assert found is None
