"""What the Compare page shows of finished results: reliability, one against another, costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from probtrees.draw.charts.forecast_charts import (
    Bin,
    cost_chart,
    probability_scatter,
    reliability_chart,
)
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.explain.rule import rule_text
from probtrees.score.cost import cost_at, expected_cost, threshold_costs
from probtrees.score.reliability import BinMethod, ReliabilityBin, reliability_curve
from probtrees.ui.compare.bin_rows import list_rows, rows_of_bin, show_leaf_button
from probtrees.ui.compare.compare_page import (
    ACROSS,
    BIN,
    DOT,
    EQUAL_ROWS,
    FALSE_ALARM,
    HIGHEST_COST,
    METHOD,
    MISS,
    OVERLAID,
    UP,
)
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.tested_rows import (
    chances_of,
    choose_method,
    keep_known,
    row_weights,
    tested_rows,
)
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import percent

MOST_CLASSES = 12
"""Classes whose costs are asked for one by one."""


def reliability(run: ComparisonRun, bench: TreeBench) -> None:
    """Show whether what was said came true; a click on a dot opens its rows and leaves."""
    left, middle, right = st.columns([2, 3, 2], vertical_alignment="bottom")
    with left:
        result = choose_method(run, "Method", METHOD)
    with middle:
        others = _choose_others(run, run.name_of(result))
    with right:
        by_rows = st.toggle(
            "Bins with equally many rows",
            key=EQUAL_ROWS,
            persist_state="session",
            help="Else every bin covers ten points, and bins with few rows have wide bands.",
        )
    method: BinMethod = "rows" if by_rows else "width"
    bins = _bins(run, bench, result, method)
    picked = st.plotly_chart(
        reliability_chart(
            _drawn(bins),
            bench.outcomes[bench.outcome],
            others={
                name: _drawn(_bins(run, bench, other, method)) for name, other in others.items()
            },
            name=run.name_of(result),
            theme=state.theme(),
        ),
        key="compare.reliability chart",
        on_select="rerun",
        selection_mode="points",
        alt="Reliability diagram: observed rate against predicted chance, with 95 % bands.",
    )
    st.caption(
        "On the dashed line forecasts come true. Bars and bands: 95 % interval of the observed "
        "rate; numbers and the small bars at the bottom: rows in the bin. Click a dot to see its "
        "rows."
    )
    names = [f"{percent(b.low)} to {percent(b.high)}: {b.rows:,} rows" for b in bins]
    _take_over_click(picked.selection.points, len(bins))
    number = st.selectbox(
        "Rows and leaves of the bin",
        range(len(bins)),
        index=None,
        format_func=lambda k: names[k],
        key=BIN,
        persist_state="session",
        placeholder="click a dot, or choose a bin here",
        help="For the keyboard; a click on a dot does the same.",
    )
    if number is not None:
        rows_of_bin(run, bench, bins[number], result)


def _choose_others(run: ComparisonRun, first: str) -> dict[str, Result]:
    """Ask for further methods to be drawn over the first."""
    by_name = run.by_name()
    names = [name for name in by_name if name != first]
    keep_known(run, OVERLAID)
    if first in st.session_state.get(OVERLAID, ()):
        st.session_state[OVERLAID] = [n for n in st.session_state[OVERLAID] if n != first]
    picked = st.multiselect(
        "Beside it",
        names,
        key=OVERLAID,
        persist_state="session",
        max_selections=5,
        placeholder="further methods",
    )
    return {name: by_name[name] for name in picked}


def _bins(
    run: ComparisonRun, bench: TreeBench, result: Result, method: BinMethod
) -> list[ReliabilityBin]:
    chance, cases = chances_of(run, result, bench.outcome)
    return reliability_curve(chance, cases, row_weights(run, result), method=method)


def _drawn(bins: list[ReliabilityBin]) -> list[Bin]:
    return [Bin(b.predicted, b.observed, b.lower, b.upper, b.rows) for b in bins]


def scatter(run: ComparisonRun, bench: TreeBench) -> None:
    """Show two methods against each other, row by row and leaf by leaf."""
    left, right = st.columns(2)
    with left:
        first = choose_method(run, "Up", UP)
    with right:
        second = choose_method(run, "Across", ACROSS, start=run.best_first()[-1])
    names = (run.name_of(first), run.name_of(second))
    outcome = bench.outcome
    tested = np.flatnonzero(tested_rows(first) & tested_rows(second))
    columns = st.columns(2)
    with columns[0]:
        st.markdown("**Rows**, each predicted while it was held out")
        chart = probability_scatter(
            first.proba[0][tested, outcome],
            second.proba[0][tested, outcome],
            names,
            words=[f"row {row + 1:,}" for row in run.data.row_numbers[tested]],
            theme=state.theme(),
        )
        picked = st.plotly_chart(
            chart,
            key="compare.rows",
            on_select="rerun",
            selection_mode=("points", "box"),
            alt=f"Rows: {names[0]} against {names[1]}",
        )
    with columns[1]:
        if first.learner == second.learner == "c45":
            _leaves(bench, first, second, names)
        else:
            st.info("Leaves can be compared when both methods are C4.5 trees.")
    st.caption("On the dashed line both say the same. Far from it, ask which rows are there.")
    points = [p["point_index"] for p in picked.selection.points if p.get("curve_number") == 1]
    rows = _rows_of_dot(run, (first, second), tested, sorted(points))
    if len(rows):
        st.markdown(f"**{len(rows):,} rows chosen**, forecasts of {markdown_text(names[0])}")
        list_rows(run, bench, first, rows, "compare.scatter rows")


def _rows_of_dot(
    run: ComparisonRun,
    pair: tuple[Result, Result],
    tested: NDArray[np.int64],
    points: list[int],
) -> NDArray[np.int64]:
    """Return the rows inside a box, or those of the dot that was clicked or asked for by number."""
    numbers = run.data.row_numbers[tested] + 1
    if len(points) == 1 and points != st.session_state.get("compare.clicked dot"):
        st.session_state[DOT] = int(numbers[points[0]])
    st.session_state["compare.clicked dot"] = points
    asked = st.number_input(
        "Row, by its number",
        1,
        int(numbers.max(initial=1)),
        None,
        key=DOT,
        persist_state="session",
        width=220,
        placeholder="click a dot, or type it",
        help="All rows with the same two forecasts are listed: their dots lie on each other.",
    )
    if len(points) > 1:
        return tested[points]
    at = tested[numbers == asked] if asked is not None else tested[:0]
    if not len(at):
        return at
    same = np.ones(len(tested), dtype=np.bool_)
    for result in pair:
        same &= (result.proba[0][tested] == result.proba[0][at[0]]).all(axis=1)
    return np.concatenate([at, np.setdiff1d(tested[same], at)])  # the row asked for stands first


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
        chance, cases = chances_of(run, result, bench.outcome)
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
    if clicked is not None and clicked != st.session_state.get("compare.clicked"):
        st.session_state["compare.clicked"] = clicked
        st.session_state[BIN] = clicked
    if (st.session_state.get(BIN) or 0) >= n_bins:
        st.session_state[BIN] = None


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
            tested = tested_rows(result)
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


def _honest_cost(
    run: ComparisonRun, result: Result, outcome: int, found_by: tuple[float, float]
) -> float | None:
    """Charge every fold at the threshold that was best on the other folds."""
    tested = tested_rows(result)
    chance, cases = chances_of(run, result, outcome)
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
