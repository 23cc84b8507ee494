"""Read records in JSON: objects in a list or one per line, an object of columns, names and rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from probtrees.errors import DataError
from probtrees.table.formats.arrow import NOT_RECOGNISED, check_names, raw_column, spelled_out
from probtrees.table.formats.decode import decoded
from probtrees.table.formats.source import Format, TableSource, is_named
from probtrees.table.raw_table import RawTable

if TYPE_CHECKING:
    from probtrees.table.read_options import ReadOptions

_LINE_SUFFIXES = (".jsonl", ".ndjson")
_BEGINS = re.compile(rb'(\xef\xbb\xbf)?\s*(\[\s*)?\{\s*("|\})')
_MOST_COLUMNS = 100_000
_NO_ENTRY = "[]"


def read_json_records(source: TableSource, options: ReadOptions) -> RawTable:
    """Read records; an object inside a record becomes columns named ``outer.inner``."""
    source, letters = decoded(source, options.encoding)
    records = _records(source.content().decode("utf-8-sig"), source)
    columns: dict[str, list[Any]] = {}
    for number, record in enumerate(records):
        for name, cell in _cells(record):
            cells = columns.setdefault(name, [])
            cells.extend([None] * (number - len(cells)))
            if len(cells) > number:
                raise DataError(
                    f"column={name!r} of {source.where} must be named once; record {number + 1} "
                    "has it twice. Rename one of the two."
                )
            cells.append(cell)
        if len(columns) > _MOST_COLUMNS:
            raise _no_records(source, f"it has more than {_MOST_COLUMNS:,} different names")
    if not columns:
        raise _no_records(source, "it holds no values")
    for cells in columns.values():
        cells.extend([None] * (len(records) - len(cells)))
    spelled = list(columns)
    names = check_names([name.strip() for name in spelled], source.where)
    return RawTable(
        {
            name: raw_column(_array(_without_lists(columns[key])), name, source.where)
            for name, key in zip(names, spelled, strict=True)
            if options.keeps(name)
        },
        len(records),
        names,
        findings=letters,
    )


def _records(text: str, source: TableSource) -> list[Mapping[str, Any]]:
    """Find the records, however they are laid out."""
    try:
        try:
            found = json.loads(text)
        except json.JSONDecodeError as problem:
            if "Extra data" not in problem.msg:
                raise
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
    except RecursionError:
        raise _no_records(source, "it is nested too deeply") from None
    except ValueError as problem:
        raise _no_records(source, f"it is cut off or damaged ({problem})") from None
    if isinstance(found, dict):
        found = _from_rows(found) or _from_columns(found) or [found]
    elif isinstance(found, list) and len(found) > 1 and _are_names(found[0]):
        found = _from_rows({"names": found[0], "rows": found[1:]}) or found
    if not all(isinstance(record, dict) for record in found):
        raise _no_records(source, "not all of its entries are objects")
    return list(found)


def _from_rows(found: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """Turn a list of names and a list of rows into records; None if these are not there.

    So pandas writes it ("columns" and "data") and many programs do.

    >>> _from_rows({"columns": ["age", "sex"], "index": [0, 1], "data": [[71, "f"], [64, "m"]]})
    [{'age': 71, 'sex': 'f'}, {'age': 64, 'sex': 'm'}]
    """
    names = [part for part in found.values() if _are_names(part)]
    tables = [part for part in found.values() if _are_rows(part)]
    widths = {len(row) for row in tables[0]} if len(tables) == 1 else set()
    fitting = [part for part in names if widths == {len(part)}]
    if len(fitting) != 1:
        return None
    return [dict(zip(fitting[0], row, strict=True)) for row in tables[0]]


def _are_names(part: Any) -> bool:
    """Whether something is a list of different texts."""
    is_list = isinstance(part, list) and len(part) > 0
    return is_list and all(isinstance(n, str) for n in part) and len(set(part)) == len(part)


def _are_rows(part: Any) -> bool:
    """Whether something is a list of lists."""
    return isinstance(part, list) and len(part) > 0 and all(isinstance(row, list) for row in part)


def _from_columns(found: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """Turn an object of columns into records; None if it is something else.

    A column is a list, or an object whose names are those of the rows, as pandas writes it.
    """
    parts = list(found.values())
    lists = [part for part in parts if isinstance(part, list) and part]
    if len(lists) == 1 and all(isinstance(record, dict) for record in lists[0]):
        return lists[0]  # what stands beside the records is about them
    inner = [part for part in parts if isinstance(part, dict) and part]
    if not lists and len(inner) == 1 and len(parts) > 1:
        lists = [part for part in inner[0].values() if isinstance(part, list)]
        if len(lists) == 1 and lists[0] and all(isinstance(record, dict) for record in lists[0]):
            return list(lists[0])
    if parts and all(isinstance(part, list) and len(part) == len(parts[0]) for part in parts):
        return [dict(zip(found, cells, strict=True)) for cells in zip(*parts, strict=True)]
    if parts and all(isinstance(part, dict) and part.keys() == parts[0].keys() for part in parts):
        return [{name: part[row] for name, part in found.items()} for row in parts[0]]
    return None


def _cells(record: Mapping[str, Any], outer: str = "") -> Iterator[tuple[str, Any]]:
    """List the values of a record, with those of records inside it."""
    for name, value in record.items():
        if isinstance(value, dict):
            yield from _cells(value, f"{outer}{name}.")
        else:
            yield f"{outer}{name}", value


def _without_lists(cells: list[Any]) -> list[Any]:
    """Spell lists out; an empty one says none of the answers that others hold, else nothing."""
    if not any(isinstance(cell, list) for cell in cells):
        return cells
    empty = _NO_ENTRY if any(isinstance(cell, list) and cell for cell in cells) else None
    return [
        cell if not isinstance(cell, list) else _spelled_list(cell) if cell else empty
        for cell in cells
    ]


def _spelled_list(entries: list[Any]) -> str:
    """Spell out a list: several answers as people write them, anything else as JSON.

    >>> _spelled_list(["tea", "milk"]), _spelled_list([[1], [2]])
    ('tea, milk', '[[1], [2]]')
    """
    if all(isinstance(entry, str) and entry and "," not in entry for entry in entries):
        return ", ".join(entries)
    return json.dumps(entries)


def _array(cells: list[Any]) -> pa.ChunkedArray:
    """Let Arrow recognise what the cells are; a mixture is spelled out as text."""
    try:
        return pa.chunked_array([pa.array(cells)])
    except NOT_RECOGNISED:
        return pa.chunked_array([spelled_out(cells)])


def _no_records(source: TableSource, reason: str) -> DataError:
    return DataError(
        f"{source.where} must be a list of records in JSON, or one record per line; {reason}. "
        "Write the table as [{...}, {...}], or as CSV."
    )


def _is_json(name: str, head: bytes) -> bool:
    """Whether a file begins with a record or a list of them."""
    return _BEGINS.match(head) is not None or is_named(name, (*_LINE_SUFFIXES, ".json"))


JSON = Format("JSON", _LINE_SUFFIXES, read_json_records, _is_json, shared_suffixes=(".json",))
