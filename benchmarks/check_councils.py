"""Measure councils with TAN, SKDB or ESKDB, with all of them or a forest, on the same folds.

Usage::

    python benchmarks/check_councils.py DATA_DIR REFERENCE_DIR NAME ... [--out FILE.csv]

DATA_DIR holds the data sets as ``NAME.arff``; REFERENCE_DIR holds ``folds/NAME.csv``. Every model
is fitted once a fold and sits on all councils that ask for it. Seconds are processor time of all
folds, of a council those of all its members; ``weights`` are their mean weights over the folds.
Rows of FILE.csv are kept.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from check_frontier import keep, read_rows, row_of

from probtrees.experiment.council import COUNCILLORS, Council, pool_weights
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import held_out_proba
from probtrees.model.predict import pooled, predict_proba
from probtrees.table.dataset import Dataset
from probtrees.table.folds import read_cuts
from probtrees.table.read_table import read_table

USUAL = ("shaped-tree", "soft-tree")
NETWORKS = ("tan", "skdb", "eskdb")
MEMBERS = (*USUAL, *NETWORKS, "forest")
COUNCILS = {
    "council": (*USUAL, "tan"),
    "council with SKDB": (*USUAL, "skdb"),
    "council with ESKDB": (*USUAL, "eskdb"),
    "council of all": (*USUAL, *NETWORKS),
    "council with forest": (*USUAL, "tan", "forest"),
    "council of ESKDB and shaped tree": ("shaped-tree", "eskdb"),
}


class Opinion(NamedTuple):
    """What a model says about rows held out inside training, about test rows, and its seconds."""

    rows: Dataset
    held_out: np.ndarray
    test: np.ndarray
    seconds: float


def opinion_of(name: str, train: Dataset, test: Dataset) -> Opinion:
    start = time.process_time()
    part = grow_model(train, Council(members=name, missing="fraction")).parts[0]
    model = part.smooth(COUNCILLORS[name][1])
    held_out = held_out_proba(part, model)
    said = predict_proba(model, test)
    return Opinion(part.data, held_out, said, time.process_time() - start)


def measure(path: Path, folds_path: Path) -> list[dict[str, object]]:
    data = read_table(path, repeats="apart")
    methods = {name: (name,) for name in MEMBERS} | COUNCILS
    proba = {method: np.empty((data.n_rows, data.n_classes)) for method in methods}
    seconds = dict.fromkeys(methods, 0.0)
    weights = {method: np.zeros(len(names)) for method, names in methods.items()}
    splits = list(read_cuts(folds_path, data)[0].splits())
    for train, test in splits:
        own, new = data.take(train), data.take(test)
        said = {name: opinion_of(name, own, new) for name in MEMBERS}
        for method, names in methods.items():
            seconds[method] += sum(said[name].seconds for name in names)
            if len(names) == 1:
                proba[method][test] = said[method].test
                continue
            loud = pool_weights([said[name].held_out for name in names], said[names[0]].rows)
            proba[method][test] = pooled([said[name].test for name in names], loud)
            weights[method] += loud / len(splits)
    found = []
    for method, names in methods.items():
        row = row_of(path.stem, data, method, proba[method], seconds[method])
        listed = zip(names, weights[method], strict=True)
        loud = "" if len(names) == 1 else " ".join(f"{name}={each:.3f}" for name, each in listed)
        found.append({**row, "weights": loud})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/councils.csv"))
    given = parser.parse_intermixed_args()
    done = {row["name"] for row in read_rows(given.out)}
    for name in given.names:
        if name not in done:
            folds = given.reference_dir / "folds" / f"{name}.csv"
            keep(given.out, measure(given.data_dir / f"{name}.arff", folds))


if __name__ == "__main__":
    main()
