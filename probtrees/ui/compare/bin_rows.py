"""The rows of one bin of a reliability diagram, and the leaves they fall into."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.explain.rule import rule_text
from probtrees.model.predict import land
from probtrees.score.reliability import ReliabilityBin
from probtrees.types import FloatArray
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.shared import state
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import percent

MOST_ROWS = 200
"""Rows of a bin that are listed."""


def rows_of_bin(
    run: ComparisonRun, bench: TreeBench, picked: ReliabilityBin, chance: FloatArray
) -> None:
    """List the rows of a bin, and the leaves of the tree on show that they fall into."""
    inside = (chance > picked.low) & (chance <= picked.high)
    if picked.low <= chance.min():
        inside |= chance == picked.low
    tested = np.flatnonzero(run.folds[0].test_fold >= 0)
    rows = tested[: len(inside)][inside]
    st.markdown(
        f"**{len(rows):,} rows given {percent(picked.low)} to {percent(picked.high)}**; "
        f"{percent(picked.observed)} of them had it."
    )
    _leaves(run, bench, rows)
    st.dataframe(_decoded(run, rows[:MOST_ROWS]), key="compare.bin rows", alt="Rows of the bin")
    if len(rows) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} of {len(rows):,} rows.")


def show_leaf_button(node: int) -> None:
    """Offer to look at a leaf on the Tree page."""
    if st.button("Show this leaf in the tree", key=f"compare.show {node}"):
        st.session_state[state.NODE] = node
        st.switch_page("pages/tree.py")


def _leaves(run: ComparisonRun, bench: TreeBench, rows: np.ndarray) -> None:
    """List the leaves that rows fall into, those with most of them first."""
    landing = land(bench.tree, run.data.values[rows], run.data.schema.n_values)
    leaves, counts = np.unique(landing.nodes, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    picked = st.dataframe(
        pd.DataFrame(
            {
                "rows": counts[order],
                "leaf": [rule_text(bench.tree, bench.schema, int(n)) for n in leaves[order]],
            }
        ),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="compare.bin leaves",
        alt="Leaves that the bin's rows fall into",
    )
    chosen = picked.selection.rows
    if chosen and chosen[0] < len(order):
        show_leaf_button(int(leaves[order[chosen[0]]]))


def _decoded(run: ComparisonRun, rows: np.ndarray) -> pd.DataFrame:
    """Write rows with the names of their categories."""
    frame = {}
    for number, column in enumerate(run.data.schema.columns):
        values = run.data.values[rows, number]
        if column.categories is None:
            frame[column.name] = values
        else:
            frame[column.name] = np.array(
                [None if np.isnan(v) else column.categories[int(v)] for v in values], dtype=object
            )
    return pd.DataFrame(frame, index=pd.Index(rows + 1, name="row"))
