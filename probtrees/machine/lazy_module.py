"""Packages that are slow to import, imported when something of them is first used."""

from __future__ import annotations

import importlib
from typing import Any


class LazyModule:
    """Stands for a module until one of its names is asked for.

    ``scipy.stats`` takes as long to import as half of the app, and the first picture needs
    nothing of it.

    >>> LazyModule("math").floor(2.5)
    2
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


stats = LazyModule("scipy.stats")
sparse = LazyModule("scipy.sparse")
csgraph = LazyModule("scipy.sparse.csgraph")
