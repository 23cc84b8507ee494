"""scikit-learn hands weights through pipelines and searches to whoever asks for them."""

import numpy as np
import pytest
import sklearn
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from probtrees.estimators import C45Classifier, NaiveBayesClassifier


@pytest.fixture(autouse=True)
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture(scope="module")
def rows():
    chance = np.random.default_rng(0)
    x = chance.normal(size=(120, 2))
    y = np.where(x[:, 0] + chance.normal(0, 0.7, 120) > 0, "ill", "well")
    return x, y, np.where(y == "ill", 5.0, 1.0)


def scaled(classifier):
    return make_pipeline(StandardScaler().set_fit_request(sample_weight=False), classifier)


@pytest.mark.parametrize("kind", [C45Classifier, NaiveBayesClassifier])
def test_weights_reach_the_classifier_in_a_pipeline(rows, kind):
    x, y, weights = rows
    asked = scaled(kind(smoother="laplace").set_fit_request(sample_weight=True))
    refused = scaled(kind(smoother="laplace").set_fit_request(sample_weight=False))
    x_scaled = StandardScaler().fit_transform(x)
    heavy = kind(smoother="laplace").fit(x_scaled, y, weights).predict_proba(x_scaled)
    light = kind(smoother="laplace").fit(x_scaled, y).predict_proba(x_scaled)
    assert not np.allclose(heavy, light)
    answered = asked.fit(x, y, sample_weight=weights).predict_proba(x)
    assert answered == pytest.approx(heavy)
    assert refused.fit(x, y).predict_proba(x) == pytest.approx(light)
    with pytest.raises(TypeError, match="not routed"):
        refused.fit(x, y, sample_weight=weights)


def test_weights_reach_the_classifier_and_the_scores_of_a_search(rows):
    x, y, weights = rows
    classifier = C45Classifier(smoother="laplace")
    classifier.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    search = GridSearchCV(classifier, {"min_leaf": [2, 20]}, cv=3)
    search.fit(x, y, sample_weight=weights)
    best = C45Classifier(smoother="laplace", **search.best_params_).fit(x, y, weights)
    assert search.predict_proba(x) == pytest.approx(best.predict_proba(x))
    by_hand = [
        C45Classifier(smoother="laplace", min_leaf=2)
        .fit(x[train], y[train], weights[train])
        .score(x[test], y[test], weights[test])
        for train, test in StratifiedKFold(3).split(x, y)
    ]
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(np.mean(by_hand))


def test_weights_that_nobody_asked_for_are_refused(rows):
    x, y, weights = rows
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        cross_validate(
            C45Classifier(smoother="laplace"), x, y, params={"sample_weight": weights}, cv=2
        )
