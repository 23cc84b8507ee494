"""Which table of a file is meant: a sheet of a workbook, or a file of an archive."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.table.formats.format import Sheets
from probtrees.table.formats.open_table import sheets_of
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.session.given_files import Upload


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
    chosen: str = st.selectbox(
        "Sheet, or file of the archive" if upload.name.lower().endswith(".zip") else "Sheet",
        found.names,
        index=found.names.index(found.read),
        key=f"{key} {upload.digest} {found.read}",
        format_func=markdown_text,
        help="The first one that holds a table is read unless another is chosen.",
    )
    st.caption(
        f"One of {len(found.names)} is read. To have the rows of several, put them on one sheet."
    )
    return wanted if chosen == found.read else chosen


@kept(spinner="Opening the file")
def _sheets(key: str, wanted: str | None, _upload: Upload) -> Sheets | None:
    return sheets_of((_upload.name, _upload.content), wanted)
