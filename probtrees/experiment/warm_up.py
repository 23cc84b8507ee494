"""Load or compile the kernels before anyone waits for them.

Compiling holds the interpreter's lock, so a server that compiled for itself would not answer
meanwhile. :func:`compile_in_background` leaves it to two processes, which share the folder of
kept kernels with this one: ``python -m probtrees.experiment.warm_up PART``. One compiles what
grows, the other what smooths, what most people need first coming first.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import (
    DEFAULT_LEARNER,
    DEFAULT_SMOOTHER,
    LEARNERS,
    QUICK_SMOOTHER,
    SMOOTHERS,
)
from probtrees.grow.count_tree import LEFT, NO_COLUMN, NO_NODE, RIGHT, CountTree, make_arrays
from probtrees.machine.kernel_cache import keep_mark, marks_kept
from probtrees.model.predict import predict_proba
from probtrees.options import Options
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.types import Progress

_QUICK = {"hdp": {"n_iterations": 20}}
"""Options under which a smoother does all it does, only less often."""

_running: dict[str, subprocess.Popen[bytes]] = {}
"""The processes that compile for this one, by the name of their part."""


@dataclass(frozen=True)
class Stump(Options):
    """A learner without kernels, so that smoothers are compiled without those of C4.5.

    It splits the rows by the sign of the first column.
    """

    name = "stump"

    def grow(self, data: Dataset, progress: Progress | None = None) -> CountTree:
        """Count the classes of all rows, and on each side; a missing value counts half on both."""
        values = data.values[:, 0]
        right = np.where(np.isnan(values), 0.5, values > 0) * data.row_weights
        counts = np.zeros((3, len(data.schema.classes)))
        for branch, weights in enumerate((data.row_weights, data.row_weights - right, right)):
            np.add.at(counts[branch], data.labels, weights)
        arrays = make_arrays(
            parent=[NO_NODE, 0, 0],
            depth=[0, 1, 1],
            first_child=[1, NO_NODE, NO_NODE],
            n_children=[2, 0, 0],
            column=[0, NO_COLUMN, NO_COLUMN],
            threshold=[0, np.nan, np.nan],
            branch=[0, LEFT, RIGHT],
            weight=counts.sum(axis=1),
            counts=counts,
        )
        return CountTree(data.schema.target_column, arrays)


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
    data = _tiny_table()
    for learner in learners:
        grown = grow_model(data, learner)
        for smoother in SMOOTHERS if smoothers is None else smoothers:
            predict_proba(grown.smooth(smoother, _QUICK.get(smoother)), data)


TABLES = "tables"
"""The mark of what smooths the tables of a network, whatever the smoother."""


def _stages() -> dict[str, dict[str, Callable[[], None]]]:
    """List by part what is compiled, by the name it is marked with; what is needed first first."""
    learners = sorted(LEARNERS, key=lambda name: name != DEFAULT_LEARNER)
    first = (QUICK_SMOOTHER, DEFAULT_SMOOTHER)
    others = [name for name in SMOOTHERS if name not in first]
    tree, network = (Stump(),), ("nb",)
    return {
        "growing": {name: partial(warm_up, (name,), ("mle",)) for name in learners},
        "smoothing": {
            **{name: partial(warm_up, tree, (name,)) for name in first},
            TABLES: partial(warm_up, network, first),
            **{name: partial(warm_up, (*tree, *network), (name,)) for name in others},
        },
    }


PARTS = ("growing", "smoothing")
"""What a process compiles."""

FIRST = frozenset({DEFAULT_LEARNER, DEFAULT_SMOOTHER})
"""What the first page needs."""


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
    kept, stages = marks_kept(), _stages()
    missing = {name for part in waiting if part not in kept for name in stages[part]} - kept
    return bool(missing if needed is None else missing.intersection(needed))


def compile_part(part: str) -> None:
    """Compile a part in this process, and note what is kept from now on."""
    if hasattr(os, "nice"):  # the server and the browser come first
        os.nice(10)
    for name, work in _stages()[part].items():
        work()
        keep_mark(name)
    keep_mark(part)


def _tiny_table() -> Dataset:
    """Make a table with a number, a category and a missing value of each kind."""
    random = np.random.default_rng(0)
    number = random.normal(size=40)
    category = random.integers(0, 3, 40).astype(np.float64)
    label = (number + category > 1).astype(np.float64)
    number[3] = category[5] = np.nan
    schema = Schema(
        (Column("number"), Column("category", ("a", "b", "c")), Column("class", ("no", "yes")))
    )
    return Dataset(schema, np.column_stack([number, category, label]), name="warm-up")


if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        compile_part(name)
