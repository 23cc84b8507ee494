"""Calls in several processes, or on a cluster."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

Answer = TypeVar("Answer")


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
    n_jobs : processes
    in_order : give the answers in the order of the calls; otherwise as they come
    """
    joblib = importlib.import_module("joblib")  # half a second, only when it is needed
    pool = joblib.Parallel(
        n_jobs=n_jobs, return_as="generator" if in_order else "generator_unordered"
    )
    answers: Iterator[Answer] = pool(joblib.delayed(function)(*arguments) for arguments in calls)
    return answers
