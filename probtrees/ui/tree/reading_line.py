"""One quiet line above the tree: what was decided when one's own table was read."""

from __future__ import annotations

from functools import partial

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.table.table_report import Finding, TableReport
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
    if waiting is not None:
        _offer_to_grow(*waiting)
    asked = _asked(source, report) if waiting is None else _asked(*waiting)
    if asked:
        # Of all questions the one about what is predicted changes most.
        is_of_target = any(found.column == report.target for found in asked)
        about = f", also about **{markdown_text(report.target or '')}**" if is_of_target else ""
        icon = ":orange[:material/help:]"
        st.caption(f"{icon} **{plural(len(asked), 'questions')}** open{about}.", width="content")
        _to_data_page("Answer")
    said = decided(report)
    words = [sheet] if (sheet := sheet_words(source.upload, source.reading.sheet)) else []
    words += [f"When reading: {markdown_text('; '.join(said))}."] if said else []
    if words:
        with st.container(key="decided"):
            st.caption(" ".join(words))
    if not asked and (words or waiting):
        _to_data_page("Change")


def _to_data_page(label: str) -> None:
    """Offer the page where everything about the table is said."""
    if st.button(
        label,
        type="tertiary",
        key="to findings",
        help="Opens the Data page, where each of them is one click.",
    ):
        go_to("data")


def _offer_to_grow(draft: ChosenTable, report: TableReport) -> None:
    """Say that the tree is not grown as the Data page shows the table, and offer to do so."""
    st.caption("**What was changed on the Data page is not in this tree yet.**", width="content")
    if report.usable:
        st.button(
            "Grow again",
            type="tertiary",
            key="grow as answered",
            on_click=use,
            args=(draft,),
            help="Builds the pages from the table as the Data page shows it.",
        )


def _asked(table: ChosenTable, report: TableReport) -> list[Finding]:
    """List the questions that the Data page asks about a table."""
    return open_questions(together(report.findings), report, partial(is_answered, table))


def _answered_since(source: ChosenTable) -> tuple[ChosenTable, TableReport] | None:
    """Return the table in use as the Data page shows it, where it was changed there since."""
    draft = current_draft()
    if draft.file_key != source.file_key or draft.key == source.key:
        return None
    try:
        return draft, report_on(draft)
    except ProbTreesError:
        return None  # the Data page says what is wrong
