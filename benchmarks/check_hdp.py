"""Measure HDP on trees against the reference program's HDP on the same folds.

Usage::

    python benchmarks/check_hdp.py DATA_DIR REFERENCE_DIR [--out FILE.csv]
                                   [--set OPTION=VALUE ...] [NAME ...]

DATA_DIR holds the data sets as ``NAME.arff``; REFERENCE_DIR holds ``folds/NAME.csv`` and
``trees.csv``, whose rows of method HDP give the RMSE to compare with. Every such data set is
cross-validated on those folds: rows with missing values split over branches, one concentration
for the whole tree, 1000 sweeps. Rows of FILE.csv are kept: a run goes on where the last one
stopped. The exit code is 1 if the mean RMSE lies more than 0.0005 above the reference's.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import make_smoother
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.folds import read_cuts
from probtrees.table.read_table import read_table

SLACK = 0.0005
FIELDS = ("name", "rmse", "error", "reference_rmse", "reference_error", "fewest_independent")


def measure(path: Path, folds_path: Path, smoother: Smoother) -> tuple[float, float, float]:
    data = read_table(path)
    proba = np.empty((data.n_rows, data.n_classes))
    fewest = np.inf
    for train_rows, test_rows in read_cuts(folds_path, data)[0].splits():
        grown = grow_model(data.take(train_rows), "c45", options={"missing": "fraction"})
        model = grown.smooth(smoother)
        sizes = model.members[0].trees[0].fitted.get("effective_sample_size", np.array([np.inf]))
        fewest = min(fewest, float(sizes.min()))
        proba[test_rows] = predict_proba(model, data.take(test_rows))
    scores = evaluate(proba, data.labels)
    return scores.rmse, scores.error, fewest


def read_rows(path: Path | None) -> list[dict[str, str]]:
    if path is None or not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    arguments = parser.parse_args()
    options = {"tying": "single", "n_iterations": "1000"}
    options.update(setting.split("=", 1) for setting in arguments.set)
    smoother = make_smoother("hdp", options)
    rows = read_rows(arguments.out)
    done = {row["name"] for row in rows}
    for reference in read_rows(arguments.reference_dir / "trees.csv"):
        name = reference["name"]
        wanted = not arguments.names or name in arguments.names
        if reference["method"] != "HDP" or name in done or not wanted:
            continue
        folds_path = arguments.reference_dir / "folds" / f"{name}.csv"
        found = measure(arguments.data_dir / f"{name}.arff", folds_path, smoother)
        values = (name, *found[:2], reference["rmse"], reference["err"], found[2])
        rows.append(dict(zip(FIELDS, map(str, values), strict=True)))
        print(f"{name:32} {found[0]:.4f}  reference {float(reference['rmse']):.4f}", flush=True)
        if arguments.out:
            with arguments.out.open("w", newline="") as file:
                writer = csv.DictWriter(file, FIELDS)
                writer.writeheader()
                writer.writerows(rows)
    ours = np.array([float(row["rmse"]) for row in rows])
    theirs = np.array([float(row["reference_rmse"]) for row in rows])
    print(f"{len(rows)} data sets: mean RMSE {ours.mean():.4f}, reference {theirs.mean():.4f}")
    print(f"lower on {(ours < theirs).sum()}, higher on {(ours > theirs).sum()}")
    return int(ours.mean() > theirs.mean() + SLACK)


if __name__ == "__main__":
    sys.exit(main())
