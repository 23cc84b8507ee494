"""The corrections of the tree in this session: a list that can be undone and redone.

They are about the columns of one table and belong to it like its other choices. A link carries them
only for samples.
"""

from __future__ import annotations

import streamlit as st

from probtrees.errors import OptionError
from probtrees.grow.edits import Edit, check_edits
from probtrees.table.dataset import Schema

EDITS = "c45.edits"
"""Where the session keeps them: beside the other options of growing."""

_PAST, _FUTURE = "edits undone to", "edits redone to"
EDIT_KEYS = (EDITS, _PAST, _FUTURE)
_MOST_STEPS = 100


def all_edits() -> tuple[Edit, ...]:
    """Return the corrections, also those that are switched off."""
    edits: tuple[Edit, ...] = st.session_state.get(EDITS, ())
    return edits


def edits_in_force() -> tuple[Edit, ...]:
    """Return the corrections that are switched on."""
    return tuple(edit for edit in all_edits() if edit.on)


def settle_edits(schema: Schema) -> None:
    """Forget corrections of columns that are gone."""
    kept = tuple(edit for edit in all_edits() if _fits(edit, schema))
    if len(kept) < len(all_edits()):
        st.session_state[EDITS] = kept


def change_edits(edits: tuple[Edit, ...]) -> None:
    """Put another list in the place of the present one, which can be brought back."""
    st.session_state[_PAST] = [*_steps(_PAST), all_edits()][-_MOST_STEPS:]
    st.session_state[_FUTURE] = []
    st.session_state[EDITS] = edits


def undo_edit() -> None:
    """Go back to the list before the last change."""
    _move(_PAST, _FUTURE)


def redo_edit() -> None:
    """Take up what was undone last."""
    _move(_FUTURE, _PAST)


def can_undo() -> bool:
    """Whether there is a list to go back to."""
    return bool(_steps(_PAST))


def can_redo() -> bool:
    """Whether something was undone."""
    return bool(_steps(_FUTURE))


def _move(source: str, target: str) -> None:
    steps = list(_steps(source))
    if steps:
        st.session_state[target] = [*_steps(target), all_edits()]
        st.session_state[EDITS] = steps.pop()
        st.session_state[source] = steps


def _steps(key: str) -> list[tuple[Edit, ...]]:
    steps: list[tuple[Edit, ...]] = st.session_state.get(key, [])
    return steps


def _fits(edit: Edit, schema: Schema) -> bool:
    try:
        check_edits([edit], schema)
    except OptionError:
        return False
    return True
