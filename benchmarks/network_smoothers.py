"""RMSE of networks under every smoother, and of both ways to choose the size of a selective KDB.

Usage::

    python benchmarks/network_smoothers.py REFERENCE_DIR --out RESULTS.csv [NAME ...]

REFERENCE_DIR is that of ``check_networks.py``: 31 nominal data sets, 2 folds, k = 5. Small sets
come first, and every set is written as soon as it is done. The table at the end has the mean
RMSE over the sets, and wins, draws and losses against the m-estimate (4 decimals).
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
from probtrees.prepare.folds import read_folds
from probtrees.prepare.read_table import read_table

MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "nb": ("nb", {}),
    "tan": ("tan", {}),
    "kdb": ("kdb", {"k": 5}),
    "skdb, held-out": ("skdb", {"k": 5, "selection": "held-out"}),
    "skdb, leave-one-out": ("skdb", {"k": 5, "selection": "leave-one-out"}),
    "eskdb, held-out": ("eskdb", {"k": 5, "selection": "held-out"}),
    "eskdb, leave-one-out": ("eskdb", {"k": 5, "selection": "leave-one-out"}),
}
LEFT_OUT = {"mle"}
NO_EVIDENCE = {"m-estimate", "hdp"}
"""All that is asked of held-out ensembles: learning them 25 times over takes hours."""

Found = dict[tuple[str, str], dict[str, float]]
"""By model and smoother, the RMSE of every data set."""


def measure(case: Case, found: Found) -> list[tuple[str, str, str, float]]:
    rows = []
    for model, (learner, options) in MODELS.items():
        smoothers = [name for name in SMOOTHERS if name not in LEFT_OUT]
        if model == "eskdb, held-out":
            smoothers = sorted(NO_EVIDENCE)
        for smoother, rmse in case.rmse(learner, smoothers, options).items():
            rows.append((case.name, model, smoother, rmse))
            found.setdefault((model, smoother), {})[case.name] = rmse
    return rows


def summarise(found: Found) -> None:
    for (model, smoother), by_set in found.items():
        rival = found[model, "m-estimate"]
        record = win_draw_loss([(rmse, rival[name]) for name, rmse in by_set.items()])
        mean = np.mean(list(by_set.values()))
        print(f"{model:22} {smoother:14} {mean:.5f}  against m-estimate {record}")
    for model in ("skdb", "eskdb"):
        for smoother in ("m-estimate", "hdp"):
            honest = found[f"{model}, held-out", smoother]
            published = found[f"{model}, leave-one-out", smoother]
            pairs = [(honest[name], published[name]) for name in honest]
            print(f"{model}, {smoother}: held-out against leave-one-out {win_draw_loss(pairs)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference_dir", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    reference = given.reference_dir / "networks"
    files = sorted((reference / "data").glob("*.arff"), key=lambda path: path.stat().st_size)
    found: Found = {}
    with given.out.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("dataset", "model", "smoother", "rmse"))
        for path in files:
            if given.names and path.stem not in given.names:
                continue
            data = read_table(path)
            folds = read_folds(reference / "folds" / f"{path.stem}.csv", data)
            for *what, rmse in measure(Case(path.stem, data, folds), found):
                writer.writerow((*what, f"{rmse:.6f}"))
            out.flush()
            print(f"  {path.stem}", flush=True)
    summarise(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
