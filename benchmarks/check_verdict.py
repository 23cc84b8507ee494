"""Check that the verdict of a comparison tells the truth where the truth is known.

Tables are drawn from known chances. On each a tree is compared with several smoothers, and what
every one of them is worth, learnt from all rows but a fold, is measured on many new rows of the
same kind: whether intervals contain the true difference, whether a method said to be best with 80 %
is best on 80 % of the tables, whether a clear winner is named, a tie called a tie, noise noise.

    python -m benchmarks.check_verdict --tables 200

Adds a line per table to results/verdict.csv; a run that is interrupted goes on where it was.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from probtrees.experiment.evaluation.cross_validate import compare
from probtrees.experiment.evaluation.verdict import MARGIN, differences_of, find_verdict
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import make_spec
from probtrees.model.predict import predict_proba
from probtrees.score.metrics import base_rates, brier_losses
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.folds import FoldPlan

OUT = Path(__file__).parent / "results" / "verdict.csv"
METHODS = ("mle", "laplace", "m-branch", "m-estimate")
N_NEW = 20_000
"""New rows that tell what a method is worth."""
KINDS = {"winner": (1500, 0.5, 3, 8), "tie": (3000, 1.0, 2, 3), "noise": (400, 0.0, 3, 4)}
"""By kind: rows, how much a column tells, columns, and their values; "any" draws these, too."""


def draw_rows(random: np.random.Generator, shape: tuple[int, float, int, int]) -> Dataset:
    """Draw rows: every column adds to the log-odds, the later ones less."""
    n_rows, strength, n_columns, n_values = shape
    codes = random.integers(0, n_values, (n_rows, n_columns))
    weights = strength / (1 + np.arange(n_columns))
    log_odds = ((codes - (n_values - 1) / 2) * weights).sum(axis=1) - 0.5
    labels = random.random(n_rows) < 1 / (1 + np.exp(-log_odds))
    values = tuple(f"v{code}" for code in range(n_values))
    columns = [Column(f"x{n}", values) for n in range(n_columns)]
    schema = Schema((*columns, Column("y", ("no", "yes"))))
    return Dataset(schema, np.column_stack([codes, labels]).astype(np.float64), repeats=None)


def check_table(kind: str, seed: int) -> dict[str, Any]:
    """Compare methods on one table, and hold what is said against the truth."""
    random = np.random.default_rng([seed, len(kind)])
    shape = KINDS.get(kind)
    if shape is None:
        sizes = (int(10 ** random.uniform(2, 3.3)), random.uniform(0, 1.5))
        shape = (*sizes, int(random.integers(2, 6)), int(random.integers(2, 7)))
    data, new = draw_rows(random, shape), draw_rows(random, (N_NEW, *shape[1:]))
    cuts = [FoldPlan().cut_once(data, seed)]
    losses = []
    for train, _ in cuts[0].splits():
        part = data.take(train)
        grown = grow_model(part, make_spec("c45", {}))
        said = [predict_proba(grown.smooth(name), new) for name in METHODS]
        said.append(np.tile(base_rates(part.labels, 2, None), (N_NEW, 1)))
        losses.append([brier_losses(proba, new.labels).mean() for proba in said])
    *true, base = np.mean(losses, axis=0)
    true = np.array(true)
    results = compare(data, "c45", METHODS, folds=cuts)
    ask = differences_of(results, data, cuts)
    verdict = find_verdict({result.smoother: result for result in results}, ask)
    found = ask("brier", METHODS.index("laplace"))
    assert found is not None
    row: dict[str, Any] = {"kind": kind, "seed": seed, "rows": data.n_rows, "said": verdict.kind}
    row |= {"as_good": " ".join(verdict.as_good), "avoid": " ".join(verdict.avoid)}
    row["true_best"] = METHODS[int(true.argmin())]
    row["base gap"] = round((base - true.min()) / 2, 5)
    for name, worth, line, p in zip(METHODS, true, found.lines, found.p_best(), strict=True):
        apart = worth - true[METHODS.index("laplace")]
        inside = (line.lower or 0.0) - 1e-12 <= apart <= (line.upper or 0.0) + 1e-12
        row |= {f"{name} gap": round((worth - true.min()) / 2, 5), f"{name} p": round(p, 4)}
        row[f"{name} covered"] = "" if name == "laplace" else int(inside)
    return row


def summary(rows: list[dict[str, Any]]) -> list[str]:
    """Say how often verdicts, intervals and chances to be best were right."""
    lines = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        known = [f"{name} covered" for name in METHODS if name != "laplace"]
        covered = np.mean([int(row[name]) for row in own for name in known])
        useful = [row for row in own if float(row["base gap"]) > MARGIN and row["as_good"]]
        right = sum(row["true_best"] in str(row["as_good"]).split() for row in useful)
        missed = sum(float(row["base gap"]) > MARGIN and not row["as_good"] for row in own)
        lines.append(
            f"{kind}: {len(own)} tables, said {dict(Counter(row['said'] for row in own))}; the "
            f"true best is among the praised in {right} of {len(useful)}; better, but not "
            f"found so in {missed}; intervals contain the truth in {covered:.1%}"
        )
    own = [row for row in rows if row["kind"] == "any"]
    pairs = np.array([(float(r[f"{m} p"]), r["true_best"] == m) for r in own for m in METHODS])
    for low in np.arange(0, 10) / 10 if len(pairs) else ():
        inside = pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < low + 0.1 + 0.01 * (low == 0.9))]
        if len(inside):
            p, hit = inside.mean(axis=0)
            lines.append(f"said best with {p:.0%} on average: best in {hit:.1%} of {len(inside)}")
    return lines


def main() -> None:
    """Check the tables that are not in the file yet, and print what came out."""
    parser = argparse.ArgumentParser(description="Check verdicts where the truth is known.")
    parser.add_argument("--tables", type=int, default=200, help="of every kind")
    n_tables = parser.parse_args().tables
    rows: list[dict[str, Any]] = []
    if OUT.exists():
        with OUT.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    done = {(row["kind"], int(row["seed"])) for row in rows}
    for kind, seed in ((kind, seed) for seed in range(n_tables) for kind in (*KINDS, "any")):
        if (kind, seed) in done:
            continue
        rows.append(check_table(kind, seed))
        with OUT.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[-1])
            if len(rows) == 1:
                writer.writeheader()
            writer.writerow(rows[-1])
    print("\n".join(summary(rows)))


if __name__ == "__main__":
    main()
