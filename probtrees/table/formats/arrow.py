"""Tables that Arrow holds: Parquet and Feather files, frames of pandas, polars and pyarrow.

Other formats hand over their columns through :func:`raw_column` too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as arrow_parquet
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.machine.input_bytes import check_unpacked
from probtrees.table.arrow_arrays import codes, flags, floats, one_chunk, text_array
from probtrees.table.formats.source import Format, TableSource, is_named
from probtrees.table.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.read_options import ReadOptions
from probtrees.table.readings.spellings import spellings

if TYPE_CHECKING:
    import pandas as pd

MISSING_MARKS = ("", *spellings("missing anywhere")["no value"])
"""Cells that have no value in any column, after white space around them is removed.

Programs write them, and people who state nothing ("k.A." is German for it). Matched exactly, so
that "none" and "None" stay values: they often are answers. "." is how SAS and SPSS write a missing
number; what begins with "#" is what spreadsheets write where a formula fails.
"""

TEXT_TYPE = pa.dictionary(pa.int32(), pa.string())
"""How texts that repeat themselves are asked for."""

PARQUET_MARK = b"PAR1"
"""How every Parquet file begins."""

DAMAGED = (pa.ArrowException, OSError, UnicodeDecodeError)
"""What Arrow raises for files that are cut off or changed, their columns' names too."""

_FEATHER_MARK = b"ARROW1"
_PARQUET_SUFFIXES = (".parquet", ".pq")
_FEATHER_SUFFIXES = (".feather", ".arrow")
_INDEX = "__index_"
"""How pandas begins the name of an index in a file."""

_MISSING = text_array(MISSING_MARKS)
_SPELLED = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_string_view,
    pa.types.is_null,
    pa.types.is_time,
    pa.types.is_duration,
)
_OF_BYTES = (pa.types.is_binary, pa.types.is_large_binary)
_DAYS_PER = {"s": 86_400.0, "ms": 86_400e3, "us": 86_400e6, "ns": 86_400e9}
_FRAMES = {
    "pandas": ("DataFrame",),
    "polars": ("DataFrame", "LazyFrame"),
    "pyarrow": ("Table", "RecordBatch"),
}
"""What counts as a frame, by the package that makes it."""


def name_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Give columns without a name, and those of a name that occurs again, a number each.

    >>> name_columns([" age", "dose", "", "age", "age"])
    ('age', 'dose', 'column 3', 'age (2)', 'age (3)')
    """
    plain = [name.strip() for name in names]
    taken: dict[str, None] = {}
    for place, name in enumerate(plain, start=1):
        number, new = 2, name or f"column {place}"
        while new in taken or (new != name and new in plain):
            new, number = f"{name or f'column {place}'} ({number})", number + 1
        taken[new] = None
    return tuple(taken)


def raw_column(
    column: pa.ChunkedArray, name: str, where: str, *, declared: bool = False
) -> RawColumn:
    """Turn a column of any type a table may have into numbers, texts or dates.

    Categories may be declared as they stand, with their order.
    """
    kind, types = column.type, pa.types
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return Numbers(floats(column))
    if types.is_date(kind):
        return Dates(floats(pc.cast(pc.cast(column, pa.date32()), pa.int32())))
    if types.is_timestamp(kind):
        return Dates(floats(pc.cast(column, pa.int64())) / _DAYS_PER[kind.unit])
    if types.is_boolean(kind):
        found = codes(one_chunk(pc.cast(column, pa.int32())))
        return Texts(found, text_array(["False", "True"]), boolean=True)
    if types.is_dictionary(kind) and not any(is_so(kind.value_type) for is_so in _OF_BYTES):
        merged = one_chunk(pc.cast(column, TEXT_TYPE).unify_dictionaries())
    elif any(is_so(kind) for is_so in _SPELLED):
        merged = one_chunk(pc.cast(column, pa.string())).dictionary_encode()
    else:
        raise DataError(
            f"column={name!r} of {where} must hold numbers, texts or dates; it holds {kind}. Give "
            "it the role 'ignore', or take it apart into plain columns."
        )
    declared = declared and types.is_dictionary(kind)
    return replace(tidy(codes(merged.indices), merged.dictionary), declared=declared)


def tidy(given: NDArray[np.int32], found: pa.StringArray) -> Texts:
    """Trim the distinct texts, drop those that mean "missing", and keep each one once."""
    trimmed = pc.utf8_trim_whitespace(found)
    known = pc.invert(pc.is_in(trimmed, value_set=_MISSING))
    if trimmed.equals(found) and found.null_count == 0 and pc.all(known, min_count=0).as_py():
        return Texts(given, found)
    once = trimmed.dictionary_encode()
    known = pc.invert(pc.is_in(once.dictionary, value_set=_MISSING))
    is_known = flags(known)
    kept = np.where(is_known, np.cumsum(is_known) - 1, -1).astype(np.int32)
    recoded = np.append(np.append(kept, np.int32(-1))[codes(once.indices)], np.int32(-1))
    return Texts(recoded[given], once.dictionary.filter(known))


def read_parquet(source: TableSource, options: ReadOptions) -> RawTable:
    """Read the columns that are wanted."""
    if source.data[: len(PARQUET_MARK)] != PARQUET_MARK:
        raise source.damaged("Parquet file", "it does not begin like one")
    try:
        file = arrow_parquet.ParquetFile(source.open())
        schema = file.schema_arrow
        names = name_columns(schema.names)
        kept = [s for n, s in zip(names, schema.names, strict=True) if options.keeps(n)]
        source.check_size(file.metadata.num_rows, len(kept))
        # A text is held once, however often it stands in the table.
        texts = [f.name for f in schema if pa.types.is_string(f.type) and f.name]
        file = arrow_parquet.ParquetFile(source.open(), read_dictionary=texts)
        # Arrow cannot pick a column by an empty name, or one of two; such tables are read whole.
        table = file.read(columns=kept if names == tuple(schema.names) else None)
        table.validate(full=True)  # Arrow believes what a file says: codes may be anything
    except DAMAGED as error:
        raise source.damaged("Parquet file", str(error).splitlines()[0]) from None
    return replace(from_table(table, options, source.where), names=names)


def read_feather(source: TableSource, options: ReadOptions) -> RawTable:
    """Read part by part, and check every offset: Arrow believes what a file says otherwise."""
    if source.data[: len(_FEATHER_MARK)] != _FEATHER_MARK:
        raise source.damaged("Feather file", "it does not begin like one")
    batches, size = [], 0
    try:
        with pa.ipc.open_file(source.open()) as file:
            for number in range(file.num_record_batches):
                batch = file.get_batch(number)
                size += batch.nbytes
                check_unpacked(size, source.size, source.name)
                batches.append(batch)
            table = pa.Table.from_batches(batches, file.schema)
        table.validate(full=True)
    except DAMAGED as error:
        raise source.damaged("Feather file", str(error).splitlines()[0]) from None
    return from_table(table, options, source.where)


def from_table(
    table: pa.Table, options: ReadOptions, where: str, *, declared: bool = False
) -> RawTable:
    """Take the columns that are wanted of a table; categories may be declared as they stand."""
    names = name_columns(table.column_names)
    shown = {name: number for number, name in enumerate(names) if not name.startswith(_INDEX)}
    columns = {
        name: raw_column(table[number], name, where, declared=declared)
        for name, number in shown.items()
        if options.keeps(name)
    }
    return RawTable(columns, table.num_rows, tuple(shown))


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
    made_by = type(source).__module__.partition(".")[0]
    if made_by in ("polars", "pyarrow"):
        source = source.collect() if hasattr(source, "collect") else source
        table = source.to_arrow() if made_by == "polars" else source
        if isinstance(table, pa.RecordBatch):
            table = pa.Table.from_batches([table])
        return from_table(table, options, "the frame", declared=True)
    frame = _as_pandas(source)
    names = name_columns(list(map(str, frame.columns)))
    columns = {
        name: _of_pandas(frame.iloc[:, number], name)
        for number, name in enumerate(names)
        if options.keeps(name)
    }
    return RawTable(columns, len(frame), names)


def _as_pandas(source: Any) -> pd.DataFrame:
    if not isinstance(source, Mapping | list):
        frame: pd.DataFrame = source
        return frame
    import pandas as pd  # noqa: PLC0415  slow to import, and files are read without it

    try:
        return pd.DataFrame(source)
    except (ValueError, TypeError):  # columns of different lengths, or of no length at all
        raise DataError(
            f"source={type(source).__name__} must hold columns of one length by name, or rows "
            "by column. Give a frame to see where they differ."
        ) from None


def _of_pandas(series: pd.Series[Any], name: str) -> RawColumn:
    """Take a column of pandas; of objects let Arrow recognise what they are."""
    kind = series.dtype
    if kind.name == "category":  # declared as they stand, also those without rows
        found = series.cat.codes.to_numpy().astype(np.int32)
        texts = [str(category) for category in series.cat.categories]
        is_one = len(set(texts)) == len(texts)
        return Texts.of(found, texts, declared=True) if is_one else tidy(found, text_array(texts))
    if isinstance(kind, np.dtype) and kind.kind in "iuf":
        return Numbers(series.to_numpy(dtype=np.float64, copy=True))
    try:
        try:
            found = pa.array(series, from_pandas=True)
        except (pa.ArrowException, OverflowError):
            if kind != np.dtype(object):
                raise
            found = pa.array(series.astype("string"), from_pandas=True)
    except (pa.ArrowException, ValueError):  # also a whole number of thousands of digits
        raise DataError(
            f"column={name!r} of the frame must hold numbers, texts or dates; it holds {kind}. "
            "Convert it, or give it the role 'ignore'."
        ) from None
    if not isinstance(found, pa.ChunkedArray):
        found = pa.chunked_array([found])
    return raw_column(found, name, "the frame")


PARQUET = Format(
    "Parquet",
    _PARQUET_SUFFIXES,
    read_parquet,
    lambda name, head: head.startswith(PARQUET_MARK) or is_named(name, _PARQUET_SUFFIXES),
    chunks="row groups",
)
FEATHER = Format(
    "Feather",
    _FEATHER_SUFFIXES,
    read_feather,
    lambda name, head: head.startswith(_FEATHER_MARK) or is_named(name, _FEATHER_SUFFIXES),
)
