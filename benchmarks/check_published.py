"""Compare cross-validated RMSE and error with published figures, data set by data set.

Usage::

    python benchmarks/check_published.py DATA_DIR REFERENCE_DIR [--table FILE.md] [NAME ...]

DATA_DIR holds the data sets as ``NAME.arff``; REFERENCE_DIR holds ``trees.csv`` (name, method,
rmse, err) and ``folds/NAME.csv``. Two runs: with every habit of the program behind the
published tables, where each figure must agree to 4 decimals, and without them, where only
data sets with missing values, empty branches or other thresholds may differ. ``--table``
writes the latter down as Markdown. The exit code is 1 if a figure differs without a reason.
"""

from __future__ import annotations

import argparse
import csv
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.model_spec import make_spec
from probtrees.experiment.registry import make_smoother
from probtrees.model.predict import predict_proba
from probtrees.model.routing import find_leaves
from probtrees.score.measures import evaluate
from probtrees.table.dataset import Dataset
from probtrees.table.folds import read_cuts
from probtrees.table.read_table import read_table

METHODS = {
    "mle": ("MLE", "MLE"),
    "laplace": ("LAP", "LAP"),
    "m-estimate": ("MEST", "MEST"),
    "m-branch": ("MB4bug", "MB4"),
    "hgs-published": ("HGS", "HGS"),
}
"""Our smoother: the method it equals with the program's habits, and without them."""

DECIMALS = 4


@dataclass
class Outcome:
    """What one data set gave.

    Attributes
    ----------
    missing : cells without a value
    empty : share of test rows (by weight) that end in a branch no training row took
    moved : test rows that end in another leaf because the program rounds thresholds otherwise
    wrong : figures that differ from the published ones with the program's habits
    apart : by smoother, our RMSE minus the published one without those habits
    """

    name: str
    missing: int
    empty: float
    moved: int
    wrong: list[str] = field(default_factory=list)
    apart: dict[str, float] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """Why our answers may differ from the published ones."""
        words = ["missing values"] * (self.missing > 0) + ["empty branches"] * (self.empty > 0)
        words += [f"thresholds (rows moved: {self.moved})"] * (self.moved > 0)
        return ", ".join(words)


def compare_dataset(data: Dataset, folds_file: Path, published: dict[str, tuple]) -> Outcome:
    recipes = {
        habits: make_spec("c45", {"missing": "fraction"}, as_published=habits)
        for habits in (True, False)
    }
    proba = {
        (smoother, habits): np.empty((data.n_rows, data.n_classes))
        for smoother in METHODS
        for habits in recipes
    }
    empty, moved = 0.0, 0
    for train, test in read_cuts(folds_file, data)[0].splits():
        rows = data.take(test)
        grown = {habits: grow_model(data.take(train), recipes[habits]) for habits in recipes}
        empty += weight_in_empty_branches(grown[False], rows)
        moved += rows_routed_otherwise(grown, rows)
        for (smoother, habits), answers in proba.items():
            answers[test] = predict_proba(grown[habits].smooth(make_smoother(smoother)), rows)
    missing = int(np.isnan(data.values[:, :-1]).sum())
    outcome = Outcome(data.name, missing, empty / data.n_rows, moved)
    for (smoother, habits), answers in proba.items():
        method = METHODS[smoother][0 if habits else 1]
        if method not in published:
            continue
        scores = evaluate(answers, data.labels)
        rmse, error = published[method]
        equal = all(
            round(ours, DECIMALS) == round(theirs, DECIMALS) or abs(ours - theirs) < 1e-9
            for ours, theirs in ((scores.rmse, rmse), (scores.error, error))
        )
        if equal:
            continue
        if habits:
            outcome.wrong.append(
                f"{method} rmse {scores.rmse:.6f} instead of {rmse:.6f}, "
                f"error {scores.error:.6f} instead of {error:.6f}"
            )
        else:
            outcome.apart[smoother] = scores.rmse - rmse
    return outcome


def weight_in_empty_branches(grown: GrownModel, rows: Dataset) -> float:
    (tree,) = grown.trees
    landing = find_leaves(tree, rows.values, rows.schema.n_values)
    return float(landing.shares[tree.totals[landing.nodes] == 0].sum())


def rows_routed_otherwise(grown: dict[bool, GrownModel], rows: Dataset) -> int:
    """Count the rows that land elsewhere in the tree with the program's thresholds."""
    landings = [find_leaves(g.trees[0], rows.values, rows.schema.n_values) for g in grown.values()]
    first, second = landings
    if not np.array_equal(first.first, second.first):
        return int((np.diff(first.first) != np.diff(second.first)).sum())
    apart = np.flatnonzero(first.nodes != second.nodes)
    return len(np.unique(np.searchsorted(first.first, apart, side="right")))


def read_published(path: Path) -> dict[str, dict[str, tuple[float, float]]]:
    published: dict[str, dict[str, tuple[float, float]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["rmse"]:
                figures = (float(row["rmse"]), float(row["err"]))
                published.setdefault(row["name"], {})[row["method"]] = figures
    return published


def write_table(path: Path, outcomes: list[Outcome]) -> None:
    """Write which data sets differ without the program's habits, by how much, and why."""
    lines = [
        f"| data set | reason | rows in empty branches | {' | '.join(METHODS)} |",
        "|---|---|---|" + "---|" * len(METHODS),
    ]
    for outcome in sorted(outcomes, key=lambda outcome: outcome.name):
        if outcome.apart:
            cells = [
                f"{outcome.apart[name]:+.4f}" if name in outcome.apart else "=" for name in METHODS
            ]
            lines.append(
                f"| {outcome.name} | {outcome.reason} | {outcome.empty:.1%} | {' | '.join(cells)} |"
            )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--table", type=Path)
    given = parser.parse_intermixed_args()
    published = read_published(given.reference_dir / "trees.csv")
    outcomes = []
    for name in given.names or sorted(published):
        data = read_table(given.data_dir / f"{name}.arff")
        folds_file = given.reference_dir / "folds" / f"{name}.csv"
        outcome = compare_dataset(data, folds_file, published[name])
        outcomes.append(outcome)
        words = "; ".join(outcome.wrong) or "as published"
        if outcome.apart:
            words += f"; without the habits {', '.join(outcome.apart)} differ"
            words += f" ({outcome.reason or 'NO REASON'})"
        print(f"{name}: {words}", flush=True)
    if given.table is not None:
        write_table(given.table, outcomes)
    unlike = [o.name for o in outcomes if o.wrong]
    unexplained = [o.name for o in outcomes if o.apart and not o.reason]
    apart = sum(bool(o.apart) for o in outcomes)
    print(
        f"{len(outcomes)} data sets: {len(unlike)} not as published, {apart} differ without the "
        f"program's habits, {len(unexplained)} of them without a reason {unlike + unexplained}"
    )
    return 1 if unlike or unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
