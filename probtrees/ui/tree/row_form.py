"""The rows of a what-if: fields made from the schema, begun with a row of the table or its ID.

One row, or two side by side. What was typed is part of the link, where the table is a sample.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol
from zlib import crc32

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from probtrees.draw.escape import label_text, markdown_text
from probtrees.errors import OptionError
from probtrees.explain.path import value_text
from probtrees.explain.rule import NOT_RECORDED_TEXT
from probtrees.table.dataset import MISSING, Column, Dataset, Schema
from probtrees.table.number_text import field_text, number_text, short_text
from probtrees.types import FloatArray
from probtrees.ui.shared.counts import Counts
from probtrees.ui.shared.forms import value_of
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.table_source import current_source

UNREADABLE = "No answer: a field cannot be read. Correct what is marked in red, or empty it."


@dataclass(frozen=True)
class RowKeys:
    """Where the session keeps one row of the what-if.

    Attributes
    ----------
    letter : what the row is called
    form : begins the keys of its fields
    start : the number of the row it begins with
    typed : what differs from that row, by the number of the column
    usual : the number of the row it begins with at first
    """

    letter: str
    form: str
    start: str
    typed: str
    usual: int = 1


FIRST_ROW = RowKeys("A", "follow", state.ROW, "follow.typed")
SECOND_ROW = RowKeys("B", "follow b", "follow.row2", "follow.typed2", usual=2)


class RowTable(NamedTuple):
    """What a row is typed for.

    Attributes
    ----------
    key : what was worked out about the table is found again by it
    rows : the rows it may begin with; None where they are not here
    sha256 : of the table
    extrapolated : the columns whose shapes go on beyond the rows
    """

    key: Any
    schema: Schema
    rows: Dataset | None
    sha256: str
    extrapolated: Collection[str] = ()


class HasRows(Protocol):
    """A tree or a network of a table."""

    @property
    def key(self) -> tuple[Any, ...]:
        """What it was made from."""

    @property
    def counts(self) -> Counts:
        """Its counts, with the rows where they are here."""


def row_table(bench: HasRows) -> RowTable:
    """Return what rows are typed for on a page."""
    counts = bench.counts
    return RowTable(bench.key, counts.schema, counts.rows, counts.provenance.sha256)


def begin_rows(table: RowTable, keys: Sequence[RowKeys]) -> list[FloatArray]:
    """Ask which rows of the table to begin with; return them with what was typed over them."""
    rows = []
    for place, row in zip(st.columns(len(keys), gap="small"), keys, strict=True):
        with place:
            if table.rows is not None:
                label = f"Row {row.letter}" if len(keys) > 1 else "Start from row"
                _ask_start(table.schema, table.rows, row, label)
            values = _begun(table, row)
            begun, of_row = f"{row.typed} begun", (table.schema.names, _start(table, row))
            if st.session_state.get(begun, of_row) != of_row:
                st.session_state[row.typed] = {}  # it was typed over another row
            st.session_state[begun] = of_row
            for column, value in (st.session_state.get(row.typed) or {}).items():
                if column < len(values) - 1 and _is_possible(table.schema.columns[column], value):
                    values[column] = value
            rows.append(values)
    return rows


def row_fields(
    table: RowTable,
    keys: Sequence[RowKeys],
    rows: Sequence[FloatArray],
    columns: Sequence[int],
    others: str,
    *,
    asked: Mapping[str, set[int]] | None = None,
    n_columns: int = 1,
) -> None:
    """Show one field per column and row, and put what is typed into the rows.

    A field that cannot be read is infinite in the row.

    Parameters
    ----------
    columns : those that stand open, in their order
    others : what the switch that shows the other columns says
    asked : the columns that make a difference, by the form of a row; the rest is greyed
    n_columns : how many fields of one row stand side by side
    """
    shown = list(columns)
    rest = [k for k in range(table.schema.n_columns - 1) if k not in columns]
    _fields(table, keys, rows, shown, asked, max(n_columns, len(keys)))
    if rest and st.toggle(others, key=f"{keys[0].form} other columns"):
        _fields(table, keys, rows, rest, asked, max(n_columns, len(keys)))
        shown += rest
    for row, values in zip(keys, rows, strict=True):
        values[-1] = MISSING
        begun = _begun(table, row)
        typed = dict(st.session_state.get(row.typed) or {})
        for column in shown:
            typed.pop(column, None)
            same = np.array_equal(values[column], begun[column], equal_nan=True)
            if not same and not np.isinf(values[column]):
                typed[column] = float(values[column])
        st.session_state[row.typed] = dict(sorted(typed.items()))


def change_value(row: RowKeys, column: int, value: float) -> None:
    """Put a value into a row from elsewhere on the page; its field is filled with it."""
    for key in map(str, list(st.session_state)):
        if key.startswith(f"{row.form}.") and key.split(".")[2:3] == [str(column)]:
            del st.session_state[key]
    st.session_state[row.typed] = {**(st.session_state.get(row.typed) or {}), column: value}


def _fields(
    table: RowTable,
    keys: Sequence[RowKeys],
    rows: Sequence[FloatArray],
    numbers: Sequence[int],
    asked: Mapping[str, set[int]] | None,
    n_columns: int,
) -> None:
    """Show the fields of some columns: two rows side by side, one row in several columns."""
    places: list[DeltaGenerator] = []
    for number in numbers:
        for row, values in zip(keys, rows, strict=True):
            places = places or list(st.columns(n_columns, gap="small"))
            is_asked = asked is None or number in asked[row.form]
            kind = "asked" if is_asked else "unasked"
            with places.pop(0), st.container(key=f"{kind} {row.form} {number}"):
                values[number] = _cell(table, row, number, values[number], is_asked=is_asked)


def _start(table: RowTable, row: RowKeys) -> int:
    return 0 if table.rows is None else int(st.session_state[row.start])


def _begun(table: RowTable, row: RowKeys) -> FloatArray:
    """Return the row as it is in the table; without rows nothing is recorded."""
    if table.rows is None:
        return np.full(table.schema.n_columns, MISSING)
    begun: FloatArray = table.rows.values[_start(table, row) - 1].copy()
    return begun


def _is_possible(column: Column, value: float) -> bool:
    """Whether a column can have a value: a category must be one of its own."""
    categories = column.categories
    return categories is None or np.isnan(value) or value in range(len(categories))


def _ask_start(schema: Schema, data: Dataset, row: RowKeys, label: str) -> None:
    """Ask which row to begin with, by its number or its ID, and say which class it has."""
    st.session_state[row.start] = min(st.session_state.get(row.start, row.usual), data.n_rows)
    has_ids = bool(current_source().written_rows().identifiers)
    number, by_id = st.columns(2, gap="small") if has_ids else (st.container(), None)
    if by_id is not None:
        with by_id:
            _find_by_id(data, row)
    start = number.number_input(
        label,
        min_value=1,
        max_value=data.n_rows,
        **state.lasting(row.start),
        help="The fields below take this row's values; change any of them.",
    )
    written = int(data.row_numbers[int(start) - 1]) + 1
    line = "" if written == int(start) else f", row {written:,} of the file"
    has = value_text(schema, schema.target_column, data.values[int(start) - 1])
    st.caption(f"{markdown_text(schema.target.title)} of this row: **{markdown_text(has)}**{line}")


def _find_by_id(data: Dataset, row: RowKeys) -> None:
    """Ask for an identifier and begin with its row."""
    written = current_source().written_rows()
    key = f"{row.form} id"

    def found() -> list[int]:
        wanted = str(st.session_state.get(key) or "").strip()
        rows: Any = written.find(wanted) if wanted else []
        return [int(at) for at in np.flatnonzero(np.isin(data.row_numbers, rows))]

    def begin() -> None:
        if rows := found():
            st.session_state[row.start] = rows[0] + 1

    names = markdown_text(", ".join(written.identifiers))
    wanted = st.text_input("or its ID", key=key, on_change=begin, help=f"Looks in {names}.")
    n_found = len(found())
    if wanted and n_found != 1:
        st.caption(
            f"{n_found:,} rows have it: the first is taken." if n_found else "No row has it."
        )


@kept()
def _ranges(key: Any, _data: Dataset) -> dict[int, tuple[float, float]]:
    """Return from where to where the numbers of every numeric column go."""
    found = {}
    for number, column in enumerate(_data.schema.columns):
        known = _data.values[:, number][np.isfinite(_data.values[:, number])]
        if column.categories is None and len(known):
            found[number] = float(known.min()), float(known.max())
    return found


def _cell(table: RowTable, row: RowKeys, number: int, value: float, *, is_asked: bool) -> float:
    """Show the value of one column and return what it is changed to; empty: not recorded.

    Infinite where what is typed cannot be read: then there is no row to ask about. Another row to
    begin with fills the field again, and no other table's value is taken over.
    """
    column = table.schema.columns[number]
    kind = crc32(repr((column.name, column.categories)).encode())
    key = f"{row.form}.{_start(table, row)}.{number}.{table.sha256[:8]}.{kind}"
    label = label_text(column.title) + ("" if is_asked else " · not asked")
    if column.categories is None:
        return _number_cell(table, number, label, value, key)
    names = (*column.categories, NOT_RECORDED_TEXT)
    chosen = st.selectbox(
        label,
        range(len(names)),  # None for the last would be shown as "nothing chosen"
        index=len(names) - 1 if np.isnan(value) else int(value),
        format_func=lambda code: names[code],
        **state.lasting(key),
        help=f"One of {len(column.categories):,} values of the table, or not recorded.",
    )
    return MISSING if chosen == len(names) - 1 else float(chosen)


def _number_cell(table: RowTable, number: int, label: str, value: float, key: str) -> float:
    """Ask for a number, as the table writes it too; numbers that were never seen are remarked."""
    column = table.schema.columns[number]
    ranges = {} if table.rows is None else _ranges(table.key, table.rows)
    seen = ranges.get(number)
    start = "" if math.isnan(value) else field_text(value, column.unit)
    low, high = ("", "") if seen is None else (short_text(end, column.unit) for end in seen)
    text = st.text_input(
        label,
        value=start,
        placeholder=NOT_RECORDED_TEXT,
        **state.lasting(key),
        help=None if seen is None else f"Seen: {low} to {high}.",
    )
    try:
        typed = value if text == start else value_of(text or "", column, seen)
    except OptionError as problem:
        st.caption(f":red[{markdown_text(str(problem))}]")
        return math.inf
    if text != start and ("," in text or ("." in text and typed.is_integer())):
        st.caption(f"Read as {number_text(typed, column.unit)}.")
    if seen is not None and (typed < seen[0] or typed > seen[1]):
        goes_on = column.name in table.extrapolated
        told = "the answer is that of the nearest rows"
        told = "its shape is extrapolated; trust the answer less" if goes_on else told
        st.caption(f":orange[Outside of what was seen, {low} to {high}: {told}.]")
    return typed
