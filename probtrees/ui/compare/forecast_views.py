"""What the Compare page shows of finished results: reliability, and one against another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from probtrees.draw.charts.forecast_charts import (
    Bin,
    probability_scatter,
    reliability_chart,
)
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.explain.rule import rule_text
from probtrees.score.reliability import BinMethod, ReliabilityBin, reliability_curve
from probtrees.ui.compare.bin_rows import list_rows, rows_of_bin, show_leaf_button
from probtrees.ui.compare.compare_page import (
    ACROSS,
    BIN,
    BOX,
    DOT,
    EQUAL_ROWS,
    METHOD,
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
from probtrees.words import percent, plural


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
    _take_over_box(picked.selection.box)
    rows = _rows_of_dot(run, (first, second), tested, sorted(points))
    if st.session_state.get(BOX) is not None:
        rows = _rows_of_box((first, second), outcome, tested)
    if len(rows):
        st.markdown(f"**{len(rows):,} rows chosen**, forecasts of {markdown_text(names[0])}")
        list_rows(run, bench, first, rows, "compare.scatter rows")


def _take_over_box(boxes: Sequence[Any]) -> None:
    """Choose the box that was drawn, once, so that it can be dropped again."""
    drawn = (
        tuple(float(end) for side in ("x", "y") for end in sorted(boxes[0][side])[:2])
        if (boxes)
        else None
    )
    if drawn != st.session_state.get("compare.drawn box"):
        st.session_state["compare.drawn box"] = drawn
        if drawn is not None:
            st.session_state[BOX] = drawn


def _rows_of_box(
    pair: tuple[Result, Result], outcome: int, tested: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the rows inside the box that was drawn, or that a link names."""
    across_from, across_to, up_from, up_to = st.session_state[BOX]
    up, across = (result.proba[0][tested, outcome] for result in pair)
    inside = (across >= across_from) & (across <= across_to) & (up >= up_from) & (up <= up_to)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"{plural(int(inside.sum()), 'rows')} in the box: "
            f"{percent(max(up_from, 0.0))} to {percent(min(up_to, 1.0))} up, "
            f"{percent(max(across_from, 0.0))} to {percent(min(across_to, 1.0))} across.",
            width="content",
        )
        st.button("Drop the box", on_click=lambda: st.session_state.pop(BOX, None))
    rows: NDArray[np.int64] = tested[inside]
    return rows


def _rows_of_dot(
    run: ComparisonRun,
    pair: tuple[Result, Result],
    tested: NDArray[np.int64],
    points: list[int],
) -> NDArray[np.int64]:
    """Return the rows of the dot that was clicked or asked for by number."""
    numbers = run.data.row_numbers[tested] + 1
    if len(points) == 1 and points != st.session_state.get("compare.clicked dot"):
        st.session_state[DOT] = int(numbers[points[0]])
        st.session_state.pop(BOX, None)
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
    at = tested[numbers == asked] if asked is not None else tested[:0]
    if not len(at):
        return at
    same = np.ones(len(tested), dtype=np.bool_)
    for result in pair:
        same &= (result.proba[0][tested] == result.proba[0][at[0]]).all(axis=1)
    return np.concatenate([at, np.setdiff1d(tested[same], at)])  # the row asked for stands first


def _take_over_click(points: list[dict[str, Any]], n_bins: int) -> None:
    """Choose the bin whose dot was clicked, once, so that another can be chosen by name."""
    clicked = next((p["point_index"] for p in points if p.get("curve_number") == 1), None)
    if clicked is not None and clicked != st.session_state.get("compare.clicked"):
        st.session_state["compare.clicked"] = clicked
        st.session_state[BIN] = clicked
    if (st.session_state.get(BIN) or 0) >= n_bins:
        st.session_state[BIN] = None


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
