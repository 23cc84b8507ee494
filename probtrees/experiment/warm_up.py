"""Load or compile the kernels once, before anyone waits for them."""

from __future__ import annotations

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import SMOOTHERS
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema

_QUICK = {"hdp": {"n_iterations": 20}}
"""Options under which a smoother does all it does, only less often."""


def warm_up(learners: tuple[str, ...] = ("c45",), smoothers: tuple[str, ...] | None = None) -> None:
    """Run learners and smoothers on a tiny table, so that their kernels are ready.

    From the disk that takes a fraction of a second; compiled for the first time it takes
    several. The app calls it behind a message.

    Parameters
    ----------
    learners : registry names
    smoothers : registry names; all that are registered if None
    """
    data = _tiny_table()
    for learner in learners:
        grown = grow_model(data, learner)
        for smoother in SMOOTHERS if smoothers is None else smoothers:
            predict_proba(grown.smooth(smoother, _QUICK.get(smoother)), data)


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
