"""Places where long work can be watched, and ended, between two of its steps.

Learners of networks run through many attributes without asking anybody. At each they pass a
checkpoint; who wants to show how far they are, or to end them by raising, watches. A checkpoint
that nobody watches costs nothing. Watching holds for the thread that asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Watcher = Callable[[str], None]
Step = TypeVar("Step")

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Report every checkpoint passed meanwhile to a watcher; what it raises ends the work.

    >>> reported = []
    >>> with watched(reported.append):
    ...     letters = [letter for letter in passing("ab", "reading letters")]
    >>> reported
    ['reading letters, 1 of 2', 'reading letters, 2 of 2']
    """
    before = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(before)


def passing(steps: Sequence[Step], words: str) -> Iterator[Step]:
    """Walk through the steps of some work, with a checkpoint before each."""
    for number, step in enumerate(steps, start=1):
        checkpoint(f"{words}, {number:,} of {len(steps):,}")
        yield step


def checkpoint(words: str) -> None:
    """Report what is being done to whoever watches."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(words)
