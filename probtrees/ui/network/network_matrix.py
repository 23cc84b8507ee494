"""A table as the matrix it is usually shown as: a row per context, a column per value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.network_data import contrast
from probtrees.draw.palette import PAINTS, Theme, along
from probtrees.explain.rule import branch_condition
from probtrees.grow.count_tree import NO_COLUMN
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.ui.network.network_page import NODE
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import Workbench

MOST_ROWS = 500
_KINDS = ("smoothed", "observed", "counts")
_HEIGHT = 430


def show_matrix(table: Workbench, smoothed: SmoothedTree) -> None:
    """Show every context with its rows and the chance of each value; picking one explains it."""
    kind = st.segmented_control(
        "Cells",
        _KINDS,
        default=_KINDS[0],
        required=True,
        key="network.cells",
        persist_state="session",
        label_visibility="collapsed",
        help="What the smoother says, the plain frequencies, or how many rows there are.",
    )
    leaves, frame = matrix_frame(table, smoothed, str(kind))
    names = list(frame.columns[-len(table.outcomes) :])
    theme = state.theme()
    top = 1.0 if kind != "counts" else max(float(frame[names].to_numpy().max(initial=0.0)), 1.0)
    formats: dict[Any, Any] = dict.fromkeys(names, _cell(str(kind)))
    # pandas' stubs know fewer arguments than pandas.
    style: Any = frame.style.format(formats | {"rows": "{:,.0f}"})
    coloured: Any = style.map(lambda value: _heat(value / top, theme), subset=names)
    picked = st.dataframe(
        coloured,
        hide_index=True,
        height=min(_HEIGHT, 38 + 35 * max(len(frame), 1)),
        on_select="rerun",
        selection_mode="single-row",
        key=f"network.matrix {table.key}",
        alt="Every context of the table with its rows and the chance of each value",
    )
    if table.tree.n_leaves > MOST_ROWS:
        st.caption(f"The {MOST_ROWS} largest of {table.tree.n_leaves:,} contexts.")
    rows = picked.selection.rows
    if rows and int(leaves[rows[0]]) != st.session_state.get("network.matrix row"):
        st.session_state["network.matrix row"] = int(leaves[rows[0]])
        st.session_state[NODE] = int(leaves[rows[0]])
        st.rerun()


def matrix_frame(
    table: Workbench, smoothed: SmoothedTree, kind: str
) -> tuple[np.ndarray[Any, Any], pd.DataFrame]:
    """Lay a table out: parents, rows, values; the largest contexts first.

    Returns
    -------
    the nodes of the contexts, and the frame
    """
    tree, schema = table.tree, table.schema
    leaves = tree.leaves[np.argsort(-tree.totals[tree.leaves], kind="stable")][:MOST_ROWS]
    columns: dict[str, Any] = {}
    for level, column in enumerate(_levels(tree.arrays), start=1):
        name = schema.titles[column]
        columns[name] = [_value(tree, schema, int(leaf), level) for leaf in leaves]
    columns["rows"] = tree.totals[leaves]
    counts = tree.arrays.counts[leaves]
    cells = {"counts": counts, "smoothed": smoothed.probs[leaves]}.get(kind)
    if cells is None:
        totals = tree.totals[leaves][:, None]
        cells = np.divide(counts, totals, out=np.full(counts.shape, np.nan), where=totals > 0)
    for number, outcome in enumerate(table.outcomes):
        name = outcome
        while name in columns:
            name += " "
        columns[name] = cells[:, number]
    return leaves, pd.DataFrame(columns)


def _levels(arrays: Any) -> list[int]:
    """List the columns that the levels of a table are about."""
    found, node = [], 0
    while arrays.column[node] != NO_COLUMN:
        found.append(int(arrays.column[node]))
        node = int(arrays.first_child[node])
    return found


def _value(tree: Any, schema: Any, leaf: int, level: int) -> str:
    """Say which value of one parent a context has."""
    path = tree.path(leaf)
    condition = branch_condition(tree, schema, path[level])
    return "" if condition is None else condition.category or condition.words


def _cell(kind: str) -> str:
    return "{:,.0f}" if kind == "counts" else "{:.1%}"


def _heat(share: float, theme: Theme) -> str:
    """Colour a cell by its share, its text so that it can be read."""
    if math.isnan(share):
        return ""
    fill = along(PAINTS[theme].sequential, share)
    ink = max(("#000000", "#ffffff"), key=lambda colour: contrast(fill, colour))
    return f"background-color: {fill}; color: {ink}"
