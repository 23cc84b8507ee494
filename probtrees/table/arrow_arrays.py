"""Between Arrow and numpy, without pandas.

Arrow's own conversions import pandas, which takes longer than reading a small table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.types import FloatArray

LETTER = r"[^\x00-@\[-`{-\x7f]"
"""A letter in Arrow's regular expressions: of ASCII, or whatever lies beyond it.

``\\pL`` is exact, but Arrow builds an expression anew at every call, which takes 1.5 ms for one
``\\pL`` and 13 ms where it may stand twelve times, longer than matching some hundred rows does.
"""


def text_array(texts: Iterable[str]) -> pa.StringArray:
    """Make an Arrow array of texts.

    >>> text_array(["a", "", "größe"]).to_pylist()
    ['a', '', 'größe']
    """
    encoded = [text.encode("utf-8") for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    data = pa.py_buffer(b"".join(encoded))
    return pa.StringArray.from_buffers(len(encoded), pa.py_buffer(ends), data)


def mask_array(mask: NDArray[np.bool_]) -> pa.BooleanArray:
    """Make an Arrow array of truth values.

    >>> mask_array(np.array([True, False])).to_pylist()
    [True, False]
    """
    packed = pa.py_buffer(np.packbits(mask, bitorder="little"))
    return pa.BooleanArray.from_buffers(pa.bool_(), len(mask), [None, packed])


def flags(array: pa.BooleanArray) -> NDArray[np.bool_]:
    """Return truth values; False where missing."""
    return _entries(pc.cast(array, pa.uint8()), np.uint8(0)).astype(np.bool_)


def floats(column: pa.ChunkedArray | pa.Array) -> FloatArray:
    """Return numbers of any type as float64, NaN where missing."""
    return _entries(one_chunk(pc.cast(column, pa.float64(), safe=False)), np.float64(np.nan))


def one_chunk(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """Join the chunks of a column, which costs less than to take them one by one."""
    merged = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(merged, pa.ChunkedArray):
        return merged.chunk(0) if merged.num_chunks else pa.nulls(0, column.type)
    return merged


def codes(array: pa.Array) -> NDArray[np.int32]:
    """Return whole numbers as int32, -1 where missing."""
    return _entries(pc.cast(array, pa.int32()), np.int32(-1))


def _entries(array: pa.Array, missing: np.generic) -> NDArray[Any]:
    """Return the entries of an array of numbers, and something else where they are missing."""
    if not len(array):
        return np.empty(0, missing.dtype)
    if array.null_count:  # Arrow would load pandas to make a scalar of a number
        instead = pa.Array.from_buffers(array.type, 1, [None, pa.py_buffer(missing.tobytes())])
        array = pc.fill_null(array, instead[0])
    entries = np.frombuffer(array.buffers()[1], missing.dtype)
    return entries[array.offset : array.offset + len(array)]
