"""The table of the Compare page: sorted by one measure, with what may be concluded from it."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.forecast_details import undefined_reasons
from probtrees.report.comparison_report import BASE_RATE
from probtrees.score.measures import (
    MEASURES,
    Measure,
    Scores,
    better_when_larger,
    main_measures,
)
from probtrees.ui.compare.compare_page import DEFAULT_MEASURE, MEASURE
from probtrees.ui.compare.comparison_exports import COMPARISON_EXPORTS, comparison_files
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.run_history import n_tried
from probtrees.ui.shared.exports import offer
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import p_text, plural

_ROW_HEIGHT, _MOST_ROWS = 35, 40
"""Rows of the table that are shown without a scroll bar of its own, and their height in pixels."""

_LETTER, _NARROWEST, _WIDEST = 7.5, 160, 460
"""Pixels of a letter, and between which widths names are shown."""

_EXTREME = 2.0
"""A log loss of so many times the base rate's is worth a warning."""


def score_table(run: ComparisonRun, bench: TreeBench) -> None:
    """Show every method, the best first; mark the set that cannot be told from it."""
    judged = _choose_measure()
    frame = sorted_scores(run, judged)
    shown = min(len(frame), _MOST_ROWS)
    st.dataframe(
        frame,
        hide_index=True,
        height=_ROW_HEIGHT * (shown + 1) + 3,
        column_config=_columns(frame, judged),
        key="compare.table",
        placeholder="–",
        alt="Every method's scores, the best first",
    )
    st.caption(_words(run, bench, judged))
    for sentence in undefined_reasons(run.by_name(), run.data):
        st.caption(markdown_text(sentence))
    for sentence in extreme_words(run):
        st.warning(sentence)
    offer(COMPARISON_EXPORTS, comparison_files(run, bench, frame))


def _choose_measure() -> Measure:
    names = [measure.name for measure in main_measures()]
    name = st.selectbox(
        "Sorted by",
        names,
        index=names.index(DEFAULT_MEASURE),
        format_func=lambda name: MEASURES[name].label,
        key=MEASURE,
        persist_state="session",
        width=260,
        help="What the order, the differences and the tests are about.",
    )
    return MEASURES[name]


def sorted_scores(run: ComparisonRun, judged: Measure) -> pd.DataFrame:
    """List every method beside the base rate by one measure, with the difference to the best."""
    leading = run.leading(judged.name)
    rows: list[dict[str, Any]] = []
    for place, (name, result) in enumerate(run.by_name().items()):
        row: dict[str, Any] = {"": "", "method": name, judged.name: result.scores[judged.name]}
        if leading is not None:
            test = leading.tests[place]
            is_best = place == leading.best
            row[""] = "★" if is_best else "●" if place in leading.members else ""
            row["difference"] = None if is_best else test.difference
            row["interval"] = "" if is_best else _interval(test.lower, test.upper)
            row["p"] = "" if is_best else p_text(float(leading.adjusted_p[place]))
        row |= _others(result.scores, judged) | {"seconds": sum(result.seconds.values())}
        rows.append(row)
    sign = -1.0 if judged.larger_is_better else 1.0

    def place_of(row: dict[str, Any]) -> tuple[bool, float]:
        value = row[judged.name]
        return (row[""] != "★", math.inf if value is None else sign * value)

    rows.sort(key=place_of)
    base = run.results[0].base_rate
    rows.append({"": "", "method": BASE_RATE, judged.name: base[judged.name]})
    rows[-1] |= _others(base, judged)
    return pd.DataFrame(rows)


def _others(scores: Scores, judged: Measure) -> dict[str, float | None]:
    return {name: value for name, value in scores.items() if name != judged.name}


def _interval(lower: float | None, upper: float | None) -> str:
    return "" if lower is None or upper is None else f"{lower:+.4f} to {upper:+.4f}"


def _columns(frame: pd.DataFrame, judged: Measure) -> dict[str, Any]:
    """Say how every column is shown, and what it means."""
    longest = max((len(name) for name in frame["method"]), default=0)
    names = int(min(max(_LETTER * longest + 20, _NARROWEST), _WIDEST))
    number = st.column_config.NumberColumn
    columns: dict[str, Any] = {
        measure.name: number(measure.label, format="%.4f", help=measure.help)
        for measure in main_measures()
    }
    values = frame[judged.name].astype(float)
    finite = values[values.notna()]
    if len(finite) and finite.min() >= 0 and finite.max() > 0:
        columns[judged.name] = st.column_config.ProgressColumn(
            judged.label,
            format="%.4f",
            min_value=0.0,
            max_value=float(finite.max()),
            help=judged.help,
        )
    return columns | {
        "": st.column_config.TextColumn(
            width=30, pinned=True, help="★ best by this measure, ● cannot be told from it."
        ),
        "method": st.column_config.TextColumn(width=names, pinned=True),
        "difference": number(
            "to the best",
            format="%+.4f",
            help="Mean over the folds of this method minus the best one.",
        ),
        "interval": st.column_config.TextColumn(
            "95 % interval",
            help="Of that difference alone; folds share training rows, which is allowed for. "
            "p also allows for the number of methods: it may exceed 5 % where 0 lies just outside.",
        ),
        "p": st.column_config.TextColumn(
            help="Of such a difference by chance, adjusted for all methods."
        ),
        "seconds": number(format="%.1f", help="To grow, smooth and predict, all folds together."),
    }


def _words(run: ComparisonRun, bench: TreeBench, judged: Measure) -> str:
    n_settings = max(n_tried(bench), run.plan.n_settings)
    if not run.is_whole:
        marked = "Not all is measured yet, so nothing is marked as best. "
    elif run.leading(judged.name) is None:
        marked = "There is nothing to be told apart by this measure. "
    else:
        once = len(run.folds) == 1 and run.folds[0].n_folds == 1
        test = "paired t-test over the rows" if once else "corrected paired t-test over the folds"
        marked = (
            f"★ is best by {judged.label}; ● cannot be told from it by a {test}, Holm-corrected "
            "at 5 %. "
        )
    return (
        f"{marked}Smaller is better, except for {better_when_larger(main_measures())}. "
        f"*{BASE_RATE}* tells everybody the same, so its calibration error is about 0: true on "
        "average, and of no use to anyone. "
        f"You have compared {plural(n_settings, 'settings')} on one data set; confirm the choice "
        "on new rows."
    )


def extreme_words(run: ComparisonRun) -> list[str]:
    """Warn of methods whose certainty was badly wrong."""
    base = run.results[0].base_rate.log_loss
    if base is None:
        return []
    return [
        f"{markdown_text(name)} has a log loss of {result.scores.log_loss:.3f}, that of the base "
        f"rate is {base:.3f}: it was sure of what then did not happen. Do not use its numbers as "
        "probabilities, whatever its other figures."
        for name, result in run.by_name().items()
        if result.scores.log_loss is not None and result.scores.log_loss > _EXTREME * base
    ]
