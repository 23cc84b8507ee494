"""How good a model is on rows it has not seen, from inner evidence alone."""

from __future__ import annotations

import re

import numpy as np
import pytest

from probtrees.draw.charts.quality_strip import best_sentence, quality_html, quality_sentence
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import held_out_proba
from probtrees.experiment.unseen_scores import unseen_scores
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


def test_the_strip_names_what_needs_no_model(scores):
    words = quality_sentence(scores["hgs"], ("a<b", "c"))
    assert re.match(r"On \d+ rows it has not seen: right for \d+ %", words)
    assert "always “" in words
    best = best_sentence(scores, "mle", {"mle": "Raw share", "hgs": "HGS"})
    assert best.startswith("Best of 2 smoothers tried: ")
    html = quality_html(["a<b"], scores["hgs"], 1)
    assert "a&lt;b" in html
    assert "data:image/svg+xml" in html
