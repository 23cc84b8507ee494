"""What stands folded away on the Compare page: learning curve, order by measure, time."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from probtrees.draw.charts.comparison_charts import growing_rows_chart, slope_chart, time_chart
from probtrees.errors import ProbTreesError
from probtrees.experiment.evaluation.learning_curve import CurvePoint, learning_curve
from probtrees.experiment.registry import LEARNERS, smoother_label
from probtrees.report.comparison_report import ranks
from probtrees.score.measures import MEASURES, main_measures
from probtrees.ui.compare.compare_page import DEFAULT_MEASURE, MEASURE
from probtrees.ui.compare.comparison_exports import command_lines
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, jobs, show_progress
from probtrees.ui.shared.workbench import TreeBench

_WANTED = "compare.curve"


def more(run: ComparisonRun, bench: TreeBench) -> None:
    """Show the learning curve on request, the order by every measure, and the time."""
    with st.expander("Learning curve: how much more rows would help", icon=":material/show_chart:"):
        _curve(run, bench)
    with st.expander("Does the order depend on the measure?", icon=":material/swap_vert:"):
        st.plotly_chart(
            slope_chart(
                ranks(run.by_name()),
                [measure.label for measure in main_measures()],
                theme=state.theme(),
            ),
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


def _curve(run: ComparisonRun, bench: TreeBench) -> None:
    """Draw the curve of the first model; growing from ever more rows takes a while."""
    model = run.plan.models[0]
    key = ("curve", bench.key, run.plan)
    if st.session_state.get(_WANTED) != key:
        st.caption(
            f"{LEARNERS[model].label}, 5 folds, from 5 % of the training rows to all of them: "
            "about twice as long as the comparison."
        )
        st.button(
            "Draw the learning curve",
            icon=":material/show_chart:",
            on_click=_want,
            args=(key,),
        )
        return
    job = _ask_for_curve(run, key)
    try:
        show_progress(job, "Learning curve", lambda: _want(None))
    except ProbTreesError as problem:
        st.error(str(problem))
        return
    if job.finished.is_set() and job.result is not None:
        measure = MEASURES[st.session_state.get(MEASURE, DEFAULT_MEASURE)]
        points: list[CurvePoint] = job.result
        st.plotly_chart(
            growing_rows_chart(
                _curves(points, measure.name),
                measure.label,
                bands=_bands(points, measure.name),
                theme=state.theme(),
            ),
            key="compare.curve chart",
            alt=f"{measure.label} against the number of training rows, with 95 % bands",
        )
        way = "rises" if measure.larger_is_better else "falls"
        st.caption(
            f"A line that still {way} at its right end: more rows would help. Bands: 95 % interval "
            "by how far the five folds lie apart, which share training rows."
        )


def _ask_for_curve(run: ComparisonRun, key: Any) -> Job:
    spec = run.plan.spec(run.plan.models[0])

    def work(report: Report) -> list[CurvePoint]:
        return learning_curve(run.data, spec, run.plan.methods(), progress=report)

    return jobs().ask(key, work)


def _curves(points: list[CurvePoint], measure: str) -> dict[str, tuple[list[float], list[float]]]:
    """Collect the line of every smoother; sizes at which the measure is undefined have a gap."""
    curves: dict[str, tuple[list[float], list[float]]] = {}
    for point in points:
        n_rows, values = curves.setdefault(smoother_label(point.smoother), ([], []))
        value = point.scores[measure]
        n_rows.append(point.n_rows)
        values.append(math.nan if value is None else value)
    return curves


def _bands(points: list[CurvePoint], measure: str) -> dict[str, tuple[list[float], list[float]]]:
    """Collect the intervals of smoothers that have one at every size."""
    by_smoother: dict[str, list[tuple[float, float] | None]] = {}
    for point in points:
        ends = by_smoother.setdefault(smoother_label(point.smoother), [])
        ends.append(point.interval(measure))
    return {
        label: ([low for low, _ in known], [high for _, high in known])
        for label, ends in by_smoother.items()
        if len(known := [end for end in ends if end is not None]) == len(ends)
    }


def _want(key: Any) -> None:
    st.session_state[_WANTED] = key
