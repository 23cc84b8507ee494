"""The first tab of the Compare page: what to compare, and the table of what came out.

The table is sorted by one measure, with what may be concluded from it.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.forecast_details import undefined_reasons
from probtrees.experiment.evaluation.leading_methods import (
    Over,
    base_rate_words,
    compares_rows,
    is_yardstick,
    no_better_than_base,
    only_test,
)
from probtrees.report.comparison_report import BASE_RATE
from probtrees.score.measures import MEASURES, Measure, main_measures, part_shown
from probtrees.score.paired_test import PairedTest
from probtrees.table.folds import describe_folds
from probtrees.ui.compare.acting_views import costs, thresholds
from probtrees.ui.compare.compare_page import DEFAULT_MEASURE, MEASURE, OVER, OVERS, VIEW, VIEWS
from probtrees.ui.compare.comparison_exports import COMPARISON_EXPORTS, compared_of
from probtrees.ui.compare.comparison_plan import choose_plan
from probtrees.ui.compare.comparison_run import ComparisonRun, current_run, is_asked
from probtrees.ui.compare.curve_views import curves, more
from probtrees.ui.compare.forecast_views import reliability, scatter
from probtrees.ui.compare.run_history import n_tried, note_run
from probtrees.ui.compare.tested_rows import with_tested_outcome
from probtrees.ui.shared.exports import offer
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import plural, score_decimals

_ROW_HEIGHT, _MOST_ROWS = 35, 40
"""Rows of the table that are shown without a scroll bar of its own, and their height in pixels."""


def compare_here(bench: TreeBench) -> None:
    """Ask what to compare, do it, and show what is known so far.

    Once there are results what to compare is folded away: they are what one looks at.
    """
    has_run = is_asked(bench)
    words, icon = "What to compare", ":material/tune:"
    # Under another key: what was drawn open stays so.
    with st.expander(words, icon=icon, expanded=not has_run, key=f"compare.setup {has_run}"):
        plan = choose_plan(bench)
        if not plan.models or not plan.smoothers:
            st.info("Choose at least one model and one smoother.")
            return
        if plan.scheme == "given" and plan.given is None:
            st.info("Give the file of folds: a column 'fold' with an entry for every row.")
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            start = st.button("Compare", type="primary", icon=":material/play_arrow:")
            st.caption(
                f"{plural(len(plan.tried), 'settings')}, {markdown_text(plan.held_out)}, measured "
                "on rows that did not train them."
            )
    run = current_run(bench, plan, start=start)
    if run is None:
        return
    note_run(run, bench)
    for sentence in run.problems:
        st.warning(markdown_text(sentence))
    if not run.results:
        return
    if run.plan != plan:
        st.caption("The results below are of the settings compared last; press Compare again.")
    asked, bench = bench.outcome, with_tested_outcome(run, bench)
    score_table(run, bench)
    if bench.outcome != asked:
        lacking, shown = (markdown_text(bench.outcomes[k]) for k in (asked, bench.outcome))
        st.caption(f"No row of {lacking} is tested; what follows is about {shown}.")
    shows = (reliability, curves, thresholds, scatter, costs, more)
    for tab, show in zip(st.tabs(list(VIEWS), on_change="rerun", key=VIEW), shows, strict=True):
        if tab.open:
            with tab:
                show(run, bench)


def score_table(run: ComparisonRun, bench: TreeBench) -> None:
    """Show every method, the best first; mark the set that cannot be distinguished from it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        judged = _choose_measure()
        over = _choose_over(run, judged)
    frame = sorted_scores(run, judged, over)
    show_table(
        frame,
        "compare.table",
        "Every method's scores, the best first",
        _columns(frame),
        height=_ROW_HEIGHT * (min(len(frame), _MOST_ROWS) + 1) + 3,
    )
    n_settings, follows = n_tried(run), markdown_text(describe_folds(run.data, run.folds))
    st.caption(
        f"{_marks_in_words(run, judged, over)} {follows} You have compared "
        f"{plural(n_settings, 'settings')} on one data set; confirm the choice on new rows."
    )
    warnings = base_rate_words(run.by_name(), judged.name)
    if warnings:
        st.warning("  \n".join(map(markdown_text, warnings)))
    for sentence in undefined_reasons(run.by_name()):
        st.caption(markdown_text(sentence))
    with st.popover("Export", icon=":material/download:"):
        offer(COMPARISON_EXPORTS, (frame, compared_of(run, bench.outcome, n_settings)))


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


def _choose_over(run: ComparisonRun, judged: Measure) -> Over:
    """Ask what the tests take as what varies; where there is one test only, say which and why."""
    only = only_test(judged.name, run.data, run.folds)
    if only is not None:
        used, why = only
        st.caption(markdown_text(f"Tested only {OVERS[used]}: {why}."))
        return used
    over: Over = st.selectbox(
        "Tested",
        list(OVERS),
        format_func=lambda name: OVERS[name],
        key=OVER,
        persist_state="session",
        width=180,
        help="What varies: rows (all rows of a group together), or folds. Both allow for the "
        "training rows that folds share; rows are many, so they find smaller differences.",
    )
    return over


def sorted_scores(run: ComparisonRun, judged: Measure, over: Over = "rows") -> pd.DataFrame:
    """List every method and the base rate by one measure, with the difference to the best."""
    leading, by_name = run.leading(judged.name, over), run.by_name()
    worse = no_better_than_base(by_name, judged.name)
    names = list(by_name)
    best = None if leading is None else by_name[names[leading.best]].scores[judged.name]
    rows: list[dict[str, Any]] = []
    for name in run.best_first(judged.name):
        result, place = by_name[name], names.index(name)
        row: dict[str, Any] = {"": "", "method": name}
        if leading is not None and place == leading.best:
            row[""] = "★"
        elif leading is not None:
            row[""] = "●" if place in leading.members and name not in worse else ""
            row |= _tested(result.scores[judged.name], best, leading.tests[place])
            row["p"] = float(leading.adjusted_p[place])
        rows.append({**result.scores, **row, "seconds": sum(result.seconds.values())})
    scores = run.results[0].base_rate
    base: dict[str, Any] = {**scores, "": "", "method": BASE_RATE}
    test = run.base_test(judged.name, over)
    if test is not None and best is not None:
        base |= _tested(scores[judged.name], best, test) | {"p": test.p_value}
    n_better = len(rows)  # the base rate comes last where it is no yardstick
    if scores[judged.name] is not None and is_yardstick(judged):
        lacking = {row["method"] for row in rows if row[judged.name] is None}
        n_better = sum(row["method"] not in {*worse, *lacking} for row in rows)
    rows.insert(n_better, base)
    shown = ["", "method", judged.name]
    shown += ["difference", "lower", "upper", "p"] if leading is not None else []
    frame = pd.DataFrame(rows)
    frame["brier"] *= part_shown("brier", run.data.n_classes)
    for name in {"difference", "lower", "upper"} & {*frame}:
        frame[name] *= part_shown(judged.name, run.data.n_classes)
    return frame.reindex(columns=[*shown, *(name for name in frame if name not in shown)])


def _tested(own: float | None, best: float | None, test: PairedTest) -> dict[str, float | None]:
    """Return the difference of two figures on show, and its interval."""
    difference = None if own is None or best is None else own - best
    return {"difference": difference, "lower": test.lower, "upper": test.upper}


def _columns(frame: pd.DataFrame) -> dict[str, Any]:
    """Say how every column is shown, and what it means."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    columns: dict[str, Any] = {
        one.name: number(
            one.label,
            format=f"%.{score_decimals(frame[one.name].abs().min())}f",
            help=one.help,
        )
        for one in main_measures()
        if one.name in frame
    }
    interval = "End of the 95 % interval of this difference. Folds share training rows: that is "
    interval += "allowed for."
    # Functions of the Brier score and the log loss: on request, by the menu of columns.
    asked = next(name for name in frame if name in MEASURES)
    columns |= dict.fromkeys({"rmse", "cll"} & set(columns) - {asked})
    return columns | {
        "": text(
            width=30,
            pinned=True,
            help="★ best by this measure; ● cannot be distinguished from it and is better than the "
            "base rate.",
        ),
        "method": text(pinned=True),
        "difference": number(
            "to the best", format="%+.4f", help="This figure minus that of the best method."
        ),
        "lower": number("95 % from", format="%+.4f", help=interval),
        "upper": number("to", format="%+.4f", help=interval),
        "p": (
            "%.2g",
            "Of such a difference by chance, adjusted for all methods; that of the base rate is "
            "its own.",
        ),
        "seconds": ("%.1f", "To grow, smooth and predict, all folds together."),
    }


def _marks_in_words(run: ComparisonRun, judged: Measure, over: Over) -> str:
    """Say what the marks mean, and what the first result remarks."""
    if not run.is_whole:
        words = "Not all is measured yet, so nothing is marked as best."
    elif run.leading(judged.name, over) is None:
        words = "There is nothing to be distinguished by this measure."
    else:
        by_row = compares_rows(judged.name, run.data, run.folds, over)
        words = (
            f"★ is best by {judged.label}; ● cannot be distinguished from it by a corrected paired "
            f"t-test over the {'rows' if by_row else 'folds'}, Holm-corrected at 5 %, and is "
            "better than the base rate, where that is a yardstick."
        )
    return " ".join([words, *run.results[0].remarks])
