"""How the table in use is read."""

from __future__ import annotations

import streamlit as st

from probtrees.table.read_options import ReadOptions

_READING = "reading"


def current_reading() -> ReadOptions:
    """Return how the table in use is read."""
    reading: ReadOptions = st.session_state.get(_READING, ReadOptions())
    return reading


def use_reading(reading: ReadOptions) -> None:
    """Read the table in use like this from now on."""
    st.session_state[_READING] = reading
