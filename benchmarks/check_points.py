"""Measure what a points card loses against its shaped tree, on data sets, by rows left out.

Usage::

    python benchmarks/check_points.py DATA_DIR [--reference REFERENCE_DIR] [--out FILE.csv]
                                      [--rows 50000] [NAME ...]

DATA_DIR holds the data sets as ``NAME.arff``; without names all are taken, with REFERENCE_DIR the
network sets alone (``networks/results.csv``). A set of more than two classes asks for its most
frequent class against the rest. Two folds: half of the rows fit the tree and make the card, the
other half judge both. The smallest sets come first; rows of FILE.csv are kept, so that a run goes
on where the last one stopped.
"""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from probtrees.experiment.fit import fit
from probtrees.experiment.round_to_points import points_loss
from probtrees.explain.points_card import points_card
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Dataset, Schema
from probtrees.table.read_table import read_table

FIELDS = (
    *("name", "rows", "columns", "share", "lines", "largest_points", "log_odds_per_point"),
    *("brier_binary", "brier_points", "auc", "auc_points", "mean_change", "largest_change"),
    *("brier_said", "seconds"),
)


def two_classes(data: Dataset) -> Dataset:
    """Ask for the most frequent class against the rest."""
    if data.n_classes == 2:
        return data
    most = int(np.argmax(np.bincount(data.labels, data.row_weights, data.n_classes)))
    values = data.values.copy()
    values[:, -1] = data.labels == most
    target = replace(data.schema.target, categories=("rest", data.schema.classes[most]))
    return replace(data, schema=Schema((*data.schema.features, target)), values=values)


def measure(name: str, data: Dataset) -> dict[str, object]:
    """Fit to one half, ask about the other, both ways."""
    start = time.process_time()
    fold = np.random.default_rng(0).permutation(data.n_rows) % 2
    cards, said, whole = [], np.empty((data.n_rows, 2)), np.empty((data.n_rows, 2))
    for half in range(2):
        model = fit(data.take(np.flatnonzero(fold != half)), "shaped-tree")
        card, rows = points_card(model, 1), np.flatnonzero(fold == half)
        said[rows], whole[rows] = card.proba(data.take(rows)), predict_proba(model, data.take(rows))
        cards.append(card)
    loss = points_loss(said, whole, data)
    lines = [sum(len(part.lines) for part in card.parts) for card in cards]
    points = [max(abs(o.points) for p in card.parts for o in p.lines) for card in cards]
    kept = [
        card.loss.brier_binary[1] - card.loss.brier_binary[0]
        for card in cards
        if card.loss is not None
    ]
    numbers = {
        "share": float((data.labels == 1).mean()),
        "lines": float(np.mean(lines)),
        "largest_points": float(np.mean(points)),
        "log_odds_per_point": float(np.mean([card.unit for card in cards])),
        "brier_binary": loss.brier_binary[0],
        "brier_points": loss.brier_binary[1],
        "auc": loss.auc[0],
        "auc_points": loss.auc[1],
        "mean_change": loss.mean_change,
        "largest_change": loss.largest_change,
        "brier_said": float(np.mean(kept)),
        "seconds": time.process_time() - start,
    }
    rounded = {key: value if value is None else round(value, 5) for key, value in numbers.items()}
    return {"name": name, "rows": data.n_rows, "columns": len(data.schema.features), **rounded}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/points.csv"))
    parser.add_argument("--rows", type=int, default=50_000)
    args = parser.parse_intermixed_args()
    names = set(args.names)
    if args.reference is not None:
        with (args.reference / "networks" / "results.csv").open(encoding="utf-8") as file:
            names |= {row["dataset"] for row in csv.DictReader(file)}
    paths = [p for p in args.data.glob("*.arff") if not names or p.stem in names]
    done: dict[str, dict[str, object]] = {}
    if args.out.exists():
        with args.out.open(encoding="utf-8") as file:
            done = {row["name"]: dict(row) for row in csv.DictReader(file)}
    for path in sorted(paths, key=lambda p: p.stat().st_size):
        if path.stem in done or path.read_bytes().count(b"\n") > args.rows:
            continue
        done[path.stem] = measure(path.stem, two_classes(read_table(path)))
        print(*(f"{key} {value}" for key, value in done[path.stem].items()), flush=True)
        with args.out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(done[name] for name in sorted(done))
    for field in ("brier_binary", "brier_points", "auc", "auc_points", "mean_change"):
        numbers = [float(str(row[field])) for row in done.values() if row[field] not in (None, "")]
        print(f"mean {field}: {np.mean(numbers):.4f} over {len(numbers)} sets")


if __name__ == "__main__":
    main()
