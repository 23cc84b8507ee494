"""Load or compile the kernels before anyone waits for them.

``python -m probtrees.experiment.warm_up PART`` compiles in a process of its own;
:mod:`probtrees.experiment.compiling` starts it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

import numpy as np

from probtrees.experiment.compiling import PARTS, TABLES, marks_of
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import (
    DEFAULT_LEARNER,
    DEFAULT_SMOOTHER,
    QUICK_SMOOTHER,
    SMOOTHERS,
)
from probtrees.grow.count_tree import LEFT, NO_COLUMN, NO_NODE, RIGHT, CountTree, make_arrays
from probtrees.machine.kernel_cache import keep_mark
from probtrees.model.predict import predict_proba
from probtrees.options import Options
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.types import Progress

_QUICK = {"hdp": {"n_iterations": 20}}
"""Options under which a smoother does all it does, only less often."""


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


def compile_part(part: str) -> None:
    """Compile a part in this process, and note what is kept from now on."""
    if hasattr(os, "nice"):  # the server and the browser come first
        os.nice(10)
    for mark in marks_of(part):
        _compile(part, mark)
        keep_mark(mark)
    keep_mark(part)


def _compile(part: str, mark: str) -> None:
    """Run what a mark stands for."""
    first = (QUICK_SMOOTHER, DEFAULT_SMOOTHER)
    if part == "growing":
        warm_up((mark,), ("mle",))
    elif mark == TABLES:
        warm_up(("nb",), first)
    else:
        warm_up((Stump(),) if mark in first else (Stump(), "nb"), (mark,))


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
