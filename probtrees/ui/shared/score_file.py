"""Score an uploaded table with the model on show, and say what is wrong with its rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import csv_text, markdown_text
from probtrees.errors import ProbTreesError
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.table.cells.encode import CellProblems
from probtrees.table.dataset import UNSEEN, Dataset
from probtrees.table.read_table import read_rows
from probtrees.ui.shared.data_bar import FILE_TYPES

_SHOWN_ROWS = 20
_LISTED = 3
"""Columns that a problem names; more are counted."""


def score_file(model: Model) -> None:
    """Score an uploaded table and offer its probabilities."""
    file = st.file_uploader(
        "A table with the same columns",
        type=FILE_TYPES,
        key="export.score",
        help="The target may be absent; columns may come in any order.",
    )
    if file is None:
        st.caption("Every row gets the probability of every class by the model on show.")
        return
    try:
        rows, unreadable = read_rows((file.name, file.getvalue()), model.schema)
        frame = scored(model, rows, unreadable)
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
        return
    st.dataframe(frame.head(_SHOWN_ROWS), key="export.scores")
    st.download_button(
        "Probabilities (CSV)",
        lambda: frame.map(_harmless).rename(columns=csv_text).to_csv(index=False),
        file_name="probabilities.csv",
        mime="text/csv",
        on_click="ignore",
    )
    st.caption(_summary(frame, rows))


def _summary(frame: pd.DataFrame, rows: Dataset) -> str:
    n_odd = int((frame.iloc[:, -1] != "").sum())
    unseen = int((rows.values[:, :-1] == UNSEEN).any(axis=1).sum())
    return (
        f"{rows.n_rows:,} rows scored, {unseen:,} with unseen values. "
        f"The last column says what is odd about {n_odd:,} of them."
    )


def scored(model: Model, rows: Dataset, unreadable: CellProblems) -> pd.DataFrame:
    """Give every row its probabilities, and words for what is odd about it."""
    frame = pd.DataFrame(predict_proba(model, rows), columns=list(model.schema.classes))
    name = "problem" if "problem" not in frame else "problem "
    frame[name] = row_problems(rows, unreadable)
    return frame


def row_problems(rows: Dataset, unreadable: CellProblems) -> list[str]:
    """Name, for every row, the cells that could not be read, and values never seen or missing."""
    values = rows.values[:, :-1]
    names = [column.name for column in rows.schema.features]
    problems = [""] * rows.n_rows
    for row, cells in unreadable.items():
        problems[row] = "; ".join(cells)
    kinds = (("never seen in training", values == UNSEEN), ("not recorded", np.isnan(values)))
    for words, found in kinds:
        for row in np.flatnonzero(found.any(axis=1)).tolist():
            columns = np.flatnonzero(found[row]).tolist()
            listed = ", ".join(names[column] for column in columns[:_LISTED])
            more = f" and {len(columns) - _LISTED} more" if len(columns) > _LISTED else ""
            joint = "; " if problems[row] else ""
            problems[row] += f"{joint}{words}: {listed}{more}"
    return problems


def _harmless(cell: object) -> object:
    return csv_text(cell) if isinstance(cell, str) else cell
