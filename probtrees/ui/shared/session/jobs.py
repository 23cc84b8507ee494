"""Long work beside the page: queued, shared by sessions, with progress and a Cancel that cancels.

A piece of work is known by its key. Who asks for a key that is being worked on, or was
finished lately, gets that job. A few more jobs run at once than there are cores; others wait,
and visitors take turns, so that one who asks for much does not keep the others waiting. Work that
a page cannot go on without comes first, and has one place more.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Any, TypeVar

import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.experiment.warm_up import is_compiling
from probtrees.machine.checkpoint import watched
from probtrees.machine.kernel_cache import retry_damaged_kernels
from probtrees.ui.shared.session.bounded_cache import ASKED_BY, BoundedCache, bounded_cache, visitor

T = TypeVar("T")
Report = Callable[[float, str], None]
Work = Callable[[Report], Any]
Kernels = Collection[str] | None
"""The learners and smoothers whose kernels a job needs; None: it may need any."""

PATIENCE = 0.35
"""Seconds a page waits for a job before it shows progress instead."""

RETRY = 0.2
"""Seconds between two looks whether what waiting work needs is compiled."""

SPARE_PLACES = 2
"""Jobs that may run beside one per core, so that short ones need not wait for long ones."""


class Cancelled(Exception):  # noqa: N818 - it is no error
    """Raised inside a job that nobody wants any more."""


class Job:
    """One piece of work on its way."""

    def __init__(self, key: Hashable, on_cancel: Callable[[Job], None], kernels: Kernels) -> None:
        self.key = key
        self._kernels = kernels
        self._on_cancel = on_cancel
        self.is_awaited = False
        self.share = 0.0
        self.words = "waiting for a free processor"
        self.started = time.monotonic()
        self.result: Any = None
        self.partial: Any = None
        self.error: Exception | None = None
        self.finished = threading.Event()
        self.error_was_shown = False
        self._unwanted = threading.Event()

    def run(self, work: Work) -> None:
        """Do the work; whatever happens, be finished afterwards."""
        try:
            self.started = time.monotonic()
            self.report(0.0, "starting")
            with watched(self._end_if_unwanted):
                self.result = retry_damaged_kernels(lambda: work(self.report))
        except (Cancelled, ProbTreesError) as end:
            self.error = end.with_traceback(None)  # its frames would keep what they hold
        except Exception as problem:
            self.error = problem
        finally:
            self.finished.set()

    def report(self, share: float, words: str) -> None:
        """Note how far the work is; stops it here if it was cancelled."""
        self._end_if_unwanted(words)
        self.share = min(max(share, 0.0), 1.0)

    def can_start(self) -> bool:
        """Whether what it needs is compiled; on a first start other processes compile it.

        The server itself never compiles, since nobody would be answered meanwhile. The time spent
        waiting is no part of the work.
        """
        if self.was_cancelled or not is_compiling(self._kernels):
            return True
        self.words = "getting ready, on the first start only: a minute or two"
        return False

    def _end_if_unwanted(self, words: str) -> None:
        if self.was_cancelled:
            raise Cancelled
        self.words = words

    def cancel(self) -> None:
        """Stop at the next report or checkpoint; others can take its place at once."""
        self._unwanted.set()
        self._on_cancel(self)

    @property
    def is_working(self) -> bool:
        """Whether it waits or is being worked on."""
        return not self.finished.is_set()

    @property
    def is_ready(self) -> bool:
        """Whether its result is there."""
        return self.finished.is_set() and self.error is None

    @property
    def was_cancelled(self) -> bool:
        """Whether nobody wants the result any more."""
        return self._unwanted.is_set()

    @property
    def n_parts(self) -> int:
        """How many parts of the result can be looked at already."""
        return int(getattr(self.partial, "n_parts", 0))

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take, going by how far it is; None while that is unknown."""
        if self.share < 0.05:
            return None
        return (time.monotonic() - self.started) * (1 - self.share) / self.share


class Jobs:
    """All jobs of the server.

    Parameters
    ----------
    n_places : how many jobs run at once, beside one that a page waits for
    cache : where jobs are kept while they are worked on, and their results afterwards
    """

    def __init__(self, n_places: int, cache: BoundedCache) -> None:
        self._n_places, self._cache = n_places, cache
        self._lock = threading.RLock()
        self._waiting: list[tuple[str, Job, Work]] = []  # visitors, what they ask for
        self._running: set[Job] = set()
        self._turns: dict[str, int] = {}
        self._looks_again = False

    def ask(
        self, key: Hashable, work: Work, *, kernels: Kernels = None, awaited: bool = False
    ) -> Job:
        """Find the job of a key, or start it.

        One that was cancelled, or whose error has been shown, starts again.

        Parameters
        ----------
        awaited : whether the page cannot go on without it
        """
        with self._lock:
            job: Job | None = self._cache.find(("job", key))
            if job is None or job.was_cancelled or job.error_was_shown:
                job = Job(key, self._free_place, kernels)
                self._cache.keep(("job", key), job)
                self._waiting.append((visitor(), job, work))
            job.is_awaited = job.is_awaited or awaited
            self._start()
            return job

    def knows(self, key: Hashable) -> bool:
        """Whether a job of this key is finished, or being worked on."""
        job: Job | None = self._cache.find(("job", key))
        return job is not None and job.error is None and not job.was_cancelled

    def leave(self, beginning: tuple[Hashable, ...]) -> None:
        """Stop work whose keys begin like this; who shares it asks for it anew."""
        with self._lock:
            found = [*self._running, *(job for _, job, _ in self._waiting)]
        for job in found:
            if isinstance(job.key, tuple) and job.key[: len(beginning)] == beginning:
                job.cancel()

    def _start(self) -> None:
        """Start what there is a place for; look again soon where something has to be compiled."""
        with self._lock:
            while (found := self._next()) is not None:
                self._waiting.remove(found)
                self._turns[found[0]] = max(self._turns.values(), default=0) + 1
                self._running.add(found[1])
                # A daemon: stopping the server does not wait for what it computes.
                threading.Thread(target=self._serve, args=found, daemon=True, name="jobs").start()
            if not self._waiting:
                self._turns.clear()
            elif not self._looks_again and not all(job.can_start() for _, job, _ in self._waiting):
                self._looks_again = True
                timer = threading.Timer(RETRY, self._look_again)
                timer.daemon = True
                timer.start()

    def _look_again(self) -> None:
        self._looks_again = False
        self._start()

    def _next(self) -> tuple[str, Job, Work] | None:
        """Choose the oldest work of the visitor served longest ago, what pages wait for first."""
        if len(self._running) > self._n_places:
            return None
        is_full = sum(not job.is_awaited for job in self._running) >= self._n_places
        ready = [
            (asked_by, job, work)
            for asked_by, job, work in self._waiting
            if (job.is_awaited or not is_full) and job.can_start()
        ]
        turns = self._turns
        return min(ready, key=lambda o: (not o[1].is_awaited, turns.get(o[0], 0)), default=None)

    def _serve(self, asked_by: str, job: Job, work: Work) -> None:
        ASKED_BY.set(asked_by)  # whose is what the work keeps
        job.run(work)
        self._cache.measure(("job", job.key))
        self._free_place(job)

    def _free_place(self, job: Job) -> None:
        """Give the place of a job to another, also while a cancelled one runs to its next report.

        A stage that cannot report, such as one pass of a kernel, would hold up everybody else.
        """
        with self._lock:
            self._running.discard(job)
            self._start()


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """Return the jobs of this server."""
    return Jobs((os.cpu_count() or 1) + SPARE_PLACES, bounded_cache())


def result_of(
    key: Hashable,
    work: Work,
    *,
    title: str,
    on_cancel: Callable[[], None] | None = None,
    kernels: Kernels = None,
) -> Any:
    """Return a job's result; while it is not there, show progress and end the page here.

    Errors meant for people are raised again; a cancelled job calls ``on_cancel``.
    """
    while True:
        job = jobs().ask(key, work, kernels=kernels, awaited=True)
        if not job.finished.wait(PATIENCE):
            _watch(job, title, on_cancel, job.n_parts)
            st.stop()
        if not isinstance(job.error, Cancelled):
            break  # else another visitor, who shared it, gave it up meanwhile
    if job.error is not None:
        job.error_was_shown = True
        raise job.error
    return job.result


def show_progress(
    job: Job, title: str, on_cancel: Callable[[], None] | None = None, *, waits: bool = True
) -> None:
    """Show how far a job is without ending the page, for work whose parts can be looked at.

    Parameters
    ----------
    waits : whether it is given a moment first
    """
    if not job.finished.wait(PATIENCE if waits else 0):
        _watch(job, title, on_cancel, job.n_parts)
    elif job.error is not None and not job.was_cancelled:
        job.error_was_shown = True
        raise job.error


def wait_for(asked: Iterable[Job]) -> bool:
    """Give jobs a moment; return whether all of them are finished."""
    until = time.monotonic() + PATIENCE
    return all(job.finished.wait(max(until - time.monotonic(), 0)) for job in asked)


def fill_in(
    asked: Iterable[Job], show: Callable[[], None], meanwhile: Callable[[], None] | str
) -> None:
    """Show something once its jobs are done, and until then what is said meanwhile."""
    listed = list(asked)
    fill_when(lambda: all(j.finished.is_set() for j in listed) or None, lambda _: show(), meanwhile)


def fill_when(
    find: Callable[[], T | None], show: Callable[[T], None], meanwhile: Callable[[], None] | str
) -> None:
    """Show what several jobs make once it is found, and until then what is said meanwhile."""
    until = time.monotonic() + PATIENCE
    while (found := find()) is None and time.monotonic() < until:
        time.sleep(0.02)
    if found is not None:
        show(found)
        return

    def wait() -> None:
        if find() is not None:
            st.rerun()
        st.caption(meanwhile) if isinstance(meanwhile, str) else meanwhile()

    st.fragment(wait, run_every=0.7)()


@st.fragment(run_every=0.5)
def _watch(job: Job, title: str, on_cancel: Callable[[], None] | None, n_parts_shown: int) -> None:
    """Show how far a job is, twice a second, and end it on request; more parts renew the page."""
    if job.finished.is_set() or job.n_parts > n_parts_shown:
        st.rerun()
    left = job.seconds_left
    estimate = "" if left is None else f", about {max(round(left), 1)} s left"
    st.progress(job.share, f"{title}: {job.words}{estimate}")
    # A page may watch several jobs at once, and Streamlit tells buttons apart by their keys.
    key = f"cancel {title} {id(job)}"
    if on_cancel is not None and st.button("Cancel", icon=":material/stop_circle:", key=key):
        job.cancel()
        on_cancel()
        st.rerun()
