"""What a person at a terminal sees beside the result: progress and notes, on stderr."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from probtrees.cli.option_words import in_options
from probtrees.types import Progress

PATIENCE = 1.0
"""Seconds of silence before progress is shown."""


class Console:
    """Shows progress for anything that takes longer than a second.

    On a terminal one line is rewritten; elsewhere lines follow each other, more and more
    rarely, so that a log stays short.

    Parameters
    ----------
    flags : the options of the command, see :func:`~probtrees.cli.option_words.option_flags`
    """

    def __init__(self, quiet: bool = False, flags: Mapping[str, str] | None = None) -> None:
        self.quiet = quiet
        self.flags = flags or {}
        self.rewrites = sys.stderr.isatty()
        self._shown = 0
        self._last: dict[str, str] = {}

    def note(self, sentence: str) -> None:
        """Print something that the user should know although the work goes on."""
        if not self.quiet:
            self._clear()
            print(f"note: {in_options(sentence, self.flags)}", file=sys.stderr, flush=True)

    def warn(self, sentence: str) -> None:
        """Print what must not be overlooked before the work begins."""
        if not self.quiet:
            self._clear()
            print(f"warning: {in_options(sentence, self.flags)}", file=sys.stderr, flush=True)

    def warn_last(self, about: str, sentence: str) -> None:
        """Keep what must not be overlooked, to be said when the work is done; once of a subject."""
        self._last[about] = sentence

    def finish(self) -> None:
        """Print what was kept for the end, below all else."""
        sys.stdout.flush()
        for sentence in () if self.quiet else self._last.values():
            print(f"warning: {in_options(sentence, self.flags)}", file=sys.stderr, flush=True)
        self._last.clear()

    @contextmanager
    def stage(self, what: str) -> Iterator[Progress]:
        """Announce a step that may take long; gives the function that reports its progress."""
        start = time.monotonic()
        next_line = start + PATIENCE
        timer = threading.Timer(PATIENCE, self._show, [f"{what} ..."])
        timer.daemon = True
        if not self.quiet:
            timer.start()

        def progress(share: float, detail: str = "") -> None:
            nonlocal next_line
            now = time.monotonic()
            if self.quiet or now < next_line:
                return
            timer.cancel()
            elapsed = now - start
            next_line = now + (0.2 if self.rewrites else max(2.0, elapsed / 2))
            left = f", about {elapsed / share - elapsed:.0f} s left" if share > 0.02 else ""
            if share == 0 and detail:
                self._show(f"{what}: {detail}")
                return
            self._show(f"{what}: {100 * share:.0f} %{left} {detail and f'({detail})'}".rstrip())

        try:
            yield progress
        finally:
            timer.cancel()
            self._clear()

    def _show(self, text: str) -> None:
        if self.rewrites:
            sys.stderr.write("\r" + text.ljust(self._shown))
            self._shown = len(text)
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def _clear(self) -> None:
        if self.rewrites and self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
        self._shown = 0
