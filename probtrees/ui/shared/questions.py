"""What is asked about the table in use, with its answers as buttons, and what was noted.

The Data page shows all of it; above the tree stand the questions that everything hangs on.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.table.findings import Finding
from probtrees.table.table_report import TableReport
from probtrees.ui.shared.table_source import is_left, leave, say_fix

MOST_ASKED = 3
"""Questions that stand in sight at once."""
_ICONS = {"note": ":gray[:material/info:]", "warning": ":orange[:material/help:]"}


def key_of(found: Finding) -> str:
    """Tell findings apart; numbers in their sentences may change when others are answered."""
    return f"{found.question} {found.kind} {found.column}"


def open_questions(report: TableReport) -> list[Finding]:
    """List what needs an answer and was not left as it is, most important first.

    Columns that are set aside are no questions: the Data page lists them with the reason.
    """
    aside = {column.name for column in report.columns if column.role == "ignore"}
    return [
        found
        for found in report.questions
        if not is_left(key_of(found)) and not (found.question == "aside" and found.column in aside)
    ]


def show_finding(found: Finding, number: int) -> None:
    """Show one finding with its answers."""
    is_open = found.question is not None and not is_left(key_of(found))
    words = markdown_text(found.sentence)
    with st.container(horizontal=True, vertical_alignment="center", key=f"finding_{number}"):
        if found.severity == "error":
            st.error(words, icon=":material/error:")
        else:
            st.markdown(f"{_ICONS['warning' if is_open else 'note']} {words}")
        for fix in found.fixes:
            st.button(
                markdown_text(fix.label),
                key=f"data.fix {number} {fix.label}",
                on_click=partial(say_fix, fix),
            )
        if is_open and found.severity != "error":
            st.button(
                "Leave it",
                type="tertiary",
                key=f"data.leave {number}",
                on_click=partial(leave, key_of(found)),
                help="It is fine as it is.",
            )
