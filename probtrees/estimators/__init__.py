"""The scikit-learn face: every learner as a classifier with ``predict_proba``."""

from __future__ import annotations

from probtrees.errors import OptionError, did_you_mean
from probtrees.estimators.base import (
    NetworkClassifier,
    SmoothedClassifier,
    TreeClassifier,
    with_parameters,
)

__all__ = [
    "AODEClassifier",
    "C45Classifier",
    "ESKDBClassifier",
    "ForestClassifier",
    "KDBClassifier",
    "KDFClassifier",
    "NaiveBayesClassifier",
    "SKDBClassifier",
    "SuperParentClassifier",
    "TANClassifier",
]


@with_parameters("c45")
class C45Classifier(TreeClassifier):
    """A C4.5 decision tree whose leaves are smoothed.

    >>> from probtrees.estimators import C45Classifier
    >>> X, y = [[1], [2], [8], [9]], ["no", "no", "yes", "yes"]
    >>> C45Classifier(smoother="laplace").fit(X, y).predict_proba([[1]]).tolist()
    [[0.75, 0.25]]
    """


@with_parameters("nb")
class NaiveBayesClassifier(NetworkClassifier):
    """Naive Bayes with smoothed tables."""


@with_parameters("tan")
class TANClassifier(NetworkClassifier):
    """Tree-augmented naive Bayes with smoothed tables."""


@with_parameters("kdb")
class KDBClassifier(NetworkClassifier):
    """A k-dependence Bayesian classifier with smoothed tables."""


@with_parameters("skdb")
class SKDBClassifier(NetworkClassifier):
    """Selective KDB: attributes and parents chosen by rows left out, tables smoothed."""


@with_parameters("aode")
class AODEClassifier(NetworkClassifier):
    """Averaged one-dependence estimators with smoothed tables."""


@with_parameters("kdf")
class KDFClassifier(NetworkClassifier):
    """A k-dependence forest with smoothed tables."""


@with_parameters(
    "sp",
    criterion=("accuracy", "What an added arc must improve: 'accuracy', 'auc' or 'cll'."),
)
class SuperParentClassifier(NetworkClassifier):
    """A SuperParent network with smoothed tables; ``criterion`` names what arcs improve."""

    def _learner_name(self) -> str:
        names = {"accuracy": "sp", "auc": "auc-sp", "cll": "cll-sp"}
        if self.criterion not in names:
            advice = did_you_mean(str(self.criterion), names)
            raise OptionError(f"criterion={self.criterion!r} must be one of its choices. {advice}")
        return names[self.criterion]


@with_parameters("eskdb")
class ESKDBClassifier(NetworkClassifier):
    """An ensemble of selective KDBs with smoothed tables."""


@with_parameters("forest")
class ForestClassifier(SmoothedClassifier):
    """A random forest of C4.5 trees whose leaves are smoothed."""
