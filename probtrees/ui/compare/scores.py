"""The table of the Compare page: sorted by one measure, with what may be concluded from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
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
from probtrees.score.measures import (
    MEASURES,
    Measure,
    Scores,
    better_when_larger,
    main_measures,
)
from probtrees.score.paired_test import PairedTest
from probtrees.table.describe_folds import describe_folds
from probtrees.ui.compare.compare_page import DEFAULT_MEASURE, MEASURE, OVER, OVERS
from probtrees.ui.compare.comparison_exports import COMPARISON_EXPORTS, comparison_files
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.run_history import n_tried
from probtrees.ui.shared.exports import offer
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import p_text, plural, score_decimals

_ROW_HEIGHT, _MOST_ROWS = 35, 40
"""Rows of the table that are shown without a scroll bar of its own, and their height in pixels."""

_LETTER, _NARROWEST, _WIDEST = 7.5, 160, 460
"""Pixels of a letter, and between which widths names are shown."""

NO_BETTER = "☆"
"""Marks the best method where it does no better than the base rate."""


def score_table(run: ComparisonRun, bench: TreeBench) -> None:
    """Show every method, the best first; mark the set that cannot be distinguished from it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        judged = _choose_measure()
        over = _choose_over(run, judged)
    frame = sorted_scores(run, judged, over)
    shown = min(len(frame), _MOST_ROWS)
    st.dataframe(
        _shown(frame),
        hide_index=True,
        height=_ROW_HEIGHT * (shown + 1) + 3,
        column_config=_columns(frame, judged),
        key="compare.table",
        placeholder="–",
        alt="Every method's scores, the best first",
    )
    st.caption(
        " ".join(filter(None, [_words(run, bench, judged, over), markdown_text(rows_words(run))]))
    )
    warnings = base_rate_words(run.by_name(), judged.name)
    if warnings:
        st.warning("  \n".join(map(markdown_text, warnings)))
    _how_to_read(run, judged, over)
    offer(COMPARISON_EXPORTS, comparison_files(run, bench, frame))


def rows_words(run: ComparisonRun) -> str:
    """Say what the folds follow, and of a run that is not whole, how many rows it rests on."""
    words = describe_folds(run.data, run.folds)
    if run.is_whole:
        return words
    planned = sum(int((cut.test_fold >= 0).sum()) for cut in run.folds)
    tested = [
        sum(int(np.isfinite(proba[:, 0]).sum()) for proba in result.proba) for result in run.results
    ]
    least, most = min(tested), max(tested)
    share = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{words} So far the figures rest on {share} of {planned:,} tests of rows.".strip()


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
        st.selectbox("Tested", [OVERS[used]], disabled=True, key=f"{OVER} {used}", width=180)
        st.caption(markdown_text(f"Only {OVERS[used]}: {why}."))
        return used
    over: Over = st.selectbox(
        "Tested",
        list(OVERS),
        format_func=lambda name: OVERS[name],
        key=OVER,
        persist_state="session",
        width=180,
        help="Row by row, where a measure is a mean of rows (Brier score, log loss, 0-1 loss) and "
        "rows are cases of their own; else, and if you ask for it, by the figures of the folds. "
        "Both allow for the training rows that folds share; rows are many, so they find smaller "
        "differences.",
    )
    return over


def sorted_scores(run: ComparisonRun, judged: Measure, over: Over = "rows") -> pd.DataFrame:
    """List every method and the base rate by one measure, with the difference to the best."""
    leading, by_name = run.leading(judged.name, over), run.by_name()
    worse = no_better_than_base(by_name, judged.name)
    names = list(by_name)
    rows: list[dict[str, Any]] = []
    best = None if leading is None else by_name[names[leading.best]].scores[judged.name]
    for name in run.best_first(judged.name):
        result, place = by_name[name], names.index(name)
        row: dict[str, Any] = {"": "", "method": name, judged.name: result.scores[judged.name]}
        if leading is not None and place == leading.best:
            row[""] = "★"
        elif leading is not None:
            row[""] = "●" if place in leading.members and name not in worse else ""
            row |= _tested(row[judged.name], best, leading.tests[place])
            row["p"] = float(leading.adjusted_p[place])
        row |= _others(result.scores, judged) | {"seconds": sum(result.seconds.values())}
        rows.append(row)
    _put_base_in(rows, run, judged, best, run.base_test(judged.name, over))
    shown = ["", "method", judged.name]
    shown += ["difference", "lower", "upper", "p"] if leading is not None else []
    frame = pd.DataFrame(rows)
    return frame.reindex(columns=[*shown, *(name for name in frame if name not in shown)])


def _put_base_in(
    rows: list[dict[str, Any]],
    run: ComparisonRun,
    judged: Measure,
    best: float | None,
    test: PairedTest | None,
) -> None:
    """Put the base rate where its figure belongs; last where it is no yardstick."""
    scores = run.results[0].base_rate
    own = scores[judged.name]
    base: dict[str, Any] = {"": "", "method": BASE_RATE, judged.name: own}
    if test is not None and best is not None:
        base |= _tested(own, best, test) | {"p": test.p_value}
    base |= _others(scores, judged)
    n_better = len(rows)
    if own is not None and is_yardstick(judged):
        worse = set(no_better_than_base(run.by_name(), judged.name))
        lacking = {row["method"] for row in rows if row[judged.name] is None}
        n_better = sum(row["method"] not in worse | lacking for row in rows)
    if n_better == 0 and best is not None:
        rows[0][""] = NO_BETTER
    rows.insert(n_better, base)


def _tested(own: float | None, best: float | None, test: PairedTest) -> dict[str, float | None]:
    """Return the difference of two figures on show, and the interval of its mean over folds."""
    difference = None if own is None or best is None else own - best
    return {"difference": difference, "lower": test.lower, "upper": test.upper}


def _shown(frame: pd.DataFrame) -> pd.DataFrame:
    """Write interval and p-value as people read them."""
    if "p" not in frame:
        return frame
    frame = frame.copy()
    at = list(frame.columns).index("lower")
    limits = zip(frame.pop("lower"), frame.pop("upper"), strict=True)
    frame.insert(at, "interval", [_interval(low, high) for low, high in limits])
    frame["p"] = ["" if pd.isna(p) else p_text(p) for p in frame["p"]]
    return frame


def _others(scores: Scores, judged: Measure) -> dict[str, float | None]:
    return {name: value for name, value in scores.items() if name != judged.name}


def _interval(lower: float, upper: float) -> str:
    return "" if pd.isna(lower) or pd.isna(upper) else f"{lower:+.4f} to {upper:+.4f}"


def _columns(frame: pd.DataFrame, judged: Measure) -> dict[str, Any]:
    """Say how every column is shown, and what it means."""
    longest = max((len(name) for name in frame["method"]), default=0)
    names = int(min(max(_LETTER * longest + 20, _NARROWEST), _WIDEST))
    number = st.column_config.NumberColumn
    columns = _measure_columns(frame)
    values = frame[judged.name].astype(float)
    finite = values[values.notna()]
    if len(finite) and finite.min() >= 0 and finite.max() > 0:
        columns[judged.name] = st.column_config.ProgressColumn(
            judged.label,
            format=_format(finite),
            min_value=0.0,
            max_value=float(finite.max()),
            help=judged.help,
        )
    return columns | {
        "": st.column_config.TextColumn(
            width=30,
            pinned=True,
            help="★ best by this measure, ● cannot be distinguished from it and is better than the "
            "base rate; ☆ best of the methods, but no better than the base rate.",
        ),
        "method": st.column_config.TextColumn(width=names, pinned=True),
        "difference": number(
            "to the best",
            format="%+.4f",
            help="This figure minus that of the best method.",
        ),
        "interval": st.column_config.TextColumn(
            "95 % interval",
            help="Of the mean difference of rows, or of folds, which need not be exactly that of "
            "all rows. Folds share training rows, which is allowed for.",
        ),
        "p": st.column_config.TextColumn(
            help="Of such a difference by chance, adjusted for all methods; that of the base rate "
            "is its own."
        ),
        "seconds": number(format="%.1f", help="To grow, smooth and predict, all folds together."),
    }


def _measure_columns(frame: pd.DataFrame) -> dict[str, Any]:
    return {
        measure.name: st.column_config.NumberColumn(
            measure.label,
            format=_format(frame[measure.name]) if measure.name in frame else "%.4f",
            help=measure.help,
        )
        for measure in main_measures()
    }


def _format(scores: Iterable[float | None]) -> str:
    return f"%.{score_decimals(*scores, least=4)}f"


def plain_scores(scores: Mapping[str, Scores], key: str) -> None:
    """Show the measures of a few answers, one below the other."""
    names = [measure.name for measure in main_measures()]
    frame = pd.DataFrame([{"": who, **{n: own[n] for n in names}} for who, own in scores.items()])
    st.dataframe(
        frame,
        hide_index=True,
        column_config=_measure_columns(frame),
        key=key,
        placeholder="–",
        alt="Measures of the answers",
    )


def _words(run: ComparisonRun, bench: TreeBench, judged: Measure, over: Over) -> str:
    """Say what the marks mean, and what is not to be concluded."""
    n_settings = max(n_tried(bench), run.plan.n_settings)
    if not run.is_whole:
        marked = "Not all is measured yet, so nothing is marked as best. "
    elif run.leading(judged.name, over) is None:
        marked = "There is nothing to be distinguished by this measure. "
    else:
        by_row = compares_rows(judged.name, run.data, run.folds, over)
        test = f"corrected paired t-test over the {'rows' if by_row else 'folds'}"
        beats = ", and is better than the base rate" if is_yardstick(judged) else ""
        marked = (
            f"★ is best by {judged.label}; ● cannot be distinguished from it by a {test}, "
            f"Holm-corrected at 5 %{beats}. "
        )
    remarks = "".join(f"{remark} " for result in run.results[:1] for remark in result.remarks)
    return (
        f"{marked}{remarks}You have compared {plural(n_settings, 'settings')} on one data set; "
        "confirm the choice on new rows."
    )


def _how_to_read(run: ComparisonRun, judged: Measure, over: Over) -> None:
    """Fold away what explains single figures; why some are missing is in the title."""
    lacks = any(None in result.scores.values() for result in run.results)
    title = f"How to read the table{', and why figures are missing' if lacks else ''}"
    with st.expander(title, icon=":material/help:"):
        for sentence in undefined_reasons(run.by_name(), run.data):
            st.caption(markdown_text(sentence))
        if run.leading(judged.name, over) is not None:
            st.caption(
                "An interval is of one difference alone, p allows for all methods: a ● may stand "
                "beside an interval that just leaves out 0."
            )
        st.caption(
            f"Smaller is better, except for {better_when_larger(main_measures())}. *{BASE_RATE}* "
            "tells everybody the same: the figure to beat, except for its calibration error, which "
            "is about 0 because it is true on average."
        )
