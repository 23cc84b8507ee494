"""Nothing can be learnt from noise: however rows are weighed or repeated, nothing must be."""

import numpy as np
import pytest

from probtrees.estimators import C45Classifier, NaiveBayesClassifier, SKDBClassifier

N_ROWS, N_COLUMNS, RATE = 400, 10, 0.3
LEARNERS = {"c45": C45Classifier, "skdb": SKDBClassifier, "nb": NaiveBayesClassifier}
CASES = ["all 2", "all 3", "rare class 3", "duplicated"]


def noise(n_rows, seed):
    random = np.random.default_rng(seed)
    return random.normal(size=(n_rows, N_COLUMNS)), (random.random(n_rows) < RATE).astype(int)


def brier_on_fresh_rows(estimator, case):
    """Fit noise weighed like the case says, and score it where classes are as common as ever."""
    table, y = noise(N_ROWS, 0)
    weights = {"all 2": np.full(N_ROWS, 2.0), "all 3": np.full(N_ROWS, 3.0)}
    weights["rare class 3"] = np.where(y == 1, 3.0, 1.0)
    if case == "duplicated":
        table, y = np.concatenate([table, table]), np.concatenate([y, y])
    fitted = estimator().fit(table, y, sample_weight=weights.get(case))
    fresh, outcomes = noise(4000, 1)
    chance = fitted.predict_proba(fresh)[:, 1]
    if case == "rare class 3":
        chance = chance / (chance + 3 * (1 - chance))
    return 2 * np.mean((chance - outcomes) ** 2)


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_copies_do_not_make_noise_look_like_knowledge(learner):
    estimator = LEARNERS[learner]
    unweighted = brier_on_fresh_rows(estimator, "")
    assert unweighted < 1.05 * 2 * RATE * (1 - RATE)
    for case in CASES:
        assert brier_on_fresh_rows(estimator, case) < 1.05 * unweighted, case


def test_a_class_weight_does_not_make_noise_look_like_knowledge():
    table, y = noise(N_ROWS, 0)
    fresh, outcomes = noise(4000, 1)
    answers = [
        C45Classifier(class_weight=weight).fit(table, y).predict_proba(fresh)[:, 1]
        for weight in (None, "balanced", {0: 1, 1: 3})
    ]
    plain, *weighted = (np.mean((chance - outcomes) ** 2) for chance in answers)
    assert max(weighted) < 1.05 * plain
