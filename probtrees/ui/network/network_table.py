"""The table of a column: as the matrix it is usually shown as, its cuts, and as a tree.

As a tree the class comes first, then the parents; one row of the table is explained as the leaf of
a tree is.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.palette import PAINTS, Theme, along, ink_on
from probtrees.explain.leaf import leaf_to_show
from probtrees.explain.rule import branch_condition
from probtrees.grow.dag import Dag
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_controls import begin_again
from probtrees.ui.network.network_information import NOT_CUT
from probtrees.ui.network.network_page import NODE, VALUE
from probtrees.ui.shared.forms import named_choice
from probtrees.ui.shared.session import state
from probtrees.ui.shared.view_controls import View
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.leaf_panel import all_smoothers, leaf_panel
from probtrees.ui.tree.tree_picture import show_picture

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
        **state.lasting("network.cells"),
        label_visibility="collapsed",
    )
    leaves, frame = matrix_frame(table, smoothed, str(kind))
    names = list(frame.columns[-len(table.outcomes) :])
    top = 1.0 if kind != "counts" else max(float(frame[names].to_numpy().max(initial=0.0)), 1.0)
    picked: Any = st.dataframe(
        heat_style(frame, names, top, "{:,.0f}" if kind == "counts" else "{:.1%}"),
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


def heat_style(frame: pd.DataFrame, names: list[str], top: float, form: str) -> Any:
    """Write the cells of some columns in a form, coloured by how near they come to the top."""
    theme, formats = state.theme(), dict.fromkeys(names, form)
    # pandas' stubs know fewer arguments than pandas.
    style: Any = frame.style.format({"rows": "{:,.0f}", **formats})
    return style.map(lambda value: _heat(value / top, theme), subset=names)


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
    for level, column in enumerate(Dag.of_tables([tree]).parents[tree.target], start=1):
        conditions = [branch_condition(tree, schema, tree.path(int(n))[level]) for n in leaves]
        columns[schema.titles[column]] = [
            "" if condition is None else condition.category or condition.words
            for condition in conditions
        ]
    columns["rows"] = tree.totals[leaves]
    counts, totals = tree.arrays.counts[leaves], tree.totals[leaves][:, None]
    cells = counts if kind == "counts" else smoothed.probs[leaves]
    if kind == "observed":
        cells = np.divide(counts, totals, out=np.full(counts.shape, np.nan), where=totals > 0)
    add_values(columns, table.outcomes, cells)
    return leaves, pd.DataFrame(columns)


def add_values(columns: dict[str, Any], values: tuple[str, ...], cells: Any) -> None:
    """Put a column for every value into a frame; one that is called like a parent gets a blank."""
    for number, value in enumerate(values):
        name = value
        while name in columns:
            name += " "
        columns[name] = cells[:, number]


def _heat(share: float, theme: Theme) -> str:
    """Colour a cell by its share, its text so that it can be read."""
    if math.isnan(share):
        return ""
    fill = along(PAINTS[theme].sequential, share)
    return f"background-color: {fill}; color: {ink_on(fill)}"


def cut_places(bench: NetworkBench, member: int, column: int) -> None:
    """Say where a numeric column is cut."""
    cuts = bench.cuts(member)
    if cuts is None or column not in cuts.points:
        return
    points = cuts.points[column]
    shown = ", ".join(f"{point:g}" for point in points[:12].tolist())
    st.caption(f"Cut at {shown}{' …' if len(points) > 12 else ''}." if shown else NOT_CUT)


def table_as_tree(table: Workbench, smoother: str) -> None:
    """Draw a table as the context tree it is, one of its rows explained beside it."""
    begin_again("table", table.key, (NODE, VALUE))
    smoothed = table.smooth(smoother)
    left, right = st.columns([2, 1], gap="medium")
    with left:
        named_choice(
            "Value of interest",
            range(len(table.outcomes)),
            lambda k: table.outcomes[k],
            key=VALUE,
            table=table.key,
            help="Colours and the panel are about the chance of this value.",
        )
        node = st.session_state.get(NODE)
        if node is None or node >= table.tree.n_nodes:
            node = leaf_to_show(smoothed, table.outcome)
        show_picture(table, View(smoother, None, "lift"), smoothed, node, node_key=NODE)
    with right, st.container(key="table_panel"):
        leaf_panel(table, smoothed, node, smoother)
        st.markdown("**Every smoother's answer for this row of the table**")
        all_smoothers(table, node, smoother)
