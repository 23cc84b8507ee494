"""Fit a shaped tree to many rows, columns and classes once: time, memory, progress.

Usage::

    python benchmarks/bench_many_classes.py [--rows 20000] [--columns 100] [--classes 26]
                                            [--model shaped-tree] [--out FILE.csv] [TABLE]

Ten of the columns, and a product of two, tell the classes apart; of a TABLE that is given nine
tenths are fitted. Seconds are processor time, those of a forest of 100 beside them in the same run;
the longest wait is the most of it between two reports of progress, beyond which a cancel never
waits. Memory is the largest the process ever had, above what it had with the table read.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import numpy as np
from check_frontier import add_rows
from papers.peers import RandomForest

from probtrees.experiment.grown_model import grow_model
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.read_table import read_table


def make_table(n_rows: int, n_columns: int, n_classes: int, seed: int) -> Dataset:
    truth, random = np.random.default_rng(0), np.random.default_rng(seed)
    pull = truth.normal(size=(10, n_classes))
    more = truth.normal(size=n_classes)
    x = random.normal(size=(n_rows, n_columns))
    scores = x[:, :10] @ pull + (x[:, 0] * x[:, 1])[:, None] * more
    y = (scores + random.gumbel(size=scores.shape)).argmax(axis=1)
    columns = [Column(f"x{number}") for number in range(n_columns)]
    classes = tuple(str(label) for label in range(n_classes))
    return Dataset(Schema((*columns, Column("y", classes))), np.column_stack([x, y]))


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Watch:
    """Notes when progress is reported, and prints it."""

    def __init__(self) -> None:
        self.reports, self.longest, self.last = 0, 0.0, time.process_time()

    def __call__(self, share: float, words: str) -> None:
        """Note a report."""
        now = time.process_time()
        self.longest = max(self.longest, now - self.last)
        self.reports, self.last = self.reports + 1, now
        print(f"{now:8.0f} s {share:5.0%} {words}", flush=True)


def measure(given: argparse.Namespace) -> dict[str, object]:
    if given.table is None:
        train = make_table(given.rows, given.columns, given.classes, 1)
        fresh = make_table(5000, given.columns, given.classes, 2)
    else:
        whole = read_table(given.table)
        is_new = np.random.default_rng(0).permutation(whole.n_rows) % 10 == 0
        train, fresh = whole.take(~is_new), whole.take(is_new)
    small = make_table(300, 10, 3, 3)
    grow_model(small, given.model).smooth("blend")  # compiles
    before, watch, start = megabytes(), Watch(), time.process_time()
    model = grow_model(train, given.model, progress=watch).smooth("blend", progress=watch)
    fitting = time.process_time() - start
    watch(1.0, "fitted")
    start = time.process_time()
    proba = predict_proba(model, fresh)
    asking = time.process_time() - start
    scores = evaluate(proba, fresh.labels)
    start = time.process_time()
    RandomForest(n_trees=100).fit(train)
    forest = time.process_time() - start
    rates = np.bincount(train.labels, minlength=train.n_classes) / train.n_rows
    base = evaluate(np.tile(rates, (fresh.n_rows, 1)), fresh.labels)
    return {
        "table": "made up" if given.table is None else given.table.stem,
        "rows": train.n_rows,
        "columns": len(train.schema.features),
        "classes": train.n_classes,
        "model": given.model,
        "fit_seconds": round(fitting, 1),
        "forest_seconds": round(forest, 1),
        "predict_seconds": round(asking, 2),
        "megabytes": round(megabytes() - before),
        "reports": watch.reports,
        "longest_wait": round(watch.longest, 1),
        "rmse": round(scores.rmse, 4),
        "rmse_of_base_rates": round(base.rmse, 4),
        "error": round(scores.error, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path, nargs="?")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--classes", type=int, default=26)
    parser.add_argument("--model", default="shaped-tree")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/many_classes.csv"))
    given = parser.parse_args()
    found = measure(given)
    add_rows(given.out, [found])
    print(found)


if __name__ == "__main__":
    main()
