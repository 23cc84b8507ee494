"""Which table of a file is meant, and in which encoding its text is written."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import ProbTreesError
from probtrees.table.encodings.known_encodings import ENCODINGS, Encoding
from probtrees.table.formats.decode import TextEncoding, preview
from probtrees.table.formats.format import Sheets
from probtrees.table.formats.open_table import encoding_of, sheets_of
from probtrees.table.formats.same_columns import ALL
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.session.given_files import Upload

_LONGEST_NAME = 28


def choose_sheet_of(upload: Upload, key: str, wanted: str | None) -> str | None:
    """Ask for the table, if the file holds several; return the one that is chosen.

    Parameters
    ----------
    key : of the widget
    wanted : the table that was asked for before; None: the first one is read
    """
    try:
        found = _sheets(upload.digest, wanted, upload)
    except ProbTreesError:
        return wanted  # what is wrong with the file is said where its table would stand
    if found is None or len(found.names) < 2:
        return wanted
    offered = [*found.names, ALL] if found.alike else list(found.names)
    chosen: str = st.selectbox(
        "Sheet, or file of the archive" if upload.name.lower().endswith(".zip") else "Sheet",
        offered,
        index=offered.index(found.read),
        key=f"{key} {upload.digest} {found.read}",
        format_func=_as_choice,
        help="The first one that holds a table is read unless another is chosen.",
    )
    if not found.alike:
        st.caption(
            f"One of {len(found.names)} is read. Those with the same names of columns can be read "
            "as one table."
        )
    return wanted if chosen == found.read else chosen


def sheet_words(upload: Upload, wanted: str | None) -> str:
    """Say which table of several is read, and whether others have the same columns."""
    try:
        found = _sheets(upload.digest, wanted, upload)
    except ProbTreesError:
        return ""
    if found is None or len(found.names) < 2 or found.read == ALL:
        return ""
    kind = "File" if upload.name.lower().endswith(".zip") else "Sheet"
    words = f"{kind} **{markdown_text(shorten(found.read, _LONGEST_NAME))}** of {len(found.names)}"
    return f"{words}; others have the same columns." if found.alike else f"{words}."


def _as_choice(name: str) -> str:
    return "all with the same columns, as one table" if name == ALL else markdown_text(name)


def choose_encoding_of(upload: Upload, key: str, reading: ReadOptions) -> str | None:
    """Show how a text that is no UTF-8 is read, with words of it, and let it be read otherwise.

    Parameters
    ----------
    key : of the widget
    reading : where the table stands in the file, and what was said about its encoding
    """
    try:
        found = _encoding(upload.digest, reading.layout, upload)
    except ProbTreesError:
        found = None
    said = reading.encoding
    if found is None:
        return said
    words = {guess.encoding: preview(guess) for guess in found.guesses}

    def as_line(known: Encoding) -> str:
        # The lines of a select box are shown as they are, never read as Markdown.
        return " · ".join(filter(None, (known.label, words.get(known, ""))))

    script = markdown_text(found.encoding.script)
    with st.popover(f"Letters: {script}", icon=":material/translate:"):
        chosen: Encoding = st.selectbox(
            "How letters are encoded",
            list(dict.fromkeys((found.encoding, *words, *ENCODINGS))),
            key=f"{key} {upload.digest} {found.encoding.codec}",
            format_func=as_line,
            help="The text says nowhere how its letters are encoded, so it is guessed. Choose the "
            "line whose words look right.",
        )
    return said if chosen == found.encoding else chosen.codec


@kept(spinner="Looking at the letters")
def _encoding(key: str, place: ReadOptions, _upload: Upload) -> TextEncoding | None:
    return encoding_of((_upload.name, _upload.content), place)


@kept(spinner="Opening the file")
def _sheets(key: str, wanted: str | None, _upload: Upload) -> Sheets | None:
    return sheets_of((_upload.name, _upload.content), wanted)
