"""Compile the kernels before anyone waits for them, on a first start.

Compiling holds the interpreter's lock, so a server that compiled for itself would not answer
meanwhile. :func:`compile_in_background` leaves it to two processes, which share the folder of
kept kernels with this one and mark what is ready: ``python -m probtrees.experiment.warm_up PART``.
One compiles what grows, the other what smooths, what most people need first coming first. This
file imports kernels only where they are run, so that the processes can be started at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from probtrees.experiment.registry import (
    DEFAULT_LEARNER,
    DEFAULT_SMOOTHER,
    LEARNERS,
    QUICK_SMOOTHER,
    SMOOTHERS,
    make_smoother,
)
from probtrees.machine.kernel_cache import keep_mark, marks_kept

if TYPE_CHECKING:
    from probtrees.table.dataset import Dataset

PARTS = ("growing", "smoothing")
"""What a process compiles."""

TABLES = "tables"
"""The mark of what smooths the tables of a network, whatever the smoother."""

FIRST = frozenset({DEFAULT_LEARNER, DEFAULT_SMOOTHER})
"""What the first page needs."""

FIRST_SMOOTHERS = (QUICK_SMOOTHER, DEFAULT_SMOOTHER)

_QUICK = {"hdp": {"n_iterations": 20}}
"""Options under which a smoother does all it does, only less often."""

_running: dict[str, subprocess.Popen[bytes]] = {}
"""The processes that compile for this one, by the name of their part."""


def marks_of(part: str) -> tuple[str, ...]:
    """List what a part compiles, by the name it is marked with, in its order."""
    if part == "growing":
        # What the Tree page shows first, then the Network page.
        return tuple(sorted(LEARNERS, key=lambda name: (name != DEFAULT_LEARNER, name != "skdb")))
    others = (name for name in SMOOTHERS if name not in FIRST_SMOOTHERS)
    return (*FIRST_SMOOTHERS, TABLES, *others)


def compile_in_background() -> list[subprocess.Popen[bytes]]:
    """Start compiling what no run before this one has kept; return the processes at once.

    They give way to others, and end by themselves, at the latest with this process. Asking again
    starts none that runs.
    """
    kept = marks_kept()
    for part in PARTS:
        if part not in kept and part not in _running:
            command = [sys.executable, "-m", "probtrees.experiment.warm_up", part]
            _running[part] = subprocess.Popen(command, stdin=subprocess.PIPE)
    return list(_running.values())


def is_compiling(needed: Collection[str] | None = FIRST) -> bool:
    """Whether something is still being compiled beside this process.

    Parameters
    ----------
    needed : names of learners and smoothers, :data:`TABLES`; None: all there are. What the
        processes know nothing of, such as a smoother of somebody's own, is not waited for
    """
    running = [part for part, process in _running.items() if process.poll() is None]
    kept = marks_kept() if running else set()
    missing = {name for part in running if part not in kept for name in marks_of(part)} - kept
    return bool(missing if needed is None else missing & {*needed})


def warm_up(
    learners: tuple[object, ...] = (DEFAULT_LEARNER,), smoothers: tuple[str, ...] | None = None
) -> None:
    """Run learners and smoothers on a tiny table, so that their kernels are ready.

    From the disk that takes a fraction of a second; compiled for the first time it takes
    several.

    Parameters
    ----------
    learners : registry names, or learners
    smoothers : registry names; all that are registered if None
    """
    from probtrees.experiment.grown_model import grow_model  # noqa: PLC0415  imports kernels
    from probtrees.model.predict import predict_proba  # noqa: PLC0415

    data = _tiny_table()
    for learner in learners:
        grown = grow_model(data, learner)
        for smoother in SMOOTHERS if smoothers is None else smoothers:
            predict_proba(grown.smooth(smoother, _QUICK.get(smoother)), data)


def compile_part(part: str) -> None:
    """Compile a part in this process, and note what is kept from now on."""
    if hasattr(os, "nice"):  # the server and the browser come first
        os.nice(10)
    for mark in marks_of(part):
        if part == "growing":
            warm_up((mark,), ("mle",))
        elif mark == TABLES:
            warm_up(("nb",), FIRST_SMOOTHERS)
        else:
            _smooth_examples(mark)
        keep_mark(mark)
    keep_mark(part)


def _smooth_examples(name: str) -> None:
    """Smooth trees that stand ready, so that no kernel of a learner is compiled on the way."""
    from probtrees.smooth.example_trees import example_evidence, example_trees  # noqa: PLC0415

    smoother = make_smoother(name, _QUICK.get(name))
    for tree in example_trees().values():
        smoother.smooth(tree, example_evidence(tree) if smoother.needs_evidence else None)


def _tiny_table() -> Dataset:
    """Make a table with a category, a number and a missing value of each kind."""
    from probtrees.table.dataset import Column, Dataset, Schema  # noqa: PLC0415

    random = np.random.default_rng(0)
    number = random.normal(size=40)
    category = random.integers(0, 3, 40).astype(np.float64)
    label = (number + category > 1).astype(np.float64)
    number[3] = category[5] = np.nan
    features = (Column("category", ("a", "b", "c")), Column("number"))
    schema = Schema((*features, Column("class", ("no", "yes"))))
    return Dataset(schema, np.column_stack([category, number, label]), name="warm-up")


def _end_with_starter() -> None:
    """End when standard input does: who started this process holds its other end, and is gone."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    if sys.argv[1:]:
        threading.Thread(target=_end_with_starter, daemon=True).start()
    for name in sys.argv[1:] or PARTS:
        compile_part(name)
