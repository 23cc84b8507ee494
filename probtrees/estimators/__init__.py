"""The scikit-learn face: every learner as a classifier with ``predict_proba``."""

from __future__ import annotations

from probtrees.estimators.base import TreeClassifier, with_parameters

__all__ = ["C45Classifier"]


@with_parameters("c45")
class C45Classifier(TreeClassifier):
    """A C4.5 decision tree whose leaves are smoothed.

    >>> from probtrees.estimators import C45Classifier
    >>> X, y = [[1], [2], [8], [9]], ["no", "no", "yes", "yes"]
    >>> C45Classifier(smoother="laplace").fit(X, y).predict_proba([[1]]).tolist()
    [[0.75, 0.25]]
    """
