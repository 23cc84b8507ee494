"""Sheets of a workbook, or texts of an archive, that have the same columns: one table of all."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from probtrees.errors import DataError
from probtrees.table.formats.footer import is_total_word
from probtrees.table.table_report import Finding, Fix

ALL = "all"
"""Stands for all sheets, or files of an archive, where one is chosen by its name."""

MOST_LOOKED_AT = 24
"""In so many sheets at most the same columns are looked for."""

ORIGIN = "sheet"
_FIRST_LINES = 30
_MOST_NAMED = 6

Record = tuple[str, ...]


class JoinedSheets(NamedTuple):
    """A text of all rows, whose first column names the sheet, and which sheets it is made of."""

    text: str
    used: tuple[str, ...]


def join_sheets(texts: Mapping[str, str], delimiter: str, where: str) -> JoinedSheets:
    """Join the texts that have the names of the columns of the first one that shares them.

    What stands above the names is left out, and so are totals below the rows of each.
    """
    read = {name: _records(text, delimiter) for name, text in texts.items()}
    for names in map(_names, read.values()):
        used = [name for name, records in read.items() if names in records[:_FIRST_LINES]]
        if names and len(used) > 1:
            return JoinedSheets(_written(read, used, names, delimiter), tuple(used))
    raise DataError(
        f"sheet={ALL!r} must be of sheets or files with the same columns; {where} has none. "
        "Choose one of them by its name."
    )


def _records(text: str, delimiter: str) -> list[Record]:
    lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
    found = [tuple(cells) for cells in csv.reader(lines, delimiter=delimiter)]
    return [_trimmed(record) for record in found if not (record and record[0].startswith("sep="))]


def _trimmed(record: Record) -> Record:
    """Leave out empty cells at the end."""
    end = len(record)
    while end and not record[end - 1].strip():
        end -= 1
    return record[:end]


def _names(records: Sequence[Record]) -> Record:
    """Return the first line of several cells, which may name the columns."""
    return next((r for r in records[:_FIRST_LINES] if sum(map(bool, r)) > 1), ())


def _written(
    read: Mapping[str, list[Record]], used: Sequence[str], names: Record, delimiter: str
) -> str:
    file = io.StringIO()
    file.write(f"sep={delimiter}\n")
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    writer.writerow((ORIGIN, *names))
    for name in used:
        records = read[name]
        rows = [record for record in records[records.index(names) + 1 :] if record]
        while rows and is_total_word(next(filter(None, rows[-1]))):
            rows.pop()
        writer.writerows((name, *row, *("",) * (len(names) - len(row))) for row in rows)
    return file.getvalue()


def have_same_columns(names: Sequence[str], read: str, what: str) -> Finding:
    """Offer to read sheets or files of the same columns as one table."""
    shown = ", ".join(map(repr, names[:_MOST_NAMED])) + (", ..." * (len(names) > _MOST_NAMED))
    return Finding(
        None,
        "sheets",
        f"The {what} {shown} have the same columns; only {read!r} is read.",
        f"Read them as one table (sheet='{ALL}') to have the rows of all {len(names)}.",
        "warning",
        (Fix(f"Read all {len(names)} as one table", "sheet", ALL),),
    )


def joined_finding(used: Sequence[str], others: Sequence[str], what: str) -> Finding:
    """Say which sheets or files are read as one table."""
    shown = ", ".join(map(repr, used[:_MOST_NAMED])) + (", ..." * (len(used) > _MOST_NAMED))
    left = f"; {', '.join(map(repr, others[:_MOST_NAMED]))} left out" if others else ""
    return Finding(
        None,
        "sheets",
        f"The {what} {shown} are read as one table{left}. Column {ORIGIN!r} says which of them a "
        "row is from.",
        fixes=(Fix("Read one of them only", "take back", "sheet all"),),
    )


def origin_left_out(name: str) -> Finding:
    """Say that the column of sheets is no feature unless somebody wants it."""
    return Finding(
        name,
        "origin",
        f"Column {name!r} says where a row is from, and is not used.",
        "Give it the role 'feature' to predict from it.",
        fixes=(Fix("Use it", "role", "feature"),),
    )
