"""The lesson's controls; what they hold is what its link holds."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import streamlit as st

from probtrees.ui.lesson.link import (
    LAST_STEP,
    MOST_BRANCH,
    MOST_STRENGTH,
    MOST_SWEEPS,
    MOST_WEIGHT,
    Lesson,
    read_lesson,
)
from probtrees.ui.lesson.subject import LARGEST_COUNT

_RESTORED = "learn.restored"
_MOST = {"strength": MOST_STRENGTH, "branch": MOST_BRANCH, "weight": MOST_WEIGHT}
_GROUPS = ("women with the gene", "men with the gene", "everybody without it")


def current_lesson() -> Lesson:
    """Gather the lesson from the session; the first time, from the link."""
    if not st.session_state.get(_RESTORED):
        lesson, problems = read_lesson(st.query_params.to_dict())
        st.session_state[_RESTORED] = True
        st.session_state["learn.problems"] = problems
        _keep(lesson)
    lesson = Lesson()
    known = {field.name: st.session_state.get(_key(field.name)) for field in fields(lesson)}
    return replace(lesson, **{name: value for name, value in known.items() if value is not None})


def store_link(lesson: Lesson, *, can_be_shared: bool) -> None:
    """Write the lesson into the address bar, unless it shows a table of one's own."""
    parts = lesson.to_query() if can_be_shared else {}
    if st.query_params.to_dict() != parts:
        st.query_params.from_dict(parts)


def problems() -> list[str]:
    """Name the parts of the link that could not be followed."""
    found: list[str] = st.session_state.get("learn.problems", [])
    return found


def number(name: str, label: str) -> float:
    """Let a setting be slid."""
    value: float = st.slider(label, 0.0, _MOST[name], step=0.25, key=_key(name))
    return value


def whole(name: str, label: str) -> int:
    """Let a whole number be typed."""
    low, high, step = (10, MOST_SWEEPS, 100) if name == "sweeps" else (0, 2**31, 1)
    value: int = st.number_input(label, low, high, step=step, key=_key(name))
    return value


def go_to(step: int) -> None:
    """Turn to a step; its answer is to be guessed first."""
    st.session_state[_key("step")] = min(max(step, 0), LAST_STEP)
    st.session_state[_key("told")] = False


def tell() -> None:
    """Show the answer of this step."""
    st.session_state[_key("told")] = True


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
        st.session_state[_key("counts")] = tuple(changed)
        st.rerun()


def _keep(lesson: Lesson) -> None:
    for field in fields(lesson):
        st.session_state[_key(field.name)] = getattr(lesson, field.name)


def _key(name: str) -> Any:
    return f"learn.{name}"
