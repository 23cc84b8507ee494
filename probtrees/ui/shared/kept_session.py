"""A visitor's work: the table, what was said about it and what was chosen.

It is taken up again after a reload, by a new tab, after a restart of the server, and from a session
file. All of these hold one record, the *view*: what was said about the table in use, the choices of
all pages, pinned leaves and notes, and the same of tables that were in use before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import DataError, ProbTreesError
from probtrees.table.read_table import sample_names
from probtrees.ui.shared.permalink import read_record
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload, check_room, content_of
from probtrees.ui.shared.session.kept_tables import (
    COOKIE,
    LAST,
    RECORDS,
    TAB_HEADERS,
    KeptTables,
    SavedSession,
    kept_tables,
)
from probtrees.ui.shared.table_source import ChosenTable, forget_choices, is_readable, use_table

TAKEN_UP, _SAVED, WAITING = "kept session taken up", "kept session saved", "session to open"
WANTED = "last table wanted"
MOST_PINS, LONGEST_NOTE, _LONGEST_NAME = 3, 5000, 40
WRONG = (ProbTreesError, KeyError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True)
class Kept:
    """What is kept for the visitor who asks, in which tab.

    Attributes
    ----------
    tabs : what the tab calls itself, and the one that it was copied from; empty if it does not say
    """

    tables: KeptTables
    visitor: str
    tabs: tuple[str, ...]

    def find(self, name: str) -> SavedSession | None:
        """Return what this tab has kept under a name; None if nothing."""
        return self.tables.find(self.visitor, *(f"{name} {tab}" for tab in self.tabs))

    def save(self, name: str, shown: SavedSession) -> None:
        """Keep it if it has changed; a full disk keeps nobody from working."""
        key = f"{_SAVED} {name}"
        mark = f"{shown.table} {shown.digest} {json.dumps(shown.view, sort_keys=True)}"
        names = [f"{name} {tab}" for tab in self.tabs[:1]]
        names += [LAST] if name == LAST and shown.digest else []
        if st.session_state.get(key) != mark:
            with suppress(OSError):
                for each in names:
                    self.tables.keep(self.visitor, each, shown)
                st.session_state[key] = mark


def kept_here() -> Kept | None:
    """Return what is kept for the visitor who asks; None where nothing is."""
    tables, visitor = kept_tables(), _visitor()
    tabs = tuple(filter(None, map(_tab, TAB_HEADERS)))
    return None if tables is None or visitor is None else Kept(tables, visitor, tabs)


def offer_last() -> None:
    """Offer the table that was in use last, in another tab or on another day, by one click."""
    kept = kept_here()
    name = "" if kept is None or state.current_upload() else kept.tables.last_name(kept.visitor)
    if name:
        st.button(
            f"Go on with {markdown_text(shorten(name, _LONGEST_NAME))}",
            icon=":material/history:",
            type="tertiary",
            on_click=st.session_state.update,
            args=({WANTED: True, TAKEN_UP: False},),
            help="Your last table, with all that you said and chose about it.",
        )


def open_session(upload: Upload) -> None:
    """Open a session file when the page is drawn next; refuse one that cannot be opened."""
    found, name = SavedSession.from_bytes(upload.name, upload.content), shorten(upload.name, 80)
    current = state.current_upload()
    if found.digest and found.upload is None:
        if current is None or current.digest != found.digest:
            raise DataError(
                f"session={name!r} must be opened with its table, which is not in it. Open "
                f"{shorten(found.table, 80)!r} first, then the session."
            )
        found = replace(found, upload=current)
    table = kept_table(found)
    if table is None:
        raise DataError(
            f"session={name!r} must read its table as it was read before; that is not possible "
            "here. Open the table itself."
        )
    st.session_state[WAITING] = table, found.view


def kept_table(
    found: SavedSession, on_cancel: Callable[[], None] | None = None
) -> ChosenTable | None:
    """Return a table that was kept; None if it cannot be read any more as it was."""
    upload, sample = found.upload, found.table if found.upload is None else state.current_sample()
    try:
        if upload is None and sample not in sample_names():
            return None
        if upload is not None and upload != state.current_upload():
            check_room(upload)
        table = ChosenTable(upload, sample, read_record(found.view["reading"]))
    except WRONG:
        return None
    return table if is_readable(table, on_cancel) else None


def forget_table() -> None:
    """Forget the file in use with all that was said and done about it, here and on disk."""
    kept, upload = kept_here(), state.current_upload()
    if kept is not None and upload is not None:
        kept.tables.forget(kept.visitor, upload.digest)
    for key in [str(key) for key in st.session_state]:
        if upload is not None and key.startswith(state.NOTE) and upload.digest in key:
            del st.session_state[key]
    forget_choices()
    st.session_state.pop(f"{_SAVED} {LAST}", None)
    use_table(ChosenTable(None, state.current_sample()))


def save_record(name: str, record: list[Any]) -> None:
    """Keep what was found out in this tab over a reload, as JSON, if anything has changed."""
    if (kept := kept_here()) is not None:
        kept.save(f"{RECORDS}{name}", SavedSession("", view={"found": record}))


def load_record(name: str) -> list[Any]:
    """Return what was found out in this tab before a reload; an empty list if nothing."""
    kept = kept_here()
    found = None if kept is None else kept.find(f"{RECORDS}{name}")
    record = [] if found is None else found.view.get("found")
    return record if isinstance(record, list) else []


def given_file(label: str, key: str, place: Any = st, **options: Any) -> Upload | None:
    """Ask for a file beside the table in use; it outlives a change of the page, and a reload.

    Parameters
    ----------
    place : where the field stands, if not here
    options : of ``st.file_uploader``
    """
    kept, held, name = kept_here(), f"{key} held", f"{RECORDS}{key}"

    def keep(upload: Upload | None) -> None:
        st.session_state[held] = upload
        if kept is not None:
            kept.save(name, SavedSession.of(upload, "", {}))

    def take() -> None:
        keep(None)
        if (file := st.session_state.get(key)) is not None:
            with suppress(ProbTreesError):  # where there is no room for it, which is said below
                keep(Upload(file.name, content_of(file)))

    if held not in st.session_state:
        found = None if kept is None else kept.find(name)
        st.session_state[held] = None if found is None else found.upload
    file = place.file_uploader(label, key=key, on_change=take, **options)
    upload: Upload | None = st.session_state[held]
    if upload is None and file is not None:
        content_of(file)
    elif upload is not None and file is None:
        place.button(
            f"In use: {markdown_text(shorten(upload.name, _LONGEST_NAME))}",
            icon=":material/close:",
            key=f"{key} away",
            on_click=keep,
            args=(None,),
            help="Puts the file away.",
        )
    return upload


def is_kept(digest: str = "") -> bool:
    """Whether the table of this visitor, or a file of this fingerprint, outlives the session."""
    kept = kept_here()
    return kept is not None and (not digest or kept.tables.has_table(kept.visitor, digest))


def _tab(part: str) -> str:
    """Return what the tab calls itself, or the one it was copied from; empty if it does not say."""
    name = st.context.headers.get(TAB_HEADERS[part]) or ""
    return name if re.fullmatch("[0-9a-f]{32}", name) else ""


def _visitor() -> str | None:
    """Return the visitor's cookie, as the server set it."""
    found = st.context.cookies.get(COOKIE)
    return found if found and len(found) == 64 and found.isalnum() else None
