"""Time predictions for 1,000,000 rows against scikit-learn's decision tree.

Usage::

    python benchmarks/bench_predict.py [--rows 1000000] [--rounds 5]

Both trees are grown from the same 20,000 rows; kernels are compiled before anything is timed.
The two sides take turns, so that both see the same machine; the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from probtrees.experiment.grown_model import grow_model
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema

SHAPES = ((10, 2), (30, 5), (20, 10))
TRAINING_ROWS = 20_000


def make_rows(n_rows: int, n_columns: int, n_classes: int) -> Dataset:
    random = np.random.default_rng(0)
    x = random.normal(size=(n_rows, n_columns))
    noisy = (x[:, 0] + x[:, 1] * x[:, 2] + random.normal(size=n_rows)) * 1.5
    y = np.clip(noisy, 0, n_classes - 1).astype(int)
    columns = [Column(f"x{number}") for number in range(n_columns)]
    classes = tuple(str(label) for label in range(n_classes))
    return Dataset(Schema((*columns, Column("y", classes))), np.column_stack([x, y]))


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print(f"{'columns':>8}{'classes':>8}{'nodes':>8}{'ours s':>9}{'sklearn s':>11}{'ratio':>8}")
    ratios = []
    for n_columns, n_classes in SHAPES:
        data = make_rows(given.rows, n_columns, n_classes)
        train = data.take(np.arange(min(TRAINING_ROWS, given.rows)))
        model = grow_model(train, "c45").smooth("laplace")
        peer = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
        peer.fit(train.values[:, :-1], train.labels)
        features = np.ascontiguousarray(data.values[:, :-1])
        predict_proba(model, train)
        ours = theirs = np.inf
        for _ in range(given.rounds):
            ours = min(ours, seconds(lambda m=model, d=data: predict_proba(m, d)))
            theirs = min(theirs, seconds(lambda p=peer, f=features: p.predict_proba(f)))
        ratios.append(ours / theirs)
        nodes = model.tree.tree.n_nodes
        print(f"{n_columns:8}{n_classes:8}{nodes:8}{ours:9.3f}{theirs:11.3f}{ratios[-1]:8.2f}")
    print(f"geometric mean of the ratios: {np.exp(np.mean(np.log(ratios))):.2f}")


if __name__ == "__main__":
    main()
