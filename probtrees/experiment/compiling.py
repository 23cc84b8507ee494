"""What is being compiled beside this process, on a first start.

Compiling holds the interpreter's lock, so a server that compiled for itself would not answer
meanwhile. :func:`compile_in_background` leaves it to two processes, which share the folder of
kept kernels with this one and mark what is ready: ``python -m probtrees.experiment.warm_up PART``.
One compiles what grows, the other what smooths, what most people need first coming first. This
file imports no kernel, so that they can be started at once.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

from probtrees.experiment.registry import (
    DEFAULT_LEARNER,
    DEFAULT_SMOOTHER,
    LEARNERS,
    QUICK_SMOOTHER,
    SMOOTHERS,
)
from probtrees.machine.kernel_cache import marks_kept

PARTS = ("growing", "smoothing")
"""What a process compiles."""

TABLES = "tables"
"""The mark of what smooths the tables of a network, whatever the smoother."""

FIRST = frozenset({DEFAULT_LEARNER, DEFAULT_SMOOTHER})
"""What the first page needs."""

_running: dict[str, subprocess.Popen[bytes]] = {}
"""The processes that compile for this one, by the name of their part."""


def marks_of(part: str) -> tuple[str, ...]:
    """List what a part compiles, by the name it is marked with, in its order."""
    if part == "growing":
        return tuple(sorted(LEARNERS, key=lambda name: name != DEFAULT_LEARNER))
    first = (QUICK_SMOOTHER, DEFAULT_SMOOTHER)
    return (*first, TABLES, *(name for name in SMOOTHERS if name not in first))


def compile_in_background() -> list[subprocess.Popen[bytes]]:
    """Start compiling what no run before this one has kept; return the processes at once.

    They give way to others, and end by themselves. Asking again starts none that runs.
    """
    kept = marks_kept()
    for part in PARTS:
        if part not in kept and part not in _running:
            command = [sys.executable, "-m", "probtrees.experiment.warm_up", part]
            _running[part] = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    return list(_running.values())


def is_compiling(needed: Iterable[str] | None = FIRST) -> bool:
    """Whether something is still being compiled beside this process.

    Parameters
    ----------
    needed : names of learners and smoothers, :data:`TABLES`; None: all there are. What the
        processes know nothing of, such as a smoother of somebody's own, is not waited for
    """
    waiting = [part for part, process in _running.items() if process.poll() is None]
    if not waiting:
        return False
    kept = marks_kept()
    missing = {name for part in waiting if part not in kept for name in marks_of(part)} - kept
    return bool(missing if needed is None else missing.intersection(needed))
