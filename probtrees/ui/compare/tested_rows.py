"""The held-out rows of a comparison: which they are, what they were given, and what happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.score.prevalence import rarest_outcome
from probtrees.types import FloatArray
from probtrees.ui.compare.comparison_run import ComparisonRun
from probtrees.ui.shared.workbench import TreeBench

_TESTED = "compare.tested outcome"
"""Where the session keeps the outcome that is shown in place of one without tested rows."""


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


def with_tested_outcome(run: ComparisonRun, bench: TreeBench) -> TreeBench:
    """Turn to the rarest class that is tested where no row of the outcome of interest is."""
    tested = run.folds[0].test_fold >= 0
    counts = np.bincount(run.data.labels[tested], minlength=len(bench.outcomes))
    if counts[bench.outcome] > 0:
        return bench
    st.session_state[_TESTED] = rarest_outcome(counts.astype(np.float64))
    return replace(bench, outcome_key=_TESTED)


def choose_method(run: ComparisonRun, label: str, key: str, start: str | None = None) -> Result:
    """Ask for one of the methods that were compared; at first ``start``, else the best one."""
    names = run.by_name()
    keep_known(run, key)
    suggest(run, key, start if start in names else run.best_first()[0])
    return names[st.selectbox(label, list(names), key=key, persist_state="session")]


def suggest(run: ComparisonRun, key: str, value: str | list[str]) -> None:
    """Choose something as long as nobody has chosen otherwise; results still to come change it.

    Of a whole comparison what a link brings back counts as suggested if it is just that: the next
    comparison may have another winner.
    """
    suggested = _suggested(key)
    unchosen = (None, [], st.session_state.get(suggested), *([value] if run.is_whole else []))
    if st.session_state.get(key) in unchosen:
        st.session_state[key] = st.session_state[suggested] = value


def _suggested(key: str) -> str:
    return f"{key} suggested"


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
        if not run.is_whole and chosen != st.session_state.get(_suggested(key)):
            st.session_state[waiting] = chosen


def _fits(chosen: str | list[str], known: Mapping[str, Result]) -> bool:
    return set([chosen] if isinstance(chosen, str) else chosen) <= set(known)
