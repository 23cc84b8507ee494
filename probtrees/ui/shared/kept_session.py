"""Take up a visitor's work where it was left: table, reading and choices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import DataError, ProbTreesError
from probtrees.table.read_options import ReadOptions
from probtrees.table.samples import sample_names
from probtrees.ui.shared.draft import (
    bring_said,
    current_draft,
    keep,
    return_to_used,
    said_of_used,
    said_on_page,
    waits_beside,
)
from probtrees.ui.shared.link_choices import LinkChoice
from probtrees.ui.shared.loaded_model import forget_loaded
from probtrees.ui.shared.page import Page
from probtrees.ui.shared.permalink import OWN_TABLE, own_table_is_here
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.edits import EDITS, bring_edits
from probtrees.ui.shared.session.given_files import Upload, check_room
from probtrees.ui.shared.session.kept_tables import COOKIE, TAB_HEADERS, KeptTables, kept_tables
from probtrees.ui.shared.session.session_file import SavedSession
from probtrees.ui.shared.session.work_done import forget_work
from probtrees.ui.shared.table_source import ChosenTable, current_source, use_source

_TAKEN_UP, _SAVED = "kept session taken up", "kept session saved"
_WAITING = "session to open"
_MOST_PINS, _LONGEST_NOTE = 3, 5000
_NOT_KEPT = ("schema", "all_columns")
_OF_ROWS = (state.OUTCOME, state.NODE, state.ROW)
"""Choices that make no sense with another table."""


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
    if found is not None and not found[1].get("in_use", True):
        _show(*found)
        return False
    source = None if found is None else _readable(found[0], state.current_sample(), found[1])
    if source is None:
        for key in _OF_ROWS if OWN_TABLE in asked else ():
            st.session_state.pop(key, None)
        return False
    use_source(source)
    keep(source)
    if found is not None:
        _pin(found[1])
        bring_said(found[1].get("said"))
        _choose(_not_in_link(found[1].get("choices", {}), asked, page), pages)
    waiting = _load(waits=True)
    if waiting is not None:
        _show(*waiting)
    return True


def _not_in_link(
    choices: Mapping[str, str], asked: Mapping[str, str], page: Page
) -> dict[str, str]:
    """Leave out what a link says, if only by not saying it: of its page it holds all but values."""
    linked = {name for name, choice in page.choices().items() if not choice.of_sample}
    return {name: text for name, text in choices.items() if not asked or name not in linked}


def _show(upload: Upload, view: Mapping[str, Any]) -> None:
    """Show a file on the Data page that was given but not put to use; it may need mending."""
    try:
        if upload != state.current_upload():
            check_room(upload)
        keep(ChosenTable(upload, state.current_sample(), reading_from(view["reading"])))
        bring_said(view.get("said"))
        own_table_is_here()
    except (ProbTreesError, KeyError, TypeError, ValueError, AttributeError):
        return


def current_session(source: ChosenTable, pages: Iterable[Page]) -> SavedSession:
    """Return a table with all that was chosen, to be saved as a file."""
    return SavedSession.of(source.upload, source.sample, _view(source.reading, pages))


def ask_to_open(upload: Upload) -> None:
    """Open a session file when the next page is drawn; refuse one that cannot be opened."""
    found = SavedSession.from_bytes(upload.name, upload.content)
    current = state.current_upload()
    if found.digest and found.upload is None:
        if current is None or current.digest != found.digest:
            raise DataError(
                f"session={shorten(upload.name, 80)!r} must be opened with its table, which is not "
                f"in it. Open {shorten(found.table, 80)!r} first, then the session."
            )
        found = replace(found, upload=current)
    if found.upload is None and found.table not in sample_names():
        raise DataError(
            f"session={shorten(upload.name, 80)!r} must be of a sample that there is, not of "
            f"{shorten(found.table, 40)!r}. Update this program, or open the table itself."
        )
    sample = state.current_sample() if found.upload is not None else found.table
    source = _readable(found.upload, sample, found.view)
    if source is None:
        raise DataError(
            f"session={shorten(upload.name, 80)!r} must read its table as it was read before; that "
            "is not possible here. Open the table itself."
        )
    st.session_state[_WAITING] = (source, found.view)


def open_session(upload: Upload) -> None:
    """Open a session file that was just given, or say why it cannot be."""
    try:
        ask_to_open(upload)
    except ProbTreesError as problem:
        st.error(markdown_text(str(problem)))
        return
    st.rerun()


def open_waiting(pages: Iterable[Page]) -> None:
    """Show the session file that was given, before any widget is drawn."""
    waiting = st.session_state.pop(_WAITING, None)
    if waiting is None:
        return
    source, view = waiting
    use_source(source)
    keep(source)
    forget_loaded()
    _pin(view)
    choices = view.get("choices")
    _choose(choices if isinstance(choices, dict) else {}, pages)


def _readable(upload: Upload | None, sample: str, view: Mapping[str, Any]) -> ChosenTable | None:
    """Return a table that was kept; None if it cannot be read any more as it was."""
    try:
        if upload is not None and upload != state.current_upload():
            check_room(upload)
        source = ChosenTable(upload, sample, reading_from(view["reading"]))
        source.read()
    except (ProbTreesError, KeyError, TypeError, ValueError, AttributeError):
        return None
    return source


def save_session(pages: Iterable[Page]) -> None:
    """Keep the table in use with how it is read and looked at, if anything has changed."""
    tables, visitor, tab = kept_tables(), _visitor(), _tab("tab")
    # A file that was given but is not in use yet is not lost either.
    source = current_source() if state.current_upload() is not None else current_draft()
    upload = source.upload
    if tables is None or visitor is None or (upload is None and not tab):
        return
    view = {} if upload is None else _view(source.reading, pages)
    view["in_use"] = state.current_upload() is not None
    if view["in_use"]:
        view["said"] = said_of_used()
    digest = "" if upload is None else upload.digest
    draft = current_draft()
    waits = None if draft.key == source.key else draft.upload
    wait = {"reading": reading_to(draft.reading), "said": said_on_page()}
    waiting = "" if waits is None else f"{waits.digest} {json.dumps(wait, sort_keys=True)}"
    mark = f"{digest} {json.dumps(view, sort_keys=True)} {waiting}"
    if st.session_state.get(_SAVED) == mark:
        return
    try:
        tables.save(visitor, upload, view, tab)
        tables.save(visitor, waits, wait, tab, waits=True)
    except OSError:
        return  # a full disk keeps nobody from working
    st.session_state[_SAVED] = mark


def forget_table() -> None:
    """Forget the file on the Data page, here and on disk, and show what is left.

    A file that waits beside the table in use takes nothing with it. The table in use is forgotten
    with its corrections, pins and notes, and the sample comes into use.
    """
    tables, visitor, draft = kept_tables(), _visitor(), current_draft()
    if tables is not None and visitor is not None and draft.upload is not None:
        tables.forget(visitor, draft.upload.digest)
    st.session_state.pop(_SAVED, None)
    if waits_beside(draft):
        return_to_used()
        return
    forget_work(draft.key_begin)
    sample = ChosenTable(None, state.current_sample())
    use_source(sample)
    keep(sample)
    state.forget_view()


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


def reading_to(reading: ReadOptions) -> dict[str, Any]:
    """Write how a table is read as plain values."""
    written = asdict(reading)
    return {name: value for name, value in written.items() if name not in _NOT_KEPT}


def reading_from(record: Mapping[str, Any]) -> ReadOptions:
    """Read what :func:`reading_to` wrote; what a later release wrote and this one lacks is left."""
    known = {field.name for field in fields(ReadOptions)} - set(_NOT_KEPT)
    given: dict[str, Any] = {
        name: _with_tuples(value) for name, value in record.items() if name in known
    }
    return ReadOptions(**given)


def _with_tuples(value: Any) -> Any:
    """Make tuples of the lists that JSON made of them, also by column name: readings are hashed."""
    if isinstance(value, dict):
        return {name: _with_tuples(entry) for name, entry in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _view(reading: ReadOptions, pages: Iterable[Page]) -> dict[str, Any]:
    """Write how a table is read and looked at as plain values."""
    notes = {
        str(key): str(value)
        for key, value in st.session_state.items()
        if str(key).startswith(state.NOTE) and value
    }
    pins = {key: list(nodes) for key, nodes in st.session_state.get(state.PINS, {}).items()}
    pins = {key: nodes for key, nodes in pins.items() if nodes}
    view = {"reading": reading_to(reading), "choices": _choices(pages)}
    return {**view, "pins": pins, "notes": notes, "said": said_on_page()}


def _pin(view: Mapping[str, Any]) -> None:
    """Bring back pinned leaves and what was noted about them, as far as they are such."""
    pins, notes = view.get("pins"), view.get("notes")
    for key, nodes in pins.items() if isinstance(pins, dict) else ():
        if isinstance(nodes, list) and all(type(node) is int and node >= 0 for node in nodes):
            st.session_state.setdefault(state.PINS, {})[str(key)] = nodes[:_MOST_PINS]
    for key, text in notes.items() if isinstance(notes, dict) else ():
        if str(key).startswith(state.NOTE):
            st.session_state[str(key)] = str(text)[:_LONGEST_NOTE]


def _load(*, waits: bool = False) -> tuple[Upload, dict[str, Any]] | None:
    tables: KeptTables | None = kept_tables()
    visitor = _visitor()
    if tables is None or visitor is None:
        return None
    load = tables.load_waiting if waits else tables.load
    return load(visitor, _tab("tab"), _tab("copied"))


def _tab(part: str) -> str:
    """Return what the tab calls itself, or the one it was copied from; empty if it does not say."""
    name = st.context.headers.get(TAB_HEADERS[part]) or ""
    return name if re.fullmatch("[0-9a-f]{32}", name) else ""


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
    if EDITS in choices:
        bring_edits(current_source().file_key)
