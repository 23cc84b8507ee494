"""A visitor's work: the table, what was said about it and what was chosen.

It is taken up again after a reload, by a new tab, after a restart of the server, and from a session
file. All of these hold one record, the *view*: what was said about the table in use, the choices of
all pages, pinned leaves and notes, and the same of tables that were in use before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import DataError, ProbTreesError
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import sample_names
from probtrees.ui.shared.exports import Export, ExportTab
from probtrees.ui.shared.loaded_model import forget_loaded
from probtrees.ui.shared.page import LinkChoice, Page
from probtrees.ui.shared.permalink import OWN_TABLE, read_record, write_record
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload, check_room
from probtrees.ui.shared.session.kept_tables import (
    COOKIE,
    SUFFIX,
    TAB_HEADERS,
    KeptTables,
    SavedSession,
    kept_tables,
)
from probtrees.ui.shared.table_source import (
    READING,
    ChosenTable,
    current_source,
    forget_choices,
    is_readable,
    settle_table,
    tables_put_by,
    use_table,
)

_TAKEN_UP, _SAVED, _WAITING = "kept session taken up", "kept session saved", "session to open"
_MOST_PINS, _LONGEST_NOTE = 3, 5000
_OF_ROWS = (state.OUTCOME, state.NODE, state.ROW)
"""Choices that make no sense with another table."""
_WRONG = (ProbTreesError, KeyError, TypeError, ValueError, AttributeError)


def take_up(asked: Mapping[str, str], page: Page, pages: Iterable[Page]) -> bool:
    """Bring back the table that was worked on, once, when a session opens.

    Parameters
    ----------
    asked : the parts of the link that the session was opened by. One that names a sample is
        followed; one of an own table brings the choices of its page, but never corrections or
        other values of the table, which are brought back with it.
    page : the page that is opened

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
    table = None if found is None else _table(found[0], state.current_sample(), found[1])
    if found is None or table is None:
        for key in _OF_ROWS if OWN_TABLE in asked else ():
            st.session_state.pop(key, None)
        return False
    linked = {name for name, choice in page.choices().items() if not choice.of_sample}
    _bring(table, found[1], pages, linked if asked else set())
    return True


def open_session(upload: Upload) -> None:
    """Open a session file that was just given, or say why it cannot be."""
    try:
        st.session_state[_WAITING] = _opened(upload)
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
        return
    st.rerun()


def open_waiting(pages: Iterable[Page]) -> None:
    """Show the session file that was given, before any widget is drawn."""
    waiting = st.session_state.pop(_WAITING, None)
    if waiting is not None:
        forget_loaded()
        table, view = waiting
        _bring(table, view, pages)


def _opened(upload: Upload) -> tuple[ChosenTable, Mapping[str, Any]]:
    """Return the table of a session file with its view; refuse one that cannot be opened."""
    found, name = SavedSession.from_bytes(upload.name, upload.content), shorten(upload.name, 80)
    current = state.current_upload()
    if found.digest and found.upload is None:
        if current is None or current.digest != found.digest:
            raise DataError(
                f"session={name!r} must be opened with its table, which is not in it. Open "
                f"{shorten(found.table, 80)!r} first, then the session."
            )
        found = replace(found, upload=current)
    if found.upload is None and found.table not in sample_names():
        raise DataError(
            f"session={name!r} must be of a sample that there is, not of "
            f"{shorten(found.table, 40)!r}. Update this program, or open the table itself."
        )
    sample = state.current_sample() if found.upload is not None else found.table
    table = _table(found.upload, sample, found.view)
    if table is None:
        raise DataError(
            f"session={name!r} must read its table as it was read before; that is not possible "
            "here. Open the table itself."
        )
    return table, found.view


def _table(upload: Upload | None, sample: str, view: Mapping[str, Any]) -> ChosenTable | None:
    """Return a table that was kept; None if it cannot be read any more as it was."""
    try:
        if upload is not None and upload != state.current_upload():
            check_room(upload)
        table = ChosenTable(upload, sample, read_record(view["reading"]))
    except _WRONG:
        return None
    return table if is_readable(table) else None


def _bring(
    table: ChosenTable, view: Mapping[str, Any], pages: Iterable[Page], linked: Iterable[str] = ()
) -> None:
    """Put a table to use with all that its view holds, but for what a link has just said."""
    known = _all(pages)
    keys = {known[name].key for name in linked if name in known} - {state.SAMPLE}
    # What the link says is about this table, not about the sample that is in use till now.
    said = {key: st.session_state.pop(key) for key in keys if key in st.session_state}
    use_table(table)
    settle_table()
    st.session_state.update(said)
    if table.said != ReadOptions():
        st.session_state[READING] = table.said
    for key, nodes in _mapping(view, "pins").items():
        if isinstance(nodes, list) and all(type(node) is int and node >= 0 for node in nodes):
            st.session_state.setdefault(state.PINS, {})[str(key)] = nodes[:_MOST_PINS]
    for key, text in _mapping(view, "notes").items():
        if str(key).startswith(state.NOTE):
            st.session_state[str(key)] = str(text)[:_LONGEST_NOTE]
    for key, value in _read_choices(_mapping(view, "choices"), known, linked).items():
        st.session_state[key] = value
    for file, entry in _mapping(view, "tables").items():
        try:
            left = {READING: read_record(entry["reading"])}
            tables_put_by()[str(file)] = left | _read_choices(_mapping(entry, "choices"), known)
        except _WRONG:
            continue


def _mapping(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = record.get(name)
    return found if isinstance(found, dict) else {}


def _all(pages: Iterable[Page]) -> dict[str, LinkChoice]:
    return {name: choice for page in pages for name, choice in page.choices().items()}


def _read_choices(
    written: Mapping[str, str], known: Mapping[str, LinkChoice], but: Iterable[str] = ()
) -> dict[str, Any]:
    """Read choices as links hold them, by their key; what makes no sense is left out."""
    found = {}
    for name in [name for name in written if name in known and name not in but]:
        try:
            found[known[name].key] = known[name].read(written[name])
        except (ValueError, TypeError, AttributeError):
            continue
    return found


def _write_choices(values: Mapping[Any, Any], pages: Iterable[Page]) -> dict[str, str]:
    """Write all choices that differ from the usual, as links do."""
    written = {}
    for name, choice in _all(pages).items():
        value = values.get(choice.key)
        if name != state.SAMPLE and value is not None and value != choice.usual:
            written[name] = choice.write(value)
    return written


def _view(pages: Iterable[Page]) -> dict[str, Any]:
    """Write how the table in use is read and looked at as plain values."""
    values = dict(st.session_state.items())
    notes = {str(k): str(v) for k, v in values.items() if str(k).startswith(state.NOTE) and v}
    pins = {key: list(nodes) for key, nodes in values.get(state.PINS, {}).items() if nodes}
    tables = {
        file: {
            "reading": write_record(put_by.get(READING, ReadOptions())),
            "choices": _write_choices(put_by, pages),
        }
        for file, put_by in tables_put_by().items()
    }
    return {
        "reading": write_record(current_source().said),
        "choices": _write_choices(values, pages),
        "pins": pins,
        "notes": notes,
        "tables": {file: entry for file, entry in tables.items() if any(entry.values())},
    }


def save_session(pages: Iterable[Page]) -> None:
    """Keep the table in use with how it is read and looked at, if anything has changed."""
    tables, visitor, tab = kept_tables(), _visitor(), _tab("tab")
    upload = state.current_upload()
    if tables is None or visitor is None or (upload is None and not tab):
        return
    view = {} if upload is None else _view(pages)
    mark = f"{'' if upload is None else upload.digest} {json.dumps(view, sort_keys=True)}"
    if st.session_state.get(_SAVED) == mark:
        return
    try:
        tables.save(visitor, upload, view, tab)
    except OSError:
        return  # a full disk keeps nobody from working
    st.session_state[_SAVED] = mark


def forget_table() -> None:
    """Forget the file in use with all that was said and done about it, here and on disk."""
    tables, visitor, upload = kept_tables(), _visitor(), state.current_upload()
    if tables is not None and visitor is not None and upload is not None:
        tables.forget(visitor, upload.digest)
    for key in [str(key) for key in st.session_state]:
        if upload is not None and key.startswith(state.NOTE) and upload.digest in key:
            del st.session_state[key]
    forget_choices()
    st.session_state.pop(_SAVED, None)
    use_table(ChosenTable(None, state.current_sample()))


def save_record(name: str, record: Any) -> None:
    """Keep what was found out in this tab over a reload, as JSON, if anything has changed."""
    tables, visitor, tab = kept_tables(), _visitor(), _tab("tab")
    if tables is None or visitor is None or not tab:
        return
    text = json.dumps(record)
    if st.session_state.get(f"{_SAVED} {name}") == hash(text):
        return
    try:
        tables.save_record(visitor, name, tab, text)
    except OSError:
        return  # a full disk keeps nobody from working
    st.session_state[f"{_SAVED} {name}"] = hash(text)


def load_record(name: str) -> list[Any]:
    """Return what was found out in this tab before a reload; an empty list if nothing."""
    tables, visitor = kept_tables(), _visitor()
    if tables is None or visitor is None:
        return []
    text = tables.load_record(visitor, name, _tab("tab"), _tab("copied"))
    try:
        found = json.loads(text or "[]")
    except ValueError:
        return []
    return found if isinstance(found, list) else []


def is_table_kept(digest: str) -> bool:
    """Whether an uploaded table outlives the session."""
    tables, visitor = kept_tables(), _visitor()
    return tables is not None and visitor is not None and tables.has_table(visitor, digest)


def is_kept() -> bool:
    """Whether the table of this visitor outlives the session."""
    return kept_tables() is not None and _visitor() is not None


def _load() -> tuple[Upload, dict[str, Any]] | None:
    tables: KeptTables | None = kept_tables()
    visitor = _visitor()
    if tables is None or visitor is None:
        return None
    return tables.load(visitor, _tab("tab"), _tab("copied"))


def _tab(part: str) -> str:
    """Return what the tab calls itself, or the one it was copied from; empty if it does not say."""
    name = st.context.headers.get(TAB_HEADERS[part]) or ""
    return name if re.fullmatch("[0-9a-f]{32}", name) else ""


def _visitor() -> str | None:
    """Return the visitor's cookie, as the server set it."""
    found = st.context.cookies.get(COOKIE)
    return found if found and len(found) == 64 and found.isalnum() else None


SESSION: Export[Callable[[], bytes]] = Export(
    f"session{SUFFIX}",
    "Save the session",
    lambda written: written(),
    icon=":material/save:",
    help="Open it on any page where a table is given, here or on another server.",
)
"""A session; it is written from what returns its bytes."""


def session_tab(pages: Iterable[Page]) -> ExportTab[Callable[[], bytes]]:
    """Declare the tab that saves the table in use with all that was chosen."""
    return ExportTab("Session", lambda _: _ask(pages), (SESSION,))


def _ask(pages: Iterable[Page]) -> Callable[[], bytes]:
    st.caption(
        "The table, its roles and options, the choices of all pages, pinned leaves and notes in "
        "one file. Nothing in it is run when it is opened."
    )
    source, with_rows = current_source(), True
    if source.upload is not None:
        with_rows = st.toggle(
            "With the rows of the table",
            value=True,
            key="export.session rows",
            persist_state="session",
            help="Without them the file can be sent to anybody: who opens it must have the table.",
        )
    session = SavedSession.of(source.upload, source.sample, _view(pages))
    return lambda: session.to_bytes(with_rows=with_rows)
