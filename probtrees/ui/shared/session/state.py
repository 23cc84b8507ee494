"""What a session remembers: the keys of its widgets, and the table it works on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from probtrees.draw.palette import Theme
from probtrees.ui.shared.session.bounded_cache import Upload

SAMPLE = "sample"
UPLOAD = "upload"
SMOOTHER = "smoother"
NEXT_SMOOTHER = "next smoother"
"""A smoother chosen by something else than its widget; taken over when that is drawn next."""
OTHER = "compare"
OUTCOME = "outcome"
COLOUR = "colour"
ZOOM = "zoom"
NODE = "node"
ROW = "follow.row"
"""The row of the table that is followed down the tree."""

SHEET_OPEN = "leaf sheet open"
"""Whether a phone shows the panel of a node; at first it shows the tree."""
PINS = "pins"
"""Pinned nodes by the tree they belong to."""
NOTE = "note "
"""What the key of a note about a pinned node begins with."""

FIRST_SAMPLE = "titanic"

SAMPLE_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "gene": {"min_leaf": 1},
    "stroke": {"min_leaf": 1},
}
"""Growing options without which a sample would not show what it is there to show."""


def theme() -> Theme:
    """Return whether the page is light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


def current_sample() -> str:
    """Name the sample in use; it stays chosen while an uploaded table is shown instead."""
    name: str = st.session_state.setdefault(SAMPLE, FIRST_SAMPLE)
    return name


def current_upload() -> Upload | None:
    """Return the uploaded table in use, if any."""
    upload: Upload | None = st.session_state.get(UPLOAD)
    return upload


def forget_view() -> None:
    """Drop what only made sense for the table shown before."""
    for key in (NODE, ROW, OUTCOME):
        st.session_state.pop(key, None)


_GOOD = "last good"


def remember_good(keys: Iterable[str]) -> None:
    """Note the choices that led to a tree, so that a cancelled change can be taken back."""
    kept = (SAMPLE, UPLOAD, NODE, OUTCOME, *keys)
    st.session_state[_GOOD] = {
        key: st.session_state[key] for key in kept if key in st.session_state
    }


def return_to_good(keys: Iterable[str]) -> None:
    """Take the choices back to those that last led to a tree, or to the first sample."""
    good = st.session_state.get(_GOOD, {SAMPLE: FIRST_SAMPLE})
    for key in (SAMPLE, UPLOAD, NODE, OUTCOME, *keys):
        if key in good:
            st.session_state[key] = good[key]
        else:
            st.session_state.pop(key, None)
