"""One quiet line above the tree: what was decided when one's own table was read."""

from __future__ import annotations

from functools import partial

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.ui.shared.alike_findings import together
from probtrees.ui.shared.draft import is_left, report_on
from probtrees.ui.shared.finding_words import decided, open_questions
from probtrees.ui.shared.page import go_to
from probtrees.ui.shared.table_source import current_source
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
    said = decided(report)
    n_open = len(open_questions(together(report.findings), report, partial(is_left, source)))
    if not said and not n_open:
        return
    words = [f"**{plural(n_open, 'questions')}** open."] if n_open else []
    words += [f"When reading: {markdown_text('; '.join(said))}."] if said else []
    with st.container(key="decided"):
        st.caption(" ".join(words))
    if st.button(
        "Answer" if n_open else "Change",
        type="tertiary",
        key="to findings",
        help="Opens the Data page, where each of them is one click.",
    ):
        go_to("data")
