"""What the Network page shows beside the picture: what to choose, the cuts, a table as a tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.charts.network_charts import cuts_chart
from probtrees.explain.leaf import leaf_to_show
from probtrees.explain.rule import rule_text
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_information import NO_BUTTONS
from probtrees.ui.network.network_page import (
    ALL_MEMBERS,
    COLUMN,
    MEMBER,
    NETWORK,
    NODE,
    SIDE,
    SIDES,
    VALUE,
    VIEW_OF_ONE_TABLE,
)
from probtrees.ui.network.network_picture import colour_choice, share_arrows
from probtrees.ui.shared.forms import named_choice
from probtrees.ui.shared.loaded_model import Loaded
from probtrees.ui.shared.model_bar import model_bar
from probtrees.ui.shared.session import state
from probtrees.ui.shared.view_controls import View
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.leaf_panel import all_smoothers, leaf_panel
from probtrees.ui.tree.tree_picture import show_picture

MOST_CONTEXTS = 500
"""Rows of a table that are listed."""


def forget_other_table(bench: NetworkBench) -> None:
    """Forget choices that were made on another table or model than the one on show."""
    begin_again("source", bench.key[1:2], VIEW_OF_ONE_TABLE)


def network_bar(bench: NetworkBench, loaded: Loaded) -> None:
    """Say which loaded network is on show, and what cannot be done without its rows."""
    several = f"{bench.n_members} networks, " if bench.n_members > 1 else ""
    n_contexts = sum(tree.n_leaves for tree in bench.tables)
    size = f"{several}{len(bench.tables):,} tables, {n_contexts:,} contexts"
    with model_bar(loaded, size, NETWORK):
        pass
    st.caption(
        "The rows are not in a model: smoothers that ask held-out rows, histograms and more "
        "attributes or parents than it has need the table."
    )


def choose_member(bench: NetworkBench) -> int:
    """Choose one network of an ensemble to look at."""
    if bench.n_members == 1:
        return 0
    st.session_state[MEMBER] = min(st.session_state.get(MEMBER, 1), bench.n_members)
    left, right = st.columns([1, 3], vertical_alignment="bottom")
    with left:
        if share_arrows(bench):
            st.session_state.setdefault(ALL_MEMBERS, True)
            st.toggle(
                "All networks in one picture",
                key=ALL_MEMBERS,
                persist_state="session",
                help="Arrows are as wide as the share of the networks that have them.",
            )
        else:
            st.caption(
                f"Each of the {bench.n_members} networks has arrows of its own: one is drawn."
            )
    with right:
        chosen = st.slider(
            "Network of the ensemble",
            1,
            bench.n_members,
            key=MEMBER,
            persist_state="session",
            help="The answers of all of them are averaged; tables are those of this one.",
        )
    return int(chosen) - 1


def choose_side(export: Callable[[], None]) -> str:
    """Choose what stands beside the picture, how it is coloured, and what is taken away."""
    with st.container(horizontal=True, vertical_alignment="center"):
        side = st.segmented_control(
            "Beside the picture",
            SIDES,
            default=SIDES[0],
            required=True,
            key=SIDE,
            persist_state="session",
            label_visibility="collapsed",
            help="The table of a column, what the network says when some values are known, or how "
            "sure its arrows are.",
        )
        with st.popover("Colours", icon=":material/palette:"):
            colour_choice()
        export()
    return str(side)


def choose_column(bench: NetworkBench, member: int, label: str = "Table of") -> int:
    """Choose the column whose table is shown; a click in the picture chooses it too."""
    return named_choice(
        label,
        bench.dag(member).columns,
        lambda number: bench.schema.titles[number],
        key=COLUMN,
        table=(bench.key, member),
        help="Or click the column in the picture.",
    )


def current_column(bench: NetworkBench, member: int) -> int:
    """Return the column on show; at first one that depends on another attribute."""
    dag = bench.dag(member)
    column = st.session_state.get(COLUMN)
    if column not in dag.columns:
        dependent = [number for number, parents in dag.parents.items() if len(parents) > 1]
        column = (dependent or list(dag.columns[1:]) or [dag.columns[0]])[0]
        st.session_state[COLUMN] = column
    return int(column)


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
        with st.expander("The rows of the table as a list", icon=":material/list:"):
            _contexts(table, smoothed)
    with right, st.container(key="table_panel"):
        leaf_panel(table, smoothed, node, smoother)
        st.markdown("**Every smoother's answer for this row of the table**")
        all_smoothers(table, node, smoother)


def cut_places(bench: NetworkBench, member: int, column: int) -> None:
    """Show where a numeric column is cut, on its histogram."""
    cuts = bench.cuts(member)
    if cuts is None or column not in cuts.points:
        return
    points = cuts.points[column]
    if bench.rows is not None:
        values = bench.rows.values[:, column]
        name = bench.schema.titles[column]
        st.plotly_chart(
            cuts_chart(values[~np.isnan(values)], points.tolist(), name, theme=state.theme()),
            key="network.cuts",
            config=NO_BUTTONS,
            alt=f"Histogram of {name} with {len(points)} cuts.",
        )
    if len(points) == 0:
        words = "No cut separates the classes better than chance: one interval."
    else:
        shown = ", ".join(f"{point:g}" for point in points[:12].tolist())
        words = f"Cut at {shown}{' …' if len(points) > 12 else ''}."
    st.caption(words if bench.rows is not None else f"{words} The histogram needs the rows.")


def begin_again(what: str, key: tuple[Any, ...], forgotten: tuple[str, ...]) -> None:
    """Forget choices that were made for something else than what is on show now."""
    before = st.session_state.get(f"network.{what} shown")
    st.session_state[f"network.{what} shown"] = str(key)
    if before not in (None, str(key)):
        for name in forgotten:
            st.session_state.pop(name, None)


def _contexts(table: Workbench, smoothed: SmoothedTree) -> None:
    """List the rows of a table, the largest first; picking one explains it."""
    tree, outcome = table.tree, table.outcome
    leaves = tree.leaves[np.argsort(-tree.totals[tree.leaves], kind="stable")][:MOST_CONTEXTS]
    frame = pd.DataFrame(
        {
            "context": [rule_text(tree, table.schema, int(node)) for node in leaves],
            "rows": tree.totals[leaves],
            "cases": tree.arrays.counts[leaves, outcome],
            "estimate": 100 * smoothed.probs[leaves, outcome],
        }
    )
    picked = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "estimate": st.column_config.NumberColumn(format="%.1f %%"),
            "rows": st.column_config.NumberColumn(format="%d"),
            "cases": st.column_config.NumberColumn(format="%d"),
        },
        key=f"network.contexts {table.key}",
        alt="Every row of the table with its counts and its estimate",
    )
    if tree.n_leaves > MOST_CONTEXTS:
        st.caption(f"The {MOST_CONTEXTS} largest of {tree.n_leaves:,} contexts.")
    rows = picked.selection.rows
    if rows and int(leaves[rows[0]]) != st.session_state.get("network.picked"):
        st.session_state["network.picked"] = int(leaves[rows[0]])
        st.session_state[NODE] = int(leaves[rows[0]])
        st.rerun()
