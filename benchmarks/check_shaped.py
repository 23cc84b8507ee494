"""Measure shaped trees beside forests, boosting and logistic regression on the same folds.

Usage::

    python benchmarks/check_shaped.py DATA_DIR REFERENCE_DIR [--out FILE.csv] [--rows 20000]
                                      [--methods "shaped tree,forest of 100"] [NAME ...]

DATA_DIR holds the data sets as ``NAME.arff``; REFERENCE_DIR holds ``folds/NAME.csv``. The
smallest sets come first, every method of a set in turn; rows of FILE.csv are kept, so that a run
goes on where the last one stopped. Processor seconds of a method are those of all ten fits and
predictions. The smoothers of one tree are measured by ``check_smoothers.py``, whose file is read
for the table printed at the end: for every method the mean RMSE over the sets that all methods have
answered, over the small and over the larger ones, its error, its mean rank, and on how many it is
better than, equal to and worse than a forest of 100.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from check_smoothers import n_rows_in
from papers.peers import (
    ExplainableBoosting,
    HistogramBoosting,
    LogisticRegression,
    RandomForest,
    XGBoost,
)
from scipy.stats import rankdata

from probtrees.experiment.council import COUNCILLORS
from probtrees.experiment.grown_model import grow_model
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate
from probtrees.smooth.log_linear.hls import HLS
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset
from probtrees.table.folds import read_folds
from probtrees.table.read_table import read_table

FIELDS = ("name", "rows", "classes", "method", "rmse", "error", "log_loss", "seconds")
RIVAL = "forest of 100"
SMALL = 500
"""Rows up to which a table counts as small where means are printed."""
Answer = Callable[[Dataset, Dataset], np.ndarray]


def ours(learner: str, smoother: str | Smoother = "hgs", **settings: object) -> Answer:
    def answer(train: Dataset, test: Dataset) -> np.ndarray:
        model = grow_model(train, learner, **settings).smooth(smoother)
        return predict_proba(model, test)

    return answer


def peer(kind: type, **options: object) -> Answer:
    return lambda train, test: kind(**options).fit(train).predict_proba(test)


SPLIT = {"options": {"missing": "fraction"}}

METHODS: dict[str, Answer] = {
    "shaped tree": ours("shaped-tree", **SPLIT),
    "council": ours("council", **SPLIT),
    "shapes without the tree": ours("shaped-tree", options={"missing": "fraction", "max_depth": 0}),
    RIVAL: peer(RandomForest, n_trees=100),
    "logistic regression": peer(LogisticRegression),
    "XGBoost": peer(XGBoost),
    "histogram boosting": peer(HistogramBoosting),
    "EBM": peer(ExplainableBoosting),
}

MORE_METHODS: dict[str, Answer] = {
    "blend": ours("c45", "blend", **SPLIT),
    "hls as published": ours("c45", HLS(fit="published"), **SPLIT),
    "hls": ours("c45", "hls", **SPLIT),
    "soft hls": ours("c45", "hls", routing="soft", **SPLIT),
    "ctw": ours("c45", "ctw", **SPLIT),
    "soft blend": ours("c45", "blend", routing="soft", **SPLIT),
    **{
        f"{name} + {method}": ours(learner, "blend", calibrate=method, **settings, **SPLIT)
        for name, learner, settings in (
            ("soft blend", "c45", {"routing": "soft"}),
            ("shaped tree", "shaped-tree", {}),
        )
        for method in ("platt", "isotonic", "venn-abers")
    },
    **{
        f"{learner} {smoother}": ours(learner, smoother)
        for learner in ("nb", "tan", "kdb", "skdb")
        for smoother in ("m-estimate", "hls", "ctw", "hdp")
    },
    **{
        f"{learner} hls as published": ours(learner, HLS(fit="published"))
        for learner in ("nb", "tan", "kdb", "skdb")
    },
}
"""Measured when asked for by name."""


TOGETHER = ("shaped tree", "council", "shapes without the tree")
"""Asked for in one run, they share what they have in common."""


def answers_together(train: Dataset, test: Dataset) -> dict[str, tuple[np.ndarray, float]]:
    """Return what each says, and its processor seconds if it had been alone."""
    begun = time.process_time()
    grown = grow_model(train, "council", **SPLIT)
    shaped = grown.parts[0].smooth("blend")
    found = {"shaped tree": (predict_proba(shaped, test), time.process_time() - begun)}
    others = [
        part.smooth(COUNCILLORS[name][1])
        for name, part in zip(grown.spec.learner.names[1:], grown.parts[1:], strict=True)
    ]
    council = grown.spec.learner.pool(grown, [shaped, *others])
    found["council"] = (predict_proba(council, test), time.process_time() - begun)
    begun = time.process_time()
    found[TOGETHER[2]] = (METHODS[TOGETHER[2]](train, test), time.process_time() - begun)
    return found


def measure_together(name: str, path: Path, folds_path: Path) -> list[dict[str, object]]:
    data = read_table(path, repeats="apart")
    proba = {method: np.empty((data.n_rows, data.n_classes)) for method in TOGETHER}
    seconds = dict.fromkeys(TOGETHER, 0.0)
    for train, test in read_folds(folds_path, data).splits():
        found = answers_together(data.take(train), data.take(test))
        for method, (said, took) in found.items():
            proba[method][test] = said
            seconds[method] += took
    return [row_of(name, data, method, proba[method], seconds[method]) for method in TOGETHER]


def measure(name: str, path: Path, folds_path: Path, method: str) -> dict[str, object]:
    data = read_table(path, repeats="apart")
    proba = np.empty((data.n_rows, data.n_classes))
    start = time.process_time()
    for train, test in read_folds(folds_path, data).splits():
        proba[test] = (METHODS | MORE_METHODS)[method](data.take(train), data.take(test))
    return row_of(name, data, method, proba, time.process_time() - start)


def row_of(
    name: str, data: Dataset, method: str, proba: np.ndarray, seconds: float
) -> dict[str, object]:
    scores = evaluate(proba, data.labels)
    figures = (scores.rmse, scores.error, scores.log_loss, round(seconds, 2))
    return dict(zip(FIELDS, (name, data.n_rows, data.n_classes, method, *figures), strict=True))


def read_rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def add_rows(path: Path, rows: list[dict[str, object]]) -> None:
    """Add rows to a file; a new one begins with their names."""
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        if file.tell() == 0:
            writer.writeheader()
        writer.writerows(rows)


def keep(path: Path, rows: list[dict[str, object]]) -> None:
    """Add rows to a file, and show them."""
    add_rows(path, rows)
    for row in rows:
        print(f"{row['name']:32}{row['method']:25}{row['rmse']:.4f} {row['seconds']}", flush=True)


def report(rows: Iterable[dict[str, str]]) -> None:
    """Print the methods that have answered every set of the rival, the best first."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows:
        found.setdefault(row["method"], {})[row["name"]] = row
    methods = [m for m in found if RIVAL in found and set(found[RIVAL]) <= set(found[m])]
    names = sorted(found.get(RIVAL, {}))
    if not names:
        return
    figures = {
        what: np.array([[float(found[m][n][what]) for m in methods] for n in names])
        for what in ("rmse", "error", "rows")
    }
    rmse, small = figures["rmse"], figures["rows"][:, 0] <= SMALL
    ranks = np.array([rankdata(row) for row in rmse]).mean(axis=0)
    rival = rmse[:, methods.index(RIVAL)]
    print(
        f"{len(names)} data sets, {int(small.sum())} of them of at most {SMALL} rows\n"
        f"| method | RMSE | small | larger | 0-1 loss | rank | against {RIVAL} |\n"
        "|---|---:|---:|---:|---:|---:|---:|"
    )
    for at in np.argsort(rmse.mean(axis=0)):
        mine = rmse[:, at]
        better, worse = int((mine < rival).sum()), int((mine > rival).sum())
        means = mine.mean(), mine[small].mean(), mine[~small].mean(), figures["error"][:, at].mean()
        shown = " | ".join(f"{mean:.4f}".removeprefix("0") for mean in means)
        print(
            f"| {methods[at]} | {shown} | {ranks[at]:.1f} | "
            f"{better}-{len(names) - better - worse}-{worse} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/shaped.csv"))
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--methods", default=",".join(METHODS))
    given = parser.parse_intermixed_args()
    folds = given.reference_dir / "folds"
    sizes = {path.stem: n_rows_in(path) for path in folds.glob("*.csv")}
    small = (name for name, size in sizes.items() if size <= given.rows)
    names = given.names or sorted(small, key=sizes.__getitem__)
    done = {(row["name"], row["method"]) for row in read_rows(given.out)}
    asked = given.methods.split(",")
    for name in names:
        path, folds_path = given.data_dir / f"{name}.arff", folds / f"{name}.csv"
        left = [method for method in asked if (name, method) not in done]
        if set(TOGETHER) <= set(left):
            keep(given.out, measure_together(name, path, folds_path))
            left = [method for method in left if method not in TOGETHER]
        for method in left:
            keep(given.out, [measure(name, path, folds_path, method)])
    smoothers = read_rows(Path(__file__).parent / "results" / "smoothers.csv")
    report([*read_rows(given.out), *smoothers])


if __name__ == "__main__":
    main()
