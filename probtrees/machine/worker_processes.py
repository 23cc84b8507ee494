"""Calls in several processes, which end soon after the one that asked for them is gone."""

from __future__ import annotations

import importlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import current_process
from typing import Any, TypeVar

Answer = TypeVar("Answer")

SECONDS_BETWEEN_LOOKS = 1.0

_watching = threading.Lock()
"""Taken, and never given back, by the thread that watches for this process."""


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
    here = os.getpid()
    answers: Iterator[Answer] = pool(
        joblib.delayed(_call)(here, function, *arguments) for arguments in calls
    )
    return answers


def _call(conductor: int, function: Callable[..., Answer], *arguments: Any) -> Answer:
    """Call a function in a worker that does not outlive its conductor.

    Only workers of a pool of this machine are ended; those of a cluster, and threads, have
    lives of their own.
    """
    if current_process().name.startswith("LokyProcess"):
        end_with(conductor)
    return function(*arguments)


def end_with(conductor: int) -> None:
    """End this process within about a second once its parent is no longer the conductor.

    A pool's workers wait for calls for five minutes after the last one, also if the process
    that would send them was killed and could tell them nothing. Where a process keeps the
    number of a parent that is gone (Windows), those five minutes remain.
    """
    if _watching.acquire(blocking=False):
        threading.Thread(target=_watch, args=(conductor,), daemon=True).start()


def _watch(conductor: int) -> None:
    while os.getppid() == conductor:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)  # nobody is left to clean up for, and other threads may be deep in a kernel
