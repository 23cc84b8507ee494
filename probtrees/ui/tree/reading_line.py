"""One quiet line above the tree: what was decided when one's own table was read."""

from __future__ import annotations

from functools import partial

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.table.table_report import TableReport
from probtrees.ui.shared.alike_findings import together
from probtrees.ui.shared.choose_sheet import sheet_words
from probtrees.ui.shared.draft import current_draft, is_answered, report_on, use
from probtrees.ui.shared.finding_words import decided, open_questions
from probtrees.ui.shared.page import go_to
from probtrees.ui.shared.table_source import ChosenTable, current_source
from probtrees.words import plural


def reading_line() -> None:
    """Say what was decided, and what is open, with the way to where it is changed."""
    source = current_source()
    if source.upload is None:
        return
    try:
        report = report_on(source)
    except ProbTreesError:
        return  # the page itself says what is wrong
    waiting = _answered_since(source)
    n_open = _n_open(source, report) if waiting is None else _n_open(*waiting)
    said = decided(report)
    words = ["**What was changed on the Data page is not in this tree yet.**"] if waiting else []
    words += [f"**{plural(n_open, 'questions')}** open."] if n_open else []
    words += [sheet] if (sheet := sheet_words(source.upload, source.reading.sheet)) else []
    words += [f"When reading: {markdown_text('; '.join(said))}."] if said else []
    if not words:
        return
    with st.container(key="decided"):
        st.caption(" ".join(words))
    if waiting is not None and waiting[1].usable:
        st.button(
            "Grow again",
            type="tertiary",
            key="grow as answered",
            on_click=use,
            args=waiting[:1],
            help="Builds the pages from the table as the Data page shows it.",
        )
    if st.button(
        "Answer" if n_open else "Change",
        type="tertiary",
        key="to findings",
        help="Opens the Data page, where each of them is one click.",
    ):
        go_to("data")


def _n_open(table: ChosenTable, report: TableReport) -> int:
    """Count the questions that the Data page asks about a table."""
    return len(open_questions(together(report.findings), report, partial(is_answered, table)))


def _answered_since(source: ChosenTable) -> tuple[ChosenTable, TableReport] | None:
    """Return the table in use as the Data page shows it, where it was changed there since."""
    draft = current_draft()
    if draft.file_key != source.file_key or draft.key == source.key:
        return None
    try:
        return draft, report_on(draft)
    except ProbTreesError:
        return None  # the Data page says what is wrong
