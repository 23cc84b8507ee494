"""Read delimited text."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from probtrees.prepare.missing_spellings import BLANK_PADDED, MISSING_SPELLINGS
from probtrees.prepare.raw_table import Numbers, RawColumn, RawTable, Texts


def read_delimited(text: str) -> RawTable:
    """Read the text of a delimited file whose first line names the columns."""
    head = text[:65536].splitlines()
    delimiter = max(",;\t|", key=head[0].count) if head else ","
    convert = arrow_csv.ConvertOptions(
        null_values=[*MISSING_SPELLINGS, *BLANK_PADDED],
        strings_can_be_null=True,
        true_values=[],
        false_values=[],
    )
    table = arrow_csv.read_csv(
        io.BytesIO(text.encode()),
        parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        convert_options=convert,
    )
    columns = {name: from_arrow(table[name]) for name in table.column_names}
    return RawTable(columns, table.num_rows)


def from_arrow(column: pa.ChunkedArray) -> RawColumn:
    """Turn an Arrow column into numbers or texts."""
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind):
        return Numbers(pc.cast(column, pa.float64()).to_numpy())
    single = pc.cast(column, pa.string()).dictionary_encode().unify_dictionaries()
    merged = single.combine_chunks()
    if isinstance(merged, pa.ChunkedArray):
        merged = merged.chunk(0)
    codes = pc.fill_null(merged.indices, -1).to_numpy().astype(np.int32)
    return Texts(codes, tuple(text.strip() for text in merged.dictionary.to_pylist()))
