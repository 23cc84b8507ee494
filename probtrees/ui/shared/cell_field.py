"""The field in which one value of a row can be changed."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.explain.rule import NOT_RECORDED_TEXT
from probtrees.table.dataset import MISSING, Dataset


def cell_field(data: Dataset, number: int, value: float, form: str, row: int) -> float:
    """Show the value of one column and return what it is changed to; empty: not recorded.

    The key holds the row that the form started from, so that another row fills it anew, and
    what the column is, so that no other table's value is taken over.
    """
    column = data.schema.columns[number]
    kind = crc32(repr((column.name, column.categories)).encode())
    key = f"{form}.{number}.{row}.{data.provenance.sha256[:8]}.{kind}"
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
    names = (*column.categories, NOT_RECORDED_TEXT)
    chosen = st.selectbox(
        label,
        range(len(names)),  # None for the last would be shown as "nothing chosen"
        index=len(names) - 1 if np.isnan(value) else int(value),
        format_func=lambda code: names[code],
        key=key,
        persist_state="session",
    )
    return MISSING if chosen == len(names) - 1 else float(chosen)
