"""Measure models against truths that are known because they were made up.

Usage::

    python benchmarks/check_truth.py [--out benchmarks/results/truth.csv] [--repeats 3]

Tables of two classes, eight numbers and a nominal column; the log-odds of the second class
are additive (smooth curves), tree-like (three cuts that depend on each other), the sum of both,
or nothing at all. For every truth, number of rows and repeat a line of the file has the root of
the mean squared distance between a method's probability and the true one over 4,000 fresh rows,
the Brier score of these rows, and what the model's own held-out rows led to expect of it.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import held_out_proba
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema

ROWS = (200, 600, 2000)
TRUTHS = ("additive", "tree-like", "both", "noise")
METHODS = {
    "shaped tree": ("shaped-tree", {}),
    "shapes without the tree": ("shaped-tree", {"options": {"max_depth": 0}}),
    "blend, soft": ("c45", {"routing": "soft"}),
}
FIELDS = ("truth", "rows", "repeat", "method", "distance", "brier", "brier_expected")


def made_up(truth: str, n_rows: int, seed: int) -> tuple[Dataset, np.ndarray]:
    """Draw rows; return them with the true probability of the second class."""
    random = np.random.default_rng([seed, n_rows, TRUTHS.index(truth)])
    x, kind = random.normal(size=(n_rows, 8)), random.integers(0, 3, n_rows)
    curves = 1.5 * np.tanh(x[:, 0]) + x[:, 1] ** 2 - 1 + np.array([-0.5, 0.0, 0.5])[kind]
    cuts = np.where(x[:, 2] > 0, np.where(x[:, 3] > 0.5, 2.0, -1.0), np.where(kind == 0, 1.5, -1.5))
    log_odds = {"additive": curves, "tree-like": cuts, "both": curves + cuts, "noise": 0 * cuts}
    proba = 1 / (1 + np.exp(-log_odds[truth]))
    numbers = [Column(f"x{k}") for k in range(8)]
    schema = Schema((*numbers, Column("kind", ("a", "b", "c")), Column("y", ("no", "yes"))))
    happened = random.random(n_rows) < proba
    return Dataset(schema, np.column_stack([x, kind, happened]).astype(np.float64)), proba


def brier(proba: np.ndarray, labels: np.ndarray) -> float:
    return float(2 * ((proba[:, 1] - labels) ** 2).mean())


def measure(truth: str, n_rows: int, repeat: int) -> list[tuple[object, ...]]:
    data, _ = made_up(truth, n_rows, repeat)
    fresh, true = made_up(truth, 4000, 1000 + repeat)
    found: list[tuple[object, ...]] = []
    for method, (learner, settings) in METHODS.items():
        grown = grow_model(data, learner, **settings)
        model = grown.smooth("blend")
        proba, held_out = predict_proba(model, fresh), held_out_proba(grown, model)
        distance = float(np.sqrt(((proba[:, 1] - true) ** 2).mean()))
        figures = distance, brier(proba, fresh.labels), brier(held_out, grown.data.labels)
        found.append((truth, n_rows, repeat, method, *(f"{figure:.5f}" for figure in figures)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/truth.csv"))
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    with given.out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        for truth in TRUTHS:
            for n_rows in ROWS:
                for repeat in range(given.repeats):
                    writer.writerows(measure(truth, n_rows, repeat))
                file.flush()
                print(truth, n_rows, flush=True)


if __name__ == "__main__":
    main()
