"""What a threshold does to the rows, and the rows behind every cell of a table of mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.score.threshold import Confusion, confusion_at, worth_of
from probtrees.ui.compare.bin_rows import list_rows
from probtrees.ui.compare.compare_page import ACTING, CELL, FALSE_ALARM, MISS, THRESHOLD
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.tested_rows import chances_of, choose_method, row_weights, tested_rows
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import count_text, percent

MOST_CLASSES = 30
"""Classes of which every pair is a cell."""


def thresholds(run: ComparisonRun, bench: TreeBench) -> None:
    """Let a threshold be moved, and show what becomes of the rows."""
    left, right = st.columns(2)
    with left:
        result = choose_method(run, "Method", ACTING)
        every_class = len(bench.outcomes) > 2 and st.toggle(
            "Every class",
            key="compare.every class",
            help="The most probable class against what was true, without a threshold.",
        )
    if every_class:
        _every_class(run, bench, result)
        return
    chance, cases = chances_of(run, result, bench.outcome)
    rate = float(np.average(cases, weights=row_weights(run, result)))
    st.session_state.setdefault(THRESHOLD, 50.0)
    with right:
        threshold = st.slider(
            "Act at or above this chance",
            0.0,
            100.0,
            step=0.5,
            format="%.1f %%",
            key=THRESHOLD,
            persist_state="session",
        )
        prevalence = st.number_input(
            "The outcome's rate where it is used, in %",
            0.0,
            100.0,
            round(100 * rate, 2),
            key=f"compare.prevalence {bench.key[0]} {bench.outcome}",
            help="Predictive values are carried over to a population with this rate.",
        )
    weights = row_weights(run, result)
    found = confusion_at(chance, cases, threshold / 100, weights)
    name = bench.outcomes[bench.outcome]
    counts = [[found.hits, found.misses], [found.false_alarms, found.correct_rejections]]
    tested = np.flatnonzero(tested_rows(result))
    left, right = st.columns([2, 3], gap="medium")
    with left:
        picked = _cells(
            counts, [f"really {name}", f"really not {name}"], ["acted on", "left alone"]
        )
        st.caption(f"{len(tested):,} held-out rows of the first repeat.")
    with right:
        _rates(found, prevalence / 100, worth_of(weights))
    if picked is not None:
        inside = (cases == (picked[0] == 0)) & ((chance >= threshold / 100) == (picked[1] == 0))
        _rows(run, bench, result, tested[inside])


def _every_class(run: ComparisonRun, bench: TreeBench, result: Result) -> None:
    """Show the most probable class of every row against its true one."""
    names = list(bench.outcomes)
    if len(names) > MOST_CLASSES:
        st.info(f"A table of more than {MOST_CLASSES} classes is not shown.")
        return
    tested = np.flatnonzero(tested_rows(result))
    said, true = result.proba[0][tested].argmax(axis=1), run.data.labels[tested]
    weights = row_weights(run, result)
    places = true * len(names) + said
    counts = np.bincount(places, weights, len(names) ** 2).reshape(len(names), -1)
    rows = [f"really {name}" for name in names]
    picked = _cells(counts.tolist(), rows, [f"said {name}" for name in names])
    right = np.average(said == true, weights=weights)
    st.caption(
        f"{percent(float(right))} of {len(tested):,} held-out rows of the first repeat lie on the "
        "diagonal: their most probable class was the true one."
    )
    if picked is not None:
        _rows(run, bench, result, tested[(true == picked[0]) & (said == picked[1])])


def _cells(
    counts: Sequence[Sequence[float]], rows: Sequence[str], columns: Sequence[str]
) -> tuple[int, int] | None:
    """Show counts; return the row and column of the cell that is chosen, by a click or by name."""
    frame = pd.DataFrame([[count_text(n) for n in line] for line in counts], columns=list(columns))
    frame.insert(0, "", list(rows))
    clicked = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        key="compare.confusion",
        alt="Rows by what was said and what was true",
    )
    n_columns = len(columns)
    _take_over_cell(clicked.selection.cells, list(columns))
    if (st.session_state.get(CELL) or 0) >= len(rows) * n_columns:
        st.session_state[CELL] = None
    chosen = st.selectbox(
        "Rows of the cell",
        range(len(rows) * n_columns),
        index=None,
        format_func=lambda at: f"{rows[at // n_columns]}, {columns[at % n_columns]}",
        key=CELL,
        persist_state="session",
        placeholder="click a cell, or choose one here",
    )
    return None if chosen is None else divmod(int(chosen), n_columns)


def _take_over_cell(cells: Sequence[Any], columns: list[str]) -> None:
    """Choose the cell that was clicked, once, so that another can be chosen by name."""
    clicked = tuple(cells[0]) if cells else None
    if clicked == st.session_state.get("compare.clicked cell"):
        return
    st.session_state["compare.clicked cell"] = clicked
    if clicked is not None and clicked[1] in columns:
        st.session_state[CELL] = int(clicked[0]) * len(columns) + columns.index(clicked[1])


def _rows(run: ComparisonRun, bench: TreeBench, result: Result, rows: NDArray[np.int64]) -> None:
    """List the rows of a cell, those that the forecast is surest of first."""
    surest = np.argsort(-result.proba[0][rows, bench.outcome], kind="stable")
    name = markdown_text(run.name_of(result))
    st.markdown(f"**{len(rows):,} rows**, forecasts of {name}, the highest first")
    if len(rows):
        list_rows(run, bench, result, rows[surest], "compare.cell rows")


def _rates(found: Confusion, prevalence: float, worth: float) -> None:
    """Show the rates at the threshold, each with its interval and in words."""
    right, rejected = found.predictive_values(prevalence)
    intervals = found.intervals(prevalence, worth)
    false_alarm: float = st.session_state.get(FALSE_ALARM, 1.0)
    miss: float = st.session_state.get(MISS, 5.0)
    cost = found.cost(false_alarm, miss)
    rows: list[tuple[str, float | None, str]] = [
        ("Sensitivity", found.sensitivity, "of the rows with the outcome are acted on"),
        ("Specificity", found.specificity, "of the rows without it are left alone"),
        ("Positive predictive value", right, "of those acted on have it"),
        ("Negative predictive value", rejected, "of those left alone do not"),
        ("Acted on", found.acted_on, "of all rows"),
    ]
    cells = [
        {
            "rate": name,
            "value": "unknown" if value is None else percent(value),
            "interval": _interval_text(intervals[name.lower().replace(" ", "_")]),
            "meaning": words,
        }
        for name, value, words in rows
    ]
    paid = "unknown" if cost is None else f"{cost:.4f}"
    words = f"a false alarm costs {false_alarm:g}, a miss {miss:g}; set under Costs"
    cells.append({"rate": "Cost per row", "value": paid, "interval": "", "meaning": words})
    st.dataframe(
        pd.DataFrame(cells),
        hide_index=True,
        column_config={
            "interval": st.column_config.TextColumn(
                "95 % interval",
                help="As if rows were independent of each other and the threshold was not chosen "
                "on them; predictive values take the outcome's rate as known.",
            )
        },
        key="compare.rates",
        alt="Rates at the threshold, with 95 % intervals",
    )


def _interval_text(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else " to ".join(map(percent, interval))
