"""What the Compare page shows of finished results: reliability, and one against another."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from probtrees.draw.charts.forecast_charts import probability_scatter, reliability_chart
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.score.reliability import ReliabilityBin, reliability_curve
from probtrees.types import FloatArray
from probtrees.ui.compare import compare_page as on_page
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.compare.tested_rows import (
    chances_of,
    choose_method,
    choose_methods,
    choose_part,
    list_leaves,
    list_rows,
    take_click,
    tested_rows,
)
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import percent, plural


def reliability(run: ComparisonRun, bench: TreeBench) -> None:
    """Show whether what was said came true; a click on a dot opens its rows and leaves."""
    left, middle, right = st.columns([2, 3, 2], vertical_alignment="bottom")
    with left:
        result = choose_method(run, "Method", on_page.METHOD)
    with middle:
        others = choose_methods(run, "Beside it", on_page.OVERLAID, [], 5)
    by_rows = right.toggle(
        "Bins with equally many rows",
        key=on_page.EQUAL_ROWS,
        persist_state="session",
        help="Else every bin covers ten points, and bins with few rows have wide bands.",
    )
    name = run.name_of(result)
    bins = {
        one: reliability_curve(
            *chances_of(run, found, bench.outcome), method="rows" if by_rows else "width"
        )
        for one, found in ({name: result} | others).items()
    }
    what = bench.outcomes[bench.outcome]
    rest = {one: found for one, found in bins.items() if one != name}
    picked = st.plotly_chart(
        reliability_chart(bins[name], what, others=rest, name=name, theme=state.theme()),
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
    names = [f"{percent(b.low)} to {percent(b.high)}: {b.rows:,} rows" for b in bins[name]]
    number = choose_part("Rows and leaves of the bin", names, on_page.BIN, _clicked(picked))
    if number is not None:
        _rows_of_bin(run, bench, bins[name][number], result)


def _clicked(picked: Any) -> int | None:
    """Return the dot of a chart that was clicked; the first curve is the dashed line."""
    points = (p["point_index"] for p in picked.selection.points if p.get("curve_number") == 1)
    return next(points, None)


def _rows_of_bin(
    run: ComparisonRun, bench: TreeBench, picked: ReliabilityBin, result: Result
) -> None:
    """List the rows of a bin, and the leaves of the tree on show that they fall into."""
    tested = tested_rows(result)
    chance = result.proba[0][tested, bench.outcome]
    inside = (chance > picked.low) & (chance <= picked.high)
    if picked.low <= chance.min():
        inside |= chance == picked.low
    rows = tested[inside]
    st.markdown(
        f"**{len(rows):,} rows given {percent(picked.low)} to {percent(picked.high)}**; "
        f"{percent(picked.observed)} of them had it."
    )
    if result.learner == "c45":
        list_leaves(run, bench, rows)
    list_rows(run, bench, result, rows, "compare.bin rows")


def scatter(run: ComparisonRun, bench: TreeBench) -> None:
    """Show two methods against each other, row by row."""
    left, right = st.columns(2)
    with left:
        first = choose_method(run, "Up", on_page.UP)
    with right:
        second = choose_method(run, "Across", on_page.ACROSS, start=run.best_first()[-1])
    names = (run.name_of(first), run.name_of(second))
    tested = tested_rows(first, second)
    numbers = run.data.row_numbers[tested] + 1
    up, across = (result.proba[0][tested, bench.outcome] for result in (first, second))
    words = [f"row {number:,}" for number in numbers]
    picked: Any = st.plotly_chart(
        probability_scatter(up, across, names, words=words, theme=state.theme()),
        key="compare.rows",
        on_select="rerun",
        selection_mode=("points", "box"),
        alt=f"Rows, each predicted while it was held out: {names[0]} against {names[1]}",
    )
    st.caption(
        "On the dashed line both say the same. Far from it, ask which rows are there: click a dot, "
        "or draw a box."
    )
    boxes = picked.selection.box
    clicked = None if boxes else _clicked(picked)
    if take_click(None if clicked is None else int(numbers[clicked]), on_page.DOT):
        st.session_state.pop(on_page.BOX, None)
    ends = [float(end) for side in "xy" for end in sorted(boxes[0][side])[:2]] if boxes else []
    take_click(tuple(ends) or None, on_page.BOX)
    asked = st.number_input(
        "Row, by its number",
        1,
        int(numbers.max(initial=1)),
        None,
        key=on_page.DOT,
        persist_state="session",
        width=220,
        placeholder="click a dot, or type it",
        help="All rows with the same two forecasts are listed: their dots lie on each other.",
    )
    at = np.flatnonzero(numbers == asked)
    chosen = np.zeros(len(tested), dtype=np.bool_)
    if st.session_state.get(on_page.BOX) is not None:
        chosen = _inside_box(across, up)
    elif len(at):
        chosen = (up == up[at[0]]) & (across == across[at[0]])
    rows = tested[chosen]
    if len(rows):
        st.markdown(f"**{len(rows):,} rows chosen**, forecasts of {markdown_text(names[0])}")
        list_rows(run, bench, first, rows, "compare.scatter rows")


def _inside_box(across: FloatArray, up: FloatArray) -> NDArray[np.bool_]:
    """Mark the rows inside the box that was drawn, or that a link names; offer to drop it."""
    left, right, low, high = st.session_state[on_page.BOX]
    inside: NDArray[np.bool_] = (across >= left) & (across <= right) & (up >= low) & (up <= high)
    with st.container(horizontal=True, vertical_alignment="center"):
        ends = [percent(min(max(end, 0.0), 1.0)) for end in (low, high, left, right)]
        words = "{} in the box: {} to {} up, {} to {} across."
        st.caption(words.format(plural(int(inside.sum()), "rows"), *ends), width="content")
        st.button("Drop the box", on_click=lambda: st.session_state.pop(on_page.BOX, None))
    return inside
