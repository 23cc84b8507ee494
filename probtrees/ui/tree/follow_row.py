"""Follow one row down the tree, or two: a form, their paths, where these part, probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.bars import SmootherAnswer, estimates_html
from probtrees.draw.escape import markdown_text
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.path import NOT_AN_EFFECT, nearest_alternative, path_steps, value_text
from probtrees.explain.rule import rule_text
from probtrees.model.model import Model
from probtrees.model.routing import LeafShares
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import FloatArray
from probtrees.ui.shared.forms import UNREADABLE
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import Workbench, ready_models
from probtrees.ui.tree.row_form import FIRST_ROW, SECOND_ROW, ask_rows, landing_of, scales_of
from probtrees.ui.tree.tree_page import TWO_ROWS
from probtrees.words import percent

_TWO = "Follows a second row beside the first: where their ways part, and what each answer is."


def follow_row(
    bench: Workbench, smoothed: SmoothedTree, smoother: str, *, beside: bool = False
) -> list[int]:
    """Ask for a row, show where it goes and what every smoother says about it.

    Returns the leaf where most of each row ends, so that the picture can show its way.

    Parameters
    ----------
    beside : whether it stands beside the picture, where two rows can be compared
    """
    if not bench.tells_class:
        st.info("A table of a network says nothing about a row alone: score a file under Export.")
        return []
    keys = [FIRST_ROW]
    if beside:
        headline, form, answer = st.container(), st.container(), st.container()
        if headline.toggle(
            "Two rows side by side", key=TWO_ROWS, persist_state="session", help=_TWO
        ):
            keys.append(SECOND_ROW)
    else:
        form, answer = st.columns([1, 1], gap="medium")
        headline = answer
    with form, st.container(key="what_if"):
        rows = ask_rows(bench, smoother, keys, n_columns=2 if beside else 1)
    if any(np.isinf(row).any() for row in rows):
        headline.warning(UNREADABLE)
        return []
    landed = [landing_of(bench.model(smoother), row) for row in rows]
    main = [int(found.nodes[np.argmax(found.shares)]) for found in landed]
    with headline:
        for place, row, found in zip(st.columns(len(rows)), keys, landed, strict=True):
            with place:
                _headline(bench, smoothed, found, row.letter if len(rows) > 1 else "")
    with answer:
        if len(rows) > 1:
            compare_rows(bench, smoother, rows, main)
        else:
            _explain(bench, smoothed, smoother, rows[0], landed[0])
    return main


def _explain(
    bench: Workbench, smoothed: SmoothedTree, smoother: str, row: FloatArray, landed: LeafShares
) -> None:
    """Show the way of a row, every smoother's answer, and the branch next to its way."""
    _path(bench, smoothed, row, landed)
    st.html(estimates_html(_estimates(bench, row, smoother), bench.base_rate, theme=state.theme()))
    main = int(landed.nodes[np.argmax(landed.shares)])
    _alternative(bench, row, main)
    st.button(
        "Show this leaf in the tree",
        on_click=_select,
        args=(main,),
        help="Selects the leaf where the row ends, which the panel then explains.",
    )


def _headline(
    bench: Workbench, smoothed: SmoothedTree, landed: LeafShares, letter: str = ""
) -> None:
    """Show the chance that the row gets."""
    nodes, shares = landed.nodes, landed.shares
    probability = float(shares @ smoothed.probs[nodes, bench.outcome])
    st.markdown(
        f"{letter}{': ' if letter else ''}"
        f"**{percent(probability)} {markdown_text(bench.asked)}**"
        + (f", spread over {len(nodes)} leaves" if len(nodes) > 1 else "")
    )


def _path(bench: Workbench, smoothed: SmoothedTree, row: FloatArray, landed: LeafShares) -> None:
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
    bench: Workbench, smoothed: SmoothedTree, landed: LeafShares
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
            value = chance_of(model, row, bench.outcome)
        shown.append(SmootherAnswer(SMOOTHERS[name].label, value, name == current))
    return shown


def _alternative(bench: Workbench, row: FloatArray, node: int) -> None:
    """Say in words what the nearest other branch holds."""
    found = nearest_alternative(bench.tree, bench.schema, node, row, scales_of(bench))
    if found is None:
        return
    rows, cases = bench.tree.totals, bench.tree.arrays.counts[:, bench.outcome]
    at = found.branch
    st.markdown(
        f"Nearest branch not taken: *{markdown_text(found.condition.words)}* "
        f"(this row: {markdown_text(found.value)}). "
        f"{markdown_text(bench.asked)} there: {cases[at]:g} of {rows[at]:g} rows "
        f"({percent(float(cases[at] / rows[at]))}). That {NOT_AN_EFFECT}."
    )


def _select(node: int) -> None:
    st.session_state[state.NODE] = node


def compare_rows(
    bench: Workbench, smoother: str, rows: Sequence[FloatArray], leaves: Sequence[int]
) -> None:
    """Say where the ways of two rows part, and list what differs and every smoother's answers."""
    first, second = rows
    st.markdown(markdown_text(parting_sentence(bench, rows, leaves)))
    differ = [
        number
        for number in range(bench.schema.n_columns - 1)
        if not np.array_equal(first[number], second[number], equal_nan=True)
    ]
    letters = (FIRST_ROW.letter, SECOND_ROW.letter)
    if differ:
        st.dataframe(
            [
                {"column": bench.schema.columns[number].name}
                | {
                    letter: value_text(bench.schema, number, row)
                    for letter, row in zip(letters, rows, strict=True)
                }
                for number in differ
            ],
            hide_index=True,
            column_config=_widths("column"),
        )
    answers = [
        {"smoother": SMOOTHERS[name].plain}
        | {
            letter: "…" if model is None else percent(chance_of(model, row, bench.outcome))
            for letter, row in zip(letters, rows, strict=True)
        }
        for name, model in ready_models(bench).items()
    ]
    st.dataframe(answers, hide_index=True, column_config=_widths("smoother"))


def _widths(first: str) -> dict[str, Any]:
    """Keep both rows in sight, however long the names before them are."""
    column = st.column_config.TextColumn
    return {first: column(width=170)} | {
        row.letter: column(width=90) for row in (FIRST_ROW, SECOND_ROW)
    }


def parting_sentence(bench: Workbench, rows: Sequence[FloatArray], leaves: Sequence[int]) -> str:
    """Say at which split two rows part."""
    if np.array_equal(rows[0], rows[1], equal_nan=True):
        return "Both rows hold the same values: choose another row, or change a value of one."
    first, second = (bench.tree.path(leaf) for leaf in leaves)
    if first == second:
        return "Both rows end in the same leaf: what differs between them is not asked for."
    shared = [node for node, other in zip(first, second, strict=False) if node == other]
    column = int(bench.tree.arrays.column[shared[-1]])
    name = bench.schema.columns[column].name
    one, other = (value_text(bench.schema, column, row) for row in rows)
    steps = len(shared) - 1
    same = "at the first split" if not steps else f"after {steps} steps in common"
    return (
        f"Their ways part {same}, at {name}: {FIRST_ROW.letter} {one}, "
        f"{SECOND_ROW.letter} {other}. The difference {NOT_AN_EFFECT}."
    )


def chance_of(model: Model, row: FloatArray, outcome: int) -> float:
    """Return the chance that a model's tree gives to a row."""
    landed = landing_of(model, row)
    return float(landed.shares @ model.tree.probs[landed.nodes, outcome])
