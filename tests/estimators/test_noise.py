"""Nothing can be learnt from noise: however rows are weighed or repeated, nothing must be."""

import numpy as np
import pytest

from probtrees import fit
from probtrees.estimators import C45Classifier
from probtrees.experiment.registry import LEARNERS
from probtrees.table.dataset import Column, Dataset, Schema

N_ROWS, N_COLUMNS, RATE = 300, 10, 0.3
BASE_RATE = RATE * (1 - RATE)
CASES = ["all 2", "all 3", "rare class 3", "duplicated"]
SCHEMA = Schema((*(Column(f"x{i}") for i in range(N_COLUMNS)), Column("y", ("no", "yes"))))


def noise(n_rows, seed):
    random = np.random.default_rng(seed)
    return random.normal(size=(n_rows, N_COLUMNS)), (random.random(n_rows) < RATE).astype(int)


def brier_on_fresh_rows(learner, case=""):
    """Fit noise weighed like the case says, and score it where classes are as common as ever."""
    table, y = noise(N_ROWS, 0)
    weights = {"all 2": np.full(N_ROWS, 2.0), "all 3": np.full(N_ROWS, 3.0)}
    weights["rare class 3"] = np.where(y == 1, 3.0, 1.0)
    values = np.tile(np.column_stack([table, y]), (1 + (case == "duplicated"), 1))
    fitted = fit(Dataset(SCHEMA, values, weights=weights.get(case)), learner)
    fresh, outcomes = noise(4000, 1)
    chance = fitted.predict_proba(Dataset(SCHEMA, np.column_stack([fresh, outcomes])))[:, 1]
    if case == "rare class 3":
        chance = chance / (chance + 3 * (1 - chance))
    return np.mean((chance - outcomes) ** 2)


def test_a_shaped_tree_is_judged_by_rows_it_was_not_fitted_to():
    assert brier_on_fresh_rows("shaped-tree", "all 2") < 1.05 * BASE_RATE


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_weights_are_copies_and_copies_never_judge_each_other(learner):
    unweighted = brier_on_fresh_rows(learner)
    assert unweighted < 1.05 * BASE_RATE
    for case in CASES:
        assert brier_on_fresh_rows(learner, case) < 1.05 * unweighted, case


def test_a_class_weight_does_not_make_noise_look_like_knowledge():
    table, y = noise(N_ROWS, 0)
    fresh, outcomes = noise(4000, 1)
    answers = [
        C45Classifier(class_weight=weight).fit(table, y).predict_proba(fresh)[:, 1]
        for weight in (None, "balanced", {0: 1, 1: 3})
    ]
    plain, *weighted = (np.mean((chance - outcomes) ** 2) for chance in answers)
    assert max(weighted) < 1.05 * plain
