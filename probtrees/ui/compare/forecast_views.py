"""What the Compare page shows of finished results: reliability, one against another, costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.forecast_charts import (
    Bin,
    cost_chart,
    probability_scatter,
    reliability_chart,
)
from probtrees.experiment.cross_validate import Result
from probtrees.explain.rule import rule_text
from probtrees.score.cost import cost_at, expected_cost, threshold_costs
from probtrees.score.reliability import reliability_curve
from probtrees.types import FloatArray
from probtrees.ui.compare.bin_rows import rows_of_bin, show_leaf_button
from probtrees.ui.compare.compare_page import FALSE_ALARM, HIGHEST_COST, MISS
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.shared import state
from probtrees.ui.shared.smoother_options import current_smoother
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import percent

MOST_CLASSES = 12
"""Classes whose costs are asked for one by one."""


def reliability(run: ComparisonRun, bench: TreeBench) -> None:
    """Show whether what was said came true; a click on a dot opens its rows and leaves."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        result = _choose(run, "Method", "compare.reliability", start=_in_use(run))
    with right:
        by_rows = st.toggle(
            "Bins with equally many rows",
            key="compare.bins",
            persist_state="session",
            help="Else every bin covers ten points, and bins with few rows have wide bands.",
        )
    chance, cases = _chances(run, result, bench.outcome)
    bins = reliability_curve(
        chance, cases, _weights(run, result), method="rows" if by_rows else "width"
    )
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
    names = [f"{percent(b.low)} to {percent(b.high)}: {b.rows:,} rows" for b in bins]
    _take_over_click(picked.selection.points, len(bins))
    number = st.selectbox(
        "Rows and leaves of the bin",
        range(len(bins)),
        index=None,
        format_func=lambda k: names[k],
        key="compare.bin",
        placeholder="click a dot, or choose a bin here",
        help="For the keyboard; a click on a dot does the same.",
    )
    if number is not None:
        rows_of_bin(run, bench, bins[number], chance)


def scatter(run: ComparisonRun, bench: TreeBench) -> None:
    """Show two methods against each other, row by row and leaf by leaf."""
    left, right = st.columns(2)
    with left:
        first = _choose(run, "Up", "compare.first")
    with right:
        second = _choose(run, "Across", "compare.second", start=-1)
    names = (run.name_of(first), run.name_of(second))
    outcome = bench.outcome
    tested = _tested(first) & _tested(second)
    columns = st.columns(2)
    with columns[0]:
        st.markdown("**Rows**, each predicted while it was held out")
        chart = probability_scatter(
            first.proba[0][tested, outcome],
            second.proba[0][tested, outcome],
            names,
            words=[f"row {row + 1:,}" for row in np.flatnonzero(tested)],
            theme=state.theme(),
        )
        st.plotly_chart(chart, key="compare.rows", alt=f"Rows: {names[0]} against {names[1]}")
    with columns[1]:
        if first.learner == second.learner == "c45":
            _leaves(bench, first, second, names)
        else:
            st.info("Leaves can be compared when both methods are C4.5 trees.")
    st.caption("On the dashed line both say the same. Far from it, ask which rows are there.")


def costs(run: ComparisonRun, bench: TreeBench) -> None:
    """Show what acting on the forecasts costs, at every threshold and at an honest one."""
    outcome = markdown_text(bench.outcomes[bench.outcome])
    left, right = st.columns(2)
    with left:
        false_alarm = _cost(f"Cost of acting on a row without {outcome}", FALSE_ALARM, 1.0)
    with right:
        miss = _cost(f"Cost of not acting on a row with {outcome}", MISS, 5.0)
    curves, honest = {}, []
    for name, result in run.by_name().items():
        chance, cases = _chances(run, result, bench.outcome)
        found = threshold_costs(chance, cases, false_alarm, miss)
        curves[name] = (np.minimum(found.thresholds, 1.0), found.costs)
        paid = _honest_cost(run, result, bench.outcome, (false_alarm, miss))
        honest.append({"method": name, "cost per row": paid})
    cases = run.data.labels == bench.outcome
    honest.append({"method": "Act on every row", "cost per row": false_alarm * (~cases).mean()})
    honest.append({"method": "Never act", "cost per row": miss * cases.mean()})
    st.plotly_chart(
        cost_chart(curves, theme=state.theme()),
        key="compare.costs",
        alt="Mean cost per row against the threshold",
    )
    st.dataframe(
        pd.DataFrame(honest).sort_values("cost per row"),
        hide_index=True,
        column_config={"cost per row": st.column_config.NumberColumn(format="%.4f")},
        key="compare.honest",
        alt="Honest cost of every method",
    )
    st.caption(
        "The table is honest: for every fold the threshold is chosen on the held-out forecasts of "
        "the other folds and charged on this one. The lowest point of a curve is not. If "
        "probabilities mean what they say, the right threshold is "
        f"{percent(false_alarm / max(false_alarm + miss, 1e-300))}."
    )
    if 2 < len(bench.outcomes) <= MOST_CLASSES:
        _cost_matrix(run, bench)


def _take_over_click(points: list[dict[str, Any]], n_bins: int) -> None:
    """Choose the bin whose dot was clicked, once, so that another can be chosen by name."""
    clicked = next((p["point_index"] for p in points if p.get("curve_number") == 1), None)
    if clicked != st.session_state.get("compare.clicked"):
        st.session_state["compare.clicked"] = clicked
        st.session_state["compare.bin"] = clicked
    if (st.session_state.get("compare.bin") or 0) >= n_bins:
        st.session_state["compare.bin"] = None


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
            tested = _tested(result)
            labels = run.data.labels[tested]
            cost = expected_cost(result.proba[0][tested], labels, matrix)
            paid.append({"method": name, "cost per row": cost})
        st.dataframe(pd.DataFrame(paid).sort_values("cost per row"), hide_index=True)
        st.caption(
            "A row of the upper table is what a row really is, a column what is decided. Every "
            "method decides for the least expected cost."
        )


def _leaves(bench: TreeBench, first: Result, second: Result, names: tuple[str, str]) -> None:
    """Show two smoothers against each other on the leaves of the tree; a click names one."""
    st.markdown("**Leaves** of the tree grown from all rows")
    leaves = bench.tree.leaves
    up, across = (
        bench.smooth(result.smoother).probs[leaves, bench.outcome] for result in (first, second)
    )
    words = [f"leaf {node}, {bench.tree.totals[node]:g} rows" for node in leaves]
    chart = probability_scatter(up, across, names, words=words, theme=state.theme())
    picked = st.plotly_chart(
        chart,
        key="compare.leaves",
        on_select="rerun",
        selection_mode="points",
        alt=f"Leaves: {names[0]} against {names[1]}",
    )
    points = [p for p in picked.selection.points if p.get("curve_number") == 1]
    if points:
        node = int(leaves[points[0]["point_index"]])
        st.markdown(f"*{markdown_text(rule_text(bench.tree, bench.schema, node))}*")
        show_leaf_button(node)


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


def _choose(run: ComparisonRun, label: str, key: str, start: int = 0) -> Result:
    names = run.by_name()
    options = list(names)
    if st.session_state.get(key) not in (None, *options):
        del st.session_state[key]
    index = start % len(options)
    return names[st.selectbox(label, options, index=index, key=key, persist_state="session")]


def _in_use(run: ComparisonRun) -> int:
    """Find the first result of the smoother in use on the other pages, if it was compared."""
    smoothers = [result.smoother for result in run.results]
    return smoothers.index(current_smoother()) if current_smoother() in smoothers else 0


def _tested(result: Result) -> np.ndarray:
    """Mark the rows that were tested in the first repeat."""
    return ~np.isnan(result.proba[0][:, 0])


def _weights(run: ComparisonRun, result: Result) -> FloatArray | None:
    return None if run.data.weights is None else run.data.weights[_tested(result)]


def _chances(run: ComparisonRun, result: Result, outcome: int) -> tuple[FloatArray, np.ndarray]:
    """Return what held-out rows were given (of the first repeat), and whether it occurred."""
    tested = _tested(result)
    return result.proba[0][tested, outcome], run.data.labels[tested] == outcome


def _honest_cost(
    run: ComparisonRun, result: Result, outcome: int, found_by: tuple[float, float]
) -> float | None:
    """Charge every fold at the threshold that was best on the other folds."""
    tested = _tested(result)
    chance, cases = _chances(run, result, outcome)
    folds = run.folds[0].test_fold[tested]
    if len(np.unique(folds)) < 2:
        return None
    paid = 0.0
    for fold in np.unique(folds):
        inside = folds == fold
        others = threshold_costs(chance[~inside], cases[~inside], *found_by)
        cost = cost_at(chance[inside], cases[inside], others.best_threshold, *found_by)
        paid += cost * float(inside.sum())
    return paid / len(folds)
