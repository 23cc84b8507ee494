"""Rows of a dataset as a table people can read: categories by name, missing left empty."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from probtrees.table.dataset import Dataset


def rows_table(data: Dataset, rows: NDArray[np.int64]) -> pd.DataFrame:
    """Show some rows under their column names, with their numbers counted from 1."""
    columns: dict[str, object] = {"row": data.row_numbers[rows] + 1}
    for number, column in enumerate(data.schema.columns):
        values = data.values[rows, number]
        name = column.name if column.name not in columns else f"{column.name} "
        if column.categories is None:
            columns[name] = values
            continue
        known = np.isfinite(values) & (values >= 0)
        codes = np.where(known, values, len(column.categories)).astype(np.int64)
        columns[name] = np.array([*column.categories, None], dtype=object)[codes]
    return pd.DataFrame(columns)
