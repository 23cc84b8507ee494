"""The address of a view: sample, options and what is selected, never values of one's own data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from probtrees.draw.node_card import COLOUR_BY_WORDS
from probtrees.experiment.registry import DEFAULT_SMOOTHER, LEARNERS, SMOOTHERS
from probtrees.samples import sample_names
from probtrees.ui import state

FORMAT = "1"
_RESTORED = "link restored"
_PROBLEMS = "link problems"


def _one_of(names: Any) -> Callable[[str], Any]:
    def read(text: str) -> str:
        if text not in names():
            raise ValueError(text)
        return text

    return read


def _whole(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def _readers() -> dict[str, Callable[[str], Any]]:
    """Say how each part of a link is read; what cannot be read raises ValueError."""
    readers: dict[str, Callable[[str], Any]] = {
        state.SAMPLE: _one_of(sample_names),
        state.SMOOTHER: _one_of(lambda: SMOOTHERS),
        state.OTHER: _one_of(lambda: SMOOTHERS),
        state.COLOUR: _one_of(lambda: COLOUR_BY_WORDS),
        state.OUTCOME: _whole,
        state.NODE: _whole,
    }
    for field in LEARNERS["c45"].options:
        readers[f"c45.{field.name}"] = field.parse
    return readers


def restore() -> None:
    """Take over what the link asks for, once, when a session opens."""
    if st.session_state.get(_RESTORED):
        return
    st.session_state[_RESTORED] = True
    problems = []
    for key, read in _readers().items():
        if key not in st.query_params:
            continue
        try:
            st.session_state[key] = read(st.query_params[key])
        except ValueError:
            problems.append(key)
    st.session_state[_PROBLEMS] = problems


def problems() -> list[str]:
    """Name the parts of the link that this version cannot follow."""
    found: list[str] = st.session_state.get(_PROBLEMS, [])
    return found


def store() -> None:
    """Write the view into the address bar: what differs from the usual, and the sample."""
    own_data = state.current_upload() is not None
    usual = {state.SMOOTHER: DEFAULT_SMOOTHER, state.COLOUR: "lift"}
    for field in LEARNERS["c45"].options:
        usual[f"c45.{field.name}"] = field.default
    if not own_data:
        for name, value in state.SAMPLE_SETTINGS.get(state.current_sample(), {}).items():
            usual[f"c45.{name}"] = value
    parts = {"v": FORMAT}
    for key in _readers():
        value = st.session_state.get(key)
        if value is None or value == usual.get(key) or (own_data and key == state.SAMPLE):
            continue
        parts[key] = str(value)
    if dict(st.query_params) != parts:
        st.query_params.from_dict(parts)
