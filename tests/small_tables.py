"""Small tables that tests grow models from."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from probtrees.table.dataset import Column, Dataset, Provenance, Schema

QUICK = {"hdp": {"n_iterations": 20}}
"""Options under which slow smoothers are quick, also without compiled kernels."""


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"]; shape=box [',
    "=cmd()",
    "$x$",
    "**b**",
    "🌳 :smile: :red[x]",
    "שלום עולם",
    "x" * 500,
)
"""Texts that try to be markup, formulas or code wherever text from data is shown."""

HOSTILE_TARGET = "target <b>"


def schema_of(words: str) -> Schema:
    """Make columns of their names, categories behind a colon: ``"x, kind: a b, y: no yes"``."""
    parts = [part.partition(":") for part in words.split(", ")]
    return Schema(tuple(Column(name, tuple(values.split()) or None) for name, _, values in parts))


def table_of(words: str, *columns: ArrayLike, **more: Any) -> Dataset:
    """Make a table of numbers and codes; its columns are named as in :func:`schema_of`."""
    return Dataset(schema_of(words), np.column_stack(columns).astype(np.float64), **more)


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
    schema = schema_of("age, sex: f m, blood: A AB B O, state: well sick gone")
    values = np.column_stack([age, sex, blood, sick])
    return Dataset(
        schema, values, name="patients", provenance=Provenance(source="made up", rows_read=n_rows)
    )


def frame_of(data: Dataset) -> pd.DataFrame:
    """Spell a table out as a frame, missing values as None where a column has categories."""
    frame = pd.DataFrame(data.values, columns=data.schema.names)
    for column, codes in zip(data.schema.columns, data.values.T, strict=True):
        if column.categories is not None:
            texts = dict(enumerate(column.categories))
            frame[column.name] = pd.Series([texts.get(code) for code in codes], dtype=object)
    return frame


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


def write_hostile_csv(path: Path, n_rows: int = 160) -> Path:
    """Write a table whose names, values and classes are :data:`HOSTILE`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*HOSTILE, HOSTILE_TARGET])
        for number in range(n_rows):
            cells = [
                HOSTILE[(number + k * (number % 3)) % len(HOSTILE)] for k in range(len(HOSTILE))
            ]
            writer.writerow([*cells, HOSTILE[0] if cells[0] in HOSTILE[:4] else HOSTILE[2]])
    return path


def _text(column: Column, cell: float) -> str:
    return column.categories[int(cell)] if column.categories else f"{cell:g}"
