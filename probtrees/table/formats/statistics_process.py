"""Write a table of a statistics program as Arrow's stream. Run as a script: stdin to stdout.

The answer is a line of JSON (what is wrong, or which columns have labels for only some of their
values, what the columns are said to hold, and the labels of values) and then the table. Where every
value of a column has a label the labels are its values, as an Arrow dictionary in the order of the
values.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyreadstat

READERS: Mapping[str, Callable[..., Any]] = {
    "Stata": pyreadstat.read_dta,
    "SPSS": pyreadstat.read_sav,
    "SPSS portable": pyreadstat.read_por,
    "SAS": pyreadstat.read_sas7bdat,
    "SAS transport": pyreadstat.read_xport,
}
"""What reads the files of each kind."""


def answer(content: bytes, kind: str) -> tuple[dict[str, Any], pa.Table | None]:
    """Return what is to be known about a file, and its table."""
    try:
        columns, about = READERS[kind](io.BytesIO(content), output_format="dict")
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OSError) as error:
        return {"problem": str(error).splitlines()[0] if str(error) else "no reason given"}, None
    labels = about.variable_value_labels
    arrays, partly = {}, []
    for name, cells in columns.items():
        array = _plain(cells)
        if labels.get(name):
            labelled = _labelled(array, labels[name])
            partly += [name] if labelled is None else []
            array = array if labelled is None else labelled
        arrays[name] = array
    said = {n: str(label) for n, label in about.column_names_to_labels.items() if label}
    values = {n: [[_code(v), str(label)] for v, label in labels[n].items()] for n in labels}
    return {"partly labelled": partly, "labels": said, "value labels": values}, pa.table(arrays)


def _code(value: Any) -> str:
    """Write a value as in a text: whole numbers without a point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _plain(cells: Any) -> pa.Array:
    """Take cells as they are: numbers, texts, dates; a mixture is spelled out."""
    try:
        return pa.array(cells, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        spelled = [None if cell is None else str(cell) for cell in cells]
        return pa.array(spelled, type=pa.string())


def _labelled(array: pa.Array, labels: Mapping[Any, str]) -> pa.Array | None:
    """Put labels in place of values, if every value that occurs has one."""
    found = [value for value in array.unique().to_pylist() if value is not None]
    if any(value not in labels for value in found):
        return None
    texts = [str(labels[value]) for value in labels if value in set(found)]
    distinct = list(dict.fromkeys(texts))
    code = {value: distinct.index(str(labels[value])) for value in found}
    codes = [None if value is None else code[value] for value in array.to_pylist()]
    return pa.DictionaryArray.from_arrays(
        pa.array(codes, type=pa.int32()), pa.array(distinct, type=pa.string())
    )


def _as_stream(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


if __name__ == "__main__":
    np.seterr(all="ignore")
    known, found = answer(sys.stdin.buffer.read(), sys.argv[1])
    body = b"" if found is None else _as_stream(found)
    sys.stdout.buffer.write(json.dumps(known).encode() + b"\n" + body)
