"""Starting the workers of a cluster on this machine: everything is loaded once, for all of them.

Loading Dask, this library and its compiled code takes a process two seconds. A server process
does that while the program itself is still loading, and every worker begins as a copy of it.
Systems that cannot copy processes start each worker from nothing.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

LOCAL = "local"
"""Stands for a cluster on this machine, started for the user and stopped at the end."""

_PRELOADED = "probtrees.scale.passes.worker_modules"

_KEPT_BYTES = str(1 << 28)

_ENVIRONMENT = {
    # Every block of rows takes some megabytes and gives them back. Dask has the system's
    # allocator return them at once, and asking for them again took 6 % of a run.
    "MALLOC_TRIM_THRESHOLD_": _KEPT_BYTES,
    "MALLOC_MMAP_THRESHOLD_": _KEPT_BYTES,
    # One worker per processor: none of them should want more than one.
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


def can_copy() -> bool:
    """Whether workers can begin as copies of a server."""
    return "forkserver" in multiprocessing.get_all_start_methods()


def begin() -> None:
    """Start the server, unless it runs, and do not wait for it."""
    if not can_copy():
        return
    server = import_module("multiprocessing.forkserver")
    server.set_forkserver_preload([_PRELOADED])
    with _environment(), _deaf_to_interruption():
        server.ensure_running()


@contextmanager
def _environment() -> Iterator[None]:
    """Set the variables for a process that is started meanwhile; what the user set stays."""
    new = {name: value for name, value in _ENVIRONMENT.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            del os.environ[name]


@contextmanager
def _deaf_to_interruption() -> Iterator[None]:
    """Let a process that is started meanwhile ignore Ctrl-C: the program itself stops workers.

    Only the main thread can arrange that; started from another, workers print what they were at.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def settings() -> dict[str, Any]:
    """Return the settings of Dask for a cluster on this machine."""
    before = "distributed.nanny.pre-spawn-environ."
    return {
        "distributed.worker.multiprocessing-method": "forkserver" if can_copy() else "spawn",
        # Nobody looks at the profile of a cluster without a dashboard.
        "distributed.worker.profile.enabled": False,
        **{before + name: value for name, value in _ENVIRONMENT.items()},
    }
