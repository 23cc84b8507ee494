"""The field in which one value of a row can be changed."""

from __future__ import annotations

import numpy as np
import streamlit as st

from probtrees.dataset import MISSING, Dataset
from probtrees.draw.escape import markdown_text
from probtrees.rule import NOT_RECORDED_TEXT


def cell_field(data: Dataset, number: int, value: float, form: str, row: int) -> float:
    """Show the value of one column and return what it is changed to; empty: not recorded.

    The key holds the row that the form started from, so that another row fills it anew.
    """
    column = data.schema.columns[number]
    key = f"{form}.{number}.{row}.{data.provenance.sha256[:8]}"
    label = markdown_text(column.name)
    if column.categories is None:
        typed = st.number_input(
            label,
            value=None if np.isnan(value) else float(value),
            placeholder=NOT_RECORDED_TEXT,
            key=key,
            persist_state="session",
            format="%g",
        )
        return MISSING if typed is None else float(typed)
    names = column.categories
    chosen = st.selectbox(
        label,
        [*range(len(names)), None],
        index=len(names) if np.isnan(value) else int(value),
        format_func=lambda code: NOT_RECORDED_TEXT if code is None else names[code],
        key=key,
        persist_state="session",
    )
    return MISSING if chosen is None else float(chosen)
