"""The table of all leaves, with a way from a row of it to the panel."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from probtrees.dataset import Schema
from probtrees.draw.escape import csv_text
from probtrees.draw.leaf_table import LUCK, leaf_table
from probtrees.experiment.registry import SMOOTHERS
from probtrees.smoothed_tree import SmoothedTree
from probtrees.ui import state
from probtrees.ui.workbench import Workbench, ready_trees


def leaf_list(bench: Workbench) -> None:
    """Show the leaves, sortable, selectable and downloadable."""
    smoothed = {
        SMOOTHERS[name].label: tree for name, tree in ready_trees(bench).items() if tree is not None
    }
    table = _leaves(
        (bench.key, tuple(smoothed), bench.outcome), smoothed, bench.data.schema, bench.outcome
    )
    st.caption(LUCK)
    numbers = ["observed", *smoothed, "disagreement"]
    chosen = st.dataframe(
        table,
        hide_index=True,
        height=380,
        column_config={
            "node": st.column_config.NumberColumn("node", width="small"),
            "rule": st.column_config.TextColumn("rule", width="large"),
            "rows": st.column_config.NumberColumn("rows", format="localized"),
            "cases": st.column_config.NumberColumn("cases", format="localized"),
            **{name: st.column_config.NumberColumn(name, format="percent") for name in numbers},
        },
        on_select="rerun",
        selection_mode="single-row",
        key="leaf_table",
        alt="All leaves with their rows and every smoother's probability",
    )
    picked = chosen["selection"]["rows"] if chosen else []
    if picked:
        node = int(table["node"].iloc[picked[0]])
        if node != st.session_state.get("leaf table told"):
            st.session_state["leaf table told"] = node
            st.session_state[state.NODE] = node
            st.rerun()
    file = table.assign(rule=table["rule"].map(csv_text))
    st.download_button(
        "Download the leaves (CSV)", file.to_csv(index=False), "leaves.csv", "text/csv"
    )


@st.cache_resource(show_spinner=False, max_entries=16)
def _leaves(
    key: Any, _smoothed: dict[str, SmoothedTree], _schema: Schema, _outcome: int
) -> pd.DataFrame:
    return leaf_table(_smoothed, _schema, _outcome)
