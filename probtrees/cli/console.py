"""What a person at a terminal sees beside the result: progress and notes, on stderr.

Errors and notes of the library name settings as Python does, ``n_folds=5``. Who reads them in a
terminal needs the option: ``--n-folds 5``.
"""

from __future__ import annotations

import argparse
import ast
import re
import shlex
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from probtrees.machine.atomic_file import place_to_write, write_atomically
from probtrees.types import Progress

PATIENCE = 1.0
"""Seconds of silence before progress is shown."""


class Console:
    """Shows progress for anything that takes longer than a second.

    On a terminal one line is rewritten; elsewhere lines follow each other, more and more
    rarely, so that a log stays short.

    Parameters
    ----------
    flags : the options of the command, see :func:`option_flags`
    """

    def __init__(self, quiet: bool = False, flags: Mapping[str, str] | None = None) -> None:
        self.quiet = quiet
        self.flags = flags or {}
        self.rewrites = sys.stderr.isatty()
        self._shown = 0
        self._last: dict[str, str] = {}

    def note(self, sentence: str) -> None:
        """Print something that the user should know although the work goes on."""
        self._say("note", sentence)

    def warn(self, sentence: str) -> None:
        """Print what must not be overlooked before the work begins."""
        self._say("warning", sentence)

    def warn_last(self, about: str, sentence: str) -> None:
        """Keep what must not be overlooked, to be said when the work is done; once of a subject."""
        self._last[about] = sentence

    def finish(self) -> None:
        """Print what was kept for the end, below all else."""
        sys.stdout.flush()
        for sentence in self._last.values():
            self._say("warning", sentence)
        self._last.clear()

    def _say(self, what: str, sentence: str) -> None:
        if not self.quiet:
            self._clear()
            print(f"{what}: {in_options(sentence, self.flags)}", file=sys.stderr, flush=True)

    def write(self, path: str | Path, content: str | bytes, option: str = "report") -> None:
        """Write a file that an option asks for, complete or not at all."""
        with self.stage(f"writing {path}"), place_to_write(path, option):
            write_atomically(path, content)

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


_SETTING = re.compile(r"(?<![\w.'-])([a-z]\w*)=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|-?\w[\w.]*)")
_COLUMN = re.compile(r"""(?i:\bcolumn |\btarget[ =])('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
_STEPS = re.compile(r"\bsteps=(\[\{.*?\}\])")
_OF_COLUMN = {
    "type": re.compile(r"\(type ('[^']+')\)"),
    "role": re.compile(r"\(role ('\w+')\)"),
    "missing": re.compile(r"\(missing ('[^']*'(?:, '[^']*')*)\)"),
}
"""What sentences advise to do with a column, by the option that does it."""


def option_flags(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return the options of a command by the name that Python has for them."""
    return {
        action.dest: max(action.option_strings, key=len)
        for action in parser._actions
        if action.option_strings
    }


def in_options(sentence: str, flags: Mapping[str, str]) -> str:
    """Name the options of a command in a sentence of the library.

    >>> flags = {"date_order": "--date-order", "type": "--type"}
    >>> in_options("Say date_order='day' if the day comes first.", flags)
    'Say --date-order day if the day comes first.'
    >>> in_options("Column 'a b' looks like days. Read it as dates (type 'date').", flags)
    "Column 'a b' looks like days. Read it as dates (--type 'a b=date')."
    """
    said = sentence
    if "steps" in flags:
        said = _STEPS.sub(lambda found: f"{flags['steps']} {shlex.quote(found[1])}", said)
    said = _SETTING.sub(lambda found: _option(found, flags), said)
    named = _COLUMN.search(sentence)
    return said if named is None else _of_column(said, ast.literal_eval(named[1]), flags)


def _option(found: re.Match[str], flags: Mapping[str, str]) -> str:
    """Write one setting as an option, if the command has it."""
    name, value = found.groups()
    if name == "option" and value.strip("'") in flags:
        return flags[value.strip("'")]
    if name not in flags:
        return found[0]
    if value == "True":  # a switch, which has no value
        return flags[name]
    if value[0] in "'\"":
        text = str(ast.literal_eval(value))
        # An empty or an odd text is seen best between its quotes.
        value = text if re.fullmatch(r"[\w.,:%-]+", text) else shlex.quote(text)
    return f"{flags[name]} {value}"


def _of_column(said: str, column: str, flags: Mapping[str, str]) -> str:
    """Name, behind what a sentence advises to do with a column, the option that does it."""

    def with_option(found: re.Match[str], flag: str) -> str:
        values = map(ast.literal_eval, re.findall("'[^']*'", found[1]))
        words = [f"{flag} {shlex.quote(f'{column}={value}')}" for value in values]
        return f"({' '.join(words)})"

    for name, advice in _OF_COLUMN.items():
        if name in flags:
            said = advice.sub(partial(with_option, flag=flags[name]), said)
    return said
