"""All pages of the app in the order of the menu, and what each of them begins with.

Before a page is drawn the table that was asked for is put to use, what the address asks for is
taken over, what this tab has shown before a reload is brought back, and a file that was just given
is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.palette import PAINTS
from probtrees.errors import ProbTreesError
from probtrees.table.read_options import ReadOptions
from probtrees.ui.compare.compare_page import COMPARE
from probtrees.ui.data.data_page import DATA
from probtrees.ui.learn.learn_page import LEARN
from probtrees.ui.network.network_page import NETWORK
from probtrees.ui.shared import permalink
from probtrees.ui.shared.exports import Export, ExportTab
from probtrees.ui.shared.give_table import GIVEN, PROBLEM
from probtrees.ui.shared.kept_session import (
    LONGEST_NOTE,
    MOST_PINS,
    TAKEN_UP,
    WAITING,
    WANTED,
    WRONG,
    kept_here,
    kept_table,
)
from probtrees.ui.shared.loaded_model import forget_loaded
from probtrees.ui.shared.page import Choices, Page, all_choices, go_to, read_choices, write_choices
from probtrees.ui.shared.permalink import OWN_TABLE, PROBLEMS, UNCHECKED
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.kept_tables import LAST, SUFFIX, SavedSession
from probtrees.ui.shared.session.state import EDIT_KEYS
from probtrees.ui.shared.show import asset
from probtrees.ui.shared.table_source import (
    READING,
    ChosenTable,
    current_source,
    hold_keys,
    is_readable,
    say,
    settle_table,
    tables_put_by,
    use_table,
)
from probtrees.ui.tree.tree_page import TREE

PAGES: tuple[Page, ...] = (TREE, NETWORK, COMPARE, LEARN, DATA)
"""The first one is the front page, too."""

_RESTORED, _OWN = "link restored", "link of own table"
_OF_ROWS = (state.OUTCOME, state.NODE, state.ROW)
"""Choices that make no sense with another table."""
_GONE = (
    "as_written",
    "date_parts",
    "routing",
    "calibrate",
    *(f"compare.{n}" for n in ("over", "drawn", "overlaid", "box", "bins")),
)
"""Parts of older links that nothing says any more."""


def start_page(page: Page) -> None:
    """Bring the style, take up the work, follow the link, and say what could not be followed."""
    paint = PAINTS[state.theme()]
    sheet = f":root {{ --sheet: {paint.page}; --accent: {paint.accent}; }}"
    st.html(f"<style>{sheet}\n{asset('page.css')}</style>")
    choices, asked = all_choices(PAGES), permalink.asked()
    keys = {choice.key for choice in choices.values()}
    hold_keys({*keys, *EDIT_KEYS, state.NODE, state.ROW})
    for key in keys & set(st.session_state.keys()):
        # A widget of the same key on another page is another one to Streamlit and would begin
        # again; what is assigned is taken over by it.
        st.session_state[key] = st.session_state[key]
    settle_table()
    _open_waiting(choices)
    _follow_link(page, choices)
    _take_up(asked, page, choices)
    _look_first(page)
    _explain(page)
    kept, source = kept_here(), current_source()
    if kept is not None:
        kept.save(LAST, SavedSession.of(source.upload, source.sample, _view_of(choices)))


def _open_waiting(choices: Choices) -> None:
    """Show the session file that was given, before any widget is drawn."""
    waiting = st.session_state.pop(WAITING, None)
    if waiting is not None:
        forget_loaded()
        table, view = waiting
        _bring(table, view, choices)


def _bring(
    table: ChosenTable, view: Mapping[str, Any], known: Choices, linked: Iterable[str] = ()
) -> None:
    """Put a table to use with all that its view holds, but for what a link has just said."""
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
            st.session_state.setdefault(state.PINS, {})[str(key)] = nodes[:MOST_PINS]
    for key, text in _mapping(view, "notes").items():
        if str(key).startswith(state.NOTE):
            st.session_state[str(key)] = str(text)[:LONGEST_NOTE]
    chosen = {n: text for n, text in _mapping(view, "choices").items() if n not in linked}
    st.session_state.update(read_choices(chosen, known)[0])
    for file, entry in _mapping(view, "tables").items():
        with suppress(*WRONG):
            left = {READING: permalink.read_record(entry["reading"])}
            left |= read_choices(_mapping(entry, "choices"), known)[0]
            tables_put_by()[str(file)] = left


def _view_of(known: Choices) -> dict[str, Any]:
    """Write how the table in use is read and looked at as plain values."""
    known = {name: choice for name, choice in known.items() if name != state.SAMPLE}
    values = state.held()
    notes = {str(k): str(v) for k, v in values.items() if str(k).startswith(state.NOTE) and v}
    pins = {key: list(nodes) for key, nodes in values.get(state.PINS, {}).items() if nodes}
    tables = {
        file: {
            "reading": permalink.write_record(put_by.get(READING, ReadOptions())),
            "choices": write_choices(put_by, known),
        }
        for file, put_by in tables_put_by().items()
    }
    return {
        "reading": permalink.write_record(current_source().said),
        "choices": write_choices(values, known),
        "pins": pins,
        "notes": notes,
        "tables": {file: entry for file, entry in tables.items() if any(entry.values())},
    }


def _mapping(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = record.get(name)
    return found if isinstance(found, dict) else {}


def _follow_link(page: Page, choices: Choices) -> None:
    """Take over what the link asks for, once, when a session opens.

    A link may hold choices of any page: they wait in the session until that page is opened.
    """
    if st.session_state.get(_RESTORED):
        return
    st.session_state[_RESTORED] = True
    query = permalink.asked()
    problems = [] if query.pop("v", permalink.FORMAT) == permalink.FORMAT else ["v"]
    st.session_state[_OWN] = query.pop(OWN_TABLE, "") == "1"
    reading, unread = permalink.read_reading(query)
    groups = tuple({f"{name.partition('.')[0]}." for name in choices if "." in name})
    # Others are what mail programs and search engines add.
    ours = {n: text for n, text in query.items() if n in (*choices, *_GONE) or n.startswith(groups)}
    found, wrong = read_choices(ours, choices)
    st.session_state.update(found)
    if reading != ReadOptions():
        if is_readable(ChosenTable(None, state.current_sample(), reading)):
            say(reading)
        else:
            unread += permalink.write_reading(reading)
    st.session_state[UNCHECKED] = {n: choices[n].key for n in ours if n not in wrong}
    st.session_state[PROBLEMS] = (page.name, [*problems, *unread, *wrong])


def _explain(page: Page) -> None:
    """Say in one sentence what the link asked for in vain, on the page that it opened."""
    opened, problems = st.session_state.get(PROBLEMS, (page.name, []))
    if opened != page.name:
        st.session_state.pop(PROBLEMS, None)
        st.session_state.pop(_OWN, None)
        return
    if problems:
        st.warning(permalink.sentence(problems), icon=":material/link_off:")
    if st.session_state.get(_OWN) and state.current_upload() is None:
        st.info(
            "This link was made on an uploaded table. A link carries neither the file nor "
            "corrections of its tree: give the file on the Data page, and corrections that you "
            "saved under Corrections. Until then a sample is shown.",
            icon=":material/upload_file:",
        )


def _take_up(asked: Mapping[str, str], page: Page, choices: Choices) -> None:
    """Bring back what this tab has shown, once, when a session opens; a new one begins afresh.

    Parameters
    ----------
    asked : the parts of the link that the session was opened by: the choices of its page. One
        of an own table holds no corrections or other values, which come back with the table.
    page : the page that is opened
    """
    if st.session_state.get(TAKEN_UP):
        return
    done = partial(st.session_state.update, {TAKEN_UP: True, WANTED: False})
    kept, is_wanted = kept_here(), st.session_state.get(WANTED)
    found = None
    if kept is not None:
        found = kept.tables.find(kept.visitor, LAST) if is_wanted else kept.find(LAST)
    asked, sample = {} if is_wanted else asked, asked.get(state.SAMPLE)
    if (
        found is not None
        and not is_wanted
        and sample not in (None, "" if found.upload else found.table)
    ):
        found = None  # the link is of another table
    # While it is read the page ends here, and comes here again.
    table = None if found is None else kept_table(found, done)
    done()
    if found is not None and table is not None:
        is_own = found.upload is not None
        linked = {n for n, choice in page.choices().items() if not (is_own and choice.of_sample)}
        if not is_own and asked:
            table = replace(table, said=current_source().said)  # the link holds it
        _bring(table, found.view, choices, linked if asked else set())
    elif OWN_TABLE in asked:
        for key in _OF_ROWS:
            st.session_state.pop(key, None)


def _look_first(page: Page) -> None:
    """Look at a file that was just given, before anything is drawn; that may take its time.

    One that cannot be used as it is opens on the Data page. What is no table is not used: the one
    before is shown again, and the reason is said until another file is given or page opened.
    """
    digest, before = st.session_state.get(GIVEN, ("", None))
    if before is not None and digest == current_source().file_key:
        usable = False
        try:
            given, go_back = current_source(), partial(_go_back, before)
            usable = given.beside_page("Looking at", lambda: given.report, go_back).usable
        except ProbTreesError as problem:
            if not getattr(problem, "findings", ()):
                _go_back(before)
                st.session_state[PROBLEM] = (page.name, str(problem))
                usable = True
        del st.session_state[GIVEN]
        if not usable and page.name != "data":
            go_to("data")
    opened, said = st.session_state.pop(PROBLEM, (page.name, ""))
    if said and opened in ("", page.name):
        st.error(markdown_text(said))
        st.session_state[PROBLEM] = (page.name, said)


def _go_back(table: ChosenTable) -> None:
    """Use the table before again, at once."""
    use_table(table)
    settle_table()


def _ask_session(_: object) -> Callable[[], bytes]:
    """Ask whether the rows go along, and return what writes the file."""
    st.caption(
        "The table, its roles and options, the choices of all pages, pinned leaves and notes in "
        "one file. Nothing in it is run when it is opened."
    )
    source, with_rows = current_source(), True
    if source.upload is not None:
        with_rows = st.toggle(
            "With the rows of the table",
            value=True,
            **state.lasting("export.session rows"),
            help="Without them the file can be sent to anybody: who opens it must have the table.",
        )
    session = SavedSession.of(source.upload, source.sample, _view_of(all_choices(PAGES)))
    return lambda: session.to_bytes(with_rows=with_rows)


SESSION: ExportTab[Callable[[], bytes]] = ExportTab(
    "Session",
    _ask_session,
    (
        Export(
            f"session{SUFFIX}",
            "Save the session",
            lambda written: written(),
            icon=":material/save:",
            help="Open it on any page where a table is given, here or on another server.",
        ),
    ),
)
"""The tab that saves the table in use with all that was chosen."""


def slide_style() -> None:
    """Make a page fit for a slide: it fills the screen, with nothing around it."""
    st.html(
        "<style>.stAppHeader, .stMainBlockContainer [data-testid='stIFrame'] { display: none } "
        ".stMainBlockContainer, .stMain { padding: 0 !important; min-height: 4px } "
        ".stMainBlockContainer > div { gap: 0 }</style>"
    )
