"""How long a comparison of 24 settings takes: 3 models x 8 smoothers, 10 folds, 6,000 rows.

Beside it a peer works on the same folds, so that runs on a busy machine, or of two releases, can
be compared by their ratio. Processor time; kernels are compiled before.

    python benchmarks/bench_compare.py --label now --out benchmarks/results/compare_time.csv
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from probtrees.experiment.evaluation.cross_validate import compare
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.folds import FoldPlan

MODELS = ("c45", "nb", "tan")
SMOOTHERS = ("mle", "laplace", "m-estimate", "m-branch", "hgs", "shrinkage", "hdp", "hgs-published")


def patients(n_rows: int) -> Dataset:
    """Draw rows with numbers, categories and a signal in some of them."""
    random = np.random.default_rng(18)
    numbers = random.normal(size=(n_rows, 5))
    kinds = random.integers(0, 4, size=(n_rows, 5)).astype(np.float64)
    score = numbers[:, 0] + (kinds[:, 0] == 2) - 0.7 * (kinds[:, 1] == 1) * numbers[:, 1]
    ill = (random.random(n_rows) < 1 / (1 + np.exp(1 - score))).astype(np.float64)
    columns = [Column(f"number {i}") for i in range(5)]
    columns += [Column(f"kind {i}", ("a", "b", "c", "d")) for i in range(5)]
    schema = Schema((*columns, Column("ill", ("no", "yes"))))
    return Dataset(schema, np.column_stack([numbers, kinds, ill]))


def ours(data: Dataset, n_folds: int) -> float:
    """Return the processor seconds of all settings."""
    start = time.process_time()
    for model in MODELS:
        compare(data, model, list(SMOOTHERS), folds=n_folds)
    return time.process_time() - start


def peer(data: Dataset, n_folds: int) -> float:
    """Return the processor seconds of eight fits of a method of others in every fold."""
    start = time.process_time()
    with threadpool_limits(1):
        for train, test in FoldPlan(n_folds=n_folds).cut_once(data).splits():
            for seed in range(len(SMOOTHERS)):
                fitted = HistGradientBoostingClassifier(random_state=seed)
                fitted.fit(data.values[train, :-1], data.labels[train])
                fitted.predict_proba(data.values[test, :-1])
    return time.process_time() - start


def main() -> None:
    """Measure both, and add a line to the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=6000)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--label", default="now")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    ours(patients(200), 2)
    data = patients(args.rows)
    row = {"label": args.label, "rows": args.rows, "folds": args.folds, "settings": 24}
    first = peer(data, args.folds)
    row["seconds"] = round(ours(data, args.folds), 2)
    row["peer_seconds"] = round((first + peer(data, args.folds)) / 2, 2)
    row["ratio"] = round(row["seconds"] / row["peer_seconds"], 4)
    print(row)
    is_new = not args.out.exists()
    with args.out.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        if is_new:
            writer.writeheader()
        writer.writerow(row)


if __name__ == "__main__":
    main()
