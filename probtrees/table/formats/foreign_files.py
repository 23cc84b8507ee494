"""Unpack files of other programs. Run as a script: a file on stdin, the answer on stdout.

The answer is a line of JSON (what is known about the file, or what is wrong) and then the table:
a sheet of a workbook as CSV, so that it is read by the very code that reads what people save as
CSV, or the table of a statistics program as Arrow's stream. Formulas and macros are never run. The
script imports no more than one of the two needs, since its memory is bounded.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

_LINE_END = re.compile(r"[ \t]*(?:_x000D_)?[\r\n]+[ \t]*")


def answer_workbook(content: bytes, wanted: str) -> tuple[dict[str, Any], bytes]:
    """Return what is to be known about a workbook, and the wanted sheet as CSV."""
    import python_calamine as calamine  # noqa: PLC0415

    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
        is_sheet = calamine.SheetTypeEnum.WorkSheet
        sheets = [about.name for about in book.sheets_metadata if about.typ == is_sheet]
        name, rows = _choose(book, sheets, wanted)
        if name is None:
            named = f"must have sheet={wanted!r}; it has {', '.join(map(repr, sheets))}."
            return {"problem": named if wanted else "must hold a table; its sheets are empty."}, b""
        text, above = _sheet_as_csv(rows)
    except calamine.PasswordError:
        return {"problem": "must not be locked; it asks for a password. Save it without one."}, b""
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError, OSError) as error:
        return {"damaged": str(error)}, b""
    return {"sheets": sheets, "sheet": name, "above": above}, text.encode("utf-8", "replace")


def _choose(book: Any, sheets: list[str], wanted: str) -> tuple[str | None, list[list[Any]]]:
    """Find a sheet by its name or its number, and its rows; else the first that holds a table.

    A sheet with one cell in each row may hold a title: others are looked at first.
    """
    if wanted:
        number = int(wanted) if wanted.isdecimal() and len(wanted) < 7 else 0
        by_number = sheets[number - 1] if 1 <= number <= len(sheets) else None
        named = wanted if wanted in sheets else by_number
        return named, _rows(book, named) if named else []
    found: tuple[str | None, list[list[Any]]] = None, []
    for name in sheets:
        rows = _rows(book, name)
        most_filled = max((len(row) - row.count("") for row in rows), default=0)
        if most_filled > 1:
            return name, rows
        if most_filled and found[0] is None:
            found = name, rows
    return found


def _rows(book: Any, name: str) -> list[list[Any]]:
    return list(book.get_sheet_by_name(name).iter_rows())


def _sheet_as_csv(rows: list[list[Any]]) -> tuple[str, int]:
    """Write the used range; blank rows inside it become blank lines. Say how many lie above."""
    used = [row.count("") < len(row) for row in rows]
    filled = [row for row, is_used in zip(rows, used, strict=True) if is_used]
    left = min((_first(row) for row in filled), default=0)
    right = max((len(row) - _first(row[::-1]) for row in filled), default=0)
    above = used.index(True) if filled else 0
    text = ["sep=,"]
    for row, is_used in zip(rows[above:], used[above:], strict=True):
        text.append(",".join(map(_spelled, row[left:right])) if is_used else "")
    return "\n".join(text) + "\n", above


def _first(row: list[Any]) -> int:
    return next(place for place, cell in enumerate(row) if cell != "")


def _spelled(cell: Any) -> str:
    """Write a value the way it would be typed."""
    if isinstance(cell, str):
        # A line of the text is a row of the sheet, so lines within a cell are joined.
        plain = _LINE_END.sub(" ", cell.replace("\0", "").replace('"', '""'))
        return f'"{plain}"' if plain else ""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        return str(cell.date() if cell.time() == time() else cell.replace(microsecond=0))
    if isinstance(cell, timedelta):
        return _duration(cell.total_seconds())
    return str(cell) if isinstance(cell, date | time | int) else ""


def _duration(seconds: float) -> str:
    """Write a duration as hours, minutes and seconds; a negative one as a number of hours."""
    if seconds < 0:
        return repr(seconds / 3600)
    minutes, rest = divmod(round(seconds, 3), 60)
    return f"{int(minutes // 60)}:{int(minutes % 60):02d}:{rest:06.3f}".removesuffix(".000")


def answer_statistics(content: bytes, kind: str) -> tuple[dict[str, Any], bytes]:
    """Return what is to be known about a file of a statistics program, and its table.

    Where every value of a column has a label the labels are its values, as an Arrow dictionary in
    the order of the values.
    """
    import pyarrow as pa  # noqa: PLC0415
    import pyreadstat  # noqa: PLC0415

    readers: Mapping[str, Callable[..., Any]] = {
        "Stata": pyreadstat.read_dta,
        "SPSS": pyreadstat.read_sav,
        "SPSS portable": pyreadstat.read_por,
        "SAS": pyreadstat.read_sas7bdat,
        "SAS transport": pyreadstat.read_xport,
    }
    read = readers[kind]
    try:
        columns, about = read(io.BytesIO(content), output_format="dict")
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OSError) as error:
        return {"damaged": str(error).partition("\n")[0]}, b""
    labels = about.variable_value_labels
    known = {
        "labels": {n: str(label) for n, label in about.column_names_to_labels.items() if label},
        "value labels": {n: [[_code(v), str(t)] for v, t in labels[n].items()] for n in labels},
    }
    table = pa.table({n: _array(pa, cells, labels.get(n)) for n, cells in columns.items()})
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return known, sink.getvalue()


def _code(value: Any) -> str:
    """Write a value as in a text: whole numbers without a point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _array(pa: Any, cells: Any, labels: Mapping[Any, str] | None) -> Any:
    """Take cells as they are, a mixture spelled out; labels for values if every value has one."""
    try:
        array = pa.array(cells, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        array = pa.array([None if c is None else str(c) for c in cells], type=pa.string())
    found = {value for value in array.unique().to_pylist() if value is not None}
    if not labels or any(value not in labels for value in found):
        return array
    distinct = list(dict.fromkeys(str(labels[value]) for value in labels if value in found))
    code = {value: distinct.index(str(labels[value])) for value in found}
    codes = [None if value is None else code[value] for value in array.to_pylist()]
    texts = pa.array(distinct, type=pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes, type=pa.int32()), texts)


if __name__ == "__main__":
    answers = {"workbook": answer_workbook, "statistics": answer_statistics}
    about_file, body = answers[sys.argv[1]](sys.stdin.buffer.read(), sys.argv[2])
    sys.stdout.buffer.write(json.dumps(about_file).encode() + b"\n" + body)
