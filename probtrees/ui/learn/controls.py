"""The lesson's controls; what they hold is what its link holds."""

from __future__ import annotations

import streamlit as st

from probtrees.ui.learn.learn_page import (
    LAST_STEP,
    MOST_BRANCH,
    MOST_STRENGTH,
    MOST_SWEEPS,
    MOST_WEIGHT,
    Lesson,
    key_of,
)
from probtrees.ui.learn.subject import LARGEST_COUNT

_MOST = {"strength": MOST_STRENGTH, "branch": MOST_BRANCH, "weight": MOST_WEIGHT}
_GROUPS = ("women with the gene", "men with the gene", "everybody without it")


def number(name: str, label: str, help: str) -> float:
    """Let a setting be slid."""
    value: float = st.slider(
        label, 0.0, _MOST[name], step=0.25, key=key_of(name), persist_state="session", help=help
    )
    return value


def whole(name: str, label: str, help: str) -> int:
    """Let a whole number be typed."""
    low, high, step = (10, MOST_SWEEPS, 100) if name == "sweeps" else (0, 2**31, 1)
    value: int = st.number_input(
        label, low, high, step=step, key=key_of(name), persist_state="session", help=help
    )
    return value


def go_to(step: int) -> None:
    """Turn to a step; its answer is to be guessed first."""
    st.session_state[key_of("step")] = min(max(step, 0), LAST_STEP)
    st.session_state[key_of("told")] = False
    st.session_state[key_of("walked")] = 0


def reveal() -> None:
    """Show the answer of this step; a walk begins at its first node."""
    st.session_state[key_of("told")] = True
    st.session_state[key_of("walked")] = 1


def walk_to(n_nodes: int) -> None:
    """Show so many nodes of a walk down the branch; 0 means all."""
    st.session_state[key_of("walked")] = n_nodes


def edit_counts(lesson: Lesson) -> None:
    """Let the counts of the gene example be changed."""
    changed = []
    for group, label in enumerate(_GROUPS):
        columns = st.columns(2)
        for k, outcome in enumerate(("sick", "healthy")):
            i = 2 * group + k
            with columns[k]:
                changed.append(
                    st.number_input(
                        f"{label}, {outcome}",
                        0,
                        LARGEST_COUNT,
                        value=lesson.counts[i],
                        key=f"learn.count.{i}",
                    )
                )
    if tuple(changed) != lesson.counts:
        st.session_state[key_of("counts")] = tuple(changed)
        st.rerun()
