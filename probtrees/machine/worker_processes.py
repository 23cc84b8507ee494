"""Calls in several processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from probtrees.machine.lazy_module import LazyModule

Answer = TypeVar("Answer")
joblib = LazyModule("joblib")  # half a second, only when it is needed


def call_in_processes(
    function: Callable[..., Answer],
    calls: Iterable[tuple[Any, ...]],
    n_jobs: int,
    *,
    in_order: bool = True,
) -> Iterator[Answer]:
    """Call a function with each of many arguments, in processes or on a cluster.

    Parameters
    ----------
    function : of a module, since it is sent by name
    calls : the arguments of every call
    n_jobs : processes; one call after the other in this one if 1, each when it is asked for
    in_order : give the answers in the order of the calls; otherwise as they come
    """
    if n_jobs == 1:
        return (function(*arguments) for arguments in calls)
    kind = "generator" if in_order else "generator_unordered"
    pool: Callable[..., Iterator[Answer]] = joblib.Parallel(n_jobs=n_jobs, return_as=kind)
    return pool(joblib.delayed(function)(*arguments) for arguments in calls)
