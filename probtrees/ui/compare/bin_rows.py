"""The rows behind a dot: what each was given, what happened, and where the model explains it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from probtrees.draw.tables import rows_table
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.outside_models import NOT_EXPLAINED, OUTSIDE
from probtrees.experiment.registry import LEARNERS
from probtrees.explain.rule import rule_text
from probtrees.model.routing import find_leaves
from probtrees.score.reliability import ReliabilityBin
from probtrees.ui.compare.compare_page import ROW
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.tested_rows import tested_rows
from probtrees.ui.network import network_page
from probtrees.ui.shared.session import state
from probtrees.ui.shared.table_source import current_source, written_rows
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import percent

MOST_ROWS = 200
"""Rows of a bin that are listed."""

CHANCE, TRUTH = "forecast", "truth"


def rows_of_bin(
    run: ComparisonRun, bench: TreeBench, picked: ReliabilityBin, result: Result
) -> None:
    """List the rows of a bin, and the leaves of the tree on show that they fall into."""
    tested = np.flatnonzero(tested_rows(result))
    chance = result.proba[0][tested, bench.outcome]
    inside = (chance > picked.low) & (chance <= picked.high)
    if picked.low <= chance.min():
        inside |= chance == picked.low
    rows = tested[inside]
    st.markdown(
        f"**{len(rows):,} rows given {percent(picked.low)} to {percent(picked.high)}**; "
        f"{percent(picked.observed)} of them had it."
    )
    if result.learner == "c45":
        _leaves(run, bench, rows)
    list_rows(run, bench, result, rows, "compare.bin rows")


def list_rows(
    run: ComparisonRun, bench: TreeBench, result: Result, rows: NDArray[np.int64], key: str
) -> None:
    """List rows with forecast and truth first; a chosen one is explained where its model is."""
    shown = rows[:MOST_ROWS]
    frame = rows_table(run.data, shown)
    truth = frame.pop(frame.columns[-1])
    names = [name if name not in frame else f"{name} " for name in (CHANCE, TRUTH)]
    frame.insert(1, names[0], 100 * result.proba[0][shown, bench.outcome])
    frame.insert(2, names[1], truth)
    whose = _identifiers(run, shown)
    for name in reversed(whose.columns):
        if name not in frame:
            frame.insert(1, name, whose[name].to_numpy())
    picked = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        selection_default={"selection": {"rows": _row_of_link(run, shown, key)}},
        column_config={
            "row": st.column_config.NumberColumn(pinned=True, help="Its number in the table."),
            names[0]: st.column_config.NumberColumn(
                format="%.1f %%", help="What it was given while it was held out."
            ),
        },
        key=key,
        alt="Rows with forecast and truth",
    )
    if len(rows) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} of {len(rows):,} rows.")
    chosen = picked.selection.rows
    if not chosen or chosen[0] >= len(shown):
        st.session_state.pop(ROW, None)
        st.caption("Choose a row to see where its forecast comes from.")
        return
    st.session_state[ROW] = int(run.data.row_numbers[shown[chosen[0]]]) + 1
    _explain(run, bench, result, int(shown[chosen[0]]), key)


def _identifiers(run: ComparisonRun, rows: NDArray[np.int64]) -> pd.DataFrame:
    """Return the columns that say whose rows these are, as they stand in the file."""
    written = written_rows(current_source())
    return written.frame(written.identifiers, run.data.row_numbers[rows])


def _row_of_link(run: ComparisonRun, shown: NDArray[np.int64], key: str) -> list[int]:
    """Return the place of the row that was chosen before, for a list that is drawn again.

    While a list stands as it is its first answer stays, or a click would make it another list.
    """
    kept = f"{key} first"
    known: tuple[bytes, list[int]] | None = st.session_state.get(kept)
    if known is None or known[0] != shown.tobytes() or key not in st.session_state:
        places = np.flatnonzero(run.data.row_numbers[shown] + 1 == st.session_state.get(ROW, 0))
        known = (shown.tobytes(), places[:1].tolist())
        st.session_state[kept] = known
    return known[1]


def _explain(run: ComparisonRun, bench: TreeBench, result: Result, row: int, key: str) -> None:
    """Offer the place where the model of a row is explained."""
    if result.learner == "c45":
        landing = find_leaves(bench.tree, run.data.values[[row]], run.data.schema.n_values)
        node = int(landing.nodes[landing.shares.argmax()])
        show_leaf_button(node, key=f"{key} leaf {node}")
        return
    if result.learner in OUTSIDE:
        st.caption(f"{OUTSIDE[result.learner].label}: {NOT_EXPLAINED}.")
        return
    entry = LEARNERS[result.learner]
    if not (entry.is_network and entry.on_page):
        st.caption(f"A {entry.label} has no page that explains a single row.")
        return
    if st.button(f"Follow this row in the network ({entry.label})", key=f"{key} follow {row}"):
        own = np.flatnonzero(bench.data.row_numbers == run.data.row_numbers[row])
        st.session_state[network_page.LEARNER] = result.learner
        st.session_state[network_page.ROW] = int(own[0]) + 1 if len(own) else 1
        st.session_state[network_page.TAB] = network_page.TABS[1]
        st.switch_page("pages/network.py")


def show_leaf_button(node: int, key: str | None = None) -> None:
    """Offer to look at a leaf on the Tree page."""
    if st.button("Show this leaf in the tree", key=key or f"compare.show {node}"):
        st.session_state[state.NODE] = node
        st.switch_page("pages/tree.py")


def _leaves(run: ComparisonRun, bench: TreeBench, rows: NDArray[np.int64]) -> None:
    """List the leaves that rows fall into, those with most of them first."""
    landing = find_leaves(bench.tree, run.data.values[rows], run.data.schema.n_values)
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
    st.caption("Leaves of the tree grown from all rows.")
    chosen = picked.selection.rows
    if chosen and chosen[0] < len(order):
        show_leaf_button(int(leaves[order[chosen[0]]]))
