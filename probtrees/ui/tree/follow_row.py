"""Follow one row down the tree: a form made from the schema, its path, its probabilities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.bars import SmootherAnswer, estimates_html
from probtrees.draw.escape import markdown_text
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.path import NOT_AN_EFFECT, nearest_alternative, path_steps
from probtrees.explain.rule import rule_text
from probtrees.model.model import Model
from probtrees.model.predict import Landing, land, soft_land
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import MISSING, Dataset
from probtrees.types import FloatArray
from probtrees.ui.shared.forms import cell_field
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.workbench import Workbench, ready_models
from probtrees.words import percent

_ASKED = "columns asked on the way"


def follow_row(
    bench: Workbench, smoothed: SmoothedTree, smoother: str, *, beside: bool = False
) -> int | None:
    """Ask for a row, show where it goes and what every smoother says about it.

    Returns the leaf where most of the row ends, so that the picture can show its way.

    Parameters
    ----------
    beside : whether it stands beside the picture, where there is no room for two columns
    """
    if not bench.tells_class:
        st.info("A table of a network says nothing about a row alone: score a file under Export.")
        return None
    if beside:
        headline, form, answer = st.container(), st.container(), st.container()
    else:
        form, answer = st.columns([1, 1], gap="medium")
        headline = answer
    with form:
        row = _row_form(bench, smoother, n_columns=2 if beside else 1)
    landed = _landing(bench.model(smoother), row)
    with headline:
        _headline(bench, smoothed, landed)
    with answer:
        _path(bench, smoothed, row, landed)
        st.html(
            estimates_html(_estimates(bench, row, smoother), bench.base_rate, theme=state.theme())
        )
        main = int(landed.nodes[np.argmax(landed.shares)])
        _alternative(bench, smoothed, row, main)
        st.button("Show this leaf in the tree", on_click=_select, args=(main,))
    return main


def _landing(model: Model, row: FloatArray) -> Landing:
    """Drop a row into the model's tree, softly if that is how it routes rows."""
    tree, routing, n_values = model.tree.tree, model.members[0].routing, model.schema.n_values
    if routing is not None:
        return soft_land(tree, routing, row[None, :], n_values)
    return land(tree, row[None, :], n_values)


def _row_form(bench: Workbench, smoother: str, n_columns: int = 1) -> FloatArray:
    """Show one field per column, the columns of the tree first, starting from a row.

    Columns that the row's way does not ask for are greyed, as the row was when last shown.
    """
    schema = bench.schema
    start, given = _start(bench)
    used = set(bench.tree.arrays.column.tolist())
    columns = range(schema.n_columns - 1)
    asked = st.session_state.get(_ASKED, {}).get(str(bench.key), used)
    ranges = {} if bench.rows is None else column_ranges(bench.key, bench.rows)

    def fields(numbers: Iterable[int]) -> None:
        places = st.columns(n_columns, gap="small")
        for place, number in enumerate(numbers):
            with places[place % n_columns]:
                given[number] = cell_field(
                    schema,
                    number,
                    given[number],
                    form=f"follow.{start}",
                    table=bench.counts.provenance.sha256,
                    seen=ranges.get(number),
                    asked=number in asked or number not in used,
                )

    fields(k for k in columns if k in used)
    outside = [k for k in columns if k not in used]
    if outside:
        with st.expander("Columns that this tree does not ask for"):
            fields(outside)
    given[-1] = MISSING
    landed = _landing(bench.model(smoother), given)
    now = {int(bench.tree.arrays.column[n]) for end in landed.nodes for n in _above(bench, end)}
    st.session_state[_ASKED] = {str(bench.key): now}
    if now != asked:
        st.rerun()
    return given


def _above(bench: Workbench, node: int) -> list[int]:
    return bench.tree.path(int(node))[:-1]


def _start(bench: Workbench) -> tuple[int, FloatArray]:
    """Ask which row of the table to start from; without rows nothing is recorded at first."""
    if bench.rows is None:
        return 0, np.full(bench.schema.n_columns, MISSING)
    n_rows = bench.rows.n_rows
    st.session_state[state.ROW] = min(st.session_state.get(state.ROW, 1), n_rows)
    start = st.number_input(
        "Start from row",
        min_value=1,
        max_value=n_rows,
        key=state.ROW,
        persist_state="session",
        help="The fields below take this row's values; change any of them.",
    )
    row: FloatArray = bench.rows.values[int(start) - 1].copy()
    return int(start), row


def _headline(bench: Workbench, smoothed: SmoothedTree, landed: Landing) -> None:
    """Show the chance that the row gets."""
    nodes, shares = landed.nodes, landed.shares
    probability = float(shares @ smoothed.probs[nodes, bench.outcome])
    st.markdown(
        f"**{percent(probability)} {markdown_text(bench.outcomes[bench.outcome])}**"
        + (f", spread over {len(nodes)} leaves" if len(nodes) > 1 else "")
    )


def _path(bench: Workbench, smoothed: SmoothedTree, row: FloatArray, landed: Landing) -> None:
    """Show the path and the leaves a spread row ends in."""
    main = int(landed.nodes[np.argmax(landed.shares)])
    st.dataframe(_path_records(bench, smoothed, row, main), hide_index=True)
    if len(landed.nodes) > 1:
        st.dataframe(_leaf_records(bench, smoothed, landed), hide_index=True)


def _path_records(
    bench: Workbench, smoothed: SmoothedTree, row: FloatArray, node: int
) -> list[dict[str, Any]]:
    steps = path_steps(smoothed, bench.schema, node, bench.outcome, row)
    return [
        {
            "step": step.condition,
            "observed": "no rows"
            if step.observed is None
            else f"{step.cases:g} of {step.rows:g} ({percent(step.observed)})",
            "this row": step.value or "",
        }
        for step in steps
    ]


def _leaf_records(
    bench: Workbench, smoothed: SmoothedTree, landed: Landing
) -> list[dict[str, Any]]:
    order = np.argsort(-landed.shares, kind="stable")
    return [
        {
            "leaf": rule_text(bench.tree, bench.schema, int(landed.nodes[k])),
            "weight": percent(float(landed.shares[k])),
            "says": percent(float(smoothed.probs[landed.nodes[k], bench.outcome])),
        }
        for k in order
    ]


def _estimates(bench: Workbench, row: FloatArray, current: str) -> list[SmootherAnswer]:
    shown = []
    for name, model in ready_models(bench).items():
        value = None
        if model is not None:
            landed = _landing(model, row)
            value = float(landed.shares @ model.tree.probs[landed.nodes, bench.outcome])
        shown.append(SmootherAnswer(SMOOTHERS[name].label, value, name == current))
    return shown


def _alternative(bench: Workbench, smoothed: SmoothedTree, row: FloatArray, node: int) -> None:
    """Say in words what the nearest other branch holds."""
    scales = np.zeros(bench.schema.n_columns)
    if bench.rows is not None:
        scales = _scales(bench.key, bench.rows)
    found = nearest_alternative(bench.tree, bench.schema, node, row, scales)
    if found is None:
        return
    rows, cases = bench.tree.totals, bench.tree.arrays.counts[:, bench.outcome]
    at = found.branch
    st.markdown(
        f"Nearest branch not taken: *{markdown_text(found.condition.words)}* "
        f"(this row: {markdown_text(found.value)}). "
        f"There {cases[at]:g} of {rows[at]:g} rows are "
        f"{markdown_text(bench.outcomes[bench.outcome])} "
        f"({percent(float(cases[at] / rows[at]))}). That {NOT_AN_EFFECT}."
    )


@kept()
def column_ranges(key: Any, _data: Dataset) -> dict[int, tuple[float, float]]:
    """Give the smallest and the largest number of every numeric column."""
    found = {}
    for number, column in enumerate(_data.schema.columns):
        known = _data.values[:, number]
        known = known[np.isfinite(known)]
        if column.categories is None and len(known):
            found[number] = (float(known.min()), float(known.max()))
    return found


@kept()
def _scales(key: Any, _data: Dataset) -> FloatArray:
    """Give the standard deviation of every numeric column."""
    scales = np.zeros(_data.schema.n_columns)
    for number, column in enumerate(_data.schema.columns):
        values = _data.values[:, number]
        known = values[np.isfinite(values)]
        if column.categories is None and len(known) > 1:
            scales[number] = float(known.std())
    return scales


def _select(node: int) -> None:
    st.session_state[state.NODE] = node
