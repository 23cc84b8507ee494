"""How many times learning a network gathering its inner evidence takes.

Usage::

    python benchmarks/bench_evidence.py [--rows 20000] [--columns 20] [--out FILE.csv]

A made-up table, half of its columns numeric: everything is learnt again without each of 5 parts,
in as many threads as there are cores. One run after one that compiles; seconds are by the clock.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import make_spec
from probtrees.table.dataset import Column, Dataset, Schema

MODELS = ("nb", "tan", "kdb", "skdb", "skdb-published", "eskdb")


def made_up(n_rows: int, n_columns: int, seed: int = 0) -> Dataset:
    random = np.random.default_rng(seed)
    label = random.integers(0, 3, n_rows)
    strength = random.uniform(0, 1, n_columns)
    numbers = label[:, None] * strength + random.normal(size=(n_rows, n_columns))
    codes = np.digitize(numbers, [-0.5, 0.5, 1.5])
    numeric = np.arange(n_columns) % 2 == 0
    columns = tuple(
        Column(f"c{number}", None if numeric[number] else ("a", "b", "c", "d"))
        for number in range(n_columns)
    )
    values = np.column_stack([np.where(numeric, numbers, codes), label]).astype(np.float64)
    return Dataset(Schema((*columns, Column("y", ("x", "y", "z")))), values)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    found = []
    for data in (made_up(200, 4), made_up(given.rows, given.columns)):
        for model in MODELS:
            grown = grow_model(data, make_spec(model))
            seconds = grown.evidence().seconds
            if data.n_rows == given.rows:
                found.append((model, grown.seconds, seconds, os.getloadavg()[0]))
                print(
                    f"{model:15} learning {grown.seconds:6.2f} s, evidence {seconds:6.2f} s, "
                    f"{seconds / grown.seconds:4.1f} times",
                    flush=True,
                )
    if given.out is not None:
        names = ["model", "learning_seconds", "evidence_seconds", "load"]
        pd.DataFrame(found, columns=names).round(3).to_csv(given.out, index=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
