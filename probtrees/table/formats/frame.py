"""Take the columns of a frame of pandas, polars or pyarrow, or of what frames are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from probtrees.errors import DataError
from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.formats.arrow_columns import raw_column, tidy
from probtrees.table.formats.column_names import check_names
from probtrees.table.read_options import ReadOptions

if TYPE_CHECKING:
    import pandas as pd


_NOT_RECOGNISED = (
    pa.ArrowInvalid,
    pa.ArrowTypeError,
    pa.ArrowNotImplementedError,
    OverflowError,
)
"""What Arrow raises for objects that are no column to it."""


_FRAMES = {
    "pandas": ("DataFrame",),
    "polars": ("DataFrame", "LazyFrame"),
    "pyarrow": ("Table", "RecordBatch"),
}
"""What counts as a frame, by the package that makes it."""


def is_frame(source: Any) -> bool:
    """Whether the source is a frame of pandas, polars or pyarrow, found without importing them.

    So are columns by name and a list of rows, each a mapping: what frames are made of.
    """
    made_by = type(source).__module__.partition(".")[0]
    if type(source).__name__ in _FRAMES.get(made_by, ()) or isinstance(source, Mapping):
        return True
    return isinstance(source, list) and bool(source) and isinstance(source[0], Mapping)


def read_frame(source: Any, options: ReadOptions) -> RawTable:
    """Read a frame; its index is not a column."""
    frame = _as_pandas(source)
    names = check_names([str(name).strip() for name in frame.columns], "the frame")
    columns = {
        name: _column(frame.iloc[:, number], name)
        for number, name in enumerate(names)
        if options.keeps(name)
    }
    return RawTable(columns, len(frame), names)


def _as_pandas(source: Any) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415  slow to import, and files are read without it

    if isinstance(source, Mapping | list):
        try:
            return pd.DataFrame(source)
        except (ValueError, TypeError):  # columns of different lengths, or of no length at all
            raise DataError(
                f"source={type(source).__name__} must hold columns of one length by name, or rows "
                "by column. Give a frame to see where they differ."
            ) from None
    if hasattr(source, "collect"):
        source = source.collect()
    frame: pd.DataFrame = source.to_pandas() if hasattr(source, "to_pandas") else source
    return frame


def _column(series: pd.Series[Any], name: str) -> RawColumn:
    kind = series.dtype
    if kind.name == "category":
        return _categorical(series)
    if isinstance(kind, np.dtype) and kind.kind in "iuf":
        return Numbers(series.to_numpy(dtype=np.float64, copy=True))
    if kind == np.dtype(object):
        return _objects(series, name)
    try:
        found = pa.chunked_array([pa.array(series, from_pandas=True)])
    except _NOT_RECOGNISED:
        raise DataError(
            f"column={name!r} of the frame must hold numbers, texts or dates; it holds {kind}. "
            "Convert it, or give it the role 'ignore'."
        ) from None
    return raw_column(found, name, "the frame")


def _categorical(series: pd.Series[Any]) -> RawColumn:
    """Take declared categories as they stand: their order, and values without rows."""
    codes = series.cat.codes.to_numpy().astype(np.int32)
    texts = [str(category) for category in series.cat.categories]
    if len(set(texts)) < len(texts):
        return tidy(codes, text_array(texts))
    return Texts.of(codes, texts, declared=True)


def _objects(series: pd.Series[Any], name: str) -> RawColumn:
    """Let Arrow recognise Python objects; a mixture of types is spelled out as text."""
    try:
        found = pa.array(series, from_pandas=True)
    except _NOT_RECOGNISED:
        spelled = [
            None if missing else _spelled(cell, name)
            for cell, missing in zip(series, series.isna(), strict=True)
        ]
        found = pa.array(spelled, type=pa.string())
    return raw_column(pa.chunked_array([found]), name, "the frame")


def _spelled(cell: Any, name: str) -> str:
    try:
        return str(cell)
    except ValueError:  # a whole number of thousands of digits
        raise DataError(
            f"column={name!r} of the frame must hold numbers that can be written down; one has too "
            "many digits. Convert it, or give it the role 'ignore'."
        ) from None
