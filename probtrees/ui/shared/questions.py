"""What is asked about the table in use, with its answers as buttons, and what was noted.

The Data page shows all of it; above the tree stand the questions that everything hangs on.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.table.dataset import Dataset
from probtrees.table.findings import Finding
from probtrees.table.number_text import number_text
from probtrees.table.table_report import TableReport
from probtrees.ui.shared.table_source import current_source, is_left, leave, say, say_fix

MOST_ASKED = 3
"""Questions that stand in sight at once."""
_ICONS = {"note": ":gray[:material/info:]", "warning": ":orange[:material/help:]"}
_MOST_CODES = 6
"""Values that a column of codes may have to be asked what they mean."""
_LONGEST_NAME = 40


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


def name_values(data: Dataset, number: int) -> None:
    """Ask what the codes of a column mean: once, for every page."""
    column, codes = data.schema.columns[number], _codes(data, number)
    if not codes:
        return
    title = f"Name {', '.join(codes)} of {markdown_text(column.title)}"
    with st.popover(title, icon=":material/label:"), st.form(f"names {column.name}", border=False):
        said = {
            code: st.text_input(
                f"{code} is", key=f"{column.name} {code}", max_chars=_LONGEST_NAME
            ).strip()
            for code in codes
        }
        if st.form_submit_button("Use it everywhere") and any(said.values()):
            named = {code: words for code, words in said.items() if words}
            step = {"step": "recode", "values": named, "column": column.source_name}
            say(current_source().said.with_step(step))
            st.rerun()


def _codes(data: Dataset, number: int) -> list[str]:
    """List the values of a column that are whole numbers, where they are few."""
    found = np.unique(data.values[:, number][~np.isnan(data.values[:, number])])
    if len(found) > _MOST_CODES:
        return []
    known = data.schema.columns[number].categories
    codes = known or [number_text(value) for value in found.tolist()]
    return list(codes) if all(code.lstrip("-").isdigit() for code in codes) else []
