"""Names of columns: each once, none empty, and found where a model needs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from probtrees.errors import DataError
from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.raw_table import Numbers, RawColumn, RawTable, folded
from probtrees.table.cells.spelled_numbers import parse_numbers
from probtrees.table.read_options import ReadOptions


def check_names(names: Sequence[str], where: str) -> tuple[str, ...]:
    """Refuse names that occur twice; give columns without a name their number for now."""
    seen: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        if name and name in seen:
            raise DataError(
                f"column={name!r} of {where} must be named once; columns {seen[name]} and {number} "
                "both have that name. Rename one of them."
            )
        seen[name] = number
    return tuple(name or placeholder(number, names) for number, name in enumerate(names, start=1))


def rename_repeated(names: Sequence[str]) -> tuple[str, ...]:
    """Give names that occur more than once a number each.

    >>> rename_repeated(["age", "dose", "age", "age"])
    ('age', 'dose', 'age (2)', 'age (3)')
    """
    renamed: list[str] = []
    for name in names:
        number, new = 2, name
        while name and (new in renamed or (new != name and new in names)):
            new, number = f"{name} ({number})", number + 1
        renamed.append(new)
    return tuple(renamed)


def placeholder(number: int, names: Sequence[str]) -> str:
    """Make up a name for a column that has none."""
    name = f"column {number}"
    while name in names:
        name += "'"
    return name


def looks_like_data(names: Sequence[str]) -> bool:
    """Whether a line of names is rather a row: one of them is a number with decimals.

    Whole numbers are allowed: years, or numbered columns.
    """
    numbers = parse_numbers(text_array(names))
    found = numbers[~np.isnan(numbers)]
    return bool((found != np.floor(found)).any())


def settle_unnamed(
    columns: dict[str, RawColumn], names: Sequence[str], where: str
) -> tuple[str, ...]:
    """Leave out unnamed columns that are empty or count the rows; refuse other unnamed ones."""
    notes: tuple[str, ...] = ()
    unnamed = [number for number, name in enumerate(names, start=1) if not name.strip()]
    if len(columns) > len(names):
        unnamed.append(len(names) + 1)
    for number in unnamed:
        name = placeholder(number, names)
        if name not in columns:
            continue
        if bool(columns[name].missing.all()):
            notes += (f"Column {number} has neither a name nor a value and is left out.",)
        elif number == 1 and _counts_rows(columns[name]):
            notes += ("The first column has no name and counts the rows; it is left out.",)
        else:
            raise DataError(
                f"column {number} of {where} must have a name; the header leaves it empty. Name "
                "every column in the first line."
            )
        del columns[name]
    return notes


def _counts_rows(column: RawColumn) -> bool:
    if not isinstance(column, Numbers) or not len(column.values):
        return False
    first = column.values[0]
    return first in (0, 1) and bool(
        (column.values == np.arange(first, first + len(column.values))).all()
    )


def read_by_names(read: Callable[[ReadOptions], RawTable], options: ReadOptions) -> RawTable:
    """Read a table for a schema; columns whose names differ in case or spaces only are found.

    The table is read a second time then: which columns are read, and how, goes by their names.
    """
    raw, schema = read(options), options.schema
    if schema is None:
        return raw
    needed = {column.source_name for column in schema.features}
    found = _names_written_otherwise(
        [name for name in needed if name not in raw.names],
        [n for n in raw.names if n not in {*needed, schema.target.source_name, *options.roles}],
    )
    if not found:
        return raw
    columns = (
        replace(column, source=found.get(column.source_name, column.source))
        for column in schema.columns
    )
    raw = read(replace(options, schema=replace(schema, columns=tuple(columns))))
    back = {written: name for name, written in found.items()}
    return replace(
        raw,
        columns={back.get(name, name): column for name, column in raw.columns.items()},
        names=tuple(back.get(name, name) for name in raw.names),
        notes=(*raw.notes, _note_on_names(found)),
    )


def _names_written_otherwise(absent: Collection[str], others: Collection[str]) -> dict[str, str]:
    """Find absent names among others, regardless of case and spaces, where only one can be meant.

    >>> _names_written_otherwise(["Mileage", "Make"], ["mileage", "make", "MAKE"])
    {'Mileage': 'mileage'}
    """
    wanted, given = Counter(map(folded, absent)), Counter(map(folded, others))
    written = {folded(name): name for name in others}
    return {
        name: written[folded(name)]
        for name in sorted(absent)
        if wanted[folded(name)] == given[folded(name)] == 1
    }


def _note_on_names(found: dict[str, str]) -> str:
    shown = ", ".join(f"{written!r} as {name!r}" for name, written in list(found.items())[:10])
    more = f" and {len(found) - 10} more" if len(found) > 10 else ""
    return f"Columns are found regardless of case and spaces: {shown}{more}."
