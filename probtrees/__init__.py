"""Smoothed decision trees and Bayesian network classifiers, with their reasons.

>>> import probtrees
>>> data = probtrees.load_sample("titanic")            # doctest: +SKIP
>>> model = probtrees.fit(data, "c45", "hgs")          # doctest: +SKIP
>>> model.explain({"sex": "female", "class": "3rd"})   # doctest: +SKIP
>>> model.save("titanic.json")                         # doctest: +SKIP

Names are imported when they are first used, so that ``import probtrees`` is quick. The functions
are listed once, in ``__init__.pyi``, which editors and type checkers read too; learners, smoothers
and classifiers are those of the registry.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

from probtrees.machine.kernel_cache import prepare_kernel_cache
from probtrees.version import __version__ as __version__

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOMES = {
    name: home
    for home, name in re.findall(r"^from (\S+) import (\w+) as", _STUB, re.MULTILINE)
    if name != "__version__"
}

prepare_kernel_cache()


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _public_names()
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    elif name in _public_names():
        algorithms = _registry().algorithms()
        place = algorithms.get(name, "probtrees.estimators")
        value = getattr(importlib.import_module(place), name)
    else:
        raise AttributeError(f"module 'probtrees' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_public_names()})


def _public_names() -> list[str]:
    """List the names of the stub, the algorithms of the registry, a classifier per learner."""
    return sorted([*_HOMES, *_registry().algorithms(), *_registry().estimators()])


def _registry() -> Any:
    return importlib.import_module("probtrees.experiment.registry")
