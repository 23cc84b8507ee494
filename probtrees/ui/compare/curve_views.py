"""Curves of several methods: how well they find one outcome, and how they grow with the rows.

What else is folded away on the Compare page stands here too: order by measure, time, commands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.charts.comparison_charts import growing_rows_chart, slope_chart, time_chart
from probtrees.draw.charts.forecast_charts import curves_chart
from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.learning_curve import CurvePoint, learning_curve
from probtrees.experiment.registry import LEARNERS, smoother_label
from probtrees.report.comparison_report import ranks
from probtrees.score.curves import RankingCurve, ranking_curve
from probtrees.score.measures import MEASURES, main_measures
from probtrees.score.threshold import decision_curve
from probtrees.ui.compare.compare_page import DECISION, DEFAULT_MEASURE, DRAWN, KIND, MEASURE
from probtrees.ui.compare.comparison_exports import command_lines
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.tested_rows import chances_of, choose_methods
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Report, jobs, show_progress
from probtrees.ui.shared.workbench import TreeBench

MOST_CURVES = 8
"""Methods in one picture; a reader tells no more apart."""

_WANTED = "compare.curve"
Curve = tuple[Any, Any]


def _recall_and_precision(curve: RankingCurve) -> Curve:
    recall: Any = curve.true_positive_rate
    return recall[1:], curve.precision[1:]


_KINDS: Mapping[str, tuple[Callable[[RankingCurve], Curve], str, str, str]] = {
    "ROC": (
        lambda curve: (curve.false_positive_rate, curve.true_positive_rate),
        "false alarms among rows without it",
        "found among rows with it",
        "Further to the upper left is better; the dashed line is guessing.",
    ),
    "Precision and recall": (
        _recall_and_precision,
        "found among rows with it (recall)",
        "right among rows found (precision)",
        "Higher is better; the dashed line is the overall rate.",
    ),
    "Gain": (
        lambda curve: (curve.found_share, curve.true_positive_rate),
        "rows looked at, most probable first",
        "found among rows with it",
        "How many cases one finds by looking at a share of all rows.",
    ),
    "Lift": (
        lambda curve: (curve.found_share, curve.lift),
        "rows looked at, most probable first",
        "times the overall rate",
        "How much more common the outcome is among the rows looked at.",
    ),
}
"""What is drawn of a ranking, the titles of the axes, and how to read it."""


def curves(run: ComparisonRun, bench: TreeBench) -> None:
    """Draw one kind of curve for several methods, at first the best ones."""
    kind = st.selectbox("Curve", [*_KINDS, DECISION], key=KIND, persist_state="session", width=240)
    names, leading = list(run.by_name()), run.leading()
    alike = names if leading is None else [names[place] for place in leading.members]
    start = [name for name in run.best_first() if name in alike][:5]
    chosen = choose_methods(run, "Methods", DRAWN, start, MOST_CURVES)
    if not chosen:
        st.info("Choose at least one method.")
        return
    if kind == DECISION:
        _decision(run, bench.outcome, chosen)
    else:
        _ranking(run, bench.outcome, chosen, kind)
    what = markdown_text(bench.outcomes[bench.outcome])
    st.caption(f"Outcome: {what}. Held-out forecasts of the first repeat.")


def _ranking(run: ComparisonRun, outcome: int, chosen: Mapping[str, Result], kind: str) -> None:
    """Draw curves that judge the order of rows, with the area under them."""
    make, x_title, y_title, words = _KINDS[kind]
    lines: dict[str, Curve] = {}
    for name, result in chosen.items():
        curve = ranking_curve(*chances_of(run, result, outcome))
        if curve.area is not None:  # there are rows with the outcome, and rows without
            areas = {"ROC": f" (area {curve.area:.3f})"}
            areas["Precision and recall"] = f" (average precision {curve.average_precision:.3f})"
            lines[f"{name}{areas.get(kind, '')}"] = make(curve)
    if not lines:
        st.info("There are no rows with the outcome, or none without.")
        return
    ends = np.array([0.0, 1.0])
    rate = float(np.mean(run.data.labels == outcome))
    level = {"Precision and recall": rate, "Lift": 1.0}.get(kind)
    figure = curves_chart(
        lines,
        x_title,
        y_title,
        references={"no knowledge": (ends, ends if level is None else np.full(2, level))},
        is_square=kind != "Lift",
        theme=state.theme(),
    )
    st.plotly_chart(figure, key="compare.curves", alt=f"{kind}: one line per method")
    st.caption(words)


def _decision(run: ComparisonRun, outcome: int, chosen: Mapping[str, Result]) -> None:
    """Draw the net benefit of acting from every threshold on."""
    lines, references = {}, {}
    for name, result in chosen.items():
        found = decision_curve(*chances_of(run, result, outcome))
        lines[name] = (found.thresholds, found.benefit)
        references["treat all"] = (found.thresholds, found.treat_all)
    references["treat none"] = (np.array([0.0, 1.0]), np.zeros(2))
    figure = curves_chart(
        lines,
        "act at or above this chance",
        "net benefit per row",
        references=references,
        theme=state.theme(),
    )
    best = max(0.01, *(float(np.max(benefit)) for _, benefit in lines.values()))
    figure.update_yaxes(range=[-0.15 * best, 1.15 * best])
    st.plotly_chart(figure, key="compare.decision", alt="Net benefit against the threshold")
    st.caption(
        "Who acts from 20 % on holds a miss for four times as bad as a false alarm. Net benefit: "
        "cases found per row, less false alarms at that price. A method is of use where its line "
        "lies above *treat all* and *treat none*."
    )


def more(run: ComparisonRun, bench: TreeBench) -> None:
    """Show the learning curve on request, the order by every measure, and the time."""
    with st.expander("Learning curve: how much more rows would help", icon=":material/show_chart:"):
        _learning_curve(run, bench)
    with st.expander("Does the order depend on the measure?", icon=":material/swap_vert:"):
        labels = [measure.label for measure in main_measures()]
        st.plotly_chart(
            slope_chart(ranks(run.by_name()), labels, theme=state.theme()),
            key="compare.slopes",
            alt="Rank of every method by every measure",
        )
        st.caption("Lines that cross: which method is ahead depends on what you ask of it.")
    with st.expander("Time", icon=":material/timer:"):
        seconds = {name: result.seconds for name, result in run.by_name().items()}
        st.plotly_chart(
            time_chart(seconds, theme=state.theme()),
            key="compare.time",
            alt="Seconds to grow, smooth and predict",
        )
        st.caption("Growing is shared by all smoothers of a model.")
    with st.expander("The same on the command line", icon=":material/terminal:"):
        for line in command_lines(run):
            st.code(line, language="bash", wrap_lines=True)


def _learning_curve(run: ComparisonRun, bench: TreeBench) -> None:
    """Draw the curve of the first model; growing from ever more rows takes a while."""
    spec, key = run.plan.spec(run.plan.models[0]), ("curve", bench.key[0], run.plan)

    def want(key: object) -> None:
        st.session_state[_WANTED] = key

    if st.session_state.get(_WANTED) != key:
        st.caption(
            f"{LEARNERS[run.plan.models[0]].label}, 5 folds, from 5 % of the training rows to all "
            "of them: about twice as long as the comparison."
        )
        icon = ":material/show_chart:"
        st.button("Draw the learning curve", icon=icon, on_click=want, args=(key,))
        return

    def work(report: Report) -> list[CurvePoint]:
        return learning_curve(run.data, spec, run.plan.methods(), progress=report)

    job = jobs().ask(key, work)
    try:
        show_progress(job, "Learning curve", lambda: want(None))
    except ProbTreesError as problem:
        st.error(str(problem))
        return
    if job.result is not None:
        _draw_learning_curve(job.result)


def _draw_learning_curve(points: list[CurvePoint]) -> None:
    """Draw a line for every smoother; sizes at which the measure is undefined have a gap."""
    measure = MEASURES[st.session_state.get(MEASURE, DEFAULT_MEASURE)]
    lines: dict[str, tuple[list[float], list[float]]] = {}
    bands: dict[str, list[tuple[float, float] | None]] = {}
    for point in points:
        label, value = smoother_label(point.smoother), point.scores[measure.name]
        n_rows, values = lines.setdefault(label, ([], []))
        n_rows.append(point.n_rows)
        values.append(math.nan if value is None else value)
        bands.setdefault(label, []).append(point.interval(measure.name))
    known = {
        label: ([end[0] for end in ends if end], [end[1] for end in ends if end])
        for label, ends in bands.items()
        if None not in ends
    }
    st.plotly_chart(
        growing_rows_chart(lines, measure.label, bands=known, theme=state.theme()),
        key="compare.curve chart",
        alt=f"{measure.label} against the number of training rows, with 95 % bands",
    )
    way = "rises" if measure.larger_is_better else "falls"
    st.caption(
        f"A line that still {way} at its right end: more rows would help. Bands: 95 % interval "
        "by how far the five folds lie apart, which share training rows."
    )
