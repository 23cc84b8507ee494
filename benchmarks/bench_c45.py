"""Time growing a C4.5 tree against scikit-learn's decision tree, both in one run.

Usage::

    python benchmarks/bench_c45.py DATA_DIR [--repeats 7] [--scaling] [NAME ...]

DATA_DIR holds the data sets as ``NAME.arff``. scikit-learn's
``DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)`` gets the same table as
float32, categories as their ordinal codes, and does not have to convert anything. Compiling is
timed apart; then the two take turns, and the fastest of the repeats counts.

``--scaling`` grows trees from made-up tables of 10^3 to 10^6 rows, and of 5 to 80 columns, and
prints the time per row, level and column.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from probtrees.grow.c45 import C45
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.read_table import read_table

DATA_SETS = (
    "letter-recog",
    "skin-segmentation",
    "bank-marketing-full",
    "spambase",
    "semeion",
    "eeg-eye-state",
    "nursery",
)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(data: Dataset, repeats: int) -> tuple[float, float]:
    """Return the fastest time of ours and of theirs."""
    features = data.values[:, :-1].astype(np.float32)
    labels = data.labels
    theirs = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    times = [
        (seconds(lambda: C45().grow(data)), seconds(lambda: theirs.fit(features, labels)))
        for _ in range(repeats)
    ]
    return min(ours for ours, _ in times), min(others for _, others in times)


def made_up_table(n_rows: int, n_columns: int, seed: int = 0) -> Dataset:
    """Numbers that are all different, and two classes with noise."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(n_rows, n_columns + 1))
    signal = values[:, 0] + np.abs(values[:, 1]) * values[:, 2]
    values[:, -1] = signal + 0.5 * values[:, -1] > 0.0
    columns = tuple(Column(f"x{number}") for number in range(n_columns))
    return Dataset(Schema((*columns, Column("class", ("no", "yes")))), values)


def report_scaling() -> None:
    print("\nrows x columns: seconds, nodes, and nanoseconds per row, column and log2(rows)")
    shapes = [(10**power, 10) for power in (3, 4, 5, 6)]
    shapes += [(20_000, n_columns) for n_columns in (5, 10, 20, 40, 80)]
    for n_rows, n_columns in shapes:
        data = made_up_table(n_rows, n_columns)
        tree = C45().grow(data)
        took = min(seconds(lambda data=data: C45().grow(data)) for _ in range(3))
        per_cell = took / (n_rows * n_columns * np.log2(n_rows)) * 1e9
        print(f"{n_rows:>8} x {n_columns:<3} {took:8.4f} s {tree.n_nodes:>8} {per_cell:7.2f} ns")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", default=DATA_SETS)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--scaling", action="store_true")
    arguments = parser.parse_args()
    ready = seconds(lambda: C45().grow(made_up_table(100, 3)))
    print(f"compiling or loading the kernels: {ready:.1f} s")
    ratios = []
    for name in arguments.names:
        data = read_table(arguments.data / f"{name}.arff")
        ours, theirs = compare(data, arguments.repeats)
        ratios.append(ours / theirs)
        print(f"{name:24} ours {ours:.4f} s, scikit-learn {theirs:.4f} s, ratio {ratios[-1]:.2f}")
    print(f"geometric mean of the ratios: {np.exp(np.mean(np.log(ratios))):.2f}")
    if arguments.scaling:
        report_scaling()


if __name__ == "__main__":
    main()
