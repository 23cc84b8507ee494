"""Take up a visitor's work where it was left: table, reading and choices."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.draft import keep
from probtrees.ui.shared.link_choices import LinkChoice
from probtrees.ui.shared.page import Page
from probtrees.ui.shared.permalink import OWN_TABLE
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload, check_room
from probtrees.ui.shared.session.kept_tables import COOKIE, KeptTables, kept_tables
from probtrees.ui.shared.table_source import TableSource, current_reading, use_source

_TAKEN_UP, _SAVED = "kept session taken up", "kept session saved"
_NOT_KEPT = ("schema", "all_columns")
_OF_ROWS = (state.OUTCOME, state.NODE, state.ROW)
"""Choices that make no sense with another table."""


def take_up(asked: Mapping[str, str], pages: Iterable[Page]) -> bool:
    """Bring back the table that was worked on, once, when a session opens.

    Parameters
    ----------
    asked : the parts of the link that the session was opened by. One that names a sample is
        followed; one of an own table brings its choices itself.

    Returns
    -------
    whether a table was brought back
    """
    if st.session_state.get(_TAKEN_UP):
        return False
    st.session_state[_TAKEN_UP] = True
    if state.SAMPLE in asked or state.current_upload() is not None:
        return False
    found = _load()
    source = None if found is None else _source(*found)
    if source is None:
        for key in _OF_ROWS if OWN_TABLE in asked else ():
            st.session_state.pop(key, None)
        return False
    use_source(source)
    keep(source)
    if found is not None and not asked:
        _choose(found[1].get("choices", {}), pages)
    return True


def _source(upload: Upload, view: Mapping[str, Any]) -> TableSource | None:
    """Return a kept table; None if it cannot be read any more as it was."""
    try:
        check_room(upload)
        source = TableSource(upload, state.current_sample(), reading_from(view["reading"]))
        source.read()
    except (ProbTreesError, KeyError, TypeError, ValueError):
        return None
    return source


def save_session(pages: Iterable[Page]) -> None:
    """Keep the table in use with how it is read and looked at, if anything has changed."""
    tables, visitor, upload = kept_tables(), _visitor(), state.current_upload()
    if tables is None or visitor is None or upload is None:
        return
    view = {"reading": reading_to(current_reading()), "choices": _choices(pages)}
    mark = f"{upload.digest} {json.dumps(view, sort_keys=True)}"
    if st.session_state.get(_SAVED) == mark:
        return
    try:
        tables.save(visitor, upload, view)
    except OSError:
        return  # a full disk keeps nobody from working
    st.session_state[_SAVED] = mark


def forget_table() -> None:
    """Forget the uploaded table, here and on disk, and show the sample."""
    tables, visitor = kept_tables(), _visitor()
    if tables is not None and visitor is not None:
        tables.forget(visitor)
    st.session_state.pop(_SAVED, None)
    sample = TableSource(None, state.current_sample())
    use_source(sample)
    keep(sample)
    state.forget_view()


def is_kept() -> bool:
    """Whether the table of this visitor outlives the session."""
    return kept_tables() is not None and _visitor() is not None


def reading_to(reading: ReadOptions) -> dict[str, Any]:
    """Write how a table is read as plain values."""
    written = asdict(reading)
    return {name: value for name, value in written.items() if name not in _NOT_KEPT}


def reading_from(record: Mapping[str, Any]) -> ReadOptions:
    """Read what :func:`reading_to` wrote; what a later release wrote and this one lacks is left."""
    known = {field.name for field in fields(ReadOptions)} - set(_NOT_KEPT)
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in record.items()
        if name in known
    }
    return ReadOptions(**given)


def _load() -> tuple[Upload, dict[str, Any]] | None:
    tables: KeptTables | None = kept_tables()
    visitor = _visitor()
    return None if tables is None or visitor is None else tables.load(visitor)


def _visitor() -> str | None:
    """Return the visitor's cookie, as the server set it."""
    found = st.context.cookies.get(COOKIE)
    return found if found and len(found) == 64 and found.isalnum() else None


def _all(pages: Iterable[Page]) -> dict[str, LinkChoice]:
    return {name: choice for page in pages for name, choice in page.choices().items()}


def _choices(pages: Iterable[Page]) -> dict[str, str]:
    """Write all choices that differ from the usual, as links do."""
    written = {}
    for name, choice in _all(pages).items():
        value = st.session_state.get(choice.key)
        if name != state.SAMPLE and value is not None and value != choice.usual:
            written[name] = choice.write(value)
    return written


def _choose(choices: Mapping[str, str], pages: Iterable[Page]) -> None:
    known = _all(pages)
    for name, text in choices.items():
        try:
            st.session_state[known[name].key] = known[name].read(text)
        except (KeyError, ValueError):
            continue
