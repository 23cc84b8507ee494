"""Kernels as plain Python, for work that cannot wait until they are compiled.

Compiling takes seconds and holds the interpreter's lock. On a first start, while other processes
compile, a small table is finished sooner by the same kernels uncompiled. What is compiled is
stored as it was written, so nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import FunctionType
from typing import Any

Kernel = Callable[..., Any]

_plain: ContextVar[bool] = ContextVar("kernels run as plain Python", default=False)


@contextmanager
def without_compiling() -> Iterator[None]:
    """Run the kernels that are asked for by :func:`runnable` as plain Python in this thread."""
    before = _plain.set(True)
    try:
        yield
    finally:
        _plain.reset(before)


def compiles() -> bool:
    """Whether kernels may be compiled here."""
    return not _plain.get()


def runnable(kernel: Kernel) -> Kernel:
    """Return a kernel, or its plain twin where nothing may be compiled."""
    return kernel if compiles() or not hasattr(kernel, "py_func") else plain_twin(kernel)


@cache
def plain_twin(kernel: Any) -> Kernel:
    """Return the function behind a kernel, which calls the plain twins of its file's kernels."""
    names = dict(kernel.py_func.__globals__)
    for name, value in list(names.items()):
        if hasattr(value, "py_func"):
            names[name] = FunctionType(value.py_func.__code__, names, name)
    twin: Kernel = names[kernel.py_func.__name__]
    return twin
