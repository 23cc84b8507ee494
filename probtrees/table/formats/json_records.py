"""Read records in JSON: a list of objects, one object per line, or one object of columns."""

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


def read_json_records(source: TableSource, options: ReadOptions) -> RawTable:
    """Read records; an object inside a record becomes columns named ``outer.inner``."""
    source, letters = decoded(source, options.encoding)
    records = [dict(_cells(record)) for record in _records(source)]
    columns = dict.fromkeys(name for record in records for name in record)
    if not columns:
        raise _no_records(source, "it holds no values")
    source.check_size(len(records), len(columns))
    names = check_names([name.strip() for name in columns], source.where)
    found = {
        name: raw_column(_array([record.get(key) for record in records]), name, source.where)
        for name, key in zip(names, columns, strict=True)
        if options.keeps(name)
    }
    return RawTable(found, len(records), names, findings=letters)


def _records(source: TableSource) -> list[Mapping[str, Any]]:
    """Find the records, however they are laid out."""
    text = source.data.decode("utf-8-sig")
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
        found = _from_columns(found) or [found]
    if not all(isinstance(record, dict) for record in found):
        raise _no_records(source, "not all of its entries are objects")
    return list(found)


def _from_columns(found: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """Turn an object of columns into records; None if it is something else.

    A column is a list, or an object whose names are those of the rows, as pandas writes it. Or
    there is one list of records.
    """
    parts = list(found.values())
    lists = [part for part in parts if isinstance(part, list) and part]
    if len(lists) == 1 and all(isinstance(record, dict) for record in lists[0]):
        return lists[0]  # what stands beside the records is about them
    if parts and all(isinstance(part, list) and len(part) == len(parts[0]) for part in parts):
        return [dict(zip(found, cells, strict=True)) for cells in zip(*parts, strict=True)]
    if parts and all(isinstance(part, dict) and part.keys() == parts[0].keys() for part in parts):
        return [{name: part[row] for name, part in found.items()} for row in parts[0]]
    return None


def _cells(record: Mapping[str, Any], outer: str = "") -> Iterator[tuple[str, Any]]:
    """List the values of a record, with those of records inside it; lists are spelled out."""
    for name, value in record.items():
        if isinstance(value, dict):
            yield from _cells(value, f"{outer}{name}.")
        elif isinstance(value, list):
            plain = all(isinstance(entry, str) and "," not in entry for entry in value)
            yield f"{outer}{name}", ", ".join(value) if plain else json.dumps(value)
        else:
            yield f"{outer}{name}", value


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


JSON = Format(
    "JSON",
    _LINE_SUFFIXES,
    read_json_records,
    lambda name, head: bool(_BEGINS.match(head)) or is_named(name, (*_LINE_SUFFIXES, ".json")),
    shared_suffixes=(".json",),
)
