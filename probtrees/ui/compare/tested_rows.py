"""The held-out rows of a comparison: what they were given, what happened, where it is explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from probtrees.draw.tables import rows_table
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.outside_models import OUTSIDE
from probtrees.experiment.registry import LEARNERS
from probtrees.explain.rule import rule_text
from probtrees.model.routing import find_leaves
from probtrees.score.metrics import rarest_outcome
from probtrees.types import FloatArray
from probtrees.ui.compare.compare_page import LIT, REFERENCE, ROW
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.network import network_page
from probtrees.ui.shared.session import state
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench

MOST_ROWS = 200
"""Rows that are listed."""

CHANCE, TRUTH = "forecast", "truth"
_TESTED = "compare.tested outcome"
"""Where the session keeps the outcome that is shown in place of one without tested rows."""

Chances = tuple[FloatArray, NDArray[np.bool_], FloatArray | None]
"""What held-out rows were given, whether it occurred, and their weights."""


def tested_rows(*results: Result) -> NDArray[np.int64]:
    """List the rows that all of these results tested in the first repeat."""
    return np.flatnonzero(~np.isnan([result.proba[0][:, 0] for result in results]).any(axis=0))


def chances_of(run: ComparisonRun, result: Result, outcome: int) -> Chances:
    """Return what held-out rows were given of an outcome in the first repeat."""
    tested = tested_rows(result)
    occurred = run.data.labels[tested] == outcome
    weights = None if run.data.weights is None else run.data.weights[tested]
    return result.proba[0][tested, outcome], occurred, weights


def reach_of(given: Mapping[str, Chances]) -> float:
    """Return how far axes of chances go: to 1, or where an outcome is rare as far as it matters."""
    highest = max(float(np.quantile(chances, 0.995)) for chances, _, _ in given.values())
    return min(1.0, 1.5 * highest)


def with_tested_outcome(run: ComparisonRun, bench: TreeBench) -> TreeBench:
    """Turn to the rarest class that is tested where no row of the outcome of interest is."""
    tested = run.folds[0].test_fold >= 0
    counts = np.bincount(run.data.labels[tested], minlength=len(bench.outcomes))
    if counts[bench.outcome] > 0:
        return bench
    st.session_state[_TESTED] = rarest_outcome(counts.astype(np.float64))
    return replace(bench, outcome_key=_TESTED)


def lit_of(run: ComparisonRun) -> str | None:
    """Return the method that is highlighted, if it was compared."""
    lit: str | None = st.session_state.get(LIT)
    return lit if lit in run.by_name() else None


def choose_method(
    run: ComparisonRun, label: str, key: str, start: str | None = None, **options: Any
) -> Result:
    """Ask for a method that was compared; at first ``start``, the one lit, or the one to use."""
    by_name, to_use = run.by_name(), st.session_state.get(REFERENCE)
    usual = to_use if to_use in by_name else run.best_first()[0]
    key = suggest(run, key, start or lit_of(run) or usual)
    options |= {"key": key, "persist_state": "session"}
    return by_name[st.selectbox(label, list(by_name), **options)]


def suggest(run: ComparisonRun, key: str, value: str) -> str:
    """Choose methods as long as nobody has chosen others that were compared; return the key.

    What a link chose waits until all is measured: before that the choice has another key.
    """
    if not run.is_whole:
        key = f"{key} so far"
    chosen, suggested = st.session_state.get(key), st.session_state.get(f"{key} suggested")
    if chosen in (None, suggested) or chosen not in run.by_name():
        st.session_state[key] = st.session_state[f"{key} suggested"] = value
    elif chosen == value:  # also of a link: the next comparison may have another winner
        st.session_state[f"{key} suggested"] = value
    return key


def take_click(clicked: object, key: str) -> bool:
    """Choose what was clicked, once, so that something else can be chosen by name; True if so."""
    seen = f"{key} clicked"
    is_new = clicked is not None and clicked != st.session_state.get(seen)
    st.session_state[seen] = clicked
    if is_new:
        st.session_state[key] = clicked
    return is_new


def choose_part(label: str, names: Sequence[str], key: str, clicked: int | None) -> int | None:
    """Ask for a part of a picture or table, by a click on it or by its name."""
    take_click(clicked, key)
    if (st.session_state.get(key) or 0) >= len(names):
        st.session_state[key] = None
    chosen: int | None = st.selectbox(
        label,
        range(len(names)),
        index=None,
        format_func=lambda place: names[place],
        **state.lasting(key),
        placeholder="click one, or choose it here",
    )
    return chosen


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
    written = current_source().written_rows()
    whose = written.frame(written.identifiers, run.data.row_numbers[shown])
    for name in reversed(whose.columns):
        if name not in frame:
            frame.insert(1, name, whose[name].to_numpy())
    picked = show_table(
        frame,
        key,
        "Rows with forecast and truth",
        {
            "row": st.column_config.NumberColumn(pinned=True, help="Its number in the table."),
            names[0]: ("%.1f %%", "What it was given while it was held out."),
        },
        picks="single-row",
        selection_default={"selection": {"rows": _row_of_link(run, shown, key)}},
    )
    if len(rows) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} of {len(rows):,} rows.")
    if not picked:
        st.session_state.pop(ROW, None)
        st.caption("Choose a row to see where its forecast comes from.")
        return
    row = int(shown[picked[0]])
    st.session_state[ROW] = int(run.data.row_numbers[row]) + 1
    _explain(run, bench, result, row, key)


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
        show_leaf_button(int(landing.nodes[landing.shares.argmax()]), key=f"{key} leaf")
        return
    entry = LEARNERS.get(result.learner)
    if entry is None or not (entry.is_network and entry.on_page):
        label = OUTSIDE[result.learner].label if entry is None else entry.label
        st.caption(f"{label}: not explained here.")
    elif st.button(f"Follow this row in the network ({entry.label})", key=f"{key} follow {row}"):
        own = np.flatnonzero(bench.data.row_numbers == run.data.row_numbers[row])
        st.session_state[network_page.LEARNER] = result.learner
        st.session_state[network_page.ROW] = int(own[0]) + 1 if len(own) else 1
        st.session_state[network_page.TAB] = network_page.TABS[1]
        st.switch_page("pages/network.py")


def show_leaf_button(node: int, key: str = "compare.show", pair: tuple[str, ...] = ()) -> None:
    """Offer to look at a leaf on the Tree page, coloured by how two smoothers differ."""
    if st.button("Show this leaf in the tree", key=f"{key} {node}"):
        st.session_state[state.NODE] = node
        if pair:
            st.session_state[state.SMOOTHER], st.session_state[state.OTHER] = pair
            st.session_state[state.COLOUR] = "difference"
        st.switch_page("pages/tree.py")


def list_leaves(run: ComparisonRun, bench: TreeBench, rows: NDArray[np.int64]) -> None:
    """List the leaves that rows fall into, those with most of them first."""
    landing = find_leaves(bench.tree, run.data.values[rows], run.data.schema.n_values)
    leaves, counts = np.unique(landing.nodes, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    rules = [rule_text(bench.tree, bench.schema, int(node)) for node in leaves[order]]
    picked = show_table(
        pd.DataFrame({"rows": counts[order], "leaf": rules}),
        "compare.bin leaves",
        "Leaves that the bin's rows fall into",
        picks="single-row",
    )
    st.caption("Leaves of the tree grown from all rows.")
    if picked:
        show_leaf_button(int(leaves[order[picked[0]]]))
