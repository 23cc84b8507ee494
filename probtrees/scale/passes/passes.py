"""A pass over all rows: who carries it out, how it reports, and how its result is kept."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from probtrees.scale.files.read_parts import PartReader
from probtrees.scale.files.table_files import check_unchanged
from probtrees.scale.passes.chunks import DEFAULT_MEMORY, ChunkedTable
from probtrees.scale.passes.finished_passes import Finished
from probtrees.scale.passes.row_coding import RowCoding
from probtrees.scale.passes.scan import TableScan
from probtrees.table.read_options import ReadOptions
from probtrees.types import Progress


class Statistic(Protocol):
    """What a pass adds up; that of the whole is merged from those of the parts."""

    def fresh(self) -> Self:
        """Begin again with no rows."""
        ...

    def update(self, chunk: Any, /) -> None:
        """Add the rows of a chunk."""
        ...

    def merge(self, other: Self) -> None:
        """Add what was added up elsewhere."""
        ...

    def sealed(self) -> Self:
        """Return what travels back from a task on another machine."""
        ...


class KeptStatistic(Statistic, Protocol):
    """A statistic whose result can be kept in a file."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the result, to be kept in a file."""
        ...

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        ...


SomeStatistic = TypeVar("SomeStatistic", bound=Statistic)
SomeKept = TypeVar("SomeKept", bound=KeptStatistic)
Stage = Callable[[str], AbstractContextManager[Progress]]
"""Announces a step and gives the function that reports its progress."""


class Meter:
    """Turns rows that were read into a share of the work and a speed."""

    def __init__(self, progress: Progress, whole: float) -> None:
        self._progress = progress
        self._whole = max(whole, 1.0)
        self._done = 0.0
        self._rows = 0
        self._start = time.monotonic()

    def add(self, rows: int, work: float) -> None:
        """Note that rows were read, and which part of the whole that is."""
        self._rows += rows
        self._done += work
        seconds = max(time.monotonic() - self._start, 1e-6)
        speed = f"{self._rows:,} rows, {self._rows / seconds:,.0f} rows per second"
        self._report(speed if self._rows else "")

    def wait(self, reason: str) -> None:
        """Report that nothing moves, and why."""
        self._report(reason)

    def _report(self, detail: str) -> None:
        self._progress(min(self._done / self._whole, 1.0), detail)


class Runner(Protocol):
    """Carries passes out: here, or on a cluster."""

    def scan(
        self, reader: PartReader, parts: Sequence[Any], options: ReadOptions, progress: Progress
    ) -> TableScan:
        """Look through all parts."""
        ...

    def run(
        self,
        table: ChunkedTable,
        coding: RowCoding,
        make: Callable[[], SomeStatistic],
        progress: Progress,
    ) -> SomeStatistic:
        """Add all rows, in the form that ``coding`` gives them, to what ``make`` gives."""
        ...


@dataclass(frozen=True)
class Here:
    """One process: a thread reads ahead while this one counts."""

    def scan(
        self, reader: PartReader, parts: Sequence[Any], options: ReadOptions, progress: Progress
    ) -> TableScan:
        """Look through all parts, one after the other."""
        meter = Meter(progress, sum(part.weight for part in parts))
        found = TableScan(options)

        def read() -> Iterator[tuple[Any, Any]]:
            for part in parts:
                for _, raw in reader.read(part, options):
                    yield part, raw
                yield part, None

        left = 0.0
        for part, raw in read_ahead(read()):
            if raw is None:
                meter.add(0, left)
                left = 0.0
                continue
            found.update(part.stretch, raw)
            left = left or part.weight
            work = min(left, _share_of_block(reader, part, raw.n_rows))
            left -= work
            meter.add(raw.n_rows, work)
        return found

    def run(
        self,
        table: ChunkedTable,
        coding: RowCoding,
        make: Callable[[], SomeStatistic],
        progress: Progress,
    ) -> SomeStatistic:
        """Add all rows, in the form that ``coding`` gives them, to what ``make`` gives."""
        statistic = make()
        meter = Meter(progress, table.n_rows)
        chunks = (chunk for part in table.parts for chunk in coding.read(table, part))
        for chunk in read_ahead(chunks):
            statistic.update(chunk)
            n_rows = coding.n_rows(chunk)
            meter.add(n_rows, n_rows)
        return statistic


def _share_of_block(reader: PartReader, part: Any, n_rows: int) -> float:
    """Tell how much of a part's work some of its rows are; of text the bytes are known."""
    if part.n_rows:
        return float(part.weight * n_rows / part.n_rows)
    return float(getattr(reader, "block_bytes", 0.0))


Item = TypeVar("Item")


def read_ahead(items: Iterator[Item], n_ahead: int = 1) -> Iterator[Item]:
    """Yield items that a thread makes while the ones before are used.

    >>> list(read_ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    made: queue.Queue[tuple[str, Any]] = queue.Queue(n_ahead)
    stopped = threading.Event()

    def hand_over(what: str, item: Any) -> None:
        while not stopped.is_set():
            try:
                made.put((what, item), timeout=0.1)
                return
            except queue.Full:
                continue

    def make() -> None:
        try:
            for item in items:
                hand_over("item", item)
                if stopped.is_set():
                    return
            hand_over("end", None)
        except BaseException as problem:
            hand_over("problem", problem)

    thread = threading.Thread(target=make, daemon=True)
    thread.start()
    try:
        while True:
            what, item = made.get()
            if what == "problem":
                raise item
            if what == "end":
                return
            yield item
    finally:
        stopped.set()
        thread.join()


def _say_nothing(sentence: str) -> None:
    return


@dataclass(frozen=True)
class Conductor:
    """Carries passes out one after the other, skipping those that are finished.

    Attributes
    ----------
    runner : who carries them out
    finished : where results are kept
    stage : announces a pass
    note : told which passes need not be repeated
    """

    runner: Runner
    finished: Finished
    stage: Stage
    note: Callable[[str], None] = _say_nothing

    def run(
        self,
        name: str,
        made_from: Any,
        table: ChunkedTable,
        coding: RowCoding,
        make: Callable[[], SomeKept],
    ) -> SomeKept:
        """Return the result of a pass, kept or new."""
        key = (table.fingerprint, made_from)
        kept = self.finished.load(name, key) if table.fingerprint else None
        if kept is not None:
            statistic = make()
            statistic.restore(kept)
            self._tell(name)
            return statistic
        with self.stage(_TITLES[name]) as progress:
            statistic = self.runner.run(table, coding, make, progress)
        check_unchanged(table.files)
        if table.fingerprint:
            self.finished.save(name, key, statistic.arrays())
        return statistic

    def _tell(self, name: str) -> None:
        self.note(f"{_TITLES[name]} was finished before; its result is in {self.finished.folder}.")

    def scan(
        self, fingerprint: str, reader: PartReader, parts: Sequence[Any], options: ReadOptions
    ) -> TableScan:
        """Look through all parts, unless that was done before."""
        key = (fingerprint, sorted(options.types.items()))
        kept = self.finished.load("scan", key) if fingerprint else None
        if kept is not None:
            self._tell("scan")
            return TableScan.from_dict(json.loads(kept["utf8"].tobytes()), options)
        with self.stage(_TITLES["scan"]) as progress:
            found = self.runner.scan(reader, parts, options, progress)
        if fingerprint:
            # As bytes: an array of text would take four for every letter.
            record = json.dumps(found.to_dict()).encode()
            self.finished.save("scan", key, {"utf8": np.frombuffer(record, dtype=np.uint8)})
        return found


_TITLES = {
    "scan": "looking through the files",
    "columns": "looking at columns",
    "nodes": "counting rows in nodes",
    "rows": "gathering rows of nodes",
    "sample": "choosing rows to cut numbers by",
    "pairs": "counting pairs of attributes",
    "tables": "counting tables",
    "losses": "leaving rows out",
}


@contextmanager
def silent_stage(what: str) -> Iterator[Progress]:
    """Report to nobody."""

    def progress(share: float, detail: str) -> None:
        return

    yield progress


@contextmanager
def conducting(
    work: str | Path | None = None,
    cluster: str | None = None,
    stage: Stage = silent_stage,
    note: Callable[[str], None] = _say_nothing,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Conductor]:
    """Make everything ready that passes need.

    Parameters
    ----------
    work : a folder to keep finished passes in
    cluster : the address of a Dask scheduler, or "local"; None: this process
    stage : announces passes
    note : told which passes need not be repeated
    memory : bytes that a worker of a cluster may take; see :class:`.cluster.OnCluster`
    """
    finished = Finished(work)
    try:
        if cluster is None:
            yield Conductor(Here(), finished, stage, note)
            return
        on_cluster = import_module("probtrees.scale.passes.cluster")
        with on_cluster.connected(cluster) as client:
            yield Conductor(on_cluster.OnCluster(client, memory), finished, stage, note)
    finally:
        finished.leave()
