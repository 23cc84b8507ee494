"""What stands folded away on the Compare page: learning curve, order by measure, time."""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.comparison_charts import growing_rows_chart, slope_chart, time_chart
from probtrees.errors import ProbTreesError
from probtrees.experiment.benchmark_report import MEASURE_WORDS
from probtrees.experiment.learning_curve import CurvePoint, learning_curve
from probtrees.experiment.registry import DEFAULT_DISCRETIZER, LEARNERS, SMOOTHERS
from probtrees.score.metrics import MEASURES
from probtrees.ui import state
from probtrees.ui.code import reading_flags, table_file
from probtrees.ui.comparison.run import Comparison
from probtrees.ui.jobs import Job, Report, jobs, show_progress
from probtrees.ui.workbench import Workbench

LARGER_IS_BETTER = ("auc", "cll")
_WANTED = "compare.curve"


def more(run: Comparison, bench: Workbench) -> None:
    """Show the learning curve on request, the order by every measure, and the time."""
    with st.expander("Learning curve: how much more rows would help", icon=":material/show_chart:"):
        _curve(run, bench)
    with st.expander("Does the order depend on the measure?", icon=":material/swap_vert:"):
        st.plotly_chart(
            slope_chart(
                ranks(run), [MEASURE_WORDS[name] for name in MEASURES], theme=state.theme()
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


def command_lines(run: Comparison) -> list[str]:
    """Write the commands that measure the same, one for every model."""
    plan, lines = run.plan, []
    for model in plan.models:
        parts = ["probtrees", "compare", table_file(run.data)]
        parts += ["--target", run.data.schema.target.name, *reading_flags(), "--model", model]
        parts += ["--smoothers", ",".join(plan.smoothers), "--cv", str(plan.n_folds)]
        if plan.n_repeats > 1:
            parts += ["--repeats", str(plan.n_repeats)]
        if plan.as_published:
            parts.append("--as-published")
        for name, value in plan.options(model).items():
            parts += ["--set", f"model.{name}={value}"]
        if plan.discretizer != DEFAULT_DISCRETIZER and model != "c45":
            parts += ["--discretize", plan.discretizer]
        lines.append(" ".join(shlex.quote(part) for part in parts))
    return lines


def ranks(run: Comparison) -> dict[str, list[float]]:
    """Rank the methods by every measure, equal scores alike."""
    names = list(run.by_name())
    scores = {
        measure: [getattr(result.scores, measure) for result in run.by_name().values()]
        for measure in MEASURES
    }
    frame = pd.DataFrame(scores, index=names, dtype=np.float64)
    frame[list(LARGER_IS_BETTER)] *= -1
    ranked = frame.round(6).rank(method="average").to_numpy()
    return {name: ranked[number].tolist() for number, name in enumerate(names)}


def _curve(run: Comparison, bench: Workbench) -> None:
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
        points: list[CurvePoint] = job.result
        st.plotly_chart(
            growing_rows_chart(_curves(points), "RMSE", theme=state.theme()),
            key="compare.curve chart",
            alt="RMSE against the number of training rows",
        )
        st.caption("A line that still falls at its right end: more rows would help.")


def _ask_for_curve(run: Comparison, key: Any) -> Job:
    recipe = run.plan.recipe(run.plan.models[0])

    def work(report: Report) -> list[CurvePoint]:
        return learning_curve(run.data, recipe, run.plan.methods(), progress=report)

    return jobs().ask(key, work)


def _curves(points: list[CurvePoint]) -> dict[str, tuple[list[float], list[float]]]:
    curves: dict[str, tuple[list[float], list[float]]] = {}
    for point in points:
        n_rows, values = curves.setdefault(SMOOTHERS[point.smoother].label, ([], []))
        n_rows.append(point.n_rows)
        values.append(float(point.scores.rmse or 0.0))
    return curves


def _want(key: Any) -> None:
    st.session_state[_WANTED] = key
