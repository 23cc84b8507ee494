"""A choice among names that is kept as a number, whatever the names are at the moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import streamlit as st


def named_choice(
    label: str,
    options: Sequence[int],
    name_of: Callable[[int], str],
    *,
    key: str,
    table: Hashable,
    help: str,
) -> int:
    """Ask for one of several things that have a name; keep its number under ``key``.

    The widget belongs to one table: the browser would go on showing the old name of a number
    that means something else in another table.
    """
    widget = f"{key} of {table}"
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0]
    st.session_state[widget] = st.session_state[key]

    def remember() -> None:
        st.session_state[key] = st.session_state[widget]

    chosen: int = st.selectbox(
        label, options, format_func=name_of, key=widget, on_change=remember, help=help
    )
    return chosen
