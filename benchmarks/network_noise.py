"""How sure selective KDBs are of columns that say nothing about the class.

Usage::

    python benchmarks/network_noise.py [--rows 300] [--columns 120] [--out FILE.csv]

Made-up tables; for both ways to choose the size of a network the RMSE on 2,000 fresh rows and the
share of them that are given more than .8 for a class. Always saying one half has an RMSE of .5.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import make_spec
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Column, Dataset, Schema

N_TABLES = {"skdb": 5, "eskdb": 2}
N_FRESH = 2000


def noise(n_rows: int, n_columns: int, seed: int) -> Dataset:
    random = np.random.default_rng(seed)
    cells = random.integers(0, 3, size=(n_rows, n_columns))
    labels = random.integers(0, 2, n_rows)
    columns = tuple(Column(f"c{number}", ("a", "b", "c")) for number in range(n_columns))
    schema = Schema((*columns, Column("y", ("no", "yes"))))
    return Dataset(schema, np.column_stack([cells, labels]).astype(np.float64))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--columns", type=int, default=120)
    parser.add_argument("--out", type=Path, help="the figures of every table")
    given = parser.parse_args()
    rows = []
    for model, n_tables in N_TABLES.items():
        for selection in ("held-out", "leave-one-out"):
            for table in range(n_tables):
                data = noise(given.rows, given.columns, 10 + table)
                fresh = noise(N_FRESH, given.columns, 100 + table)
                grown = grow_model(data, make_spec(model, {"selection": selection}))
                for smoother in ("m-estimate", "hdp"):
                    proba = predict_proba(grown.smooth(smoother), fresh)
                    own = proba[np.arange(N_FRESH), fresh.labels]
                    rmse = float(np.sqrt(np.mean((1 - own) ** 2)))
                    sure = float((proba.max(axis=1) >= 0.8).mean())
                    rows.append((model, selection, smoother, table, rmse, sure))
    found = pd.DataFrame(rows, columns=["model", "selection", "smoother", "table", "rmse", "sure"])
    print(found.groupby(["model", "selection", "smoother"])[["rmse", "sure"]].mean())
    if given.out is not None:
        found.to_csv(given.out, index=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
