"""Time shaped trees and councils beside a soft tree and an explainable boosting machine.

Usage::

    python benchmarks/bench_shaped.py [--rows 1000] [--rounds 3] [--out FILE.csv] [METHOD ...]

Tables of 20 numbers with two and with five classes. Everything is compiled on another table
first; methods take turns, so that all see the same machine, and the best of the rounds counts.
Seconds are processor time: of a fit with all inner choices, and of predicting 20,000 other rows.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from bench_predict import make_rows
from papers.peers import ExplainableBoosting

from probtrees.experiment.grown_model import grow_model
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Dataset

N_COLUMNS = 20
CLASSES = (2, 5)
NEW_ROWS = 20_000
FIELDS = ("rows", "columns", "classes", "method", "fit_seconds", "predict_seconds")
Answer = Callable[[Dataset], np.ndarray]
Fit = Callable[[Dataset], Answer]


def ours(learner: str, **settings: Any) -> Fit:
    def fit(train: Dataset) -> Answer:
        model = grow_model(train, learner, **settings).smooth("blend")
        return lambda rows: predict_proba(model, rows)

    return fit


METHODS: dict[str, Fit] = {
    "shaped tree": ours("shaped-tree"),
    "council": ours("council"),
    "soft tree": ours("c45", routing="soft"),
    "EBM": lambda train: ExplainableBoosting().fit(train).predict_proba,
}


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def measure(fit: Fit, train: Dataset, rows: Dataset) -> tuple[float, float]:
    fitting, answer = seconds(lambda: fit(train))
    return fitting, seconds(lambda: answer(rows))[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", help=f"Of {', '.join(METHODS)}; all by default.")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/shaped_times.csv"))
    given = parser.parse_intermixed_args()
    methods = given.methods or list(METHODS)
    lines = []
    for n_classes in CLASSES:
        data = make_rows(given.rows + NEW_ROWS, N_COLUMNS, n_classes)
        train = data.take(np.arange(given.rows))
        new = data.take(np.arange(given.rows, data.n_rows))
        for method in methods:
            measure(METHODS[method], train.take(np.arange(100)), new.take(np.arange(10)))
        found = {
            method: np.min(rounds, axis=0)
            for method, rounds in _in_turns(methods, given.rounds, train, new).items()
        }
        for method, (fitting, predicting) in found.items():
            print(f"{n_classes} classes {method:12} {fitting:7.2f} s, {predicting:6.3f} s")
            size = (given.rows, N_COLUMNS, n_classes, method)
            lines.append((*size, round(fitting, 3), round(predicting, 4)))
    with given.out.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([FIELDS, *lines])


def _in_turns(
    methods: list[str], n_rounds: int, train: Dataset, new: Dataset
) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {method: [] for method in methods}
    for _ in range(n_rounds):
        for method in methods:
            found[method].append(measure(METHODS[method], train, new))
    return found


if __name__ == "__main__":
    main()
