"""Long work beside the page: queued, shared by sessions, with progress and a Cancel that cancels.

A piece of work is known by its key. Who asks for a key that is being worked on, or was
finished lately, gets that job. A few more jobs run at once than there are cores; others wait,
and visitors take turns, so that one who asks for much does not keep the others waiting. Work that
a page cannot go on without comes first, and one worker does nothing else. What a page does while it
cannot show anything else yet is said in a line, with a way out.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.experiment.warm_up import is_compiling
from probtrees.machine.checkpoint import watched
from probtrees.machine.kernel_cache import retry_damaged_kernels
from probtrees.ui.shared.session.bounded_cache import (
    BoundedCache,
    bounded_cache,
    visitor,
)

Report = Callable[[float, str], None]
Work = Callable[[Report], Any]
Kernels = Collection[str] | None
"""The learners and smoothers whose kernels a job needs; None: it may need any."""

ENDS_LINE: ContextVar[Callable[[], None] | None] = ContextVar("ENDS_LINE", default=None)
"""Takes away the line that says what the page is doing, where there is one.

A page that has been stopped can write nothing any more, so progress does it first."""
PATIENCE = 0.35
"""Seconds a page waits for a job before it shows progress instead."""

RETRY = 0.2
"""Seconds between two looks whether what waiting work needs is compiled."""

SPARE_WORKERS = 2
"""Jobs that may run beside one per core, so that short ones need not wait for long ones."""


class Cancelled(Exception):  # noqa: N818 - it is no error
    """Raised inside a job that nobody wants any more."""


class Job:
    """One piece of work on its way."""

    def __init__(
        self,
        key: Hashable,
        on_cancel: Callable[[Job], None] | None = None,
        kernels: Kernels = None,
    ) -> None:
        self.key = key
        self._kernels = kernels
        self.is_running = False
        self.is_awaited = False
        self.is_of_reserved_worker = False
        self._on_cancel = on_cancel
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
        self.is_running = True
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
        self.words = words

    def can_start(self) -> bool:
        """Whether what it needs is compiled; on a first start other processes compile it.

        The server itself never compiles, since nobody would be answered meanwhile. The time spent
        waiting is no part of the work.
        """
        if self.was_cancelled or not is_compiling(self._kernels):
            return True
        self.words = "getting ready, on the first start only"
        return False

    def _end_if_unwanted(self, _words: str) -> None:
        if self._unwanted.is_set():
            raise Cancelled

    def cancel(self) -> None:
        """Stop at the next report or checkpoint; until then somebody else takes over the queue."""
        if not self._unwanted.is_set():
            self._unwanted.set()
            if self._on_cancel is not None:
                self._on_cancel(self)

    @property
    def is_working(self) -> bool:
        """Whether it waits or is being worked on."""
        return not self.finished.is_set()

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


class Turns:
    """Work that waits, each visitor's in a line of its own; the lines take turns."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[tuple[Job, Work]]] = OrderedDict()
        self._changed = threading.Condition()

    def put(self, visitor: str, job: Job, work: Work) -> None:
        """Line up."""
        with self._changed:
            self._lines.setdefault(visitor, deque()).append((job, work))
            self._changed.notify_all()

    def look_again(self) -> None:
        """Tell who waits that a page cannot go on without something that was in line before."""
        with self._changed:
            self._changed.notify_all()

    def get(self, awaited_only: bool = False) -> tuple[Job, Work]:
        """Take the next visitor's oldest work that can start, what pages wait for first.

        Waits until there is some.

        Parameters
        ----------
        awaited_only : whether to leave work that no page waits for to others
        """
        with self._changed:
            while True:
                found = self._take(awaited=True)
                if found is None and not awaited_only:
                    found = self._take(awaited=False)
                if found is not None:
                    return found
                self._changed.wait(RETRY if self._lines else None)

    def _take(self, awaited: bool) -> tuple[Job, Work] | None:
        """Take work out of the line of the next visitor who has some; he goes to the end."""
        for who, line in self._lines.items():
            for place in line:
                if place[0].is_awaited == awaited and place[0].can_start():
                    line.remove(place)
                    del self._lines[who]
                    if line:
                        self._lines[who] = line
                    return place
        return None


class Jobs:
    """All jobs of the server.

    Parameters
    ----------
    n_workers : how many jobs run at once, beside one that a page waits for
    cache : where jobs are kept while they are worked on, and their results afterwards
    """

    def __init__(self, n_workers: int, cache: BoundedCache) -> None:
        self._queue = Turns()
        self._cache = cache
        self._lock = threading.Lock()
        self._replaced: set[Job] = set()
        for _ in range(n_workers):
            self._hire()
        self._hire(awaited_only=True)

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
                job = Job(key, self._replace_worker, kernels)
                job.is_awaited = awaited
                self._cache.keep(("job", key), job)
                self._queue.put(visitor(), job, work)
            elif awaited and not job.is_awaited:
                job.is_awaited = True
                self._queue.look_again()
            return job

    def leave(self, beginning: tuple[Hashable, ...]) -> None:
        """Stop work that only this visitor asked for and turned away from.

        Parameters
        ----------
        beginning : how the keys of what he left begin
        """

        def is_left(key: Hashable, is_working: bool) -> bool:
            if not is_working or not isinstance(key, tuple) or key[0] != "job":
                return False
            asked = key[1]
            return isinstance(asked, tuple) and asked[: len(beginning)] == beginning

        self._cache.leave(visitor(), is_left)

    def _hire(self, awaited_only: bool = False) -> None:
        """Start a worker; a daemon: stopping the server does not wait for what it computes."""
        threading.Thread(target=self._serve, args=(awaited_only,), daemon=True, name="jobs").start()

    def _replace_worker(self, job: Job) -> None:
        """Let another worker serve the queue while a cancelled job runs to its next report.

        A stage that cannot report, such as one pass of a kernel, would hold up everybody else.
        """
        with self._lock:
            if job.is_running and not job.finished.is_set() and job not in self._replaced:
                self._replaced.add(job)
                self._hire(job.is_of_reserved_worker)

    def _serve(self, awaited_only: bool) -> None:
        """Work off the queue, until replaced."""
        while True:
            job, work = self._queue.get(awaited_only)
            job.is_of_reserved_worker = awaited_only
            job.run(work)
            self._cache.measure(("job", job.key))
            with self._lock:
                if job in self._replaced:
                    self._replaced.discard(job)
                    return
            del job, work


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """Return the jobs of this server."""
    return Jobs((os.cpu_count() or 1) + SPARE_WORKERS, bounded_cache())


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
    job = jobs().ask(key, work, kernels=kernels, awaited=True)
    while job.finished.wait(PATIENCE) and isinstance(job.error, Cancelled):
        # Another visitor, who shared it, gave it up meanwhile.
        job = jobs().ask(key, work, kernels=kernels, awaited=True)
    if not job.finished.is_set():
        end_line = ENDS_LINE.get()
        if end_line is not None:
            end_line()
        _watch(job, title, on_cancel)
        st.stop()
    if job.error is not None:
        job.error_was_shown = True
        raise job.error
    return job.result


def show_progress(
    job: Job,
    title: str,
    on_cancel: Callable[[], None] | None = None,
    *,
    waits: bool = True,
) -> None:
    """Show how far a job is without ending the page, for work whose parts can be looked at.

    Parameters
    ----------
    waits : whether it is given a moment first
    """
    if job.finished.wait(PATIENCE if waits else 0):
        if job.error is not None and not job.was_cancelled:
            job.error_was_shown = True
            raise job.error
        return
    _watch(job, title, on_cancel, job.n_parts)


def wait_for(asked: Iterable[Job]) -> bool:
    """Give jobs a moment; return whether all of them are finished."""
    until = time.monotonic() + PATIENCE
    return all(job.finished.wait(max(until - time.monotonic(), 0)) for job in asked)


@st.fragment(run_every=0.5)
def _watch(
    job: Job, title: str, on_cancel: Callable[[], None] | None, n_parts_shown: int = 0
) -> None:
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


_AT_ONCE = 0.05
"""Seconds: what takes no longer is not announced, as a line that flashes only disturbs."""


@contextmanager
def under_way(words: str, on_cancel: Callable[[], None] | None = None) -> Iterator[None]:
    """Say what is being done, at once and until it is done.

    The line has a place of its own, so that what follows keeps its own.

    Parameters
    ----------
    on_cancel : what a click on *Cancel* does before the page is made again
    """
    place, lock, done = st.empty(), threading.Lock(), threading.Event()

    def show() -> None:
        with lock:
            if done.is_set():
                return
            line = place.container(horizontal=True, vertical_alignment="center")
            line.markdown(f":material/hourglass_top: {markdown_text(words)}", width="content")
            if on_cancel is not None:
                key = f"cancel {words}"
                line.button("Cancel", icon=":material/stop_circle:", key=key, on_click=on_cancel)

    def end() -> None:
        timer.cancel()
        with lock:
            if not done.is_set():
                done.set()
                place.empty()

    timer = threading.Timer(_AT_ONCE, show)
    timer.daemon = True
    add_script_run_ctx(timer)
    timer.start()
    token = ENDS_LINE.set(end)
    try:
        yield
    finally:
        ENDS_LINE.reset(token)
        end()
