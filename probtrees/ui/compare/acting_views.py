"""What acting on forecasts does: the rows at one threshold, and costs at every threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.forecast_details import acting_at, acting_costs
from probtrees.ui.compare import compare_page as on_page
from probtrees.ui.compare import tested_rows as held_out
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import count_text, percent

_RATES = {
    "sensitivity": "of the rows with the outcome are acted on",
    "specificity": "of the rows without it are left alone",
    "positive_predictive_value": "of those acted on have it",
    "negative_predictive_value": "of those left alone do not",
    "acted_on": "of all rows",
}
"""What is shown at a threshold, and what it means."""


def thresholds(run: ComparisonRun, bench: TreeBench) -> None:
    """Let a threshold be moved, and show what becomes of the rows."""
    left, right = st.columns(2)
    with left:
        result = held_out.choose_method(run, "Method", on_page.ACTING)
    chance, cases, _ = held_out.chances_of(run, result, bench.outcome)
    st.session_state.setdefault(on_page.THRESHOLD, 50.0)
    threshold = right.slider(
        "Act at or above this chance",
        0.0,
        100.0,
        step=0.5,
        format="%.1f %%",
        key=on_page.THRESHOLD,
        persist_state="session",
    )
    cost_of = st.session_state.get
    paid = (float(cost_of(on_page.FALSE_ALARM, 1.0)), float(cost_of(on_page.MISS, 5.0)))
    found = acting_at(result, run.data, bench.outcome, threshold / 100, paid)
    tested = held_out.tested_rows(result)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        cell = _cells(found, bench.outcomes[bench.outcome])
        st.caption(f"{len(tested):,} held-out rows of the first repeat.")
    with right:
        _rates(found, paid)
    if cell is not None:
        inside = (cases == (cell < 2)) & ((chance >= threshold / 100) == (cell % 2 == 0))
        rows = tested[inside]
        surest = np.argsort(-result.proba[0][rows, bench.outcome], kind="stable")
        name = markdown_text(run.name_of(result))
        st.markdown(f"**{len(rows):,} rows**, forecasts of {name}, the highest first")
        if len(rows):
            held_out.list_rows(run, bench, result, rows[surest], "compare.cell rows")


def _cells(found: Mapping[str, Any], name: str) -> int | None:
    """Show the four counts; return the number of the one that is chosen, by a click or by name."""
    counts = [("hits", "misses"), ("false_alarms", "correct_rejections")]
    rows, columns = (f"really {name}", f"really not {name}"), ["acted on", "left alone"]
    frame = pd.DataFrame([[count_text(found[n]) for n in line] for line in counts], columns=columns)
    frame.insert(0, "", rows)
    shown: Any = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        key="compare.confusion",
        alt="Rows by what was said and what was true",
    )
    picked = [(row, column) for row, column in shown.selection.cells if column in columns]
    clicked = [2 * row + columns.index(column) for row, column in picked]
    names = [f"{row}, {column}" for row in rows for column in columns]
    first = clicked[0] if clicked else None
    return held_out.choose_part("Rows of the cell", names, on_page.CELL, first)


def _rates(found: Mapping[str, Any], costs: tuple[float, float]) -> None:
    """Show the rates at the threshold, each with its interval and in words."""
    cells = [
        (
            name.capitalize().replace("_", " "),
            "unknown" if found[name] is None else percent(found[name]),
            " to ".join(map(percent, found["intervals"][name] or ())),
            words,
        )
        for name, words in _RATES.items()
    ]
    words = "a false alarm costs {:g}, a miss {:g}; set under Costs".format(*costs)
    cells.append(("Cost per row", f"{found['cost_per_row']:.4f}", "", words))
    frame = pd.DataFrame(cells, columns=["rate", "value", "interval", "meaning"])
    interval = st.column_config.TextColumn(
        "95 % interval",
        help="As if the threshold was not chosen on these rows; rows of a group count together.",
    )
    alt = "Rates at the threshold, with 95 % intervals"
    show_table(frame, "compare.rates", alt, {"interval": interval})


def costs(run: ComparisonRun, bench: TreeBench) -> None:
    """Show what acting on forecasts costs, at thresholds that no charged row helped to choose."""
    outcome = markdown_text(bench.outcomes[bench.outcome])
    help_text = "In any unit; only the ratio of the two matters for the threshold."
    how: dict[str, Any] = {"persist_state": "session", "help": help_text}
    asked = (
        (f"Cost of acting on a row without {outcome}", 1.0, on_page.FALSE_ALARM),
        (f"Cost of not acting on a row with {outcome}", 5.0, on_page.MISS),
    )
    alarm, miss = (
        place.number_input(words, 0.0, on_page.HIGHEST_COST, usual, key=key, **how)
        for place, (words, usual, key) in zip(st.columns(2), asked, strict=True)
    )
    honest = []
    for name, result in run.by_name().items():
        paid = acting_costs(result, run.data, run.folds[0], bench.outcome, (alarm, miss))
        chosen = paid["threshold_of_other_folds"]
        honest.append({"method": name, "implied": paid["at_implied_threshold"], "chosen": chosen})
    for words, key in {"Act on every row": "act_on_every_row", "Never act": "never_act"}.items():
        honest.append({"method": words, "implied": paid[key], "chosen": paid[key]})
    threshold = percent(alarm / max(alarm + miss, 1e-300))
    number = st.column_config.NumberColumn
    show_table(
        pd.DataFrame(honest).sort_values("implied"),
        "compare.honest",
        "Honest cost of every method",
        {
            "implied": number(f"cost per row at {threshold}", format="%.4f"),
            "chosen": number("at a threshold of other folds", format="%.4f"),
        },
    )
    st.caption(
        f"If chances mean what they say, the right threshold is {threshold}: false alarm / (false "
        "alarm + miss). Of other folds: each fold is charged at the threshold that was best in the "
        "others, so no row has a say in what it is charged at."
    )
