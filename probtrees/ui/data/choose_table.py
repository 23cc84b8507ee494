"""Where the table on the Data page comes from: a file, a block of cells pasted in, or a sample."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import ProbTreesError
from probtrees.table.read_options import ReadOptions
from probtrees.table.samples import sample_names
from probtrees.ui.data.answers import grow_tree, take_down
from probtrees.ui.shared.choose_sheet import choose_encoding_of, choose_sheet_of
from probtrees.ui.shared.draft import current_draft, guessed, keep, return_to_used, waits_beside
from probtrees.ui.shared.kept_session import forget_table, is_kept, open_session
from probtrees.ui.shared.left_tables import forget_left, given
from probtrees.ui.shared.page_watcher import watch_page
from probtrees.ui.shared.session.given_files import Upload, check_room, content_of
from probtrees.ui.shared.session.session_file import SUFFIX
from probtrees.ui.shared.session.work_done import work_words
from probtrees.ui.shared.table_source import FILE_HELP, ChosenTable, current_source

_FILE, _LAST = "data.file", "data.last file"
_GROW_WHEN_READ = "data.tree asked for before the file was read"
_TIMES_EMPTIED = "data.times the field was emptied"
_PASTED, _TIMES_READ = "data.pasted", "data.times pasted cells were read"
_LONGEST_NAME = 28


def choose_table(draft: ChosenTable) -> None:
    """Let a file be given, cells be pasted, or a sample be picked."""
    left, right = st.columns([3, 2])
    with left:
        _ask_file(draft)
    with right:
        _pick_sample(draft)
        with st.container(horizontal=True):
            # A box with another name is a new one, and closed.
            box = f"data.paste {st.session_state.get(_TIMES_READ, 0)}"
            with st.popover("Paste a table", icon=":material/content_paste:", key=box):
                _ask_cells(draft)
            if draft.upload is not None:
                _leave(draft)


def way_back(draft: ChosenTable) -> bool:
    """Say which table is in use while the page shows another one, and offer to return to it.

    Returns
    -------
    whether there is anything to return to: a sample that nobody worked on is a click away anyway
    """
    if not _has_way_back(draft):
        return False
    used = current_source()
    name, work = _short(used), work_words(used.key_begin)
    with st.container(horizontal=True, vertical_alignment="center", key="way_back"):
        st.markdown(
            f":material/table: **{name}** is still in use{', with ' + work if work else ''}.",
            width="content",
        )
        st.button(
            f"Go back to '{name}'",
            icon=":material/undo:",
            on_click=_go_back,
            help=f"Drops '{_short(draft)}' and keeps everything of '{name}'.",
        )
    return True


def _has_way_back(draft: ChosenTable) -> bool:
    used = current_source()
    return waits_beside(draft) and (used.upload is not None or bool(work_words(used.key_begin)))


def _go_back() -> None:
    return_to_used()
    _empty_field()


def _forget(draft: ChosenTable) -> None:
    forget_left(draft)
    forget_table()
    _empty_field()


def _short(table: ChosenTable) -> str:
    return markdown_text(shorten(table.name, _LONGEST_NAME))


def _leave(draft: ChosenTable) -> None:
    """Offer the sample, and to forget the file on the page; work on it is not lost unasked."""
    st.button("Show the sample", on_click=keep, args=(ChosenTable(None, draft.sample),))
    kept = "It is kept on this server for a day, for when you come back. " if is_kept() else ""
    icon = ":material/delete:"
    if _has_way_back(draft):
        st.button(
            f"Forget '{_short(draft)}'",
            icon=icon,
            on_click=_forget,
            args=(draft,),
            help=f"{kept}This deletes it, and nothing of '{_short(current_source())}'.",
        )
        return
    work = "" if waits_beside(draft) else work_words(draft.key_begin)
    if not work:
        st.button(
            "Forget this table",
            icon=icon,
            on_click=_forget,
            args=(draft,),
            help=f"{kept}This deletes it.",
        )
        return
    with st.popover("Forget this table", icon=icon, help=f"{kept}Asks before it deletes it."):
        st.markdown(
            f"Delete **{_short(draft)}** with its **{work}**? This cannot be undone. *Export*, "
            "*Session* saves all of it as a file first."
        )
        st.button("Delete it all", type="primary", icon=icon, on_click=_forget, args=(draft,))


def _field() -> str:
    """Name the field for files; one with another name is a new one, and empty."""
    return f"{_FILE} {st.session_state.get(_TIMES_EMPTIED, 0)}"


def _empty_field() -> None:
    """Let go of the file in the field, so that the same one can be given again."""
    st.session_state[_TIMES_EMPTIED] = st.session_state.get(_TIMES_EMPTIED, 0) + 1
    st.session_state.pop(_LAST, None)


def _let_go() -> None:
    """Drop the file that was taken out of its field, unless it is in use."""
    draft = current_draft()
    if st.session_state.get(_field()) is None:
        st.session_state.pop(_GROW_WHEN_READ, None)
        last = st.session_state.pop(_LAST, None)
        if draft.upload is not None and draft.upload.digest == last and waits_beside(draft):
            return_to_used()


def _ask_file(draft: ChosenTable) -> None:
    with st.container(key=_FILE):
        file = st.file_uploader(
            "A table of your own", key=_field(), help=FILE_HELP, on_change=_let_go
        )
    if draft.upload is not None and (file is None or file.name != draft.name):
        st.caption(f"Your file: **{_short(draft)}**.")
    watch_page()
    if file is None:
        return
    try:
        upload = Upload(file.name, content_of(file))
    except ProbTreesError as problem:
        st.session_state.pop(_GROW_WHEN_READ, None)
        st.error(markdown_text(str(problem)))
        return
    if st.session_state.get(_LAST) != upload.digest:
        if upload.name.endswith(SUFFIX):
            st.session_state[_LAST] = upload.digest
            st.session_state.pop(_GROW_WHEN_READ, None)
            open_session(upload)
            return
        table = given(ChosenTable(upload, draft.sample))
        # A click meanwhile stops the page here, and the next one begins with this file again.
        st.session_state[_LAST] = upload.digest
        keep(table)
        if st.session_state.pop(_GROW_WHEN_READ, False):
            take_down(table, grow_tree)
        st.rerun()


def say_grow() -> None:
    """Grow the tree of the table on the page, or of a file that is still being read.

    Until a file is read the page still shows the last table, and people click early.
    """
    if _is_file_unread():
        st.session_state[_GROW_WHEN_READ] = True
    else:
        take_down(None, grow_tree)


def _is_file_unread() -> bool:
    """Whether a file was given that the page does not show yet."""
    file = st.session_state.get(_field())
    if file is None:
        return False
    return bool(st.session_state.get(_LAST) != Upload(file.name, file.getvalue()).digest)


def _pick_sample(draft: ChosenTable) -> None:
    names = sample_names()
    in_use = draft.upload is None
    picked = st.selectbox(
        "Sample",
        names,
        index=names.index(draft.sample) if in_use else None,
        key=f"data.sample {draft.sample}" if in_use else f"data.sample beside {draft.key}",
        placeholder="a sample instead",
        help="Small tables that come with the program.",
    )
    if picked is not None and (picked != draft.sample or not in_use):
        keep(ChosenTable(None, picked))
        st.rerun()


def _ask_cells(draft: ChosenTable) -> None:
    st.text_area(
        "Cells copied from a spreadsheet",
        key=_PASTED,
        height=160,
        placeholder="age\tsex\till\n41\tf\tno\n52\tm\tyes",
        help="Select the cells with their names in the first line, copy them, and paste them here.",
    )
    st.button("Read these cells", key="data.read pasted", on_click=_use_cells, args=(draft,))


def _use_cells(draft: ChosenTable) -> None:
    text: str = st.session_state.get(_PASTED, "")
    if text.strip():
        try:
            upload = check_room(Upload("pasted.tsv", text.encode("utf-8")))
        except ProbTreesError as problem:
            st.error(markdown_text(str(problem)))
            return
        take_down(draft, lambda _: keep(given(ChosenTable(upload, draft.sample))))
        st.session_state[_TIMES_READ] = st.session_state.get(_TIMES_READ, 0) + 1


def choose_sheet(draft: ChosenTable) -> None:
    """Ask for the sheet, if the file is a workbook that has several."""
    upload, sheet = draft.upload, draft.reading.sheet
    if upload is None:
        return
    chosen = choose_sheet_of(upload, "data.sheet", sheet)
    if chosen != sheet:
        keep(guessed(ChosenTable(upload, draft.sample, ReadOptions(sheet=chosen))))
        st.rerun()


def choose_encoding(draft: ChosenTable) -> None:
    """Ask for the encoding, if the file is a text that does not say it."""
    if draft.upload is None:
        return
    reading = draft.reading
    chosen = choose_encoding_of(draft.upload, "data.encoding", reading)
    if chosen != reading.encoding:
        place = replace(reading.layout, encoding=chosen)
        keep(guessed(ChosenTable(draft.upload, draft.sample, place)))
        st.rerun()
