"""Names of columns: each once, none empty, and found where a model needs them."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from probtrees.errors import DataError, did_you_mean
from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.convert_numbers import AS_WRITTEN, Converted
from probtrees.table.cells.raw_table import Numbers, RawColumn, RawTable
from probtrees.table.cells.same_words import folded
from probtrees.table.cells.spelled_numbers import parse_numbers
from probtrees.table.dataset import Schema
from probtrees.table.formats.absent_columns import other_unit, unit_changes, units_in_cells
from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.header_lines import two_lines_would_do
from probtrees.table.formats.text.sniff import Dialect
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding, Fix

_HARDLY_FILLED = 0.8
"""A column beside the table with more empty cells holds notes."""


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


def repeated_findings(written: Sequence[str], names: Sequence[str]) -> tuple[Finding, ...]:
    """Report columns that share their name with one before them."""
    given = {name.strip() for name in written}
    first = {name: re.sub(r" \(\d+\)$", "", name) for name in names if name not in given}
    return tuple(
        Finding(
            name,
            "repeated name",
            f"Several columns are named {old!r}; this one is called {name!r} here.",
            "Give every column a name of its own to be sure which is which.",
            "warning",
            (Fix("Ignore this column", "role", "ignore"),),
        )
        for name, old in first.items()
        if old != name and old in given
    )


def with_numbered_names(source: TableSource, dialect: Dialect) -> TableSource:
    """Put a line of names above a table that has none: "column 1", "column 2", ..."""
    width = max(map(len, (dialect.names, *dialect.rows)))
    names = dialect.delimiter.join(f"column {number}" for number in range(1, width + 1))
    text = source.content().decode("utf-8-sig", errors="replace")
    lines_before = source.lines_before - 2
    if text.startswith("sep="):
        text, lines_before = text.partition("\n")[2], lines_before + 1
    named = source.in_utf8(f"sep={dialect.delimiter}\n{names}\n{text}")
    return replace(named, lines_before=lines_before)


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


def settle_unnamed(columns: dict[str, RawColumn], dialect: Dialect, where: str) -> tuple[str, ...]:
    """Leave out unnamed columns that are empty, count the rows or stand beside the table.

    Others have their number.

    They are refused where names seem to be missing for another reason: rows have a cell more than
    the header, or the line below holds the names.
    """
    notes: tuple[str, ...] = ()
    names = dialect.names
    below = _names_are_below(dialect)
    unnamed = [number for number, name in enumerate(names, start=1) if not name.strip()]
    if len(columns) > len(names):
        unnamed.append(len(names) + 1)
    gap = _blank_column_behind(columns, names)
    for number in unnamed:
        name = placeholder(number, names)
        if name not in columns:
            continue
        if gap and number > gap and columns[name].missing.mean() > _HARDLY_FILLED:
            notes += (_beside(number, columns[name]),)
        elif bool(columns[name].missing.all()):
            notes += (f"Column {number} has neither a name nor a value and is left out.",)
        elif number == 1 and _counts_rows(columns[name]):
            notes += ("The first column has no name and counts the rows; it is left out.",)
        elif below or number > len(names):
            raise DataError(
                f"column {number} of {where} must have a name; the header leaves it empty. Name "
                "every column in the first line."
            )
        else:
            notes += (f"Column {number} has no name; it is called {name!r} here.",)
            continue
        del columns[name]
    return notes


def _blank_column_behind(columns: Mapping[str, RawColumn], names: Sequence[str]) -> int:
    """Return the number of the column without a cell that parts all named ones from notes; or 0."""
    named = [number for number, name in enumerate(names, start=1) if name.strip()]
    number = named[-1] + 1 if named else 0
    column = columns.get(placeholder(number, names)) if number else None
    return number if column is not None and bool(column.missing.all()) else 0


def _beside(number: int, column: RawColumn) -> str:
    """Say that what stands beside a table is left out: a legend, remarks."""
    n_cells = int((~column.missing).sum())
    first = column.cell(int((~column.missing).argmax()))
    words = first if len(first) <= 30 else first[:27] + "..."
    return (
        f"Column {number} has no name and stands apart beside the table, with {n_cells:,} "
        f"{'cell' if n_cells == 1 else 'cells'} ({words!r}); it is left out. Name it to use it."
    )


def _names_are_below(dialect: Dialect) -> bool:
    """Whether the line below seems to have the names that lack: it leaves other cells empty."""
    row = dialect.rows[0] if dialect.rows else ()
    return bool(dialect.joined) or (
        bool(two_lines_would_do(dialect.names, row)) and any(not cell.strip() for cell in row)
    )


def _counts_rows(column: RawColumn) -> bool:
    if not isinstance(column, Numbers) or not len(column.values):
        return False
    first = column.values[0]
    return first in (0, 1) and bool(
        (column.values == np.arange(first, first + len(column.values))).all()
    )


def read_by_names(
    read: Callable[[ReadOptions], RawTable], options: ReadOptions, *, said_only: bool
) -> RawTable:
    """Read a table for a schema; columns whose names are written otherwise are found.

    The table is read a second time then: which columns are read, and how, goes by their names.

    Parameters
    ----------
    said_only : find only columns of which somebody says what the schema calls them
    """
    raw, schema = read(options), options.schema
    if schema is None or (said_only and not options.renamed):
        return raw
    found = names_written_otherwise(schema, raw.names, options.roles, options.renamed)
    if not found:
        return raw
    roles = {found.get(name, name): role for name, role in options.roles.items()}
    raw = read(replace(options, schema=schema_as_written(schema, found), roles=roles))
    back = {written: name for name, written in found.items()}
    return replace(
        raw,
        columns={back.get(name, name): column for name, column in raw.columns.items()},
        names=tuple(back.get(name, name) for name in raw.names),
        value_labels={back.get(name, name): known for name, known in raw.value_labels.items()},
        notes=(*raw.notes, note_on_names(found, options.renamed, schema, options.converted)),
    )


def names_written_otherwise(
    schema: Schema,
    names: Collection[str],
    roles: Collection[str] = (),
    renamed: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Find the columns of a schema, and those with a role, that a table names in another way.

    Parameters
    ----------
    renamed : columns of the table of which somebody says what the schema calls them
    """
    needed = {*(column.source_name for column in schema.columns), *roles}
    needed |= {n for c in schema.columns for n in (c.spelling.at_column, c.spelling.filled_by) if n}
    said = {}
    for written, name in (renamed or {}).items():
        for what, given, known in (("column", written, names), ("name", name, needed)):
            if given not in known:
                raise DataError(
                    f"renamed: {what}={given!r} must be a column of the "
                    f"{'table' if what == 'column' else 'model'}. {did_you_mean(given, known)}"
                )
        said[name] = written
    absent = needed.difference(names, said)
    others = [n for n in names if n not in needed and n not in (renamed or {})]
    found = _found_otherwise(absent, others)
    others = [name for name in others if name not in found.values()]
    return found | _found_by_label(schema, absent.difference(found), others) | said


def _found_by_label(
    schema: Schema, absent: Collection[str], others: Collection[str]
) -> dict[str, str]:
    """Find absent columns under their labels, as trees show them, where only one can be meant."""
    labels = {
        (label, column.source_name)
        for column in schema.columns
        if column.label and column.source_name in absent
        for label in (column.label, column.title, column.full_title)
    }
    by_label: dict[str, set[str]] = {}
    for label, name in labels:
        by_label.setdefault(_plain(label), set()).add(name)
    pairs = [(name, other) for other in others for name in by_label.get(_plain(other), ())]
    wanted, given = Counter(name for name, _ in pairs), Counter(other for _, other in pairs)
    return {name: other for name, other in pairs if wanted[name] == given[other] == 1}


def schema_as_written(schema: Schema, found: Mapping[str, str]) -> Schema:
    """Return a schema that finds its columns under other names."""
    columns = []
    for column in schema.columns:
        seen_on, whose = column.spelling.at_column, column.spelling.filled_by
        spelling = replace(
            column.spelling,
            at_column=found.get(seen_on, seen_on),
            filled_by=found.get(whose, whose),
        )
        source = found.get(column.source_name, column.source)
        columns.append(replace(column, source=source, spelling=spelling))
    return replace(schema, columns=tuple(columns))


def _found_otherwise(absent: Collection[str], others: Collection[str]) -> dict[str, str]:
    """Find absent names among others, where only one can be meant.

    Case and spaces do not count, nor do accents, underscores and dots.

    >>> _found_otherwise(["Mileage", "Make"], ["mileage", "make", "MAKE"])
    {'Mileage': 'mileage'}
    >>> _found_otherwise(["Durée séjour"], ["duree_sejour"])
    {'Durée séjour': 'duree_sejour'}
    """
    found: dict[str, str] = {}
    for key in (folded, _plain):
        left = sorted(name for name in absent if name not in found)
        free = [name for name in others if name not in found.values()]
        wanted, given = Counter(map(key, left)), Counter(map(key, free))
        written = {key(name): name for name in free}
        found |= {
            name: written[key(name)]
            for name in left
            if key(name) and wanted[key(name)] == given[key(name)] == 1
        }
    return found


def _plain(name: str) -> str:
    """Return a name without case, spaces, accents, underscores and dots but those of numbers.

    >>> _plain("Durée_séjour."), _plain("Dose 1.5")
    ('dureesejour', 'dose1.5')
    """
    letters = _BETWEEN_WORDS.sub("", unicodedata.normalize("NFKD", name).casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def note_on_names(
    found: Mapping[str, str], renamed: Mapping[str, str], schema: Schema, converted: Converted
) -> str:
    """Say which columns were found under other names, and which were said to have one.

    Where both names hold a unit, it is said that numbers are converted, unless ``converted`` says
    how.
    """
    said = [f"{written!r} as {name!r}" for written, name in renamed.items()]
    taken = f"Taken as said: {', '.join(said)}." if said else ""
    units, changes = units_in_cells(schema), unit_changes(schema, renamed)
    changes = {name: change for name, change in changes.items() if name not in converted}
    for written, name in renamed.items():
        unit = other_unit(written, name, units.get(name, ""))
        taken += f" The units in the names differ: {unit}." if unit and name not in changes else ""
    for name, change in changes.items():
        back = shlex.quote(f"{name}={AS_WRITTEN}")
        taken += (
            f" The numbers of {name!r} are converted, {change.words}. Leave them as they are if "
            f"the name is wrong (--convert {back})."
        )
    found = {name: written for name, written in found.items() if written not in renamed}
    if not found:
        return taken
    alike = {name: written for name, written in found.items() if _plain(name) == _plain(written)}
    labelled = {name: written for name, written in found.items() if name not in alike}
    marks = any(folded(name) != folded(written) for name, written in alike.items())
    aside = "case, spaces, accents, underscores and dots" if marks else "case and spaces"
    said = [
        f"Columns are found {how}: {_pairs_text(pairs)}."
        for how, pairs in ((f"regardless of {aside}", alike), ("by their labels", labelled))
        if pairs
    ]
    return " ".join([*said, taken]).rstrip()


def _pairs_text(found: Mapping[str, str]) -> str:
    shown = ", ".join(f"{written!r} as {name!r}" for name, written in list(found.items())[:10])
    return shown + (f" and {len(found) - 10} more" if len(found) > 10 else "")


_BETWEEN_WORDS = re.compile(r"(?<!\d)[\s_.]+|[\s_.]+(?!\d)")
