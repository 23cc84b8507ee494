"""Read Feather files, which are Arrow's own way to keep a table in a file."""

from __future__ import annotations

import pyarrow as pa

from probtrees.errors import DataError
from probtrees.machine.input_bytes import check_unpacked
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.formats.arrow_columns import raw_column
from probtrees.table.formats.column_names import check_names
from probtrees.table.formats.format import Format, is_named
from probtrees.table.formats.table_source import TableSource
from probtrees.table.read_options import ReadOptions

_MARK = b"ARROW1"
_SUFFIXES = (".feather", ".arrow")


def read_feather(source: TableSource, options: ReadOptions) -> RawTable:
    """Read the columns that are wanted."""
    if source.head(len(_MARK)) != _MARK:
        raise _damaged(source, "it does not begin like one")
    try:
        table = _table(source)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(source, str(error).splitlines()[0].rstrip(".")) from None
    names = check_names(table.column_names, source.where)
    columns = {
        name: raw_column(table[number], name, source.where)
        for number, name in enumerate(names)
        if options.keeps(name) and not name.startswith("__index_")
    }
    return RawTable(
        columns, table.num_rows, tuple(n for n in names if not n.startswith("__index_"))
    )


def _table(source: TableSource) -> pa.Table:
    """Read part by part, and check every offset: Arrow believes what a file says otherwise."""
    batches, size = [], 0
    with pa.ipc.open_file(source.open()) as file:
        for number in range(file.num_record_batches):
            batch = file.get_batch(number)
            size += batch.nbytes
            check_unpacked(size, source.size, source.name)
            batches.append(batch)
        table = pa.Table.from_batches(batches, file.schema)
    table.validate(full=True)
    return table


def _damaged(source: TableSource, reason: str) -> DataError:
    return DataError(
        f"{source.where} must be a complete Feather file; reading it failed: {reason}. Copy or "
        "write it again."
    )


def _is_feather(name: str, head: bytes) -> bool:
    return head.startswith(_MARK) or is_named(name, _SUFFIXES)


FEATHER = Format("Feather", _SUFFIXES, read_feather, _is_feather)
