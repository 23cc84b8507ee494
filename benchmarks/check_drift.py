"""How often `validate` marks a leaf whose rate doubled, and anything in a sound model.

A tree of 21 leaves is learnt from rows whose true rates are known, and held against 21 x 200 new
rows: once of the same people, once with the rate of one leaf doubled from
10 to 20 %, once with that of another halved from 20 to 10 %.

    python -m benchmarks.check_drift --out benchmarks/results/drift.csv

With ``--tables`` it counts how often the Compare page says that a comparison does not hold on a
second table: one of the same people, and one where the columns tell nothing any more.

    python -m benchmarks.check_drift --tables --runs 100 --out benchmarks/results/second_table.csv
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from benchmarks.check_verdict import METHODS, draw_rows
from probtrees.experiment.evaluation.cross_validate import compare
from probtrees.experiment.evaluation.verdict import MARGIN
from probtrees.experiment.fit import fit
from probtrees.experiment.model_spec import make_spec
from probtrees.experiment.validation.validate import validate
from probtrees.grow.c45 import C45
from probtrees.model.model import Model
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.folds import FoldPlan
from probtrees.ui.compare.another_table import answer_there, as_hold_out
from probtrees.ui.compare.comparison_plan import ComparisonPlan
from probtrees.ui.compare.comparison_run import ComparisonRun

Shape = tuple[int, float, int, int]
N_LEAVES = 21
NEW_ROWS = 200
DRIFTING, FROM, TO = 7, 0.1, 0.2
FALLING = 5
"""A leaf whose rate is halved: from 20 to 10 %."""
RATES = np.linspace(0.05, 0.65, N_LEAVES)
SECOND_TABLES: tuple[tuple[Shape, int], ...] = (
    ((300, 0.7, 3, 4), 300),
    ((300, 0.7, 3, 4), 2000),
    ((1500, 0.7, 3, 4), 300),
    ((1000, 0.5, 3, 8), 1000),
    ((200, 0.5, 4, 3), 100),
)
"""Rows, how much a column tells, columns, their values; and the rows of the second table."""


def people(rows_per_leaf: int, rates: np.ndarray, random: np.random.Generator) -> Dataset:
    """Draw rows of 21 kinds of people, each with a rate of its own."""
    kind = np.repeat(np.arange(N_LEAVES), rows_per_leaf)
    ill = random.random(len(kind)) < rates[kind]
    schema = Schema(
        (
            Column("kind", tuple(f"kind {number:02}" for number in range(N_LEAVES))),
            Column("ill", ("no", "yes")),
        )
    )
    return Dataset(schema, np.column_stack([kind, ill]).astype(np.float64), repeats="apart")


def marked(model: Model, rates: np.ndarray, random: np.random.Generator) -> list[str]:
    """Name the leaves that are marked on new rows."""
    new = people(NEW_ROWS, rates, random)
    return [group.rule for group in validate(model, new, outcome="yes").groups_off]


def measure(smoother: str, trained: int, n_runs: int, seed: int = 0) -> dict[str, object]:
    """Count, over many runs, marks of the leaf that changed and marks in a sound model."""
    random = np.random.default_rng(seed)
    sound = np.array(RATES)
    sound[DRIFTING] = FROM
    drifted = sound.copy()
    drifted[DRIFTING] = TO
    fallen = sound.copy()
    sound[FALLING], fallen[FALLING] = TO, FROM
    drifted[FALLING] = TO
    found = halved = false = 0
    for _ in range(n_runs):
        model = fit(people(trained, sound, random), C45(min_leaf=2), smoother)
        found += f"kind = kind {DRIFTING:02}" in marked(model, drifted, random)
        halved += f"kind = kind {FALLING:02}" in marked(model, fallen, random)
        false += bool(marked(model, sound, random))
    return {
        "smoother": smoother,
        "training_rows_per_leaf": trained,
        "new_rows_per_leaf": NEW_ROWS,
        "runs": n_runs,
        "doubled_leaf_marked": found / n_runs,
        "halved_leaf_marked": halved / n_runs,
        "anything_marked_in_sound_model": false / n_runs,
    }


def said_of(shape: Shape, n_new: int, seed: int, new_strength: float) -> str:
    """Compare methods on one table, and say whether that holds on another."""
    random = np.random.default_rng([seed, shape[0], n_new])
    data, new = draw_rows(random, shape), draw_rows(random, (n_new, new_strength, *shape[2:]))
    both, apart = as_hold_out(data, new, "new.csv")
    runs = []
    for rows, folds in ((data, [FoldPlan(10).cut_once(data, 0, 0)]), (both, apart)):
        plan = ComparisonPlan(("c45",), METHODS)
        results = compare(rows, make_spec("c45", {"min_leaf": 5}), METHODS, folds=folds)
        runs.append(ComparisonRun(plan, rows, folds, results, is_whole=True))
    return answer_there(runs[0], runs[1], MARGIN, SimpleNamespace(outcome=1, asked="yes"))[0]


def measure_tables(n_runs: int) -> Iterator[dict[str, object]]:
    """Count, over many pairs of tables, how often a comparison is said not to hold."""
    for shape, n_new in SECOND_TABLES:
        said = {
            name: sum("not hold" in said_of(shape, n_new, seed, by) for seed in range(n_runs))
            for name, by in (("same_people", shape[1]), ("columns_tell_nothing", 0.0))
        }
        sizes = {"rows": shape[0], "new_rows": n_new, "strength": shape[1], "runs": n_runs}
        yield sizes | {f"said_not_to_hold_{name}": n / n_runs for name, n in said.items()}


def main() -> None:
    """Measure every smoother at several sizes and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--smoothers", default="hgs,laplace,m-branch,m-estimate")
    parser.add_argument("--trained", default="200,1000,2000,5000")
    parser.add_argument("--tables", action="store_true")
    args = parser.parse_args()
    found: Iterator[dict[str, object]] = (
        measure(smoother, trained, args.runs)
        for smoother in args.smoothers.split(",")
        for trained in map(int, args.trained.split(","))
    )
    rows = []
    for row in measure_tables(args.runs) if args.tables else found:
        rows.append(row)
        print(row, flush=True)
    with args.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
