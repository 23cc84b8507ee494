"""What the Compare page shows of finished results: reliability, and one against another."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.charts.forecast_charts import probability_scatter, reliability_chart
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.explain.rule import rule_text
from probtrees.model.routing import find_leaves
from probtrees.score.measures import part_shown
from probtrees.score.metrics import brier_losses
from probtrees.score.reliability import ReliabilityBin, reliability_curve
from probtrees.ui.compare import compare_page as on_page
from probtrees.ui.compare import tested_rows as held_out
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.shared.session import state
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import percent, plural

_BINS = "compare.reliability"
_PANEL = 290
"""Width in pixels of one of the small pictures."""
_MOST_LEAVES = 12
"""Leaves that are listed, those that cause most of a difference first."""


def reliability(run: ComparisonRun, bench: TreeBench) -> None:
    """Show whether what was said came true; a click on a dot opens its rows and leaves."""
    what, lit = bench.outcomes[bench.outcome], held_out.lit_of(run)
    with st.container(horizontal=True):
        by_name = run.by_name()
        style: dict[str, Any] = {"is_small": True, "theme": state.theme()}
        given = {n: held_out.chances_of(run, by_name[n], bench.outcome) for n in run.best_first()}
        reach = held_out.reach_of(given)
        for name, chances in given.items():
            bins = reliability_curve(*chances)
            figure = reliability_chart(bins, what, name=name, reach=reach, **style)
            figure.data[1].opacity = 0.35 if lit not in (None, name) else 1.0
            st.plotly_chart(
                figure,
                width=_PANEL,
                key=f"{_BINS} {name}",
                on_select=partial(_take_dot, name),
                selection_mode="points",
                config={"displayModeBar": False},
                alt=f"Reliability of {name}: observed rate against predicted chance",
            )
    st.caption(
        f"Across: predicted chance of {markdown_text(what)}; up: observed rate. On the dashed line "
        "forecasts come true. Bars: 95 % intervals; larger: more rows. Click a dot to see its rows."
    )
    left, right = st.columns(2)
    with left:
        result = held_out.choose_method(run, "Method", on_page.METHOD)
    bins = reliability_curve(*held_out.chances_of(run, result, bench.outcome))
    words = [f"{percent(b.low)} to {percent(b.high)}: {b.rows:,} rows" for b in bins]
    with right:
        number = held_out.choose_part("Rows and leaves of the bin", words, on_page.BIN, None)
    if number is not None:
        _rows_of_bin(run, bench, bins[number], result)


def _take_dot(name: str) -> None:
    """Choose the bin whose dot was clicked, and highlight its method in all pictures."""
    points = st.session_state[f"{_BINS} {name}"].selection.points
    for dot in [p["point_index"] for p in points if p["curve_number"] == 1][:1]:
        st.session_state.update({on_page.LIT: name, on_page.METHOD: name, on_page.BIN: dot})


def _rows_of_bin(
    run: ComparisonRun, bench: TreeBench, picked: ReliabilityBin, result: Result
) -> None:
    """List the rows of a bin, and the leaves of the tree on show that they fall into."""
    tested = held_out.tested_rows(result)
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
        held_out.list_leaves(run, bench, rows)
    held_out.list_rows(run, bench, result, rows, "compare.bin rows")


def differ(run: ComparisonRun, bench: TreeBench) -> None:
    """Show where two methods differ: the leaves that cause it, and row by row."""
    left, right = st.columns(2)
    with left:
        first = held_out.choose_method(run, "Method", on_page.UP)
    rest = [name for name in run.best_first() if name != run.name_of(first)]
    with right:
        second = held_out.choose_method(run, "Against", on_page.ACROSS, *rest[:1])
    if first.learner == second.learner == "c45" and first is not second:
        _leaves_apart(run, bench, first, second)
    _scatter(run, bench, first, second)


def _leaves_apart(run: ComparisonRun, bench: TreeBench, first: Result, second: Result) -> None:
    """List the leaves whose rows cause the difference of two smoothers; show one in the tree."""
    tested = held_out.tested_rows(first, second)
    landing = find_leaves(bench.tree, run.data.values[tested], run.data.schema.n_values)
    places = np.repeat(np.arange(len(tested)), np.diff(landing.first))
    rows, said = tested[places], [f"{run.name_of(one)} says" for one in (first, second)]
    labels, shares = run.data.labels[rows], landing.shares * run.data.row_weights[rows]
    pair = [result.proba[0][rows] for result in (first, second)]
    apart = np.subtract(*(brier_losses(proba, labels) for proba in pair))
    columns = [*(100 * proba[:, bench.outcome] for proba in pair), 100 * (labels == bench.outcome)]
    frame = pd.DataFrame({"node": landing.nodes, "rows": shares, "adds": apart * shares})
    shown_as = [*said, "happened"]
    frame[shown_as] = np.column_stack(columns) * shares[:, None]
    found = frame.groupby("node", as_index=False).sum()
    found[shown_as] = found[shown_as].div(found["rows"], axis=0)
    found["adds"] *= part_shown("brier", run.data.n_classes) / shares.sum()
    found = found.sort_values("adds", key=lambda adds: -adds.abs(), kind="stable")
    found.insert(0, "leaf", [rule_text(bench.tree, bench.schema, n) for n in found["node"]])
    given = dict.fromkeys(shown_as, "%.1f %%")
    help_text = "What its rows add to the difference of the Brier scores; all leaves sum to it."
    picked = show_table(
        found.drop(columns="node").head(_MOST_LEAVES),
        "compare.apart",
        "Leaves by what they add to the difference",
        {**given, "rows": "%.0f", "adds": ("%+.5f", help_text)},
        picks="single-row",
    )
    total, n_more = f"{found['adds'].sum():+z.5f}", len(found) - _MOST_LEAVES
    more = f" {plural(n_more, 'more leaves')} add less." if n_more > 0 else ""
    st.caption(
        f"Held-out rows by their leaf in the tree of all rows; what all leaves add sums to {total}."
        f"{more} Choose a leaf to see it in the tree, coloured by how much the two differ."
    )
    if picked:
        node, smoothers = int(found["node"].iloc[picked[0]]), (first.smoother, second.smoother)
        held_out.show_leaf_button(node, "compare.apart leaf", smoothers)


def _scatter(run: ComparisonRun, bench: TreeBench, first: Result, second: Result) -> None:
    """Draw two methods against each other, row by row."""
    what = f"chance of {bench.outcomes[bench.outcome]}"
    names = (f"{run.name_of(first)}: {what}", f"{run.name_of(second)}: {what}")
    tested = held_out.tested_rows(first, second)
    numbers = run.data.row_numbers[tested] + 1
    up, across = (result.proba[0][tested, bench.outcome] for result in (first, second))
    picked: Any = st.plotly_chart(
        probability_scatter(up, across, names, rows=numbers, theme=state.theme()),
        key="compare.rows",
        on_select="rerun",
        selection_mode="points",
        alt=f"Rows, each predicted while it was held out: {names[0]} against {names[1]}",
    )
    st.caption("On the dashed line both say the same. Click a dot to see its rows.")
    dots = [p["point_index"] for p in picked.selection.points if p.get("curve_number") == 1]
    held_out.take_click(int(numbers[dots[0]]) if dots else None, on_page.DOT)
    asked = st.number_input(
        "Row, by its number",
        1,
        int(numbers.max(initial=1)),
        None,
        **state.lasting(on_page.DOT),
        width=220,
        placeholder="click a dot, or type it",
        help="All rows with the same two forecasts are listed: their dots lie on each other.",
    )
    at = np.flatnonzero(numbers == asked)[:1]
    rows = tested[np.isin(up, up[at]) & np.isin(across, across[at])]
    if len(rows):
        st.markdown(f"**{len(rows):,} rows chosen**, forecasts of {markdown_text(names[0])}")
        held_out.list_rows(run, bench, first, rows, "compare.scatter rows")
