"""What Python hands over: rows for a model, and X of scikit-learn as columns of both kinds."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from probtrees.errors import DataError, OptionError, ProbTreesWarning, did_you_mean
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.encode import category_codes
from probtrees.table.read_table import read_table
from probtrees.table.repeats import scaled_to_rows
from probtrees.types import FloatArray


def rows_under(schema: Schema, table: Any, not_recorded: Sequence[str] = ()) -> Dataset:
    """Bring rows under the schema of a model.

    Parameters
    ----------
    table : whatever :func:`~probtrees.table.read_table.read_table` takes; or rows as mappings, one
        or a list of them, or a mapping of columns, which need not name every column
    not_recorded : columns that a frame or a file may lack
    """
    if isinstance(table, Dataset):
        return table
    needed = list(dict.fromkeys(column.source_name for column in schema.features))
    known = list(dict.fromkeys(name for column in schema.features for name in column.source_names))
    if isinstance(table, Mapping) and table and all(map(_is_column, table.values())):
        given = _checked(table, known, schema)
        table = pd.DataFrame({str(name): cells for name, cells in given.items()})
        not_recorded = [*not_recorded, *(name for name in needed if name not in table)]
    elif isinstance(table, Mapping | pd.Series):
        table = [table]
    if isinstance(table, list):
        rows = [{name: _checked(row, known, schema).get(name) for name in known} for row in table]
        table = pd.DataFrame(rows, columns=known, dtype=object)
    return read_table(table, schema=schema, not_recorded=not_recorded)


def _is_column(cells: Any) -> bool:
    """Whether a mapping holds a column of cells under a name, rather than one cell."""
    return not isinstance(cells, str | bytes | tuple) and hasattr(cells, "__len__")


def _checked(row: Any, needed: list[str], schema: Schema) -> Any:
    """Return a mapping, whose names must be those of the model."""
    if not isinstance(row, Mapping | pd.Series):
        raise DataError(
            f"row={row!r} must be a mapping by column. Give a frame, or mappings such as "
            f"{{{needed[0]!r}: ...}}."
        )
    for name in map(str, row.keys()):
        if name not in needed and name != schema.target.source_name:
            raise OptionError(
                f"column={name!r} must be a column of the model. {did_you_mean(name, needed)}"
            )
    return row


def encode_columns(table: pd.DataFrame, columns: tuple[Column, ...]) -> FloatArray:
    """Turn a frame into values under columns described before.

    A category that was not there becomes ``UNSEEN``, a missing one NaN.
    """
    values = np.empty((len(table), len(columns)))
    for number, column in enumerate(columns):
        cells = table.iloc[:, number]
        values[:, number] = _codes(cells, column) if column.is_nominal else _numbers(cells, column)
    if np.isinf(values).any():
        raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
    return values


def describe_column(name: str, cells: pd.Series[Any]) -> Column:
    """Decide whether a column of a frame is numeric or nominal, by its type.

    Categorical columns keep their declared categories; text, truth values and other
    objects become categories in sorted order; dates become numbers (days).
    """
    if isinstance(cells.dtype, pd.CategoricalDtype):
        return Column(name, tuple(dict.fromkeys(str(value) for value in cells.cat.categories)))
    if _is_numeric(cells):
        return Column(name)
    if any(isinstance(value, list | dict | set | np.ndarray) for value in cells):
        raise DataError(
            f"column={name!r} must hold numbers, texts or dates; it holds collections. Take it "
            "apart into plain columns, or leave it out."
        )
    texts = {str(value) for value in cells[cells.notna()]}
    return Column(name, tuple(sorted(texts)))


def _is_numeric(cells: pd.Series[Any]) -> bool:
    """Whether a column holds numbers or dates; truth values are categories."""
    types = pd.api.types
    if types.is_bool_dtype(cells):
        return False
    if types.is_object_dtype(cells):
        held = types.infer_dtype(cells, skipna=True)
        return held in ("integer", "floating", "mixed-integer-float")
    kinds = (types.is_numeric_dtype, types.is_datetime64_any_dtype, types.is_timedelta64_dtype)
    return any(is_kind(cells) for is_kind in kinds)


def _numbers(cells: pd.Series[Any], column: Column) -> FloatArray:
    types = pd.api.types
    if types.is_datetime64_any_dtype(cells):
        cells = cells.dt.tz_localize(None) if cells.dt.tz is not None else cells
        cells = cells - pd.Timestamp(0)
    if types.is_timedelta64_dtype(cells):
        return np.asarray(cells.dt.total_seconds() / 86400.0, dtype=np.float64)
    try:
        return np.asarray(cells.to_numpy(dtype=np.float64, na_value=np.nan))
    except (ValueError, TypeError):
        wrong = pd.to_numeric(cells, errors="coerce").isna() & cells.notna()
        example = cells[wrong].iloc[0] if wrong.any() else str(cells.dtype)
        raise DataError(
            f"{column.name!r}={example!r} must be a number, as in the rows the model was fitted "
            "on. Correct the cell, or leave it empty if the value is not known."
        ) from None


def _codes(cells: pd.Series[Any], column: Column) -> FloatArray:
    distinct, names = pd.factorize(cells, use_na_sentinel=True)
    lookup = np.append(category_codes([str(name) for name in names], column), np.nan)
    return lookup[distinct]  # a missing cell has the number -1: the last entry


def as_frame(table: Any) -> pd.DataFrame | None:
    """Take a frame of pandas, or of any library that can become one; None for arrays."""
    if type(table).__module__.partition(".")[0] in ("dask", "dask_expr"):
        raise DataError(
            "X must be in memory: compute() it. Or write it as Parquet, and give the folder to "
            "probtrees.fit_chunks, which can count on the same cluster."
        )
    if isinstance(table, pd.DataFrame):
        return table
    if hasattr(table, "to_pandas") and hasattr(table, "columns"):
        converted = table.to_pandas()
        return converted if isinstance(converted, pd.DataFrame) else None
    return None


def numbered_columns(estimator: Any) -> tuple[Column, ...]:
    """Name the columns of an array of numbers."""
    usual = [f"x{number}" for number in range(estimator.n_features_in_)]
    names = getattr(estimator, "feature_names_in_", usual)
    return tuple(Column(str(name)) for name in names)


def unused_name(features: Collection[str]) -> str:
    """Name the target apart from the features."""
    name = "class"
    while name in features:
        name += "_"
    return name


def counted_rows(table: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Leave rows without weight out, and bring weights that are all below 1 to a mean of 1."""
    counted = weights > 0
    if not counted.any():
        raise ValueError("sample_weight must not be zero for all samples.")
    weights = weights[counted]
    if weights.max() < 1.0:
        words = "All weights are below 1 and are rescaled to a mean of 1: they say how many rows "
        warnings.warn(f"{words}a row stands for.", ProbTreesWarning, stacklevel=3)
        weights = scaled_to_rows(weights)
    return table[counted], weights


def class_number(estimator: Any, outcome: Any) -> int | None:
    """Find a class of the estimator, whose classes may themselves be numbers."""
    if outcome is None:
        return None
    classes = list(estimator.classes_)
    if outcome not in classes:
        hint = did_you_mean(str(outcome), [str(name) for name in classes])
        raise OptionError(f"outcome={outcome!r} must be a class. {hint}")
    return classes.index(outcome)


def one_row(estimator: Any, row: Any) -> Any:
    """Bring a row under the schema of the model, as the estimator does when it predicts."""
    if isinstance(row, Mapping | pd.Series | int | np.integer):
        return row
    if not hasattr(row, "columns"):
        row = np.atleast_2d(np.asarray(row))
    return estimator._rows(row)
