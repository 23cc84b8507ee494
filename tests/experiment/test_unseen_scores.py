"""How good a model is on rows it has not seen, from inner evidence alone."""

from __future__ import annotations

import re

import numpy as np
import pytest

from probtrees.draw.charts.quality_strip import (
    against_sentence,
    best_sentence,
    quality_html,
    quality_sentence,
    verdict_sentence,
    verdict_words,
)
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import held_out_proba
from probtrees.experiment.unseen_scores import UnseenScores, unseen_scores
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


def test_a_difference_has_an_interval_around_it_and_a_mirror(scores):
    gain, low, high = scores["hgs"].better_by(scores["mle"])
    assert low < gain < high
    mirrored = scores["mle"].better_by(scores["hgs"])
    np.testing.assert_allclose(mirrored, [-gain, -high, -low])
    assert scores["mle"].better_by(scores["mle"]) == (0, 0, 0)


def test_a_single_row_cannot_be_held_out():
    data = patients(200)
    grown = grow_model(data.take(np.arange(1)), "c45")
    assert unseen_scores(grown, grown.smooth("mle")) is None


def test_of_three_classes_the_ranking_is_that_of_the_outcome():
    proba = np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.5, 0.4], [0.6, 0.2, 0.2]])
    labels = np.array([0, 1, 2, 0])
    one = np.ones(4)
    found = UnseenScores(proba, labels, one, proba, one, one, 0.2)
    assert found.auc_of(0) == 1
    assert found.auc_of(1) == pytest.approx(2.5 / 3)
    words = quality_sentence(found, ("x", "y", "z"), 1)
    assert "AUC .83 (“y” against the rest; mean of all classes " in words


def test_a_rare_outcome_is_not_rounded_away():
    labels = np.zeros(500, dtype=np.int64)
    labels[:2] = 1
    one = np.ones(500)
    proba = np.tile([0.996, 0.004], (500, 1))
    words = quality_sentence(UnseenScores(proba, labels, one, proba, one, one, 0.2), ("a", "b%"), 1)
    assert "right for 99.6 % (always “a”: 99.6 %)" in words
    assert "Brier .0080 (base rate .0080)" in words


@pytest.mark.parametrize(("tells", "said"), [(True, "Ranks only"), (False, "Found nothing")])
def test_a_model_that_ranks_rows_has_found_something(tells, said):
    """Its percentages are far too high, so that its Brier score is worse than the base rate's."""
    random = np.random.default_rng(1)
    labels = (random.random(2000) < 0.02).astype(np.int64)
    high = (
        (random.random(2000) < np.where(labels, 0.8, 0.2)) if tells else random.random(2000) < 0.2
    )
    chance = np.where(high, 0.5, 0.1)
    parts, one = np.array([0.3, 0.31, 0.32]), np.ones(2000)
    base = np.tile([0.98, 0.02], (2000, 1))
    proba = np.column_stack([1 - chance, chance])
    found = UnseenScores(proba, labels, one, base, parts, parts - 0.2, 0.2)
    assert found.ranks_rows == tells
    assert verdict_words(found)[0] == said
    assert ("ranks unseen rows better than chance" in verdict_sentence(found)) == tells


def test_the_strip_names_what_needs_no_model(scores):
    words = quality_sentence(scores["hgs"], ("a<b", "c"), 1)
    assert re.search(r"AUC \.\d\d\.$", words)
    assert re.match(r"On \d+ rows it has not seen: right for \d+ %", words)
    assert "always “" in words
    best = best_sentence(scores, "mle", {"mle": "Raw share", "hgs": "HGS"})
    assert best.startswith("Best of 2 smoothers tried: ")
    better, worse = sorted(scores.values(), key=lambda found: found.brier)
    assert "lower (better) than that of it (95 %" in against_sentence(better, worse, "it")
    assert "higher (worse) than that of it (95 %" in against_sentence(worse, better, "it")
    assert "same to three digits" in against_sentence(worse, worse, "it")
    html = quality_html(["a<b"], scores["hgs"], 1)
    assert "a&lt;b" in html
    assert "data:image/svg+xml" in html
