"""Follow one row down the tree, or two: a form, their paths, where these part, probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.leaf_explanation import number_html
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.path import NOT_AN_EFFECT, path_steps, value_text
from probtrees.explain.rule import rule_text
from probtrees.model.model import Model
from probtrees.model.routing import LeafShares, find_leaves, find_leaves_softly
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import FloatArray
from probtrees.ui.shared.session import state
from probtrees.ui.shared.workbench import Workbench, smooth_all
from probtrees.ui.tree.decide_panel import decided, decision_words
from probtrees.ui.tree.leaf_panel import few_answers, smoother_answers
from probtrees.ui.tree.row_form import (
    FIRST_ROW,
    SECOND_ROW,
    UNREADABLE,
    RowKeys,
    begin_rows,
    row_fields,
    row_table,
)
from probtrees.ui.tree.tree_page import BESIDE, EXPLAIN, TWO_ROWS
from probtrees.words import outcome_title, percent

_ASKED = "columns asked on the way"
_TWO = "Follows a second row beside the first: where their ways part, and what each answer is."


def follow_row(bench: Workbench, smoothed: SmoothedTree, smoother: str) -> list[int]:
    """Ask for a row or two, show where they go and what every smoother says about them.

    Returns the leaf where most of each row ends, so that the picture can show its way.
    """
    keys = [FIRST_ROW]
    headline, form, answer = st.container(), st.container(), st.container()
    if headline.toggle("Two rows side by side", key=TWO_ROWS, persist_state="session", help=_TWO):
        keys.append(SECOND_ROW)
    with form, st.container(key="what_if"):
        rows = _ask_rows(bench, smoother, keys)
    if any(np.isinf(row).any() for row in rows):
        headline.warning(UNREADABLE)
        return []
    landed = [landing_of(bench.model(smoother), row) for row in rows]
    main = [int(found.nodes[np.argmax(found.shares)]) for found in landed]
    with headline:
        for place, row, found in zip(st.columns(len(rows)), keys, landed, strict=True):
            with place:
                letter = f"{row.letter}: " if len(rows) > 1 else ""
                _headline(bench, smoothed, found, letter, smoother)
    with answer:
        if len(rows) > 1:
            _compare_rows(bench, rows, main)
        else:
            _explain(bench, smoothed, smoother, rows[0], landed[0])
    return main


def _ask_rows(bench: Workbench, smoother: str, keys: Sequence[RowKeys]) -> list[FloatArray]:
    """Show the fields, the columns of the tree first, in the order in which it asks for them.

    Columns that a row's way does not ask for are greyed, as the row was when last shown.
    """
    table = row_table(bench)
    rows = begin_rows(table, keys)
    # Nodes are numbered level by level.
    order = [k for k in dict.fromkeys(bench.tree.arrays.column.tolist()) if k >= 0]
    known: dict[str, set[int]] = st.session_state.get(_ASKED, {}).get(str(bench.key), {})
    before = {row.form: known.get(row.form, set(order)) for row in keys}
    others = "Columns that this tree does not ask for"
    row_fields(table, keys, rows, order, others, asked=before, n_columns=2)
    now = before | {
        row.form: _asked(bench, smoother, values)
        for row, values in zip(keys, rows, strict=True)
        if not np.isinf(values).any()
    }
    st.session_state[_ASKED] = {str(bench.key): now}
    if now != before:
        st.rerun()
    return rows


def _asked(bench: Workbench, smoother: str, values: FloatArray) -> set[int]:
    """List the columns that the tree asks for on the way of a row."""
    ends = landing_of(bench.model(smoother), values).nodes
    return {
        int(bench.tree.arrays.column[node]) for end in ends for node in bench.tree.path(end)[:-1]
    }


def landing_of(model: Model, row: FloatArray) -> LeafShares:
    """Drop a row into the model's tree, softly if that is how it routes rows."""
    tree, routing, n_values = model.tree.tree, model.members[0].routing, model.schema.n_values
    if routing is not None:
        return find_leaves_softly(tree, routing, row[None, :], n_values)
    return find_leaves(tree, row[None, :], n_values)


def _headline(
    bench: Workbench, smoothed: SmoothedTree, landed: LeafShares, letter: str, smoother: str
) -> None:
    """Show the chance that the row gets, and what is done then."""
    nodes, shares = landed.nodes, landed.shares
    probability = float(shares @ smoothed.probs[nodes, bench.outcome])
    spread = f", spread over {len(nodes)} leaves" if len(nodes) > 1 else ""
    title = outcome_title(bench.schema.target.title, bench.outcomes[bench.outcome])
    st.html(number_html(f"{letter}{percent(probability)}", title + spread))
    if (acting := decided(bench, smoothed, smoother)) is not None:
        st.markdown(decision_words(probability, acting.in_files))


def _explain(
    bench: Workbench, smoothed: SmoothedTree, smoother: str, row: FloatArray, landed: LeafShares
) -> None:
    """Show the way of a row, every smoother's answer, and the branch next to its way."""
    main = int(landed.nodes[np.argmax(landed.shares)])
    st.dataframe(
        [
            {
                "step": step.condition,
                "observed": "no rows"
                if step.observed is None
                else f"{step.cases:g} of {step.rows:g} ({percent(step.observed)})",
                "this row": step.value or "",
            }
            for step in path_steps(smoothed, bench.schema, main, bench.outcome, row)
        ],
        hide_index=True,
    )
    if len(landed.nodes) > 1:
        st.dataframe(
            [
                {
                    "leaf": rule_text(bench.tree, bench.schema, int(landed.nodes[k])),
                    "weight": percent(float(landed.shares[k])),
                    "says": percent(float(smoothed.probs[landed.nodes[k], bench.outcome])),
                }
                for k in np.argsort(-landed.shares, kind="stable")
            ],
            hide_index=True,
        )
    shown = smoother_answers(
        smooth_all(bench), lambda model: _chance_of(model, row, bench.outcome), smoother
    )
    few_answers(shown, bench.base_rate)
    st.button(
        "Show this leaf in the tree",
        on_click=partial(st.session_state.update, {state.NODE: main, BESIDE: EXPLAIN}),
        help="Selects the leaf where the row ends, which the panel then explains.",
    )


def _compare_rows(bench: Workbench, rows: Sequence[FloatArray], leaves: Sequence[int]) -> None:
    """Say where the ways of two rows part, and list what differs and every smoother's answers."""
    st.markdown(markdown_text(_parting_sentence(bench, rows, leaves)))
    values = {
        bench.schema.columns[number].name: [value_text(bench.schema, number, row) for row in rows]
        for number in range(bench.schema.n_columns - 1)
        if not np.array_equal(rows[0][number], rows[1][number], equal_nan=True)
    }
    answers = {
        SMOOTHERS[name].label: [
            percent(_chance_of(job.result, row, bench.outcome)) if job.is_ready else "…"
            for row in rows
        ]
        for name, job in smooth_all(bench).items()
    }
    letters = (FIRST_ROW.letter, SECOND_ROW.letter)
    text = st.column_config.TextColumn
    for first, lines in {"column": values, "smoother": answers}.items():
        if lines:
            st.dataframe(
                [
                    {first: name, **dict(zip(letters, of, strict=True))}
                    for name, of in lines.items()
                ],
                hide_index=True,
                # Both rows stay in sight, however long the names before them are.
                column_config={first: text(width=170)}
                | {letter: text(width=90) for letter in letters},
            )


def _parting_sentence(bench: Workbench, rows: Sequence[FloatArray], leaves: Sequence[int]) -> str:
    """Say at which split two rows part."""
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


def _chance_of(model: Model, row: FloatArray, outcome: int) -> float:
    """Return the chance that a model's tree gives to a row."""
    landed = landing_of(model, row)
    return float(landed.shares @ model.tree.probs[landed.nodes, outcome])
