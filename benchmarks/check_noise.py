"""Check on noise that unseen means unseen: fresh rows fare as the evidence says they will.

    python benchmarks/check_noise.py [--rows 300] [--seeds 5] [--out FILE.csv] [--learners NAME ...]

The columns know nothing about the class, so a model that judges itself by rows it has seen
promises much and keeps nothing. Every learner is combined with every smoother that chooses its
settings by held-out rows, and with tables whose rows are weighted or repeated:

- Brier score on fresh rows, as a ratio to the same model learnt without weights: at most 1.05;
- the track record at the forecasts that fresh rows get: the share of fresh rows whose true rate,
  that of all fresh rows given a similar number, lies in the record's 90 % interval.

Every line is added to the file as soon as it is measured; lines that are there are not measured
again.
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

import probtrees
from probtrees.experiment.registry import LEARNERS, SMOOTHERS, make_smoother
from probtrees.score.measures import evaluate
from probtrees.table.dataset import Column, Dataset, Schema

TABLES = ("plain", "all 2", "all 3", "rare 3", "twice")
COLUMNS = ("learner", "smoother", "table", "seed", "rows", "brier", "base_rate_brier", "covered")
RARE = 0.3
N_COLUMNS, N_FRESH = 10, 4000


def noise(n_rows: int, seed: int) -> Dataset:
    """Draw numeric columns and a class that depends on none of them."""
    random = np.random.default_rng(seed)
    columns = (*(Column(f"x{i}") for i in range(N_COLUMNS)), Column("y", ("no", "yes")))
    labels = random.random(n_rows) < RARE
    return Dataset(
        Schema(columns), np.column_stack([random.normal(size=(n_rows, N_COLUMNS)), labels])
    )


def weighted(data: Dataset, table: str) -> Dataset:
    """Weight or repeat the rows of a table."""
    if table == "twice":
        return data.take(np.tile(np.arange(data.n_rows), 2))
    if table == "plain":
        return data
    weight = float(table.split()[1])
    is_heavy = data.labels == 1 if table.startswith("rare") else np.ones(data.n_rows, dtype=bool)
    return replace(data, weights=np.where(is_heavy, weight, 1.0))


def measure(learner: str, smoother: str, table: str, seed: int, n_rows: int) -> dict[str, object]:
    """Learn from noise and judge by fresh rows, which have the weights of their class."""
    train = weighted(noise(n_rows, seed), table)
    fresh = noise(N_FRESH, 10_000 + seed)
    if table.startswith("rare"):
        fresh = weighted(fresh, table)
    model = probtrees.fit(train, learner, smoother, seed=seed)
    proba = model.predict_proba(fresh)
    rate = np.average(fresh.labels == 1, weights=fresh.row_weights)
    return {
        "learner": learner,
        "smoother": smoother,
        "table": table,
        "seed": seed,
        "rows": n_rows,
        "brier": evaluate(proba, fresh.labels, weights=fresh.weights).brier,
        "base_rate_brier": 2 * rate * (1 - rate),
        "covered": coverage(model, proba[:, 1], fresh),
    }


def coverage(model: probtrees.model.model.Model, forecasts: np.ndarray, fresh: Dataset) -> float:
    """Return the share of fresh rows whose rate lies in the interval of the track record."""
    hits = total = 0.0
    for forecast in np.quantile(forecasts, np.linspace(0.025, 0.975, 20)):
        similar = model.track_record.lookup(float(forecast), outcome=1)
        inside = (forecasts >= similar.low) & (forecasts <= similar.high)
        if not inside.any():
            continue
        rate = np.average(fresh.labels[inside] == 1, weights=fresh.row_weights[inside])
        hits += similar.lower <= rate <= similar.upper
        total += 1
    return hits / total if total else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/noise.csv"))
    parser.add_argument("--learners", nargs="*", default=list(LEARNERS))
    args = parser.parse_args()
    rows = list(csv.DictReader(args.out.open())) if args.out.exists() else []
    known = {tuple(row[name] for name in COLUMNS[:5]) for row in rows}
    smoothers = [name for name in SMOOTHERS if make_smoother(name).needs_evidence]
    with args.out.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if not rows:
            writer.writeheader()
        for seed, learner, smoother, table in product(
            range(args.seeds), args.learners, smoothers, TABLES
        ):
            if (learner, smoother, table, str(seed), str(args.rows)) in known:
                continue
            row = measure(learner, smoother, table, seed, args.rows)
            writer.writerow(row)
            file.flush()
            rows.append({name: str(value) for name, value in row.items()})
    show(rows)


def show(rows: list[dict[str, str]]) -> None:
    """Print the mean ratio to the plain table, and how often the record holds."""
    for learner, smoother in dict.fromkeys((row["learner"], row["smoother"]) for row in rows):
        line = [f"{learner:8} {smoother:10}"]
        of_model = [row for row in rows if (row["learner"], row["smoother"]) == (learner, smoother)]
        of_table = {table: [row for row in of_model if row["table"] == table] for table in TABLES}
        plain = _mean_skill(of_table["plain"])
        for table, found in of_table.items():
            if found:
                covered = np.mean([float(r["covered"]) for r in found])
                line.append(f"{table}: {_mean_skill(found) / plain:.3f} ({covered:.0%})")
        print("  ".join(line))


def _mean_skill(rows: list[dict[str, str]]) -> float:
    """Average the Brier score in units of that of the base rate, which weights change."""
    return float(np.mean([float(row["brier"]) / float(row["base_rate_brier"]) for row in rows]))


if __name__ == "__main__":
    main()
