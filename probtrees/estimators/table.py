"""What scikit-learn hands over, as columns: numbers, categories, or a mix of both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from probtrees.table.dataset import UNSEEN, Column
from probtrees.types import FloatArray


def describe_columns(table: pd.DataFrame) -> tuple[Column, ...]:
    """Decide which columns of a frame are numeric and which nominal, by their types.

    Categorical columns keep their declared categories; text, truth values and other
    objects become categories in sorted order; dates become numbers (days).
    """
    return tuple(_describe(str(name), table.iloc[:, i]) for i, name in enumerate(table.columns))


def encode_columns(table: pd.DataFrame, columns: tuple[Column, ...]) -> FloatArray:
    """Turn a frame into values under columns described before.

    A category that was not there becomes ``UNSEEN``, a missing one NaN.
    """
    values = np.empty((len(table), len(columns)))
    for number, column in enumerate(columns):
        cells = table.iloc[:, number]
        values[:, number] = _codes(cells, column) if column.is_nominal else _numbers(cells)
    if np.isinf(values).any():
        raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
    return values


def _describe(name: str, cells: pd.Series[Any]) -> Column:
    if isinstance(cells.dtype, pd.CategoricalDtype):
        return Column(name, tuple(dict.fromkeys(str(value) for value in cells.cat.categories)))
    if _is_numeric(cells):
        return Column(name)
    texts = {str(value) for value in cells[cells.notna()]}
    return Column(name, tuple(sorted(texts)))


def _is_numeric(cells: pd.Series[Any]) -> bool:
    """Whether a column holds numbers or dates; truth values are categories."""
    types = pd.api.types
    if types.is_bool_dtype(cells):
        return False
    if types.is_numeric_dtype(cells) or types.is_datetime64_any_dtype(cells):
        return True
    if types.is_timedelta64_dtype(cells):
        return True
    return bool(
        types.is_object_dtype(cells)
        and types.infer_dtype(cells, skipna=True) in ("integer", "floating", "mixed-integer-float")
    )


def _numbers(cells: pd.Series[Any]) -> FloatArray:
    types = pd.api.types
    if types.is_datetime64_any_dtype(cells):
        cells = cells.dt.tz_localize(None) if cells.dt.tz is not None else cells
        cells = cells - pd.Timestamp(0)
    if types.is_timedelta64_dtype(cells):
        return np.asarray(cells.dt.total_seconds() / 86400.0, dtype=np.float64)
    return np.asarray(cells.to_numpy(dtype=np.float64, na_value=np.nan))


def _codes(cells: pd.Series[Any], column: Column) -> FloatArray:
    distinct, names = pd.factorize(cells, use_na_sentinel=True)
    lookup = np.array([column.codes.get(str(name), UNSEEN) for name in names] + [np.nan])
    return lookup[distinct]  # a missing cell has the number -1: the last entry
