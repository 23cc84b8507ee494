"""What the Compare page shows of finished results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import csv_text, markdown_text
from probtrees.draw.forecast_charts import (
    Bin,
    cost_chart,
    probability_scatter,
    reliability_chart,
)
from probtrees.draw.node_card import percent
from probtrees.experiment.cross_validate import Result
from probtrees.experiment.learning_curve import learning_curve
from probtrees.predict import land
from probtrees.rule import rule_text
from probtrees.score.cost import cost_at, threshold_costs
from probtrees.score.metrics import MEASURES, Scores
from probtrees.score.reliability import ReliabilityBin, reliability_curve
from probtrees.smoothed_tree import FloatArray
from probtrees.ui import state
from probtrees.ui.comparison.run import Comparison
from probtrees.ui.workbench import Workbench

BASE_RATE = "Always the base rate"
MOST_ROWS = 200
"""Rows of a bin that are listed."""


def score_table(run: Comparison) -> None:
    """Show every measure of every method; mark the set that cannot be told from the best."""
    leading = run.leading()
    names = run.by_name()
    scores = {name: result.scores for name, result in names.items()}
    if run.results:
        scores[BASE_RATE] = run.results[0].base_rate
    frame = pd.DataFrame(
        [
            {"": "●" if name in leading else "", "method": name, **_cells(score)}
            | {"seconds": sum(names[name].seconds.values()) if name in names else None}
            for name, score in scores.items()
        ]
    )
    columns = {measure: st.column_config.NumberColumn(format="%.4f") for measure in MEASURES} | {
        "seconds": st.column_config.NumberColumn(format="%.1f")
    }
    st.dataframe(frame, hide_index=True, column_config=columns, key="compare.table")
    st.caption(
        "● cannot be told from the smallest Brier score by a corrected paired t-test over the "
        "folds, Holm-corrected at 5 %. Smaller is better, except for AUC and CLL. "
        f"You have compared {run.plan.n_settings} settings on one data set; confirm the choice "
        "on new rows."
    )
    download = frame.map(lambda cell: csv_text(cell) if isinstance(cell, str) else cell)
    st.download_button(
        "Table as CSV",
        download.to_csv(index=False),
        file_name="comparison.csv",
        mime="text/csv",
        icon=":material/download:",
    )


def reliability(run: Comparison, bench: Workbench) -> None:
    """Show whether what was said came true; a click on a dot opens its rows and leaves."""
    result = _choose(run, "Method", "compare.reliability")
    chance, cases = _chances(run, result, bench.outcome)
    bins = reliability_curve(chance, cases)
    shown = [Bin(b.predicted, b.observed, b.lower, b.upper, b.rows) for b in bins]
    picked = st.plotly_chart(
        reliability_chart(shown, bench.outcomes[bench.outcome], theme=state.theme()),
        key="compare.reliability chart",
        on_select="rerun",
        selection_mode="points",
        alt="Reliability diagram: observed rate against predicted chance, with 90 % bands.",
    )
    st.caption(
        "On the dashed line forecasts come true. Bars: 90 % interval of the observed rate; "
        "numbers: rows in the bin. Click a dot to see its rows and the leaves they fall into."
    )
    points = [p for p in picked.selection.points if p.get("curve_number") == 1]
    if points:
        _inside(run, bench, bins[points[0]["point_index"]], chance)


def scatter(run: Comparison, bench: Workbench) -> None:
    """Show two methods against each other, row by row and leaf by leaf."""
    left, right = st.columns(2)
    with left:
        first = _choose(run, "Up", "compare.first")
    with right:
        second = _choose(run, "Across", "compare.second", start=-1)
    names = (run.name_of(first), run.name_of(second))
    first_chance, _ = _chances(run, first, bench.outcome)
    second_chance, _ = _chances(run, second, bench.outcome)
    columns = st.columns(2)
    with columns[0]:
        st.markdown("**Rows**, each predicted while it was held out")
        chart = probability_scatter(first_chance, second_chance, names, theme=state.theme())
        st.plotly_chart(chart, key="compare.rows")
    with columns[1]:
        if first.learner == second.learner == "c45":
            st.markdown("**Leaves** of the tree grown from all rows")
            leaves = bench.tree.leaves
            values = [
                bench.smooth(result.smoother).probs[leaves, bench.outcome]
                for result in (first, second)
            ]
            chart = probability_scatter(values[0], values[1], names, theme=state.theme())
            st.plotly_chart(chart, key="compare.leaves")


def costs(run: Comparison, bench: Workbench) -> None:
    """Show what acting on the forecasts costs, at every threshold and at an honest one."""
    outcome = markdown_text(bench.outcomes[bench.outcome])
    left, right = st.columns(2)
    with left:
        false_alarm = st.number_input(
            f"Cost of acting on a row without {outcome}", 0.0, value=1.0, key="compare.alarm"
        )
    with right:
        miss = st.number_input(
            f"Cost of not acting on a row with {outcome}", 0.0, value=5.0, key="compare.miss"
        )
    curves, honest = {}, []
    for name, result in run.by_name().items():
        chance, cases = _chances(run, result, bench.outcome)
        found = threshold_costs(chance, cases, false_alarm, miss)
        curves[name] = (np.minimum(found.thresholds, 1.0), found.costs)
        honest.append(
            {
                "method": name,
                "cost per row": _honest_cost(run, chance, cases, found_by=(false_alarm, miss)),
            }
        )
    st.plotly_chart(cost_chart(curves, theme=state.theme()), key="compare.costs")
    st.dataframe(
        pd.DataFrame(honest).sort_values("cost per row"),
        hide_index=True,
        column_config={"cost per row": st.column_config.NumberColumn(format="%.4f")},
    )
    st.caption(
        "The table is honest: for every fold the threshold is chosen on the held-out forecasts of "
        "the other folds and charged on this one. The lowest point of a curve is not."
    )


def curve(run: Comparison, bench: Workbench) -> None:
    """Show how much more rows would help, on request, since it takes a while."""
    if not st.button("Draw the learning curve", icon=":material/show_chart:"):
        return
    model = run.plan.models[0]
    with st.status("Growing from ever more rows", expanded=False) as status:
        points = learning_curve(
            run.data,
            run.plan.recipe(model),
            run.plan.smoothers,
            progress=lambda share, words: status.update(label=f"{share:.0%}: {words}"),
        )
    frame = pd.DataFrame(
        [{"rows": p.n_rows, "smoother": p.smoother, "RMSE": p.scores.rmse} for p in points]
    )
    st.line_chart(frame, x="rows", y="RMSE", color="smoother")


def _cells(scores: Scores) -> dict[str, float | None]:
    return {name: getattr(scores, name) for name in MEASURES}


def _choose(run: Comparison, label: str, key: str, start: int = 0) -> Result:
    names = run.by_name()
    options = list(names)
    index = start % len(options)
    return names[st.selectbox(label, options, index=index, key=key)]


def _chances(run: Comparison, result: Result, outcome: int) -> tuple[FloatArray, np.ndarray]:
    """Return what held-out rows were given (of the first repeat), and whether it occurred."""
    proba = result.proba[0]
    tested = ~np.isnan(proba[:, 0])
    return proba[tested, outcome], run.data.labels[tested] == outcome


def _honest_cost(
    run: Comparison, chance: FloatArray, cases: np.ndarray, *, found_by: tuple[float, float]
) -> float:
    """Charge every fold at the threshold that was best on the other folds."""
    folds = run.folds[0].test_fold[run.folds[0].test_fold >= 0]
    paid = 0.0
    for fold in range(run.folds[0].n_folds):
        inside = folds == fold
        others = threshold_costs(chance[~inside], cases[~inside], *found_by)
        cost = cost_at(chance[inside], cases[inside], others.best_threshold, *found_by)
        paid += cost * float(inside.sum())
    return paid / len(folds)


def _inside(run: Comparison, bench: Workbench, picked: ReliabilityBin, chance: FloatArray) -> None:
    """List the rows of a bin, and the leaves of the tree on show that they fall into."""
    inside = (chance > picked.low) & (chance <= picked.high)
    if picked.low == 0:
        inside |= chance == 0
    tested = np.flatnonzero(run.folds[0].test_fold >= 0)
    rows = tested[inside]
    st.markdown(
        f"**{len(rows):,} rows given {percent(picked.low)} to {percent(picked.high)}**; "
        f"{percent(picked.observed)} of them had it."
    )
    landing = land(bench.tree, run.data.values[rows], run.data.schema.n_values)
    leaves, counts = np.unique(landing.nodes, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    st.dataframe(
        pd.DataFrame(
            {
                "rows": counts[order],
                "leaf": [rule_text(bench.tree, bench.data.schema, int(n)) for n in leaves[order]],
            }
        ),
        hide_index=True,
        key="compare.bin leaves",
    )
    st.dataframe(_decoded(run, rows[:MOST_ROWS]), key="compare.bin rows")
    if len(rows) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} of {len(rows):,} rows.")


def _decoded(run: Comparison, rows: np.ndarray) -> pd.DataFrame:
    """Write rows with the names of their categories."""
    frame = {}
    for number, column in enumerate(run.data.schema.columns):
        values = run.data.values[rows, number]
        if column.categories is None:
            frame[column.name] = values
        else:
            frame[column.name] = np.array(
                [None if np.isnan(v) else column.categories[int(v)] for v in values], dtype=object
            )
    return pd.DataFrame(frame, index=pd.Index(rows + 1, name="row"))
