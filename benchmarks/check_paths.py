"""Measure what it changes to follow rows of a shaped tree into nodes they hardly reach.

Usage::

    python benchmarks/check_paths.py DATA_DIR REFERENCE_DIR NAME ... [--out FILE.csv]

DATA_DIR holds the data sets as ``NAME.arff``; REFERENCE_DIR holds ``folds/NAME.csv``. Every fold
is learnt twice: nodes reached with a weight below .001 are dropped, as the package does, and
below .0001. ``asked`` is the largest change of a probability where only the question is followed
further, ``learnt`` where the fit is too, with all its inner choices. Seconds are processor time
of all fits and answers of a data set; rows of FILE.csv are kept.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from check_frontier import SPLIT, add_rows, read_rows
from numba import njit

from probtrees.experiment.grown_model import grow_model
from probtrees.model import _predict_kernels as kernels
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate
from probtrees.table.dataset import Dataset
from probtrees.table.folds import read_cuts
from probtrees.table.read_table import read_table

USED, FURTHER = 1e-3, 1e-4
FIELDS = ("name", "rows", "classes", "rmse", "rmse_further", "asked", "learnt", "seconds",
          "seconds_further")  # fmt: skip


def steps_above(least: float) -> Any:
    """Compile the kernel of paths with another least weight, and keep it nowhere on disk."""
    kernels.SMALLEST_STEP = least
    return njit(nogil=True)(kernels.soft_steps.py_func)


STEPS = {least: steps_above(least) for least in (USED, FURTHER)}


def follow(least: float) -> None:
    """Use a least weight from now on; a kernel takes its constants when it is first called."""
    kernels.SMALLEST_STEP = least
    kernels.soft_steps = STEPS[least]


def answers(train: Dataset, test: Dataset, least: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Return what a model says about the test rows, the same followed further, and the seconds."""
    follow(least)
    start = time.process_time()
    model = grow_model(train, "shaped-tree", **SPLIT).smooth("blend")
    said = predict_proba(model, test)
    took = time.process_time() - start
    follow(FURTHER)
    return said, predict_proba(model, test), took


def measure(path: Path, folds_path: Path) -> dict[str, object]:
    data = read_table(path, repeats="apart")
    proba = {least: np.empty((data.n_rows, data.n_classes)) for least in STEPS}
    seconds = dict.fromkeys(STEPS, 0.0)
    asked = 0.0
    for train, test in read_cuts(folds_path, data)[0].splits():
        for least in STEPS:
            said, further, took = answers(data.take(train), data.take(test), least)
            proba[least][test] = said
            seconds[least] += took
            asked = max(asked, float(np.abs(further - said).max()))
    rmse = [evaluate(proba[least], data.labels).rmse for least in STEPS]
    learnt = float(np.abs(proba[USED] - proba[FURTHER]).max())
    took = [round(seconds[least], 2) for least in STEPS]
    figures = (path.stem, data.n_rows, data.n_classes, *rmse, asked, learnt, *took)
    return dict(zip(FIELDS, figures, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/paths.csv"))
    given = parser.parse_intermixed_args()
    # Compile on a table that does not count.
    first = given.data_dir / f"{given.names[0]}.arff"
    warm = read_table(first, repeats="apart")
    for least in STEPS:
        answers(warm, warm, least)
    done = {row["name"] for row in read_rows(given.out)}
    for name in given.names:
        if name not in done:
            found = measure(
                given.data_dir / f"{name}.arff", given.reference_dir / "folds" / f"{name}.csv"
            )
            add_rows(given.out, [found])
            print(found, flush=True)


if __name__ == "__main__":
    main()
