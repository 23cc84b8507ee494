"""Two rows of a what-if side by side: where their ways part, and what is said about each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.path import NOT_AN_EFFECT, value_text
from probtrees.model.model import Model
from probtrees.types import FloatArray
from probtrees.ui.shared.workbench import Workbench, ready_models
from probtrees.ui.tree.row_form import FIRST_ROW, SECOND_ROW, landing_of
from probtrees.words import percent


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
