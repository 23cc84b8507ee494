"""The held-out rows of a comparison: which they are, what they were given, and what happened."""

from __future__ import annotations

from collections.abc import Mapping

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
    keep_known(run, key)
    index = start % len(options)
    return names[st.selectbox(label, options, index=index, key=key, persist_state="session")]


def keep_known(run: ComparisonRun, key: str) -> None:
    """Drop methods from a choice that were not compared; those to come wait until they are."""
    waiting = f"{key} waiting"
    chosen = st.session_state.get(key)
    wanted = st.session_state.get(waiting)
    known = run.by_name()
    if wanted is not None and _fits(wanted, known):
        st.session_state[key] = st.session_state.pop(waiting)
    elif chosen is not None and not _fits(chosen, known):
        del st.session_state[key]
        if not run.is_whole:
            st.session_state[waiting] = chosen


def _fits(chosen: str | list[str], known: Mapping[str, Result]) -> bool:
    return set([chosen] if isinstance(chosen, str) else chosen) <= set(known)
