"""What acting on the forecasts costs: at every threshold, at an honest one, mistake by mistake."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.charts.forecast_charts import cost_chart
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.cross_validate import forecasts_of
from probtrees.experiment.evaluation.decision_cost import (
    cost_at_implied_threshold,
    cost_by_other_folds,
    cost_of_one_decision,
    implied_threshold,
)
from probtrees.score.cost import expected_cost, threshold_costs
from probtrees.types import FloatArray
from probtrees.ui.compare.compare_page import FALSE_ALARM, HIGHEST_COST, MISS
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.tested_rows import chances_of, row_weights
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import percent

MOST_CLASSES = 12
"""Classes whose costs are asked for one by one."""


def costs(run: ComparisonRun, bench: TreeBench) -> None:
    """Show what acting on the forecasts costs, at every threshold and at an honest one."""
    outcome = markdown_text(bench.outcomes[bench.outcome])
    left, right = st.columns(2)
    with left:
        false_alarm = _cost(f"Cost of acting on a row without {outcome}", FALSE_ALARM, 1.0)
    with right:
        miss = _cost(f"Cost of not acting on a row with {outcome}", MISS, 5.0)
    pair = (false_alarm, miss)
    curves: dict[str, tuple[FloatArray, FloatArray]] = {}
    honest: list[dict[str, str | float | None]] = []
    for name, result in run.by_name().items():
        chance, cases = chances_of(run, result, bench.outcome)
        found = threshold_costs(chance, cases, *pair, row_weights(run, result))
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
    threshold = percent(implied_threshold(pair))
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(honest).sort_values("implied"),
        hide_index=True,
        column_config={
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
        key="compare.honest",
        alt="Honest cost of every method",
    )
    st.caption(
        f"If probabilities mean what they say, the right threshold is {threshold}: the first "
        "figure is its cost. For the second, the threshold of every fold is chosen on the held-out "
        "forecasts of the other folds. The table is honest: no row is charged at a threshold that "
        "it helped to choose. The lowest point of a curve is not."
    )
    if 2 < len(bench.outcomes) <= MOST_CLASSES:
        _cost_matrix(run, bench)


def _cost_matrix(run: ComparisonRun, bench: TreeBench) -> None:
    """Let every mistake have a cost of its own, and charge every method by it."""
    with st.expander("Costs of every mistake", icon=":material/grid_on:"):
        names = list(bench.outcomes)
        start = pd.DataFrame(1.0 - np.eye(len(names)), columns=names)
        start.insert(0, "really is", names)
        table = st.data_editor(
            start,
            hide_index=True,
            disabled=["really is"],
            key=f"compare.matrix {bench.key[0]}",
            column_config={
                name: st.column_config.NumberColumn(min_value=0.0, required=True) for name in names
            },
        )
        matrix = table[names].to_numpy(dtype=np.float64)
        paid = []
        for name, result in run.by_name().items():
            proba, labels, weights = forecasts_of(result.proba[0], run.data)
            cost = expected_cost(proba, labels, matrix, weights)
            paid.append({"method": name, "cost per row": cost})
        st.dataframe(pd.DataFrame(paid).sort_values("cost per row"), hide_index=True)
        st.caption(
            "A row of the upper table is what a row really is, a column what is decided. Every "
            "method decides for the least expected cost."
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
