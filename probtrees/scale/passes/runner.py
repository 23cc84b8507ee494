"""A pass over all rows: what it adds up, how it reports, and how one process carries it out."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from probtrees.scale.files.file_parts import PartReader
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.row_forms import RowForm
from probtrees.scale.passes.statistic import SomeStatistic
from probtrees.scale.passes.table_scan import TableScan
from probtrees.table.read_options import ReadOptions
from probtrees.types import Progress


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


@dataclass(frozen=True)
class OneProcess:
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
        form: RowForm,
        make: Callable[[], SomeStatistic],
        progress: Progress,
    ) -> SomeStatistic:
        """Add all rows, in the given form, to what ``make`` gives."""
        statistic = make()
        meter = Meter(progress, table.n_rows)
        chunks = (chunk for part in table.parts for chunk in form.read(table, part))
        for chunk in read_ahead(chunks):
            statistic.update(chunk)
            n_rows = form.n_rows(chunk)
            meter.add(n_rows, n_rows)
        return statistic


def _share_of_block(reader: PartReader, part: Any, n_rows: int) -> float:
    """Return how much of a part's work some of its rows are; of text the bytes are known."""
    if part.n_rows:
        return float(part.weight * n_rows / part.n_rows)
    return float(getattr(reader, "block_bytes", 0.0))


Item = TypeVar("Item")


def read_ahead(items: Iterator[Item], n_ahead: int = 1) -> Iterator[Item]:
    """Yield items that a thread makes while the ones before are used.

    >>> list(read_ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    # One item waits while another is made and a third is used: three chunks in memory at most.
    made: queue.Queue[tuple[str, Any]] = queue.Queue(n_ahead)
    stopped = threading.Event()

    def hand_over(what: str, item: Any) -> None:
        while not stopped.is_set():
            try:
                # Not for ever: who used the items may have gone, and then nobody takes this one.
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
