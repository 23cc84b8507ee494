"""Unpack files of other programs. Run as a script: a file on stdin, the answer on stdout.

The answer is a line of JSON (what is known about the file, or what is wrong) and then the table:
a sheet of a workbook as CSV, so that it is read by the very code that reads what people save as
CSV, or the table of a statistics program as Arrow's stream. Formulas and macros are never run. The
script imports no more than one of the two needs, since its memory is bounded.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Mapping
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
        chosen, rows = _choose(book, sheets, wanted)
        if chosen is None:
            named = f"must have sheet={wanted!r}; it has {', '.join(map(repr, sheets))}."
            return {"problem": named if wanted else "must hold a table; its sheets are empty."}, b""
    except calamine.PasswordError:
        return {"problem": "must not be locked; it asks for a password. Save it without one."}, b""
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError, OSError) as error:
        return {"damaged": str(error)}, b""
    text = io.StringIO("sep=,\n")
    text.seek(0, io.SEEK_END)
    lines = csv.writer(text, lineterminator="\n")
    lines.writerows(map(_spelled, row) if row.count("") < len(row) else () for row in rows)
    above = chosen.start[0] if rows else 0
    about = {"sheets": sheets, "sheet": chosen.name, "above": above}
    return about, text.getvalue().encode("utf-8", "replace")


def _choose(book: Any, sheets: list[str], wanted: str) -> tuple[Any, list[list[Any]]]:
    """Find a sheet by its name or its number, and its used range; else the first with a table.

    A sheet with one cell in each row may hold a title: others are looked at first.
    """
    if wanted:
        number = int(wanted) if wanted.isdecimal() and len(wanted) < 7 else 0
        by_number = sheets[number - 1 : number] if number else []
        sheets = [wanted] if wanted in sheets else by_number
    found: tuple[Any, list[list[Any]]] = None, []
    for sheet in map(book.get_sheet_by_name, sheets):
        rows = sheet.to_python()
        most_filled = max((len(row) - row.count("") for row in rows), default=0)
        if most_filled > 1 or wanted:
            return sheet, rows
        if most_filled and found[0] is None:
            found = sheet, rows
    return found


def _spelled(cell: Any) -> str:
    """Write a value the way it would be typed."""
    if isinstance(cell, str):
        # A line of the text is a row of the sheet, so lines within a cell are joined.
        return _LINE_END.sub(" ", cell.replace("\0", ""))
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        return str(cell.date() if cell.time() == time() else cell.replace(microsecond=0))
    if isinstance(cell, timedelta):
        plain = timedelta(milliseconds=round(abs(cell) / timedelta(milliseconds=1)))
        hours, rest = divmod(plain, timedelta(hours=1))
        return f"{'-' if cell < timedelta() else ''}{hours}{str(rest)[1:]}"
    return str(cell) if isinstance(cell, date | time | int) else ""


def answer_statistics(content: bytes, kind: str) -> tuple[dict[str, Any], bytes]:
    """Return what is to be known about a file of a statistics program, and its table.

    Where every value of a column has a label the labels are its values, as an Arrow dictionary in
    the order of the values.
    """
    import pyarrow as pa  # noqa: PLC0415
    import pyreadstat  # noqa: PLC0415

    read = getattr(pyreadstat, f"read_{kind}")
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
    found = set(array.unique().to_pylist()) - {None}
    if not labels or not found <= labels.keys():
        return array
    distinct = list(dict.fromkeys(str(labels[value]) for value in labels if value in found))
    code = {None: None, **{value: distinct.index(str(labels[value])) for value in found}}
    codes = pa.array([code[value] for value in array.to_pylist()], type=pa.int32())
    return pa.DictionaryArray.from_arrays(codes, pa.array(distinct, type=pa.string()))


if __name__ == "__main__":
    answers = {"workbook": answer_workbook, "statistics": answer_statistics}
    about_file, body = answers[sys.argv[1]](sys.stdin.buffer.read(), sys.argv[2])
    sys.stdout.buffer.write(json.dumps(about_file).encode() + b"\n" + body)
