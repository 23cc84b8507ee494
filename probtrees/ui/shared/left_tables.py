"""Tables as they were left: what was said about a file is there again when it is given again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import ProbTreesError
from probtrees.grow.edits import edits_text, read_edits
from probtrees.ui.shared.draft import (
    current_draft,
    guessed,
    is_as_guessed,
    keep,
    said_of_used,
    said_on_page,
    show_as_said,
    take_reading,
    use_all_rows,
    waits_beside,
)
from probtrees.ui.shared.kept_session import load_record, reading_from, reading_to, save_record
from probtrees.ui.shared.session.edits import edits_by_table, forget_edits_of, put_edits_by
from probtrees.ui.shared.table_source import ChosenTable, current_source
from probtrees.words import plural

_LEFT, _RECORD, _SHOWN = "tables as left", "left", "table shown as left"
_MOST_TABLES = 20
_LONGEST_NAME = 28


def note_tables() -> None:
    """Note what was said about the table in use and the one on the Data page, here and on disk."""
    left = _left()
    pairs = [(current_source(), said_of_used()), (current_draft(), said_on_page())]
    for table, said in pairs:
        digest = table.file_key
        if table.upload is None:
            continue
        left.pop(digest, None)  # the latest comes last
        if not is_as_guessed(table, said):
            left[digest] = {"reading": reading_to(table.reading), "said": said}
    for digest in list(left)[:-_MOST_TABLES]:
        del left[digest]
    edits = {table: edits_text(found, short=True) for table, found in edits_by_table().items()}
    names = dict.fromkeys([*left, *edits])
    save_record(
        _RECORD,
        [{"table": name, "edits": edits.get(name, ""), **left.get(name, {})} for name in names],
    )


def given(table: ChosenTable) -> ChosenTable:
    """Return a table that was just given: as it was left, or else as it is probably meant."""
    st.session_state.pop(_SHOWN, None)
    left = _left().get(table.file_key, {})
    try:
        reading = reading_from(left["reading"])
    except (ProbTreesError, KeyError, TypeError, ValueError, AttributeError):
        found = guessed(table)
    else:
        found = replace(table, reading=reading)
        show_as_said(found, left.get("said"))
    if left or edits_by_table().get(table.file_key):
        st.session_state[_SHOWN] = found.key
    return found


def say_as_left(table: ChosenTable) -> None:
    """Say of a table that was given again that it is as it was left, and offer a fresh start."""
    if st.session_state.get(_SHOWN) != table.key:
        return
    edits = edits_by_table().get(table.file_key, ())
    work = f", with {plural(len(edits), 'corrections')}" if edits else ""
    name = markdown_text(shorten(table.name, _LONGEST_NAME))
    with st.container(horizontal=True, vertical_alignment="center", key="as_left"):
        st.markdown(f":material/history: **{name}** is as you left it{work}.", width="content")
        st.button(
            "Start afresh",
            icon=":material/restart_alt:",
            on_click=_start_afresh,
            args=(table,),
            help="Reads the file as if it was given for the first time: what you said about its "
            "columns and your corrections of its tree are forgotten.",
        )


def is_said() -> None:
    """Say no more that a table is as it was left: somebody has read it and goes on."""
    st.session_state.pop(_SHOWN, None)


def forget_left(table: ChosenTable) -> None:
    """Forget how a table was left."""
    _left().pop(table.file_key, None)
    forget_edits_of(table.file_key)
    is_said()


def _start_afresh(table: ChosenTable) -> None:
    forget_left(table)
    use_all_rows(table)
    fresh = guessed(ChosenTable(table.upload, table.sample))
    if waits_beside(table):
        keep(fresh)
    else:
        take_reading(fresh)


def _left() -> dict[str, dict[str, Any]]:
    """Return what was noted, by file; at first what was kept over a reload."""
    left: dict[str, dict[str, Any]] | None = st.session_state.get(_LEFT)
    if left is not None:
        return left
    left = {}
    for entry in load_record(_RECORD):
        if not isinstance(entry, dict) or not isinstance(entry.get("table"), str):
            continue
        if isinstance(entry.get("reading"), dict):
            left[entry["table"]] = {"reading": entry["reading"], "said": entry.get("said")}
        try:
            put_edits_by(entry["table"], read_edits(entry.get("edits") or "[]"))
        except ProbTreesError:
            continue
    st.session_state[_LEFT] = left
    return left
