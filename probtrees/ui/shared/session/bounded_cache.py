"""What is kept for visitors, under one bound, and given back when they leave.

Tables that were read, looks at them, results of jobs, pictures: all of it lies in one cache. The
uploaded files themselves cannot be dropped while a visitor works with them; they count against
the same bound (``probtrees app --max-cache``), and what was made of files takes what they leave.
"""

from __future__ import annotations

import dataclasses
import inspect
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar, runtime_checkable

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from probtrees.machine.input_bytes import limit_tables
from probtrees.machine.limits import ServerLimits
from probtrees.ui.shared.session.given_files import held_bytes

RECENT = 30.0
"""Seconds for which whatever was asked for is kept in any case.

A page asks for several things, one made of the other. If the last pushed out the first, the page
would make them again and again.
"""

_MOST_ENTRIES = 1000
_LEAST_BYTES = 1000

P = ParamSpec("P")
R = TypeVar("R")


@st.cache_resource(show_spinner=False)
def limits() -> ServerLimits:
    """Return the limits of this server; from now on they hold for every table it reads."""
    found = ServerLimits.from_environment()
    limit_tables(found)
    return found


def visitor() -> str:
    """Return the session that asks."""
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


def bytes_of(value: Any) -> int:
    """Add up the arrays and texts a result holds, each once; the rest hardly counts."""
    seen: set[int] = set()
    waiting = [value]
    total = 0
    while waiting:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, bytes | str):
            total += len(found)
        elif isinstance(found, Mapping):
            waiting += found.values()
        elif isinstance(found, list | tuple | set | frozenset):
            waiting += found
        elif isinstance(found, pd.DataFrame):
            total += int(found.memory_usage(deep=True).sum())
        elif dataclasses.is_dataclass(found) and not isinstance(found, type):
            waiting += vars(found).values()
        else:
            total += int(getattr(found, "nbytes", 0))  # arrays of numpy, columns of Arrow
    return total


@runtime_checkable
class Working(Protocol):
    """Something that may still be made: it stays until it is finished, or nobody wants it."""

    @property
    def is_working(self) -> bool:
        """Whether it is not finished."""

    @property
    def result(self) -> Any:
        """What was made."""

    def cancel(self) -> None:
        """Stop making it."""


@dataclass
class _Entry:
    value: Any
    n_bytes: int
    last_asked: float
    visitors: set[str] = field(default_factory=set)

    @property
    def is_working(self) -> bool:
        return isinstance(self.value, Working) and self.value.is_working

    def measure(self) -> None:
        value = self.value.result if isinstance(self.value, Working) else self.value
        self.n_bytes = max(bytes_of(value), _LEAST_BYTES)


class BoundedCache:
    """Results found by their key; the ones asked for longest ago go first.

    Parameters
    ----------
    most_bytes : what all of them together may take, with the files that visitors hold
    held : what those files take now
    recent : seconds for which a result is kept in any case
    clock : seconds that go by
    """

    def __init__(
        self,
        most_bytes: int,
        held: Callable[[], int] = held_bytes,
        recent: float = RECENT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most_bytes = most_bytes
        self._held, self._recent, self._clock = held, recent, clock
        self._kept: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the result of a key, made now if it is not kept."""
        found = self.find(key)
        if found is None:
            found = make()
            self.keep(key, found)
        return found

    def find(self, key: Hashable) -> Any:
        """Return what is kept under a key for the visitor who asks; None if nothing is."""
        with self._lock:
            entry = self._kept.get(key)
            if entry is None:
                return None
            self._kept.move_to_end(key)
            entry.last_asked = self._clock()
            entry.visitors.add(visitor())
            return entry.value

    def keep(self, key: Hashable, value: Any) -> None:
        """Keep a result for the visitor who asked for it."""
        entry = _Entry(value, _LEAST_BYTES, self._clock(), {visitor()})
        entry.measure()
        with self._lock:
            self._kept[key] = entry
            self._kept.move_to_end(key)
            self._let_go()

    def measure(self, key: Hashable) -> None:
        """Measure a result that was finished, and what others of its visitors hold by now."""
        with self._lock:
            finished = self._kept.get(key)
            if finished is None:
                return
            entries = [each for each in self._kept.values() if each.visitors & finished.visitors]
        for entry in entries:
            entry.measure()
        with self._lock:
            self._let_go()

    def leave(self, gone: str, only: Callable[[Hashable, bool], bool] | None = None) -> None:
        """Let go what nobody but this visitor asked for, and stop what is made for him.

        Parameters
        ----------
        only : tells by its key, and by whether it is still being made, what he leaves; None: all
        """
        stopped = []
        with self._lock:
            for key, entry in list(self._kept.items()):
                if only is not None and not only(key, entry.is_working):
                    continue
                entry.visitors.discard(gone)
                if not entry.visitors:
                    del self._kept[key]
                    if entry.is_working:
                        stopped.append(entry.value)
        # Work that ends asks for locks of its own, whose holders may be waiting here.
        for work in stopped:
            work.cancel()

    @property
    def n_bytes(self) -> int:
        """What is kept now, without the files."""
        return sum(entry.n_bytes for entry in self._kept.values())

    def _let_go(self) -> None:
        """Drop what was asked for longest ago while there is too much."""
        spare = self.most_bytes - self._held() - self.n_bytes
        oldest_kept = self._clock() - self._recent
        for key, entry in list(self._kept.items())[:-1]:
            is_enough = spare >= 0 and len(self._kept) <= _MOST_ENTRIES
            if is_enough or entry.last_asked > oldest_kept:
                return
            if not entry.is_working:
                spare += entry.n_bytes
                del self._kept[key]


@st.cache_resource(show_spinner=False)
def bounded_cache() -> BoundedCache:
    """Return the cache of this server."""
    return BoundedCache(limits().cache << 20)


def kept(*, spinner: str | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep what a function returns; it is found again by its arguments.

    Arguments whose names begin with an underscore only serve to make it.
    """

    def keeping(function: Callable[P, R]) -> Callable[P, R]:
        names = list(inspect.signature(function).parameters)
        name = f"{function.__module__}.{function.__qualname__}"

        @wraps(function)
        def find(*args: P.args, **kwargs: P.kwargs) -> R:
            given = {**dict(zip(names, args, strict=False)), **kwargs}
            key = tuple(given[each] for each in names if each[0] != "_" and each in given)

            def make() -> tuple[R]:
                with st.spinner(spinner) if spinner else nullcontext():
                    return (function(*args, **kwargs),)

            result: tuple[R] = bounded_cache().get((name, key), make)
            return result[0]

        return find

    return keeping
