"""HDP paper, fig. 6: how fast TAN and SKDB learn with HDP and with the m-estimate.

Usage::

    python benchmarks/papers/hdp_learning_curves.py DATA_DIR [NAME ...] [--out FILE.csv]

The paper draws curves for adult and connect-4. Data sets of DATA_DIR that are as large stand
in for them unless others are named. Each point is the RMSE of all rows under 2-fold
cross-validation, the model learned from a share of the other fold.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from probtrees.cli.parser import align
from probtrees.experiment.evaluation.cross_validate import score_tested
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec, make_spec, smoothers_for
from probtrees.model.predict import predict_proba
from probtrees.score.measures import Scores
from probtrees.table.dataset import Dataset
from probtrees.table.folds import FoldPlan, stratified_folds
from probtrees.table.read_table import read_table

NAMES = ("nursery", "letter-recog", "bank-marketing-full")
LEARNERS = {
    "TAN": ("tan", {}),
    "SKDB": ("skdb", {"k": 5, "selection": "leave-one-out"}),
}
SMOOTHERS = ("hdp", "m-estimate")
FRACTIONS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
FIELDS = ("dataset", "learner", "smoother", "training_rows", "rmse", "error")


class CurvePoint(NamedTuple):
    """What one smoother scores after learning from so many rows."""

    smoother: str
    n_rows: float
    scores: Scores


def learning_curve(data: Dataset, spec: ModelSpec) -> list[CurvePoint]:
    """Measure smoothers on models that learned from a growing share of the rows, by two folds.

    The test rows of a fold are the same for every share, and a larger share contains the
    smaller ones, so that neighbouring points differ by the added rows alone.
    """
    named, data = smoothers_for(spec, SMOOTHERS), data.copies_apart()
    random = np.random.default_rng([spec.seed, 2])
    proba = np.full((len(named), len(FRACTIONS), data.n_rows, data.n_classes), np.nan)
    n_rows = np.zeros(len(FRACTIONS))
    for train_rows, test_rows in FoldPlan(n_folds=2).cut_once(data, spec.seed).splits():
        train, test = data.take(train_rows), data.take(test_rows)
        n_slices = min(max(2, train.n_rows // 10), train.n_rows)
        order = np.argsort(stratified_folds(train.labels, n_slices, random), kind="stable")
        for i, fraction in enumerate(FRACTIONS):
            n_taken = min(train.n_rows, max(4, round(fraction * train.n_rows)))
            grown = grow_model(train.take(np.sort(order[:n_taken])), spec)
            n_rows[i] += n_taken / 2
            for j, smoother in enumerate(named):
                proba[j, i, test_rows] = predict_proba(grown.smooth(smoother), test)
    return [
        CurvePoint(name, size, score_tested(said, data))
        for (name, _), of_smoother in zip(named, proba, strict=True)
        for size, said in zip(n_rows.tolist(), of_smoother, strict=True)
    ]


def rows_of(name: str, learner: str, points: list[CurvePoint]) -> list[dict[str, object]]:
    return [
        dict(zip(FIELDS, (name, learner, p.smoother, round(p.n_rows), *figures), strict=True))
        for p in points
        for figures in [(p.scores.rmse, p.scores.error)]
    ]


def show(name: str, rows: list[dict[str, object]]) -> None:
    """Print a table per data set, and from how many rows on the m-estimate is ahead."""
    found = {(r["learner"], r["smoother"], r["training_rows"]): float(r["rmse"]) for r in rows}
    sizes = sorted({r["training_rows"] for r in rows})
    header = [f"{learner}, {smoother}" for learner in LEARNERS for smoother in SMOOTHERS]
    lines = [[name, *header]]
    for size in sizes:
        keys = [(learner, smoother, size) for learner in LEARNERS for smoother in SMOOTHERS]
        lines.append([f"{size:,} rows", *(f"{found[key]:.4f}" for key in keys)])
    print("\n" + "\n".join(align(lines)))
    for learner in LEARNERS:
        gaps = [found[learner, "m-estimate", n] - found[learner, "hdp", n] for n in sizes]
        ahead = [f"{n:,}" for n, gap in zip(sizes, gaps, strict=True) if gap < 0]
        words = f"the m-estimate is ahead at {', '.join(ahead)} rows" if ahead else "HDP leads"
        print(f"{learner}: HDP's lead goes from {gaps[0]:.4f} to {gaps[-1]:.4f}; {words}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path)
    given = parser.parse_intermixed_args()
    rows = []
    for name in given.names or NAMES:
        data = read_table(given.data_dir / f"{name}.arff")
        own = []
        for learner, (registered, options) in LEARNERS.items():
            recipe = make_spec(registered, options)
            points = learning_curve(data, recipe)
            own += rows_of(name, learner, points)
        show(name, own)
        rows += own
    print(
        "\nPaper, in words: HDP learns faster; for SKDB it leads all the way while the lead gets "
        "smaller; for TAN on adult the m-estimate overtakes it after 10,000 rows."
    )
    if given.out is not None:
        with given.out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
