"""Measure readable models beside forests, boosting and logistic regression, on the same folds.

Usage::

    python benchmarks/check_frontier.py DATA_DIR REFERENCE_DIR [--out FILE.csv]
                                        [--methods "shaped tree,forest of 100"] [--given-folds]
                                        [--minutes 60] [NAME ...]

DATA_DIR holds the data sets as ``NAME.arff``; REFERENCE_DIR holds ``folds/NAME.csv``, which names
the sets: all of at most 60,000 rows and 26 classes. Ten folds keep identical rows together;
``--given-folds`` takes those of the papers, which deal them out. Methods that are tuned, and EBM,
run on 40 sets drawn with a fixed seed. A method that fails on a set, or needs more than
``--minutes`` of processor time there, has no figures and counts as last.

The smallest sets come first, every method of a set in turn; rows of FILE.csv are kept, so that a
run goes on where the last one stopped. Seconds are processor time of all ten fits and answers.
Printed at the end, for the sets that all methods were asked, without and with CatBoost, which takes
longest: mean RMSE, log loss and AUC, mean rank with Nemenyi's critical difference, wins and losses
against CatBoost, or XGBoost, and how probable it is that the RMSE is practically lower, equal or
higher (within 1 %).
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from check_smoothers import n_rows_in
from papers.peers import (
    CatBoost,
    ExplainableBoosting,
    HistogramBoosting,
    LogisticRegression,
    RandomForest,
    Tuned,
    XGBoost,
)

from probtrees.experiment.council import COUNCILLORS
from probtrees.experiment.grown_model import grow_model
from probtrees.model.predict import predict_proba
from probtrees.score.measures import evaluate
from probtrees.score.paired_test import win_draw_loss
from probtrees.score.rank_test import critical_difference, friedman
from probtrees.smooth.log_linear.hls import HLS
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset
from probtrees.table.folds import FoldPlan, Folds, read_cuts
from probtrees.table.read_table import read_table

FIGURES = ("rmse", "error", "log_loss", "auc")
RIVAL = "CatBoost"
MOST_ROWS, MOST_CLASSES, N_DRAWN = 60_000, 26, 40
PRACTICALLY = 0.01
"""RMSEs that differ by a smaller share are called practically equal."""

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
    "C4.5 with HGS": ours("c45", "hgs", **SPLIT),
    "soft blend": ours("c45", "blend", routing="soft", **SPLIT),
    "forest of 100": peer(RandomForest, n_trees=100),
    "forest of 500": peer(RandomForest, n_trees=500),
    "logistic regression with splines": peer(LogisticRegression, n_knots=5),
    "XGBoost": peer(XGBoost),
    RIVAL: peer(CatBoost),
    "histogram boosting": peer(HistogramBoosting),
}

ON_DRAWN: dict[str, Answer] = {
    "XGBoost tuned": peer(Tuned, name="xgboost"),
    "CatBoost tuned": peer(Tuned, name="catboost"),
    "histogram boosting tuned": peer(Tuned, name="histogram-boosting"),
    "EBM": peer(ExplainableBoosting),
}
"""Measured on the sets that are drawn."""

BY_NAME: dict[str, Answer] = {
    "shapes without the tree": ours("shaped-tree", options={"missing": "fraction", "max_depth": 0}),
    "logistic regression": peer(LogisticRegression),
    "blend": ours("c45", "blend", **SPLIT),
    "hls as published": ours("c45", HLS(fit="published"), **SPLIT),
    "hls": ours("c45", "hls", **SPLIT),
    "soft hls": ours("c45", "hls", routing="soft", **SPLIT),
    "ctw": ours("c45", "ctw", **SPLIT),
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


def both_of_ours(train: Dataset, test: Dataset) -> dict[str, tuple[np.ndarray, float]]:
    """Ask the shaped tree, and the council it sits on; give the seconds each takes alone."""
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
    return found


def one(method: str, train: Dataset, test: Dataset) -> dict[str, tuple[np.ndarray, float]]:
    """Ask one method."""
    begun = time.process_time()
    said = (METHODS | ON_DRAWN | BY_NAME)[method](train, test)
    return {method: (said, time.process_time() - begun)}


def measure(path: Path, given_folds: Path | None, methods: list[str]) -> list[dict[str, object]]:
    """Cross-validate some methods on one set, sharing what they have in common."""
    data, folds = table_and_folds(path, given_folds)
    proba = {method: np.empty((data.n_rows, data.n_classes)) for method in methods}
    seconds = dict.fromkeys(methods, 0.0)
    for train, test in folds.splits():
        own, new = data.take(train), data.take(test)
        found = both_of_ours(own, new) if len(methods) == 2 else one(methods[0], own, new)
        for method, (said, took) in found.items():
            proba[method][test] = said
            seconds[method] += took
    return [row_of(path.stem, data, method, proba[method], seconds[method]) for method in methods]


def table_and_folds(path: Path, given_folds: Path | None) -> tuple[Dataset, Folds]:
    if given_folds is not None:
        data = read_table(path, repeats="apart")
        return data, read_cuts(given_folds / f"{path.stem}.csv", data)[0]
    data = read_table(path)
    return data, FoldPlan().cut_once(data)


def row_of(
    name: str, data: Dataset, method: str, proba: np.ndarray | None, seconds: float
) -> dict[str, object]:
    """Return a line of the file; without figures if the method has not answered."""
    figures: dict[str, object] = dict.fromkeys(FIGURES, "")
    if proba is not None:
        scores = evaluate(proba, data.labels)
        figures = {figure: getattr(scores, figure) for figure in FIGURES}
    about = {"name": name, "rows": data.n_rows, "classes": data.n_classes, "method": method}
    return {**about, **figures, "seconds": round(seconds, 2)}


def measure_within(
    minutes: float, path: Path, given_folds: Path | None, methods: list[str]
) -> list[dict[str, object]]:
    """Measure in a process of its own, so that one that fails or takes too long loses no other."""

    def work(end: multiprocessing.connection.Connection) -> None:
        most = int(60 * minutes)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        end.send(measure(path, given_folds, methods))

    mine, other = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=work, args=(other,))
    process.start()
    other.close()
    try:
        return mine.recv()
    except EOFError:  # it has ended without an answer
        data, _ = table_and_folds(path, given_folds)
        return [row_of(path.stem, data, method, None, 60 * minutes) for method in methods]
    finally:
        process.join()


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
        print(f"{row['name']:32}{row['method']:34}{row['rmse']!s:.6} {row['seconds']}", flush=True)


def report(rows: Iterable[dict[str, str]]) -> None:
    """Print the methods for the sets on which all were asked, the best first."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows:
        found.setdefault(row["method"], {})[row["name"]] = row
    as_they_come = [method for method in found if method not in ON_DRAWN]
    groups = [[method for method in as_they_come if method != RIVAL], as_they_come]
    if len(found) > len(as_they_come):
        groups.append(list(found))
    for methods in groups:
        names = sorted(set.intersection(*(set(found[method]) for method in methods)))
        if len(names) > 1:
            print_table(found, methods, names)


def print_table(
    found: dict[str, dict[str, dict[str, str]]], methods: list[str], names: list[str]
) -> None:
    table = {
        figure: np.array([[float(found[m][n][figure] or "nan") for m in methods] for n in names])
        for figure in (*FIGURES, "seconds")
    }
    against = RIVAL if RIVAL in methods else "XGBoost"
    answered = ~np.isnan(table["rmse"]).any(axis=1)
    tested = friedman(np.where(np.isnan(table["rmse"]), np.inf, table["rmse"]))
    print(
        f"{len(names)} data sets, means over the {int(answered.sum())} that all have answered; "
        f"Friedman p = {tested.p_chi_square:.2g}, critical difference of ranks "
        f"{critical_difference(tested):.2f}\n"
        f"| method | RMSE | log loss | AUC | 0-1 loss | rank | against {against} | lower, "
        "practically equal, higher | seconds |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    rival = table["rmse"][:, methods.index(against)]
    for at in np.argsort(tested.average_ranks):
        mine = table["rmse"][:, at]
        means = [
            table[figure][answered, at].mean() for figure in ("rmse", "log_loss", "auc", "error")
        ]
        shown = " | ".join(f"{mean:.4f}".removeprefix("0") for mean in means)
        sure = ", ".join(f"{100 * p:.0f} %" for p in practically(mine, rival))
        print(
            f"| {methods[at]} | {shown} | {tested.average_ranks[at]:.1f} | "
            f"{win_draw_loss(mine, rival).text} | {sure} | "
            f"{np.median(table['seconds'][:, at]):.1f} |"
        )


def practically(mine: np.ndarray, rival: np.ndarray) -> np.ndarray:
    """Return how probable it is that one is lower, practically equal or higher on most sets.

    The Bayesian sign test (Benavoli, Corani, Demsar and Zaffalon 2017, section 4.2): a Dirichlet
    posterior of the three shares, with one imagined set on which both are equal.
    """
    known = ~(np.isnan(mine) | np.isnan(rival))
    apart = mine[known] / rival[known] - 1
    equal = np.abs(apart) <= PRACTICALLY
    counts = np.array([(~equal & (apart < 0)).sum(), equal.sum() + 1, (~equal & (apart > 0)).sum()])
    drawn = np.random.default_rng(0).dirichlet(counts + 1e-9, 50_000)
    return np.bincount(drawn.argmax(axis=1), minlength=3) / len(drawn)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/frontier.csv"))
    parser.add_argument("--given-folds", action="store_true")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--methods", default=",".join(METHODS | ON_DRAWN))
    given = parser.parse_intermixed_args()
    folds = given.reference_dir / "folds"
    sizes = {path.stem: n_rows_in(path) for path in sorted(folds.glob("*.csv"))}
    fitting = sorted((n for n in sizes if sizes[n] <= MOST_ROWS), key=sizes.__getitem__)
    drawn = set(np.random.default_rng(0).choice(sorted(fitting), min(N_DRAWN, len(fitting)), False))
    done = {(row["name"], row["method"]) for row in read_rows(given.out)}
    for name in given.names or fitting:
        path = given.data_dir / f"{name}.arff"
        left = [
            method
            for method in given.methods.split(",")
            if (name, method) not in done and (method not in ON_DRAWN or name in drawn)
        ]
        if not left or read_table(path, repeats="apart").n_classes > MOST_CLASSES:
            continue
        ours_first = [left[:2], *([m] for m in left[2:])] if left[:2] == list(METHODS)[:2] else None
        for methods in ours_first or [[method] for method in left]:
            keep(
                given.out,
                measure_within(given.minutes, path, folds if given.given_folds else None, methods),
            )
    report(read_rows(given.out))


if __name__ == "__main__":
    main()
