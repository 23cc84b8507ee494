"""The corrections of the tree in this session: a list that can be undone and redone.

They are about the columns of one table. Another table has its own, and a link carries them only for
samples.
"""

from __future__ import annotations

import streamlit as st

from probtrees.errors import OptionError
from probtrees.grow.edits import Edit, check_edits
from probtrees.table.dataset import Schema

EDITS = "c45.edits"
"""Where the session keeps them: beside the other options of growing."""

_BY_TABLE = "edits put by"
"""Corrections of tables that were in use before, for when they are again."""

_PAST, _FUTURE, _TABLE = "edits undone to", "edits redone to", "edits of table"
_MOST_STEPS = 100


def all_edits() -> tuple[Edit, ...]:
    """Return the corrections, also those that are switched off."""
    edits: tuple[Edit, ...] = st.session_state.get(EDITS, ())
    return edits


def edits_in_force() -> tuple[Edit, ...]:
    """Return the corrections that are switched on."""
    return tuple(edit for edit in all_edits() if edit.on)


def settle_edits(table: str, schema: Schema) -> None:
    """Put corrections of another table by, and forget those of columns that are gone.

    A table that is in use again has its own again.
    """
    known = st.session_state.get(_TABLE, table)
    st.session_state[_TABLE] = table
    if known != table:
        put_edits_by(known, all_edits())
        forget_edits()
        if own := _put_by().pop(table, ()):
            st.session_state[EDITS] = own
    kept = tuple(edit for edit in all_edits() if _fits(edit, schema))
    if len(kept) < len(all_edits()):
        st.session_state[EDITS] = kept


def forget_edits() -> None:
    """Forget all corrections, also those that could be brought back."""
    for key in (EDITS, _PAST, _FUTURE):
        st.session_state.pop(key, None)


def put_edits_by(table: str, edits: tuple[Edit, ...]) -> None:
    """Keep corrections for when their table is in use again."""
    _put_by().pop(table, None)
    if edits:
        _put_by()[table] = edits


def edits_by_table() -> dict[str, tuple[Edit, ...]]:
    """Return the corrections of all tables that have some, those put by included."""
    known = st.session_state.get(_TABLE)
    found = {table: edits for table, edits in _put_by().items() if table != known}
    return {**found, known: all_edits()} if known and all_edits() else found


def forget_edits_of(table: str) -> None:
    """Forget the corrections of a table, in use or not."""
    _put_by().pop(table, None)
    if st.session_state.get(_TABLE) == table:
        forget_edits()


def bring_edits(table: str) -> None:
    """Take the corrections that just came with a table for its own, whatever was seen before."""
    for key in (_PAST, _FUTURE):
        st.session_state.pop(key, None)
    st.session_state[_TABLE] = table


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


def _put_by() -> dict[str, tuple[Edit, ...]]:
    put_by: dict[str, tuple[Edit, ...]] = st.session_state.setdefault(_BY_TABLE, {})
    return put_by


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
