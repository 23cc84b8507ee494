"""Passes on a Dask cluster: tasks read parts and return counts, which merge as a tree."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from probtrees.errors import OptionError, ProbTreesError
from probtrees.experiment.recipe import Progress
from probtrees.prepare.wishes import Wishes
from probtrees.scale.chunks import ChunkedTable, scan_part
from probtrees.scale.passes import Meter, SomeStatistic, chunks_for
from probtrees.scale.read_parts import FramePart, PartReader
from probtrees.scale.scan import TableScan

LOCAL = "local"
"""Stands for a cluster on this machine, started for the user and stopped at the end."""

_TOGETHER = 8
"""Results merged by one task."""

_RETRIES = 2
"""How often a task that fails is tried again; tasks of a lost worker are always done anew."""


@contextmanager
def connected(cluster: str, n_workers: int | None = None) -> Iterator[Any]:
    """Give a client of a cluster: the one at an address, or one started here.

    Parameters
    ----------
    cluster : an address such as ``"tcp://10.0.0.5:8786"``, or "local"
    n_workers : processes of a local cluster; one per processor unless told otherwise
    """
    distributed = _distributed()
    if cluster != LOCAL:
        client = _connect(distributed, cluster)
        try:
            yield client
        finally:
            client.close()
        return
    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(
            n_workers=n_workers or os.cpu_count() or 1,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs="CRITICAL",
        ) as started,
        distributed.Client(started) as client,
    ):
        yield client


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise OptionError(
            "cluster must be left out until Dask is installed: pip install 'probtrees[cluster]'."
        ) from None


def _connect(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as problem:
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise OptionError(
            f"cluster={address!r} must be 'local' or the address of a Dask scheduler, such as "
            f"tcp://10.0.0.5:8786; connecting failed: {reason}."
        ) from None


@dataclass(frozen=True)
class OnCluster:
    """Passes as tasks of a Dask cluster.

    Rows stay where they are read. What tasks need beside their part is itself the result of a
    task, so that the cluster can make it again when the worker that held it is lost.

    Attributes
    ----------
    client : a ``distributed.Client``
    """

    client: Any

    def scan(
        self, reader: PartReader, parts: Sequence[Any], wishes: Wishes, progress: Progress
    ) -> TableScan:
        """Look through all parts."""
        found = self._reduce(_scan_task, parts, (reader, wishes), _rows_if_known, progress)
        return found if found is not None else TableScan(wishes)

    def run(
        self, table: ChunkedTable, make: Callable[[], SomeStatistic], progress: Progress
    ) -> SomeStatistic:
        """Add all rows to what ``make`` gives."""
        begun = self.client.submit(make, pure=False)
        light = self.client.submit(_same, replace(table, parts=()), pure=False)

        def rows_of(part: Any) -> int:
            return _rows_if_known(part) or table.stretch_rows.get(part.stretch, 0)

        found = self._reduce(_count_task, table.parts, (light, begun), rows_of, progress)
        statistic = make()
        if found is not None:
            statistic.merge(found)
        return statistic

    def _reduce(
        self,
        task: Callable[..., Any],
        parts: Sequence[Any],
        given: tuple[Any, ...],
        rows_of: Callable[[Any], int],
        progress: Progress,
    ) -> Any:
        """Run a task on every part and merge the results as they come, some at a time."""
        meter = Meter(progress, sum(part.weight for part in parts))
        weights = {}
        for part in parts:
            plain, frame = self._apart(part)
            future = self.client.submit(task, plain, frame, *given, pure=False, retries=_RETRIES)
            weights[future.key] = (future, part)
        waiting: list[Any] = []
        arriving = _distributed().as_completed([future for future, _ in weights.values()])
        for future in arriving:
            _, part = weights.pop(future.key, (None, None))
            if part is not None:
                meter.add(rows_of(part), part.weight)
            if future.status == "error":
                self._fail(future, weights)
            waiting.append(future)
            if len(waiting) >= _TOGETHER:
                arriving.add(self.client.submit(_merge_task, *waiting, pure=False))
                waiting = []
        return self.client.submit(_merge_task, *waiting, pure=False).result() if waiting else None

    def _apart(self, part: Any) -> tuple[Any, Any]:
        """Take the frame out of a part: Dask fills in results only where it sees them."""
        if isinstance(part, FramePart):
            return replace(part, frame=None), self.client.compute(part.frame)
        return part, None

    def _fail(self, future: Any, others: dict[Any, Any]) -> None:
        """Raise what went wrong in a task, and call the others off."""
        self.client.cancel([other for other, _ in others.values()])
        problem = future.exception()
        if isinstance(problem, ProbTreesError):
            raise problem
        raise OptionError(
            f"cluster must keep its workers alive; a task failed with "
            f"{type(problem).__name__}: {problem}. Look at the workers' logs, or give them more "
            "memory."
        ) from problem


def _rows_if_known(part: Any) -> int:
    return getattr(part, "n_rows", None) or 0


def _same(thing: Any) -> Any:
    return thing


def _whole(part: Any, frame: Any) -> Any:
    return part if frame is None else replace(part, frame=frame)


def _scan_task(part: Any, frame: Any, reader: PartReader, wishes: Wishes) -> TableScan:
    return scan_part(TableScan(wishes), reader, _whole(part, frame), wishes)


def _count_task(part: Any, frame: Any, table: ChunkedTable, begun: Any) -> Any:
    statistic = begun.fresh()
    for chunk in chunks_for(table, [_whole(part, frame)], statistic):
        statistic.update(chunk)
    return statistic.sealed()


def _merge_task(first: Any, *others: Any) -> Any:
    """Merge results into a new one; those that came in must stay as they are."""
    merged = first.fresh()
    for other in (first, *others):
        merged.merge(other)
    return merged


@contextmanager
def fanned_out(cluster: str) -> Iterator[None]:
    """Let whatever joblib runs side by side meanwhile be run by a cluster."""
    joblib = import_module("joblib")
    with connected(cluster), joblib.parallel_config(backend="dask"):
        yield
