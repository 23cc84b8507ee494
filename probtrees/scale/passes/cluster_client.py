"""A client of a Dask cluster: of one that runs somewhere, or of one started here for the run."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from probtrees.errors import OptionError

LOCAL = "local"
"""Stands for a cluster on this machine, started for the user and stopped at the end."""

_KEPT_BYTES = 1 << 28
_ENVIRONMENT = "distributed.nanny.pre-spawn-environ."
_LOCAL_SETTINGS = {
    # Every block of rows takes some megabytes and gives them back. Dask has the system's
    # allocator return them at once, and asking for them again took 6 % of a run.
    f"{_ENVIRONMENT}MALLOC_TRIM_THRESHOLD_": _KEPT_BYTES,
    f"{_ENVIRONMENT}MALLOC_MMAP_THRESHOLD_": _KEPT_BYTES,
}


@contextmanager
def connected(cluster: Any, n_workers: int | None = None) -> Iterator[Any]:
    """Give a client of a cluster: the one at an address, or one started here.

    Parameters
    ----------
    cluster : an address such as ``"tcp://10.0.0.5:8786"``, "local", or a client, which is used
        as it is and stays connected
    n_workers : processes of a local cluster; default: one per processor
    """
    if not isinstance(cluster, str):
        yield cluster
        return
    distributed = load_distributed()
    if cluster != LOCAL:
        client = _connect(distributed, cluster)
        try:
            yield client
        finally:
            client.close()
        return
    with (
        warnings.catch_warnings(),
        import_module("dask.config").set(_LOCAL_SETTINGS),
        _started(distributed, n_workers or os.cpu_count() or 1) as started,
        distributed.Client(started) as client,
    ):
        yield client


def _started(distributed: Any, n_workers: int) -> Any:
    """Start a cluster on this machine."""
    try:
        return distributed.LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # not always the same port
            silence_logs="CRITICAL",
        )
    except (RuntimeError, TimeoutError) as problem:
        raise OptionError(
            f"cluster={LOCAL!r} must be able to start workers; it failed with: "
            f"{problem} In a script of your own, put what starts it under "
            "if __name__ == '__main__':, since every worker begins by reading the script."
        ) from None


def load_distributed() -> Any:
    """Import Dask's part for clusters, which is installed only by those who want it."""
    try:
        return import_module("distributed")
    except ImportError:
        raise OptionError(
            "cluster must be left out until Dask is installed: pip install 'probtrees[cluster]'."
        ) from None


def _connect(distributed: Any, address: str) -> Any:
    config = import_module("dask.config")
    before = config.get("scheduler", None)
    try:
        return distributed.Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as problem:
        # A client that does not come about has made itself what Dask uses from then on.
        config.set(scheduler=before)
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise OptionError(
            f"cluster={address!r} must be 'local' or the address of a Dask scheduler, such as "
            f"tcp://10.0.0.5:8786; connecting failed: {reason}."
        ) from None


@contextmanager
def fanned_out(cluster: str) -> Iterator[None]:
    """Let whatever joblib runs side by side meanwhile be run by a cluster."""
    joblib = import_module("joblib")
    with connected(cluster), joblib.parallel_config(backend="dask"):
        yield
