"""What visitors hold, under one bound, and give back when they leave: files, tables and results.

Tables that were read, looks at them, results of jobs, pictures: all of it lies in one cache. The
files themselves, uploaded, pasted or taken up again, cannot be dropped while a visitor works with
them. They count against the same bound (``probtrees app --max-cache``): what was made of files
takes what they leave, and a file for which there is no room is refused with a sentence.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, ParamSpec, TypeVar

import pandas as pd
import streamlit as st
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from probtrees.errors import DataError
from probtrees.machine.input_bytes import limit_tables
from probtrees.machine.limits import ServerLimits
from probtrees.words import plural

RECENT = 30.0
"""Seconds for which whatever was asked for is kept in any case.

A page asks for several things, one made of the other. If the last pushed out the first, the page
would make them again and again.
"""

_MOST_ENTRIES = 1000
_LEAST_BYTES = 1000
_NO_ROOM = "application/x-no-room"
"""The type of a file that was not kept: whoever opens it says why."""

P = ParamSpec("P")
R = TypeVar("R")


@st.cache_resource(show_spinner=False)
def limits() -> ServerLimits:
    """Return the limits of this server; from now on they hold for every table it reads."""
    found = ServerLimits.from_environment()
    limit_tables(found)
    return found


ASKED_BY: ContextVar[str] = ContextVar("ASKED_BY", default="")
"""The session for which a thread works beside its page."""


def visitor() -> str:
    """Return the session that asks."""
    context = get_script_run_ctx(suppress_warning=True)
    return ASKED_BY.get() if context is None else context.session_id


@dataclass(frozen=True)
class Upload:
    """A file a user gave; its content decides which cached results are his."""

    name: str
    content: bytes

    def __post_init__(self) -> None:
        _alive[id(self)] = self

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the content."""
        return hashlib.sha256(self.content).hexdigest()


_alive: weakref.WeakValueDictionary[int, Upload] = weakref.WeakValueDictionary()


class BoundedFiles(MemoryUploadedFileManager):
    """Streamlit's store of uploaded files, within the bound of what is kept."""

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep a file; if there is no room, only that it was given."""
        if len(file.data) > room():
            file = file._replace(data=b"", type=_NO_ROOM)
        super().add_file(session_id, file)

    def contents(self) -> list[bytes]:
        """List what the files of all visitors hold."""
        with self._lock:
            return [file.data for files in self.file_storage.values() for file in files.values()]


def held_bytes() -> int:
    """Return what the files of all visitors take, each once."""
    # References are listed at once: another visitor may give a file meanwhile.
    uploads = (reference() for reference in _alive.valuerefs())
    contents = [upload.content for upload in uploads if upload is not None]
    if runtime.exists():
        manager = runtime.get_instance().uploaded_file_mgr
        if isinstance(manager, BoundedFiles):
            contents += manager.contents()
    return sum({id(content): len(content) for content in contents}.values())


def room() -> int:
    """Return how many bytes of files may still be given."""
    return (ServerLimits.from_environment().cache << 20) - held_bytes()


def content_of(file: Any) -> bytes:
    """Return the content of an uploaded file; one that was not kept is refused."""
    if file.type == _NO_ROOM:
        _refuse(file.name)
    content: bytes = file.getvalue()
    return content


def check_room(upload: Upload) -> Upload:
    """Refuse a file that did not come by an upload, if there is no room for it."""
    if room() < 0:
        _refuse(upload.name)
    return upload


def _refuse(name: str) -> None:
    most = ServerLimits.from_environment().cache
    raise DataError(
        f"file={name!r} must fit beside the files of other visitors: all of them together may "
        f"take {plural(most, 'megabyte')} on this server. Try again later, or start your own "
        "with 'probtrees app --max-cache'."
    )


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


@dataclass
class _Entry:
    """A result, or a job: it counts as its result, and stays while it is worked on."""

    value: Any
    last_asked: float
    visitors: set[str] = field(default_factory=set)
    n_bytes: int = _LEAST_BYTES

    @property
    def is_working(self) -> bool:
        return bool(getattr(self.value, "is_working", False))

    def measure(self) -> None:
        self.n_bytes = max(bytes_of(getattr(self.value, "result", self.value)), _LEAST_BYTES)


class BoundedCache:
    """Results found by their key; the ones asked for longest ago go first.

    Parameters
    ----------
    most_bytes : what all of them together may take, with the files that visitors hold
    held : what those files take now
    clock : seconds that go by
    """

    def __init__(
        self,
        most_bytes: int,
        held: Callable[[], int] = held_bytes,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most_bytes = most_bytes
        self._held, self._clock = held, clock
        self._kept: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = threading.RLock()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

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
        entry = _Entry(value, self._clock(), {visitor()})
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

    def leave(self, gone: str) -> None:
        """Let go what nobody but this visitor asked for, and stop what is made for him."""
        stopped = []
        with self._lock:
            for key, entry in list(self._kept.items()):
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
        oldest_kept = self._clock() - RECENT
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
        signature = inspect.signature(function)
        name = f"{function.__module__}.{function.__qualname__}"

        @wraps(function)
        def find(*args: P.args, **kwargs: P.kwargs) -> R:
            given = signature.bind(*args, **kwargs).arguments.items()
            key = (name, tuple(value for argument, value in given if argument[0] != "_"))
            found: tuple[R] | None = bounded_cache().find(key)
            if found is None:
                beside_page = get_script_run_ctx(suppress_warning=True) is None
                with nullcontext() if spinner is None or beside_page else st.spinner(spinner):
                    found = (function(*args, **kwargs),)
                bounded_cache().keep(key, found)
            return found[0]

        return find

    return keeping
