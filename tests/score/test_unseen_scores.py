"""How good a model is on rows it has not seen, from inner evidence alone."""

import numpy as np
import pytest

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import held_out_proba, unseen_scores
from probtrees.score.unseen_scores import UnseenScores
from tests.naive import naive_auc
from tests.small_tables import patients


@pytest.fixture(scope="module")
def scores():
    grown = grow_model(patients(200), "c45")
    return {name: unseen_scores(grown, grown.smooth(name)) for name in ("mle", "hgs")}


def test_scores_are_those_of_rows_held_out(scores):
    grown = grow_model(patients(200), "c45")
    proba = held_out_proba(grown, grown.smooth("hgs"))
    labels = grown.data.labels
    truth = np.eye(proba.shape[1])[labels]
    found = scores["hgs"]
    weights = grown.data.row_weights
    expected = np.average(((proba - truth) ** 2).sum(axis=1), weights=weights)
    assert found.brier == pytest.approx(expected)
    assert found.right == pytest.approx(np.average(proba.argmax(axis=1) == labels, weights=weights))
    assert found.auc == pytest.approx(naive_auc(proba, labels, weights))


def test_of_three_classes_the_ranking_is_that_of_the_outcome():
    proba = np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.5, 0.4], [0.6, 0.2, 0.2]])
    labels = np.array([0, 1, 2, 0])
    one = np.ones(4)
    found = UnseenScores(proba, labels, one, proba, np.arange(4))
    assert found.auc_of(0) == 1
    assert found.auc_of(1) == pytest.approx(2.5 / 3)


def said_of(labels, chance, cases=None) -> UnseenScores:
    """What a model said of an outcome that happens in some rows, beside their share."""
    n = len(labels)
    share = labels.mean()
    return UnseenScores(
        np.column_stack([1 - chance, chance]),
        labels,
        np.ones(n),
        np.tile([1 - share, share], (n, 1)),
        np.arange(n) if cases is None else cases,
    )


def test_a_rare_outcome_that_is_ranked_is_not_called_chance():
    """Of 2 % the Brier score hardly moves: its gain is within noise, the order of rows is not."""
    random = np.random.default_rng(1)
    labels = (random.random(1500) < 0.02).astype(np.int64)
    high = random.random(1500) < np.where(labels, 0.55, 0.12)
    found = said_of(labels, np.where(high, 0.12, 0.012))
    gain, low, _ = found.better_than_base_rate()
    assert low <= 0 < gain
    assert found.ranks_rows


def test_an_interval_is_that_of_the_rows_differences():
    random = np.random.default_rng(2)
    labels = (random.random(80) < 0.4).astype(np.int64)
    found = said_of(labels, random.random(80))
    difference = [
        (base[1] - y) ** 2 - (said[1] - y) ** 2  # of two outcomes that of one: a coin has .25
        for said, base, y in zip(found.proba, found.base, labels, strict=True)
    ]
    half = 1.990450 * np.std(difference, ddof=1) / np.sqrt(80)  # Student's t with 79 degrees
    gain, low, high = found.better_than_base_rate()
    assert gain == pytest.approx(np.mean(difference))
    assert [low, high] == pytest.approx([gain - half, gain + half])


def test_copies_in_one_group_do_not_narrow_an_interval():
    random = np.random.default_rng(3)
    labels = (random.random(40) < 0.4).astype(np.int64)
    chance = random.random(40)
    once = said_of(labels, chance)
    thrice = said_of(np.repeat(labels, 3), np.repeat(chance, 3), np.repeat(np.arange(40), 3))
    assert thrice.better_than_base_rate() == pytest.approx(once.better_than_base_rate())
