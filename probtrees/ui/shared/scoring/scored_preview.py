"""Show how a scored table begins, with names that tell what each number is the chance of."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.model.model import Model
from probtrees.words import outcome_title, percent

_SHOWN_ROWS = 20
_MOST_PINNED = 3
_HALF = 0.5


def named_by_target(model: Model, table: pd.DataFrame) -> pd.DataFrame:
    """Head the probabilities by target and outcome, for people: P(event = 1) instead of 1."""
    names = [str(name) for name in table.columns]
    first, at = _place_of_answers(model, names)
    target = model.schema.target.name
    for place, outcome in zip(range(first, at), model.schema.classes, strict=True):
        name = f"P({outcome_title(target, outcome)})"
        while name in names:
            name += " "
        names[place] = name
    return table.set_axis(names, axis="columns")


def preview(model: Model, table: pd.DataFrame) -> None:
    """Show how the table begins: first what the model says, which is last in the file."""
    names = list(table.columns)
    first, at = _place_of_answers(model, names)
    if words := one_answer(model, table):
        st.info(markdown_text(words))
    said = [names[at], *names[first:at]]
    shown = table[[*said, *(name for name in names if name not in said)]].head(_SHOWN_ROWS)
    shown = shown.set_index(pd.RangeIndex(1, len(shown) + 1, name="row"))
    pinned = {name: st.column_config.Column(pinned=True) for name in said[:_MOST_PINNED]}
    st.dataframe(shown, key="export.scores", column_config=pinned)


def one_answer(model: Model, table: pd.DataFrame) -> str:
    """Say why one outcome is predicted in all rows; nothing where there are several, or one row."""
    first, at = _place_of_answers(model, list(map(str, table.columns)))
    answers, classes = table.iloc[:, at], model.schema.classes
    if len(table) < 2 or answers.nunique() != 1:
        return ""
    same = answers.iloc[0]
    highest = {
        outcome: float(table.iloc[:, first + place].max())
        for place, outcome in enumerate(classes)
        if outcome != same
    }
    other = max(highest, key=highest.__getitem__, default="")
    if not other or highest[other] >= _HALF:
        return ""
    most = percent(highest[other])
    said = f"All {len(table):,} rows are predicted {same!r}: "
    said += (
        f"no row reaches 50 % for {other!r}; the highest is {most}."
        if len(classes) == 2
        else f"it is the most probable in each; the highest of another is {most} for {other!r}."
    )
    return (
        f"{said} Sort by the probabilities to see who comes first; Compare, Threshold shows what "
        "acting at a lower chance would do."
    )


def _place_of_answers(model: Model, names: list[str]) -> tuple[int, int]:
    """Return where the probabilities begin, and where what is predicted stands behind them.

    A file that was scored before has a column of the same name, which comes first.
    """
    answer = f"predicted {model.schema.target.name}".rstrip()
    at = max(place for place, name in enumerate(names) if name.rstrip() == answer)
    return at - len(model.schema.classes), at
