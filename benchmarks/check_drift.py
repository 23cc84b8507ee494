"""How often `validate` marks a leaf whose rate doubled, and anything in a sound model.

A tree of 21 leaves is learnt from rows whose true rates are known, and held against 21 x 200 new
rows: once of the same people, once with the rate of one leaf doubled from
10 to 20 %, once with that of another halved from 20 to 10 %.

    python benchmarks/check_drift.py --out benchmarks/results/drift.csv
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np

from probtrees.experiment.fit import fit
from probtrees.experiment.validation.validate import validate
from probtrees.grow.c45 import C45
from probtrees.model.model import Model
from probtrees.table.dataset import Column, Dataset, Schema

N_LEAVES = 21
NEW_ROWS = 200
DRIFTING, FROM, TO = 7, 0.1, 0.2
FALLING = 5
"""A leaf whose rate is halved: from 20 to 10 %."""
RATES = np.linspace(0.05, 0.65, N_LEAVES)


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


def main() -> None:
    """Measure every smoother at several sizes and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--smoothers", default="hgs,laplace,m-branch,m-estimate")
    parser.add_argument("--trained", default="200,1000,2000,5000")
    args = parser.parse_args()
    rows = []
    for smoother in args.smoothers.split(","):
        for trained in map(int, args.trained.split(",")):
            rows.append(measure(smoother, trained, args.runs))
            print(rows[-1], flush=True)
    with args.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
