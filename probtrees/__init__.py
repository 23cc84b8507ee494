"""Smoothed decision trees and Bayesian network classifiers, with their reasons.

>>> import probtrees
>>> data = probtrees.load_sample("titanic")            # doctest: +SKIP
>>> model = probtrees.fit(data, "c45", "laplace")      # doctest: +SKIP
>>> model.save("titanic.json")                         # doctest: +SKIP

Names are imported when they are first used, so that ``import probtrees`` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from probtrees.machine.kernel_cache import prepare_kernel_cache

if TYPE_CHECKING:
    from probtrees.estimators import (
        AODEClassifier,
        C45Classifier,
        ESKDBClassifier,
        ForestClassifier,
        KDBClassifier,
        KDFClassifier,
        NaiveBayesClassifier,
        SKDBClassifier,
        SuperParentClassifier,
        TANClassifier,
    )
    from probtrees.experiment.cross_validate import compare, cross_validate
    from probtrees.experiment.fit import fit, load_model
    from probtrees.experiment.registry import register_smoother
    from probtrees.model.model import predict_proba
    from probtrees.scale.learn.evaluate_chunks import evaluate_chunks
    from probtrees.scale.learn.fit_chunks import fit_chunks
    from probtrees.table.read_table import read_table
    from probtrees.table.samples import load_sample

__version__ = "0.1.0"

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
    "compare",
    "cross_validate",
    "evaluate_chunks",
    "fit",
    "fit_chunks",
    "load_model",
    "load_sample",
    "predict_proba",
    "read_table",
    "register_smoother",
]

_HOMES = {
    "AODEClassifier": "probtrees.estimators",
    "C45Classifier": "probtrees.estimators",
    "ESKDBClassifier": "probtrees.estimators",
    "ForestClassifier": "probtrees.estimators",
    "KDBClassifier": "probtrees.estimators",
    "KDFClassifier": "probtrees.estimators",
    "NaiveBayesClassifier": "probtrees.estimators",
    "SKDBClassifier": "probtrees.estimators",
    "SuperParentClassifier": "probtrees.estimators",
    "TANClassifier": "probtrees.estimators",
    "compare": "probtrees.experiment.cross_validate",
    "cross_validate": "probtrees.experiment.cross_validate",
    "evaluate_chunks": "probtrees.scale.learn.evaluate_chunks",
    "fit": "probtrees.experiment.fit",
    "fit_chunks": "probtrees.scale.learn.fit_chunks",
    "load_model": "probtrees.experiment.fit",
    "load_sample": "probtrees.table.samples",
    "predict_proba": "probtrees.model.model",
    "read_table": "probtrees.table.read_table",
    "register_smoother": "probtrees.experiment.registry",
}

prepare_kernel_cache()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'probtrees' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
