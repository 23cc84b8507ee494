"""The held-out rows of a comparison: which they are, what they were given, and what happened."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.types import FloatArray
from probtrees.ui.compare.comparison_run import ComparisonRun


def tested_rows(result: Result) -> NDArray[np.bool_]:
    """Mark the rows that were tested in the first repeat."""
    return np.asarray(~np.isnan(result.proba[0][:, 0]))


def row_weights(run: ComparisonRun, result: Result) -> FloatArray | None:
    """Return the weights of the tested rows; None where every row counts once."""
    return None if run.data.weights is None else run.data.weights[tested_rows(result)]


def chances_of(
    run: ComparisonRun, result: Result, outcome: int
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return what held-out rows were given (of the first repeat), and whether it occurred."""
    tested = tested_rows(result)
    return result.proba[0][tested, outcome], run.data.labels[tested] == outcome


def choose_method(run: ComparisonRun, label: str, key: str, start: int = 0) -> Result:
    """Ask for one of the methods that were compared."""
    names = run.by_name()
    options = list(names)
    if st.session_state.get(key) not in (None, *options):
        del st.session_state[key]
    index = start % len(options)
    return names[st.selectbox(label, options, index=index, key=key, persist_state="session")]
