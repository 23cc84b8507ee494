"""Small tables that tests grow models from."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from probtrees.dataset import Column, Dataset, Schema
from probtrees.provenance import Provenance

QUICK = {"hdp": {"n_iterations": 20}}
"""Options under which slow smoothers are quick, also without compiled kernels."""


def patients(n_rows: int = 90, seed: int = 0, *, missing: bool = True) -> Dataset:
    """A numeric column, two nominal ones with missing values, three classes, one of them
    without rows."""
    random = np.random.default_rng(seed)
    age = random.integers(20, 90, n_rows).astype(float)
    sex = random.integers(0, 2, n_rows).astype(float)
    blood = random.integers(0, 4, n_rows).astype(float)
    sick = ((age > 60) ^ (random.random(n_rows) < 0.15)).astype(float)
    if missing:
        age[::11] = np.nan
        blood[::7] = np.nan
    schema = Schema(
        (
            Column("age"),
            Column("sex", ("f", "m")),
            Column("blood", ("A", "AB", "B", "O")),
            Column("state", ("well", "sick", "gone")),
        )
    )
    values = np.column_stack([age, sex, blood, sick])
    return Dataset(
        schema, values, name="patients", provenance=Provenance(source="made up", rows_read=n_rows)
    )


def write_csv(data: Dataset, path: Path, *, target: bool = True) -> Path:
    """Write a table the way a user would have it."""
    columns = data.schema.columns if target else data.schema.features
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([column.name for column in columns])
        for row in data.values:
            writer.writerow(
                "" if np.isnan(cell) else _text(column, cell)
                for column, cell in zip(columns, row, strict=False)
            )
    return path


def _text(column: Column, cell: float) -> str:
    return column.categories[int(cell)] if column.categories else f"{cell:g}"
