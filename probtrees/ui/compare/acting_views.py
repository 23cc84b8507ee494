"""What acting on forecasts does: the rows at one threshold, and costs at every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from probtrees.draw.charts.forecast_charts import cost_chart
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.decision_cost import (
    cost_at_implied_threshold,
    cost_by_other_folds,
    cost_of_one_decision,
    implied_threshold,
)
from probtrees.score.cost import threshold_costs
from probtrees.score.threshold import Confusion, confusion_at, worth_of
from probtrees.ui.compare.compare_page import (
    ACTING,
    CELL,
    FALSE_ALARM,
    HIGHEST_COST,
    MISS,
    THRESHOLD,
)
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.tested_rows import (
    chances_of,
    choose_method,
    list_rows,
    take_click,
    tested_rows,
)
from probtrees.ui.shared.session import state
from probtrees.ui.shared.show_table import show_table
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import count_text, percent


def thresholds(run: ComparisonRun, bench: TreeBench) -> None:
    """Let a threshold be moved, and show what becomes of the rows."""
    left, right = st.columns(2)
    with left:
        result = choose_method(run, "Method", ACTING)
    chance, cases, weights = chances_of(run, result, bench.outcome)
    st.session_state.setdefault(THRESHOLD, 50.0)
    threshold = right.slider(
        "Act at or above this chance",
        0.0,
        100.0,
        step=0.5,
        format="%.1f %%",
        key=THRESHOLD,
        persist_state="session",
    )
    prevalence = right.number_input(
        "The outcome's rate where it is used, in %",
        0.0,
        100.0,
        round(100 * float(np.average(cases, weights=weights)), 2),
        key=f"compare.prevalence {bench.key[0]} {bench.outcome}",
        help="Predictive values are carried over to a population with this rate.",
    )
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


def _cells(
    counts: Sequence[Sequence[float]], rows: Sequence[str], columns: Sequence[str]
) -> tuple[int, int] | None:
    """Show counts; return the row and column of the cell that is chosen, by a click or by name."""
    frame = pd.DataFrame([[count_text(n) for n in line] for line in counts], columns=list(columns))
    frame.insert(0, "", list(rows))
    shown: Any = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        key="compare.confusion",
        alt="Rows by what was said and what was true",
    )
    n_columns = len(columns)
    clicked = [
        row * n_columns + columns.index(column)
        for row, column in shown.selection.cells
        if column in columns
    ]
    take_click(clicked[0] if clicked else None, CELL, "compare.clicked cell")
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
            "interval": " to ".join(map(percent, intervals[name.lower().replace(" ", "_")] or ())),
            "meaning": words,
        }
        for name, value, words in rows
    ]
    paid = "unknown" if cost is None else f"{cost:.4f}"
    words = f"a false alarm costs {false_alarm:g}, a miss {miss:g}; set under Costs"
    cells.append({"rate": "Cost per row", "value": paid, "interval": "", "meaning": words})
    help = (
        "As if rows were independent of each other and the threshold was not chosen on them; "
        "predictive values take the outcome's rate as known."
    )
    interval = st.column_config.TextColumn("95 % interval", help=help)
    alt = "Rates at the threshold, with 95 % intervals"
    show_table(cells, "compare.rates", alt, {"interval": interval})


def costs(run: ComparisonRun, bench: TreeBench) -> None:
    """Show what acting on the forecasts costs, at every threshold and at an honest one."""
    outcome = markdown_text(bench.outcomes[bench.outcome])
    left, right = st.columns(2)
    with left:
        false_alarm = _cost(f"Cost of acting on a row without {outcome}", FALSE_ALARM, 1.0)
    with right:
        miss = _cost(f"Cost of not acting on a row with {outcome}", MISS, 5.0)
    pair = (false_alarm, miss)
    curves, honest = {}, []
    for name, result in run.by_name().items():
        chance, cases, weights = chances_of(run, result, bench.outcome)
        found = threshold_costs(chance, cases, *pair, weights)
        curves[name] = (np.minimum(found.thresholds, 1.0), found.costs)
        paid = cost_by_other_folds(result, run.data, run.folds[0], bench.outcome, pair)
        implied = cost_at_implied_threshold(result, run.data, bench.outcome, pair)
        honest.append({"method": name, "implied": implied, "cost per row": paid})
    always, never = cost_of_one_decision(run.results[0], run.data, bench.outcome, pair)
    for words, paid in {"Act on every row": always, "Never act": never}.items():
        honest.append({"method": words, "implied": paid, "cost per row": paid})
    st.plotly_chart(
        cost_chart(curves, theme=state.theme()),
        key="compare.costs",
        alt="Mean cost per row against the threshold",
    )
    threshold, number = percent(implied_threshold(pair)), st.column_config.NumberColumn
    show_table(
        pd.DataFrame(honest).sort_values("implied"),
        "compare.honest",
        "Honest cost of every method",
        {
            "implied": number(
                f"cost per row at {threshold}",
                format="%.4f",
                help="At the threshold that the costs imply: false alarm / (false alarm + miss).",
            ),
            "cost per row": number(
                "at a threshold of other folds",
                format="%.4f",
                help="For every fold the threshold that was best on the other folds.",
            ),
        },
    )
    st.caption(
        f"If probabilities mean what they say, the right threshold is {threshold}: the first "
        "figure is its cost. For the second, the threshold of every fold is chosen on the held-out "
        "forecasts of the other folds. The table is honest: no row is charged at a threshold that "
        "it helped to choose. The lowest point of a curve is not."
    )


def _cost(label: str, key: str, start: float) -> float:
    value: float = st.number_input(
        label,
        0.0,
        HIGHEST_COST,
        value=start,
        key=key,
        persist_state="session",
        help="In any unit; only the ratio of the two matters for the threshold.",
    )
    return value
