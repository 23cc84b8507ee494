"""From Arrow's columns to the columns of a raw table."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.prepare.formats.missing_spellings import MISSING_SPELLINGS
from probtrees.prepare.raw_table import Dates, Numbers, RawColumn, Texts

TEXT_TYPE = pa.dictionary(pa.int32(), pa.string())
"""How texts that repeat themselves are asked for."""

_MISSING = pa.array(MISSING_SPELLINGS)
_SPELLED = (
    pa.types.is_null,
    pa.types.is_time,
    pa.types.is_duration,
    pa.types.is_string_view,
)
_DAYS_PER = {"s": 86_400.0, "ms": 86_400e3, "us": 86_400e6, "ns": 86_400e9}


def raw_column(column: pa.ChunkedArray, name: str, where: str) -> RawColumn:
    """Turn a column of any type a table may have into numbers, texts or dates."""
    kind = column.type
    types = pa.types
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return Numbers(numbers(column))
    if types.is_dictionary(kind) or types.is_string(kind) or types.is_large_string(kind):
        return texts(column)
    if types.is_date(kind) or types.is_timestamp(kind):
        return _dates(column)
    if types.is_boolean(kind):
        return _booleans(column)
    if any(is_spelled(kind) for is_spelled in _SPELLED):
        return texts(pc.cast(column, pa.string()))
    raise DataError(
        f"column={name!r} of {where} must hold numbers, texts or dates; it holds {kind}. Give it "
        "the role 'ignore', or take it apart into plain columns."
    )


def numbers(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """Return a numeric column as float64, NaN where missing."""
    if not pa.types.is_float64(column.type):
        column = pc.cast(column, pa.float64(), safe=False)
    return np.asarray(column.to_numpy(), dtype=np.float64)


def texts(column: pa.ChunkedArray) -> Texts:
    """Return a column of texts, white space around them removed, missing spellings recognised."""
    if not pa.types.is_dictionary(column.type):
        column = pc.cast(column, pa.string()).dictionary_encode()
    elif not pa.types.is_string(column.type.value_type):
        column = pc.cast(column, TEXT_TYPE)
    merged = pa.chunked_array(column.chunks, type=column.type).unify_dictionaries().combine_chunks()
    if isinstance(merged, pa.ChunkedArray):
        merged = merged.chunk(0) if merged.num_chunks else pa.array([], type=column.type)
    codes = pc.fill_null(pc.cast(merged.indices, pa.int32()), -1).to_numpy()
    return tidy(codes, merged.dictionary)


def tidy(codes: NDArray[np.int32], found: pa.StringArray) -> Texts:
    """Trim the distinct texts, drop those that mean "missing", and keep each one once."""
    trimmed = pc.utf8_trim_whitespace(found)
    missing = pc.is_in(trimmed, value_set=_MISSING)
    unchanged = pc.all(pc.equal(trimmed, found), min_count=0).as_py()
    if unchanged and not pc.any(missing, min_count=0).as_py():
        return Texts(codes, found)
    kept = pc.if_else(missing, None, trimmed).dictionary_encode()
    new_codes = pc.fill_null(kept.indices, -1).to_numpy().astype(np.int32)
    return Texts(np.append(new_codes, np.int32(-1))[codes], kept.dictionary)


def _dates(column: pa.ChunkedArray) -> Dates:
    if pa.types.is_date(column.type):
        return Dates(numbers(pc.cast(pc.cast(column, pa.date32()), pa.int32())))
    return Dates(numbers(pc.cast(column, pa.int64())) / _DAYS_PER[column.type.unit])


def _booleans(column: pa.ChunkedArray) -> Texts:
    codes = pc.fill_null(pc.cast(column, pa.int32()), -1).to_numpy()
    return Texts(codes, pa.array(["False", "True"]), boolean=True)
