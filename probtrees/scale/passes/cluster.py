"""Passes on a Dask cluster: tasks read parts and return counts, which merge as a tree."""

from __future__ import annotations

import copy
import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from probtrees.errors import OptionError, ProbTreesError
from probtrees.scale.files.table_files import DEFAULT_MEMORY
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.statistic import RowForm, SomeStatistic
from probtrees.types import Progress

_TOGETHER = 8
"""Results merged by one task."""

_BETWEEN_LOOKS, _BETWEEN_REPORTS = 0.01, 1.0
"""Seconds between looks at whether all is done, and between reports of how much is."""

_PATIENCE = 60
"""Seconds without a worker until a pass is given up."""

_RETRIES = 2
"""How often Dask tries a task that fails again; it always does so with those of a lost worker."""


@dataclass
class OnCluster:
    """Passes as tasks of a Dask cluster.

    Rows stay where they are read. Once coded they are held there, if they fit, so that later
    passes need not read them again. What tasks need is itself the result of a task, which Dask
    does again when the worker that held it is lost.

    Attributes
    ----------
    client : a ``distributed.Client``
    memory : bytes that a worker may take; coded rows are held in half of it
    held : the table and the form whose rows the workers hold, and their parts
    """

    client: Any
    memory: int = DEFAULT_MEMORY
    held: tuple[ChunkedTable, RowForm, list[Any]] | None = None

    def run(
        self, table: Any, form: RowForm, make: Callable[[], SomeStatistic], progress: Progress
    ) -> SomeStatistic:
        """Add all rows, in the given form, to what ``make`` gives."""
        # What all tasks share is sent once, as the result of a task.
        begun, sent = self._submit(make), self._submit(copy.copy, form)
        read = self._submit(copy.copy, replace(table, parts=(), files=()))
        held = self._hold(table, form, read, sent)
        counts = {}
        for number, part in enumerate(table.parts):
            if held is None:
                task = self._submit(_count_task, part, read, sent, begun)
            else:
                task = self._submit(_count, held[number], begun)
            counts[task] = part.n_rows
        if not counts:
            return make()
        # Workers merge results, some at a time: only the last merged one comes here.
        merged = list(counts)
        while len(merged) > 1:
            groups = range(0, len(merged), _TOGETHER)
            merged = [
                self._submit(_merge_task, *merged[first : first + _TOGETHER]) for first in groups
            ]
        self._await(merged[0], counts, progress)
        found: SomeStatistic = _result(merged[0])
        return found

    def _hold(self, table: ChunkedTable, form: RowForm, read: Any, sent: Any) -> list[Any] | None:
        """Let the workers code rows and hold them, or find what they hold; None: they do not."""
        if self.held is not None and self.held[0] is table and self.held[1] is form:
            return self.held[2]
        row_bytes = form.row_bytes(table.schema)
        if row_bytes is None or table.n_rows * row_bytes > self._room():
            return None
        parts = [self._submit(_code_task, part, read, sent) for part in table.parts]
        self.held = (table, form, parts)
        return parts

    def _room(self) -> int:
        """Return the bytes that coded rows may take on all workers together."""
        workers = self.client.scheduler_info()["workers"].values()
        limits = [worker["memory_limit"] or self.memory for worker in workers]
        return min(self.memory, *limits) // 2 * len(self.client.nthreads()) if limits else 0

    def _submit(self, task: Callable[..., Any], *given: Any) -> Any:
        return self.client.submit(task, *given, pure=False, retries=_RETRIES)

    def _await(self, last: Any, counts: dict[Any, int], progress: Progress) -> None:
        """Wait for the last task; report what others have done, and give up without workers."""
        idle_since = reported = time.monotonic()
        done, whole = 0, max(sum(counts.values()), 1)
        while not last.done():
            time.sleep(_BETWEEN_LOOKS)
            now = time.monotonic()
            if now - reported < _BETWEEN_REPORTS:
                continue
            reported = now
            # Nobody asks for these results again: workers may forget them once they are merged.
            done += sum(counts.pop(task) for task in list(counts) if task.done())
            progress(done / whole, f"{done:,} rows")
            if self._has_worker():
                idle_since = now
            elif now - idle_since > _PATIENCE:
                raise OptionError(
                    f"cluster must have a worker that takes tasks; there was none for {_PATIENCE} "
                    f"seconds. Start one (dask worker {self.client.scheduler.address}); one that "
                    "runs but has used up its memory takes none, so give it more."
                )
        progress(1.0, "")

    def _has_worker(self) -> bool:
        """Whether a worker takes tasks: there is one, and it is not paused for lack of memory."""
        workers = self.client.scheduler_info()["workers"].values()
        return any(worker.get("status", "running") == "running" for worker in workers)


def _result(future: Any) -> Any:
    """Fetch what a task has found, or raise what went wrong."""
    try:
        return future.result()
    except ProbTreesError:
        raise
    except Exception as problem:
        raise OptionError(
            f"cluster must go on until the end; a task failed with {type(problem).__name__}: "
            f"{problem}. Look at the workers' logs, or give them more memory."
        ) from problem


def _code_task(part: Any, table: Any, form: RowForm) -> list[Any]:
    return [chunk for _, chunk in form.read(table, part)]


def _count_task(part: Any, table: Any, form: RowForm, begun: Any) -> Any:
    return _count((chunk for _, chunk in form.read(table, part)), begun)


def _count(chunks: Iterable[Any], begun: Any) -> Any:
    statistic = copy.deepcopy(begun)
    for chunk in chunks:
        statistic.update(chunk)
    return statistic.sealed()


def _merge_task(first: Any, *others: Any) -> Any:
    """Merge results into a new one; those that came in must stay as they are."""
    merged = copy.deepcopy(first)
    for other in others:
        merged.merge(other)
    return merged


LOCAL = "local"
"""Stands for a cluster on this machine, started for the user and stopped at the end."""


@contextmanager
def connected(cluster: Any) -> Iterator[Any]:
    """Give a client of a cluster: the one at an address, or one started here.

    Parameters
    ----------
    cluster : an address such as ``"tcp://10.0.0.5:8786"``, "local", or a client, which is used
        as it is and stays connected
    """
    if not isinstance(cluster, str):
        yield cluster
    elif cluster != LOCAL:
        with _connect(load_distributed(), cluster) as client:
            yield client
    else:
        distributed = load_distributed()
        with (
            warnings.catch_warnings(),
            _started(distributed) as started,
            distributed.Client(started) as client,
        ):
            yield client


def _started(distributed: Any) -> Any:
    """Start a cluster on this machine, a process per processor."""
    try:
        return distributed.LocalCluster(
            n_workers=os.cpu_count() or 1,
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
    try:
        return distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, TimeoutError, ValueError, AssertionError) as problem:  # Dask asserts, too
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise OptionError(
            f"cluster={address!r} must be 'local' or the address of a Dask scheduler, such as "
            f"tcp://10.0.0.5:8786; connecting failed: {reason}."
        ) from None


@contextmanager
def fanned_out(cluster: str) -> Iterator[None]:
    """Let whatever joblib runs side by side meanwhile be run by a cluster."""
    joblib = import_module("joblib")
    with connected(cluster) as client, joblib.parallel_config(backend="dask", client=client):
        yield
