"""The Python face: every learner as a scikit-learn classifier, and models that explain themselves.

The classifiers are made from the registry of learners when they are first used, and are named
after the learners: ``KDB`` is ``KDBClassifier``.

>>> from probtrees.estimators import C45Classifier
>>> X, y = [[1], [2], [8], [9]], ["no", "no", "yes", "yes"]
>>> C45Classifier(smoother="laplace").fit(X, y).predict_proba([[1]]).tolist()
[[0.75, 0.25]]
"""

from __future__ import annotations

import importlib
from typing import Any

from probtrees.experiment.registry import estimators


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(estimators())
    learners = estimators().get(name)
    if learners is None:
        raise AttributeError(f"module 'probtrees.estimators' has no attribute {name!r}")
    # scikit-learn takes a second to import: only those who use its classifiers wait for it.
    make = importlib.import_module("probtrees.estimators.make_estimator").make_estimator
    globals()[name] = make(name, learners)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *estimators()})
