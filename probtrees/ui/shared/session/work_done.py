"""What somebody has done to the tree of a table beyond growing it: corrections, pins and notes."""

from __future__ import annotations

import streamlit as st

from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.edits import all_edits, forget_edits
from probtrees.words import plural


def work_words(table: str) -> str:
    """Say what was done to the tree of the table in use; nothing if nothing was.

    Parameters
    ----------
    table : what the keys of all trees of the table hold
    """
    pins = sum(len(nodes) for key, nodes in _pins().items() if table in key)
    parts = [plural(len(all_edits()), "corrections")] if all_edits() else []
    parts += [plural(pins, "pinned leaves")] if pins else []
    return " and ".join(parts)


def forget_work(table: str) -> None:
    """Forget corrections, pins and notes: nothing of a table that is deleted is left."""
    forget_edits()
    for pinned in [key for key in _pins() if table in key]:
        del _pins()[pinned]
    for key in list(st.session_state.keys()):
        if str(key).startswith(state.NOTE) and table in str(key):
            del st.session_state[key]


def _pins() -> dict[str, list[int]]:
    pins: dict[str, list[int]] = st.session_state.setdefault(state.PINS, {})
    return pins
