"""Write a table of a statistics program as Arrow's stream. Run as a script: stdin to stdout.

The answer is a line of JSON (what is wrong, or what the columns are said to hold, the labels of
values, which codes and labels are declared to be no values, and in how many cells these stand) and
then the table. Where every value of a column has a label the labels are its values, as an Arrow
dictionary in the order of the values.
"""

from __future__ import annotations

import io
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyreadstat

_FEW_CODES = 100
"""Whole numbers of a range that are listed one by one."""

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
    arrays = {}
    for name, cells in columns.items():
        array = _plain(cells)
        if labels.get(name):
            labelled = _labelled(array, labels[name])
            array = array if labelled is None else labelled
        arrays[name] = array
    said = {n: str(label) for n, label in about.column_names_to_labels.items() if label}
    values = {n: [[_code(v), str(label)] for v, label in labels[n].items()] for n in labels}
    known: dict[str, Any] = {"labels": said, "value labels": values}
    ranges: Mapping[str, Any] = {}
    if kind == "SPSS":
        _, whole = READERS[kind](io.BytesIO(content), metadataonly=True, user_missing=True)
        ranges = whole.missing_ranges
    known["missing"] = _declared_missing(ranges, labels)
    known["missing cells"] = _missing_cells(content, kind, ranges)
    return known, pa.table(arrays)


def _missing_cells(
    content: bytes, kind: str, ranges: Mapping[str, Any]
) -> dict[str, dict[str, int]]:
    """Count the cells of every column that hold codes which are no values, by code."""
    if not ranges:
        return {}
    columns, _ = READERS[kind](
        io.BytesIO(content), output_format="dict", user_missing=True, usecols=list(ranges)
    )
    counts = {name: Counter(cells) for name, cells in columns.items()}
    return {
        name: {
            _code(value): n
            for value, n in found.items()
            if any(_lies_between(value, ends) for ends in ranges[name])
        }
        for name, found in counts.items()
    }


def _lies_between(value: Any, ends: Mapping[str, Any]) -> bool:
    low, high = ends["lo"], ends["hi"]
    alike = value is not None and isinstance(value, str) == isinstance(low, str)
    return bool(alike and low <= value <= high)


def _declared_missing(ranges: Mapping[str, Any], labels: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the codes of every column that are no values, with their labels.

    Of a range the codes that have labels, and all whole numbers if these are few. Stata and SAS
    have letters for such values, ".a" to ".z"; of a portable file the reader tells nothing.
    """
    found = {}
    for name in {**ranges, **labels}:
        known = labels.get(name, {})
        codes = [code for ends in ranges.get(name, ()) for code in _codes_between(ends, known)]
        texts = [*map(_code, codes), *(str(known[code]) for code in codes if code in known)]
        has_numbers = any(not isinstance(value, str) for value in known)
        letters = [v for v in known if isinstance(v, str) and has_numbers]
        texts += [text for letter in letters for text in (f".{letter}", str(known[letter]))]
        found[name] = list(dict.fromkeys(texts))
    return found


def _codes_between(ends: Mapping[str, Any], known: Mapping[Any, str]) -> list[Any]:
    """List the codes from one to another: all whole numbers if they are few, else labelled ones."""
    low, high = ends["lo"], ends["hi"]
    if low == high:
        return [low]
    few = isinstance(low, float) and high - low < _FEW_CODES
    whole = [*map(float, range(math.ceil(low), math.floor(high) + 1))] if few else []
    labelled = [code for code in known if isinstance(code, type(low)) and low <= code <= high]
    return list(dict.fromkeys([*whole, *labelled]))


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
