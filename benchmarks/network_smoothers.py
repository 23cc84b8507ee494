"""RMSE of networks under every smoother, and of both ways to choose the size of a selective KDB.

Usage::

    python benchmarks/network_smoothers.py REFERENCE_DIR --out RESULTS.csv [MODEL ...]

REFERENCE_DIR is that of ``check_networks.py``: 31 nominal data sets, 2 folds, k = 5. MODEL is one
of the names below, all unless given. Small sets come first, every result is written as soon as it
is there, and the same command goes on where the file stops. The table at the end has the mean RMSE
over the sets, and wins, draws and losses against the m-estimate (4 decimals).
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
from check_networks import Case, win_draw_loss

from probtrees.experiment.registry import SMOOTHERS
from probtrees.table.folds import read_cuts
from probtrees.table.read_table import read_table

MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "skdb-held-out": ("skdb", {"k": 5, "selection": "held-out"}),
    "skdb-leave-one-out": ("skdb", {"k": 5, "selection": "leave-one-out"}),
    "nb": ("nb", {}),
    "tan": ("tan", {}),
    "kdb": ("kdb", {"k": 5}),
    "eskdb-leave-one-out": ("eskdb", {"k": 5, "selection": "leave-one-out"}),
    "eskdb-held-out": ("eskdb", {"k": 5, "selection": "held-out"}),
}
ALL = [name for name in SMOOTHERS if name != "mle"]
ASKED = {"eskdb-held-out": ["m-estimate", "hdp"]}
"""Smoothers by model; to learn ensembles 25 times over for the others would take hours."""

FIELDS = ("dataset", "model", "smoother", "rmse")
Found = dict[tuple[str, str], dict[str, float]]
"""By model and smoother, the RMSE of every data set."""


def summarise(found: Found) -> None:
    for (model, smoother), by_set in found.items():
        rival = found[model, "m-estimate"]
        record = win_draw_loss([(rmse, rival[name]) for name, rmse in by_set.items()])
        mean = np.mean(list(by_set.values()))
        print(
            f"{model:20} {smoother:14} {mean:.5f}, {len(by_set)} sets, against m-estimate {record}"
        )
    for model in ("skdb", "eskdb"):
        for smoother in ALL:
            honest = found.get((f"{model}-held-out", smoother), {})
            published = found.get((f"{model}-leave-one-out", smoother), {})
            pairs = [(honest[name], published[name]) for name in honest if name in published]
            if pairs:
                means = np.mean(pairs, axis=0).round(5).tolist()
                print(f"{model}, {smoother}: held-out, leave-one-out {means}", win_draw_loss(pairs))


def kept(path: Path) -> Found:
    found: Found = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                by_set = found.setdefault((row["model"], row["smoother"]), {})
                by_set[row["dataset"]] = float(row["rmse"])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    reference = given.reference_dir / "networks"
    files = sorted((reference / "data").glob("*.arff"), key=lambda path: path.stat().st_size)
    found = kept(given.out)
    with given.out.open("a", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        if not found:
            writer.writerow(FIELDS)
        for model in given.models or MODELS:
            for path in files:
                if path.stem in found.get((model, "m-estimate"), {}):
                    continue
                data = read_table(path)
                folds = read_cuts(reference / "folds" / f"{path.stem}.csv", data)[0]
                learner, options = MODELS[model]
                case = Case(path.stem, data, folds)
                for smoother, rmse in case.rmse(learner, ASKED.get(model, ALL), options).items():
                    found.setdefault((model, smoother), {})[path.stem] = rmse
                    writer.writerow((path.stem, model, smoother, f"{rmse:.6f}"))
                out.flush()
    summarise(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
