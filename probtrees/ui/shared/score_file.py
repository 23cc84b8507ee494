"""Score an uploaded table with the model on show, and say what is wrong with its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
from probtrees.ui.shared.exports import Export, ExportTab

_SHOWN_ROWS = 20
_LISTED = 3
"""Columns that a problem names; more are counted."""


@dataclass(frozen=True)
class ScoredFile:
    """A table that was scored: every row's probabilities and what is odd about it."""

    rows: Dataset
    frame: pd.DataFrame


def ask_file(model: Model) -> ScoredFile | None:
    """Ask for a table, score it and show how it begins; None while there is none."""
    file = st.file_uploader(
        "A table with the same columns",
        key="export.score",
        help="The target may be absent; columns may come in any order.",
    )
    if file is None:
        st.caption("Every row gets the probability of every class by the model on show.")
        return None
    try:
        rows, unreadable = read_rows((file.name, file.getvalue()), model.schema)
        found = ScoredFile(rows, scored(model, rows, unreadable))
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
        return None
    st.dataframe(found.frame.head(_SHOWN_ROWS), key="export.scores")
    return found


def scores_tab(model_of: Callable[[Any], Model]) -> ExportTab[ScoredFile | None]:
    """Declare the tab that scores a file with the model of what is on show."""
    return ExportTab("Score a file", lambda shown: ask_file(model_of(shown)), (SCORES,), _summary)


def _scores_csv(found: ScoredFile | None) -> str:
    """Write the probabilities as CSV, text that a spreadsheet would run made harmless."""
    frame = pd.DataFrame() if found is None else found.frame
    return str(frame.map(_harmless).rename(columns=csv_text).to_csv(index=False))


SCORES: Export[ScoredFile | None] = Export(
    "probabilities.csv",
    "Probabilities (CSV)",
    _scores_csv,
    is_offered=lambda found: found is not None,
)


def _summary(found: ScoredFile | None) -> None:
    """Say how many rows were scored and how many are odd."""
    if found is None:
        return
    rows, n_odd = found.rows, int((found.frame.iloc[:, -1] != "").sum())
    unseen = int((rows.values[:, :-1] == UNSEEN).any(axis=1).sum())
    st.caption(
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
