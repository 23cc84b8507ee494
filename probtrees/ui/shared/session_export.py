"""The session as a file to take away: the table with all that was chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from probtrees.ui.shared.exports import Export, ExportTab
from probtrees.ui.shared.kept_session import current_session
from probtrees.ui.shared.page import Page
from probtrees.ui.shared.session.session_file import SUFFIX
from probtrees.ui.shared.table_source import ChosenTable

SESSION: Export[Callable[[], bytes]] = Export(
    f"session{SUFFIX}",
    "Save the session",
    lambda written: written(),
    icon=":material/save:",
    help="Open it on any page where a table is given, here or on another server.",
)
"""A session; it is written from what returns its bytes."""


def session_tab(
    source: Callable[[], ChosenTable], pages: Iterable[Page]
) -> ExportTab[Callable[[], bytes]]:
    """Declare the tab that saves a table with all that was chosen."""
    return ExportTab("Session", lambda _: _ask(source(), pages), (SESSION,))


def _ask(source: ChosenTable, pages: Iterable[Page]) -> Callable[[], bytes]:
    st.caption(
        "The table, its roles and options, the choices of all pages, pinned leaves and notes in "
        "one file. Nothing in it is run when it is opened."
    )
    with_rows = True
    if source.upload is not None:
        with_rows = st.toggle(
            "With the rows of the table",
            value=True,
            key="export.session rows",
            persist_state="session",
            help="Without them the file can be sent to anybody: who opens it must have the table.",
        )
    session = current_session(source, pages)
    return lambda: session.to_bytes(with_rows=with_rows)
