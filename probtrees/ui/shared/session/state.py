"""What a session remembers: the keys of its widgets, the table it works on, and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from probtrees.draw.palette import Theme
from probtrees.errors import OptionError
from probtrees.grow.edits import Edit, check_edits
from probtrees.table.dataset import Schema
from probtrees.ui.shared.session.bounded_cache import Upload

SAMPLE = "sample"
UPLOAD = "upload"
SMOOTHER = "smoother"
OTHER = "compare"
OUTCOME = "outcome"
COLOUR = "colour"
NODE = "node"
ROW = "follow.row"
"""The row of the table that is followed down the tree."""

SHEET_OPEN = "leaf sheet open"
"""Whether a phone shows the panel of a node; at first it shows the tree."""
PINS = "pins"
"""Pinned nodes by the tree they belong to."""
NOTE = "note "
"""What the key of a note about a pinned node begins with."""

EDITS = "c45.edits"
"""Where the session keeps corrections of the tree: beside the other options of growing."""

PAST, FUTURE, _UNFIT = "edits undone to", "edits redone to", "edits that do not fit"
EDIT_KEYS = (EDITS, PAST, FUTURE)
_MOST_STEPS = 100

FIRST_SAMPLE = "titanic"

SAMPLE_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "gene": {"min_leaf": 1},
    "stroke": {"min_leaf": 1},
}
"""Growing options without which a sample would not show what it is there to show."""


def theme() -> Theme:
    """Return whether the page is light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


def lasting(key: str) -> dict[str, Any]:
    """Return the key of a widget whose value outlasts a visit to another page."""
    return {"key": key, "persist_state": "session"}


def held() -> dict[str, Any]:
    """Return all that the session holds; fields of a page that is gone are listed without value."""
    return {str(key): st.session_state[key] for key in st.session_state if key in st.session_state}


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


def all_edits() -> tuple[Edit, ...]:
    """Return the corrections of the tree, also those that are switched off.

    They are about the columns of one table and belong to it like its other choices. A link carries
    them only for samples.
    """
    edits: tuple[Edit, ...] = st.session_state.get(EDITS, ())
    return edits


def edits_in_force() -> tuple[Edit, ...]:
    """Return the corrections that are switched on, and fit the table as it is read now."""
    unfit = st.session_state.get(_UNFIT, ())
    return tuple(edit for edit in all_edits() if edit.on and edit not in unfit)


def settle_edits(schema: Schema) -> None:
    """Put corrections out of force whose columns nothing is predicted from; they stay listed."""
    st.session_state[_UNFIT] = tuple(edit for edit in all_edits() if not _fits(edit, schema))


def change_edits(edits: tuple[Edit, ...]) -> None:
    """Put another list in the place of the present one, which can be brought back."""
    st.session_state[PAST] = [*edit_steps(PAST), all_edits()][-_MOST_STEPS:]
    st.session_state[FUTURE] = []
    st.session_state[EDITS] = edits


def move_edits(source: str, target: str) -> None:
    """Undo the last change, from PAST to FUTURE, or take up what was undone last."""
    *left, found = edit_steps(source)
    st.session_state[target] = [*edit_steps(target), all_edits()]
    st.session_state[EDITS], st.session_state[source] = found, left


def edit_steps(key: str) -> list[tuple[Edit, ...]]:
    """Return the lists that can be gone back to, or forward."""
    steps: list[tuple[Edit, ...]] = st.session_state.get(key, [])
    return steps


def _fits(edit: Edit, schema: Schema) -> bool:
    try:
        check_edits([edit], schema)
    except OptionError:
        return False
    return True
