"""Read records in JSON: a list of objects, one object per line, or one object of columns."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from probtrees.errors import DataError
from probtrees.table.formats.arrow import read_frame
from probtrees.table.formats.sniff import decoded
from probtrees.table.formats.source import Format, TableSource, is_named
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions

_LINE_SUFFIXES = (".jsonl", ".ndjson")
_BEGINS = re.compile(rb'(\xef\xbb\xbf)?\s*(\[\s*)?\{\s*("|\})')


def read_json_records(source: TableSource, options: ReadOptions) -> RawTable:
    """Read records; an object inside a record becomes columns named ``outer.inner``."""
    import pandas as pd  # noqa: PLC0415  it takes long to load, and other files do without

    source, letters = decoded(source, options.encoding)
    try:
        found = _records(source.data.decode("utf-8-sig"))
        frame = pd.json_normalize(found) if isinstance(found, list) else pd.DataFrame(found)
    except RecursionError:
        raise _no_records(source, "it is nested too deeply") from None
    except (ValueError, TypeError, AttributeError, NotImplementedError) as problem:
        raise _no_records(source, f"it is cut off or damaged ({problem})") from None
    if frame.columns.empty:
        raise _no_records(source, "it holds no values")
    source.check_size(*frame.shape)
    return replace(read_frame(frame.map(_spelled), options), findings=letters)


def _records(text: str) -> Any:
    """Find the records, however they are laid out; columns by name stay as they are."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        if "Extra data" not in problem.msg:
            raise
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    if not isinstance(found, dict):
        return found
    parts = list(found.values())
    lists = [part for part in parts if isinstance(part, list) and part]
    if len(lists) == 1 and all(isinstance(record, dict) for record in lists[0]):
        return lists[0]  # what stands beside the records is about them
    return found if all(isinstance(part, list | dict) for part in parts) else [found]


def _spelled(cell: Any) -> Any:
    """Write a list as a text, as people would where none of its entries holds a comma."""
    if not isinstance(cell, list):
        return cell
    plain = all(isinstance(entry, str) and "," not in entry for entry in cell)
    return ", ".join(cell) if plain else json.dumps(cell)


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
