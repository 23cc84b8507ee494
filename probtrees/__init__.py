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
    from probtrees.experiment.cross_validate import compare as compare
    from probtrees.experiment.cross_validate import cross_validate as cross_validate
    from probtrees.experiment.fit import fit as fit
    from probtrees.experiment.fit import load_model as load_model
    from probtrees.experiment.registry import register_smoother as register_smoother
    from probtrees.model.model import predict_proba as predict_proba
    from probtrees.scale.learn.evaluate_chunks import evaluate_chunks as evaluate_chunks
    from probtrees.scale.learn.fit_chunks import fit_chunks as fit_chunks
    from probtrees.table.read_table import read_table as read_table
    from probtrees.table.samples import load_sample as load_sample

__version__ = "0.1.0"

_HOMES = {
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
    if name == "__all__":
        return _public_names()
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    elif name.endswith("Classifier") and name in _public_names():
        value = getattr(importlib.import_module("probtrees.estimators"), name)
    else:
        raise AttributeError(f"module 'probtrees' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_public_names()})


def _public_names() -> list[str]:
    """List the functions above and a classifier for every learner of the registry."""
    registry = importlib.import_module("probtrees.experiment.registry")
    return sorted([*_HOMES, *registry.estimators()])
