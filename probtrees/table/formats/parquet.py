"""Read Parquet files."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as arrow_parquet

from probtrees.errors import DataError
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.formats.arrow_columns import raw_column
from probtrees.table.formats.column_names import check_names
from probtrees.table.formats.format import Format, is_named
from probtrees.table.formats.table_source import TableSource
from probtrees.table.read_options import ReadOptions

PARQUET_MARK = b"PAR1"
"""How every Parquet file begins."""

_SUFFIXES = (".parquet", ".pq")


def read_parquet(source: TableSource, options: ReadOptions) -> RawTable:
    """Read the columns that are wanted."""
    if source.head(len(PARQUET_MARK)) != PARQUET_MARK:
        raise DataError(
            f"{source.where} must be a Parquet file; it does not begin like one. Copy or write it "
            "again."
        )
    try:
        file = arrow_parquet.ParquetFile(source.open())
        names = check_names(file.schema_arrow.names, source.where)
        kept = [name for name in names if options.keeps(name) and not name.startswith("__index_")]
        source.check_size(file.metadata.num_rows, len(kept))
        spelled = dict(zip(names, file.schema_arrow.names, strict=True))
        # A text is held once, however often it stands in the table.
        texts = [f.name for f in file.schema_arrow if pa.types.is_string(f.type) and f.name]
        file = arrow_parquet.ParquetFile(source.open(), read_dictionary=texts)
        # Arrow cannot pick a column by an empty name; such tables are read as a whole.
        table = file.read(columns=[spelled[n] for n in kept] if all(spelled.values()) else None)
        table.validate(full=True)  # Arrow believes what a file says: codes may be anything
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise DataError(
            f"{source.where} must be a complete Parquet file; reading it failed: {reason}. Copy or "
            "write it again."
        ) from None
    place = {name: number for number, name in enumerate(kept if all(spelled.values()) else names)}
    columns = {name: raw_column(table.column(place[name]), name, source.where) for name in kept}
    return RawTable(columns, table.num_rows, names)


def _is_parquet(name: str, head: bytes) -> bool:
    """Whether a file is Parquet, or is meant to be: no other format can be named so."""
    return head.startswith(PARQUET_MARK) or is_named(name, _SUFFIXES)


PARQUET = Format("Parquet", _SUFFIXES, read_parquet, _is_parquet, chunks="row groups")
