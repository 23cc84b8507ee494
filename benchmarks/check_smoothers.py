"""Measure hierarchical smoothers against HGS as published, and against a small forest.

Usage::

    python benchmarks/check_smoothers.py DATA_DIR REFERENCE_DIR [--out FILE.csv] [--jobs 2]
                                         [--rows 20000] [--repeats apart] [NAME ...]

DATA_DIR holds the data sets as ``NAME.arff``; REFERENCE_DIR holds ``folds/NAME.csv``. Every
data set of at most ``--rows`` rows is cross-validated on those folds, rows with missing values
split over branches. Random forests of 10 trees (scikit-learn, nominal columns one-hot) run on
the same folds, which deal identical rows out; so does the evidence unless ``--repeats`` says
otherwise. Rows of FILE.csv are kept: a run goes on where the last one stopped.

The table printed at the end has, for every method, the mean RMSE, how far it lies below HGS as
published, on how many data sets it is better and worse, the mean error, and the mean log loss
where neither it nor the base had to be clipped, beside the base's. The exit code is 1 if a
target is missed.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from papers.peers import RandomForest

from probtrees.experiment.grown_model import grow_model
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate
from probtrees.table.dataset import Dataset
from probtrees.table.folds import read_cuts
from probtrees.table.read_table import read_table
from probtrees.table.repeats import REPEATS, Repeats

SMOOTHERS = ("mle", "laplace", "m-branch", "hgs-published", "hgs", "shrinkage", "blend")
SOFT = ("hgs", "blend")
FOREST = "forest of 10"
BASE = "hgs-published"
FIELDS = ("name", "rows", "classes", "method", "rmse", "error", "log_loss", "clipped")


def answers(train: Dataset, test: Dataset) -> Iterator[tuple[str, np.ndarray]]:
    grown = grow_model(train, "c45", options={"missing": "fraction"})
    for name in SMOOTHERS:
        yield name, predict_proba(grown.smooth(name), test)
    soft = replace(grown, spec=replace(grown.spec, routing="soft"), gathering=grown.evidence)
    for name in SOFT:
        yield f"{name}, soft", predict_proba(soft.smooth(name), test)
    yield FOREST, RandomForest(n_trees=10).fit(train).predict_proba(test)


def measure(path: Path, folds_path: Path, repeats: Repeats) -> list[dict[str, object]]:
    data = read_table(path, repeats=repeats)
    proba: dict[str, np.ndarray] = {}
    for train_rows, test_rows in read_cuts(folds_path, data)[0].splits():
        for method, answer in answers(data.take(train_rows), data.take(test_rows)):
            shape = (data.n_rows, data.n_classes)
            proba.setdefault(method, np.empty(shape))[test_rows] = answer
    rows = []
    for method, p in proba.items():
        scores = evaluate(p, data.labels)
        true = p[np.arange(data.n_rows), data.labels]
        figures = (scores.rmse, scores.error, scores.log_loss, int((true < 1e-15).any()))
        start = (path.stem, data.n_rows, data.n_classes, method)
        rows.append(dict(zip(FIELDS, (*start, *figures), strict=True)))
    return rows


def n_rows_in(folds_path: Path) -> int:
    return folds_path.read_text(encoding="utf-8").count("\n") - 1


def report(rows: list[dict[str, str]]) -> bool:
    names = sorted({row["name"] for row in rows})
    by_method: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows:
        by_method.setdefault(row["method"], {})[row["name"]] = row

    def column(method: str, what: str) -> np.ndarray:
        return np.array([float(by_method[method][name][what]) for name in names])

    base = column(BASE, "rmse")
    header = ("rmse", "below", "better", "worse", "error", "log loss", "its base", "sets")
    print(f"{len(names)} data sets\n{'method':16}" + "".join(f"{word:>10}" for word in header))
    for method in by_method:
        rmse = column(method, "rmse")
        whole = (column(method, "clipped") + column(BASE, "clipped")) == 0
        log_loss = [
            column(m, "log_loss")[whole].sum() / max(whole.sum(), 1) for m in (method, BASE)
        ]
        print(
            f"{method:16}{rmse.mean():10.4f}{1 - rmse.mean() / base.mean():10.2%}"
            f"{(rmse < base).sum():10d}{(rmse > base).sum():10d}"
            f"{column(method, 'error').mean():10.4f}{log_loss[0]:10.4f}{log_loss[1]:10.4f}"
            f"{whole.sum():10d}"
        )
    blend, soft = column("blend", "rmse"), column("blend, soft", "rmse")
    forest = column(FOREST, "rmse")
    targets = {
        "blend at least 2.0 % below": blend.mean() <= 0.98 * base.mean(),
        "blend better on 75 % of the sets": (blend < base).mean() >= 0.75,
        "soft blend at least 3.5 % below": soft.mean() <= 0.965 * base.mean(),
        "soft blend at most 0.001 above the forest": soft.mean() <= forest.mean() + 0.001,
        "error of both not worse": max(column(m, "error").mean() for m in ("blend", "blend, soft"))
        <= column(BASE, "error").mean(),
    }
    for target, met in targets.items():
        print(f"{'met' if met else 'MISSED':8}{target}")
    return all(targets.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/smoothers.csv"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--repeats", choices=REPEATS, default="apart")
    given = parser.parse_intermixed_args()
    folds = given.reference_dir / "folds"
    sizes = {path.stem: n_rows_in(path) for path in folds.glob("*.csv")}
    names = given.names or sorted(
        (name for name, size in sizes.items() if size <= given.rows), key=sizes.__getitem__
    )
    done: list[dict[str, str]] = []
    if given.out.exists():
        with given.out.open(encoding="utf-8", newline="") as file:
            done = [row for row in csv.DictReader(file) if row["name"] in names]
    waiting = [name for name in names if name not in {row["name"] for row in done}]
    jobs = (
        delayed(measure)(given.data_dir / f"{name}.arff", folds / f"{name}.csv", given.repeats)
        for name in waiting
    )
    given.out.parent.mkdir(parents=True, exist_ok=True)
    for rows in Parallel(given.jobs, return_as="generator_unordered")(jobs):
        with given.out.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            if file.tell() == 0:
                writer.writeheader()
            writer.writerows(rows)
        print(
            f"{rows[0]['name']:32}", *(f"{r['method']} {r['rmse']:.4f}" for r in rows), flush=True
        )
        done += [{key: str(value) for key, value in row.items()} for row in rows]
    sys.exit(0 if report(done) else 1)


if __name__ == "__main__":
    main()
