"""Give the app a table: a file or a sample; and say where in a file it stands."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from probtrees.errors import DataError, ProbTreesError
from probtrees.experiment.registry import SMOOTHERS
from probtrees.model.networks.network_file import NETWORK_SUFFIXES
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import sample_names
from probtrees.table.table_report import Sheets, sheets_of
from probtrees.ui.shared.forms import file_field
from probtrees.ui.shared.kept_session import open_session
from probtrees.ui.shared.loaded_model import forget_loaded
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload, kept
from probtrees.ui.shared.session.kept_tables import SUFFIX
from probtrees.ui.shared.show import asset
from probtrees.ui.shared.table_source import (
    FILE_HELP,
    ChosenTable,
    current_source,
    say,
    use_table,
    while_in_use,
)

GIVEN, PROBLEM = "file just given", "file not used"
_ENCODINGS = ("utf-8", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "shift_jis", "gb18030")
_FIELD_WIDTH = 320
_watcher = st.components.v2.component("probtrees_page_watcher", js=asset("page_watcher.js"))
"""What only the browser can do for a page."""


def pick_sample() -> None:
    """Ask for a sample."""
    names, source = sample_names(), current_source()
    is_sample = source.upload is None
    key = f"sample of {source.file_key}"
    st.selectbox(
        "Sample",
        names,
        index=names.index(source.sample) if is_sample else None,
        placeholder="a sample instead",
        key=key,
        on_change=while_in_use(lambda: _use_sample(key), key),
        help="Small tables that come with the program.",
    )


def _use_sample(key: str) -> None:
    if (name := st.session_state[key]) is not None:
        forget_loaded()
        use_table(ChosenTable(None, name))


def ask_file() -> None:
    """Ask for a file and put it to use; what is wrong with it is said here."""
    file_field("A table of your own", _field("file"), take_file, help=FILE_HELP)


def take_dropped() -> None:
    """Take a file that is dropped anywhere on the page.

    The page is marked while a file is dragged over it, and run again in another theme. Another
    page begins at its top. The buttons of smoothers say on hover what they do, which Streamlit's
    own cannot.
    """
    words = {entry.plain: entry.help for entry in SMOOTHERS.values()}
    _watcher(key="page_watcher", data=words, on_theme_change=lambda: None)
    zone = st.container(key="drop_zone")
    label = "Drop a table anywhere"
    file_field(label, _field("dropped"), take_file, zone, label_visibility="collapsed")


def _field(name: str) -> str:
    """Name the field of the table in use: with another table it is empty again."""
    return f"{name} beside {current_source().file_key}"


def take_file(upload: Upload) -> None:
    """Build the pages from a file, once it was looked at; say at their top why one cannot be."""
    st.session_state.pop(PROBLEM, None)
    try:
        _use_file(upload)
    except ProbTreesError as problem:
        st.session_state[PROBLEM] = ("", str(problem))
    st.rerun()


def _use_file(upload: Upload) -> None:
    if upload.name.endswith(SUFFIX):
        open_session(upload)
        return
    if upload.name.lower().endswith(NETWORK_SUFFIXES):
        raise DataError(
            f"{upload.name} must be a table; by its name it is a Bayesian network. Give it to "
            "Open on the Network page."
        )
    forget_loaded()
    st.session_state[GIVEN] = (upload.digest, current_source())
    use_table(ChosenTable(upload, state.current_sample()))


def choose_place(source: ChosenTable) -> None:
    """Ask for the sheet of a workbook or the table of an archive, and for a text's encoding."""
    if source.upload is None:
        return
    place = ask_place(source.upload, "data", source.said)
    if place != source.said:
        say(place)
        st.rerun()


def ask_place(upload: Upload, key: str, said: ReadOptions) -> ReadOptions:
    """Ask where in a file the table stands; return what was said with the answer.

    Parameters
    ----------
    key : tells widgets of several files apart
    """
    found, is_utf8 = _look_at(upload.digest, said.sheet, upload)
    if found is not None and len(found.names) > 1:
        chosen = st.selectbox(
            "Sheet, or file of the archive" if upload.name.lower().endswith(".zip") else "Sheet",
            found.names,
            index=found.names.index(found.read),
            key=f"{key}.sheet {upload.digest} {found.read}",
            width=_FIELD_WIDTH,
            help="The first one that holds a table is read unless another is chosen.",
        )
        # Another sheet has other columns: what was said of the last one's is not about them.
        said = said if chosen == found.read else ReadOptions(sheet=chosen, encoding=said.encoding)
    if not is_utf8:
        encoding = st.selectbox(
            "Letters",
            ("as found", *_ENCODINGS),
            index=1 + _ENCODINGS.index(said.encoding) if said.encoding in _ENCODINGS else 0,
            key=f"{key}.encoding {upload.digest}",
            width=_FIELD_WIDTH,
            help="How the letters of a text are encoded. Choose the one by which names look right.",
        )
        said = replace(said, encoding=None if encoding == "as found" else encoding)
    return said


@kept(spinner="Opening the file")
def _look_at(key: str, wanted: str | None, _upload: Upload) -> tuple[Sheets | None, bool]:
    """Return the sheets of a file, and whether it is UTF-8, or no text at all."""
    try:
        sheets = sheets_of((_upload.name, _upload.content), wanted)
    except ProbTreesError:
        sheets = None  # what is wrong with the file is said where its table would stand
    try:
        _upload.content.decode("utf-8")
    except UnicodeDecodeError:
        return sheets, b"\0" in _upload.content[:4096]
    return sheets, True
