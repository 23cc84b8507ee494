"""The rows of a what-if: fields made from the schema, begun with a row of the table or its ID.

One row, or two side by side. What was typed is part of the link, where the table is a sample.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from probtrees.draw.charts.split_chart import value_strip_html
from probtrees.draw.escape import markdown_text
from probtrees.explain.path import value_text
from probtrees.model.model import Model
from probtrees.model.routing import LeafShares, find_leaves, find_leaves_softly
from probtrees.table.dataset import MISSING, Column, Dataset, Schema
from probtrees.types import FloatArray
from probtrees.ui.shared.forms import cell_field
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import Workbench

_ASKED = "columns asked on the way"
_N_BINS = 24


@dataclass(frozen=True)
class RowKeys:
    """Where the session keeps one row of the what-if.

    Attributes
    ----------
    letter : what the row is called
    form : begins the keys of its fields
    start : the number of the row it begins with
    typed : what differs from that row
    """

    letter: str
    form: str
    start: str
    typed: str


FIRST_ROW = RowKeys("A", "follow", state.ROW, "follow.typed")
SECOND_ROW = RowKeys("B", "follow b", "follow.row2", "follow.typed2")


@dataclass(frozen=True)
class TypedValues:
    """What was typed over one row, kept by the session under ``key``."""

    key: str

    def begin(self, start: tuple[str, int], row: FloatArray, schema: Schema) -> FloatArray:
        """Return what the fields of a row begin with: its values, or those that a link brought.

        Parameters
        ----------
        start : table and number of the row; another begins without what was typed over this one
        """
        kept = st.session_state.get(self._begun)
        if kept is None or kept[0] != start:
            brought = st.session_state.pop(self.key, None) if kept is None else None
            st.session_state[self.key] = {}
            kept = (start, brought or {}, row)
        st.session_state[self._begun] = (start, kept[1], row.copy())
        begun = row.copy()
        for column, value in kept[1].items():
            if column < len(row) - 1 and _is_possible(schema.columns[column], value):
                begun[column] = value
        return begun

    def note(self, row: FloatArray, columns: Iterable[int]) -> None:
        """Remember where some columns of a row differ from the row it began with."""
        _, _, begun = st.session_state[self._begun]
        typed = dict(st.session_state.get(self.key) or {})
        for column in columns:
            typed.pop(column, None)
            same = np.array_equal(row[column], begun[column], equal_nan=True)
            if not same and not np.isinf(row[column]):
                typed[column] = float(row[column])
        st.session_state[self.key] = dict(sorted(typed.items()))

    @property
    def _begun(self) -> str:
        return f"{self.key} begun"


def _is_possible(column: Column, value: float) -> bool:
    """Whether a column can have a value: a category must be one of its own."""
    if column.categories is None or math.isnan(value):
        return True
    return value == int(value) and 0 <= value < len(column.categories)


class _Shape(NamedTuple):
    """How the numbers of a column are spread: the lowest and the highest, and bins between."""

    low: float
    high: float
    counts: FloatArray
    std: float


def ask_rows(
    bench: Workbench, smoother: str, keys: Sequence[RowKeys], *, n_columns: int = 1
) -> list[FloatArray]:
    """Show one field per column and row, the columns of the tree first.

    Columns that a row's way does not ask for are greyed, as the row was when last shown. A field
    that cannot be read is infinite in the row.
    """
    rows = []
    for place, row in zip(st.columns(len(keys), gap="small"), keys, strict=True):
        with place:
            label = f"Row {row.letter}" if len(keys) > 1 else "Start from row"
            rows.append(_start(bench, row, label))
    # In the order in which the tree asks for them: nodes are numbered level by level.
    order = [k for k in dict.fromkeys(bench.tree.arrays.column.tolist()) if k >= 0]
    used = set(order)
    asked = {row.form: _asked_before(bench, row, used) for row in keys}
    _fields(bench, order, keys, rows, asked, n_columns)
    outside = [k for k in range(bench.schema.n_columns - 1) if k not in used]
    if outside:
        with st.expander("Columns that this tree does not ask for"):
            everything = {row.form: set(outside) for row in keys}
            _fields(bench, outside, keys, rows, everything, n_columns)
    now = {}
    for row, values in zip(keys, rows, strict=True):
        values[-1] = MISSING
        readable = np.isfinite(values) | np.isnan(values)
        now[row.form] = _asked(bench, smoother, values) if readable.all() else asked[row.form]
    st.session_state[_ASKED] = {str(bench.key): now}
    if now != asked:
        st.rerun()
    return rows


def landing_of(model: Model, row: FloatArray) -> LeafShares:
    """Drop a row into the model's tree, softly if that is how it routes rows."""
    tree, routing, n_values = model.tree.tree, model.members[0].routing, model.schema.n_values
    if routing is not None:
        return find_leaves_softly(tree, routing, row[None, :], n_values)
    return find_leaves(tree, row[None, :], n_values)


def scales_of(bench: Workbench) -> FloatArray:
    """Return the standard deviation of every numeric column; 0 where it is not known."""
    scales = np.zeros(bench.schema.n_columns)
    for number, shape in _shapes_of(bench).items():
        scales[number] = shape.std
    return scales


def _asked_before(bench: Workbench, row: RowKeys, used: set[int]) -> set[int]:
    before: dict[str, set[int]] = st.session_state.get(_ASKED, {}).get(str(bench.key), {})
    return before.get(row.form, used)


def _asked(bench: Workbench, smoother: str, values: FloatArray) -> set[int]:
    """List the columns that the tree asks for on the way of a row."""
    ends = landing_of(bench.model(smoother), values).nodes
    return {
        int(bench.tree.arrays.column[node]) for end in ends for node in bench.tree.path(end)[:-1]
    }


def _fields(
    bench: Workbench,
    numbers: Iterable[int],
    keys: Sequence[RowKeys],
    rows: list[FloatArray],
    asked: dict[str, set[int]],
    n_columns: int,
) -> None:
    """Show the fields of some columns: two rows side by side, one row in several columns."""
    shapes = _shapes_of(bench)
    places: list[DeltaGenerator] = []
    for number in numbers:
        for row, values in zip(keys, rows, strict=True):
            if not places:
                places = st.columns(max(n_columns, len(keys)), gap="small")
            kind = "asked" if number in asked[row.form] else "unasked"
            with places.pop(0), st.container(key=f"{kind} {row.form} {number}"):
                shape = shapes.get(number)
                values[number] = cell_field(
                    bench.schema,
                    number,
                    values[number],
                    form=f"{row.form}.{st.session_state.get(row.start, 0)}",
                    table=bench.counts.provenance.sha256,
                    seen=None if shape is None else (shape.low, shape.high),
                    asked=number in asked[row.form],
                )
                if shape is not None:
                    st.html(
                        value_strip_html(
                            shape.counts,
                            shape.low,
                            shape.high,
                            values[number],
                            state.theme(),
                            bench.schema.columns[number].unit,
                        )
                    )
    for row, values in zip(keys, rows, strict=True):
        TypedValues(row.typed).note(values, numbers)


def _start(bench: Workbench, row: RowKeys, label: str) -> FloatArray:
    """Ask which row of the table to begin with; without rows nothing is recorded at first."""
    table = bench.counts.provenance.sha256
    if bench.rows is None:
        nothing = np.full(bench.schema.n_columns, MISSING)
        return TypedValues(row.typed).begin((table, 0), nothing, bench.schema)
    n_rows = bench.rows.n_rows
    usual = 1 if row is FIRST_ROW else 2
    st.session_state[row.start] = min(st.session_state.get(row.start, usual), n_rows)
    number, by_id = st.columns(2, gap="small") if _has_ids() else (st.container(), None)
    start = number.number_input(
        label,
        min_value=1,
        max_value=n_rows,
        key=row.start,
        persist_state="session",
        help="The fields below take this row's values; change any of them.",
    )
    if by_id is not None:
        with by_id:
            _find_by_id(bench.rows, row)
    values: FloatArray = bench.rows.values[int(start) - 1].copy()
    target = bench.schema.target_column
    written = int(bench.rows.row_numbers[int(start) - 1]) + 1
    line = "" if written == int(start) else f", row {written:,} of the file"
    st.caption(
        f"{markdown_text(bench.schema.target.title)} of this row: "
        f"**{markdown_text(value_text(bench.schema, target, values))}**{line}"
    )
    return TypedValues(row.typed).begin((table, int(start)), values, bench.schema)


def _has_ids() -> bool:
    return bool(current_source().written_rows().identifiers)


def _find_by_id(data: Dataset, row: RowKeys) -> None:
    """Ask for an identifier and begin with its row."""
    written = current_source().written_rows()
    key, said = f"{row.form} id", f"{row.form} id said"

    def find() -> None:
        wanted = str(st.session_state.get(key) or "").strip()
        rows = written.find(wanted) if wanted else np.zeros(0, dtype=np.int64)
        found = np.flatnonzero(np.isin(data.row_numbers, rows))
        st.session_state[said] = ""
        if len(found):
            st.session_state[row.start] = int(found[0]) + 1
        if wanted and len(found) != 1:
            many = f"{len(found):,} rows have it: the first is taken."
            st.session_state[said] = many if len(found) else "No row has it."

    names = markdown_text(", ".join(written.identifiers))
    st.text_input("or its ID", key=key, on_change=find, help=f"Looks in {names}.")
    if st.session_state.get(said):
        st.caption(st.session_state[said])


def column_ranges(key: Any, data: Dataset) -> dict[int, tuple[float, float]]:
    """Give the smallest and the largest number of every numeric column."""
    return {number: (shape.low, shape.high) for number, shape in _shapes(key, data).items()}


def _shapes_of(bench: Workbench) -> dict[int, _Shape]:
    return {} if bench.rows is None else _shapes(bench.key, bench.rows)


@kept()
def _shapes(key: Any, _data: Dataset) -> dict[int, _Shape]:
    """Describe how the values of every numeric column are spread."""
    found = {}
    for number, column in enumerate(_data.schema.columns):
        known = _data.values[:, number]
        known = known[np.isfinite(known)]
        if column.categories is None and len(known):
            counts, _ = np.histogram(known, bins=_N_BINS)
            found[number] = _Shape(
                float(known.min()), float(known.max()), counts.astype(float), float(known.std())
            )
    return found
