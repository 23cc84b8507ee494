"""Decisions paid for on rows that chose nothing."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.errors import OptionError
from probtrees.experiment.evaluation.decision_cost import decision_cost
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.fold_plan import read_plan


def noisy_table(n_rows: int = 240) -> Dataset:
    random = np.random.default_rng(3)
    x = random.random(n_rows)
    noise = random.random((n_rows, 2))
    y = (random.random(n_rows) < np.where(x > 0.7, 0.6, 0.1)).astype(float)
    schema = Schema((Column("x"), Column("a"), Column("b"), Column("y", ("no", "yes"))))
    return Dataset(schema, np.column_stack([x, noise, y]))


def test_costs_of_all_ways_to_decide() -> None:
    data = noisy_table()
    found = decision_cost(
        data, "c45", "laplace", outcome=1, false_alarm=1, miss=4, folds=4, n_inner_folds=3
    )
    rate = float((data.labels == 1).mean())
    assert found.always == pytest.approx(1 - rate)
    assert found.never == pytest.approx(4 * rate)
    assert found.best_constant == min(found.always, found.never)
    assert len(found.thresholds) == 4
    assert found.tuned < found.best_constant


def test_a_hold_out_pays_for_the_rows_it_tests() -> None:
    data = noisy_table()
    plan = read_plan("holdout=0.4")
    found = decision_cost(
        data, "c45", "laplace", outcome=1, false_alarm=1, miss=4, folds="holdout=0.4"
    )
    tested = plan.cut(data)[0].test_fold == 0
    assert found.never == pytest.approx(4 * float((data.labels[tested] == 1).mean()))
    assert len(found.thresholds) == 1


def test_costs_must_make_sense() -> None:
    with pytest.raises(OptionError, match="outcome=2"):
        decision_cost(noisy_table(20), outcome=2, false_alarm=1, miss=1)
    with pytest.raises(OptionError, match="nor both 0"):
        decision_cost(noisy_table(20), outcome=1, false_alarm=0, miss=0)
