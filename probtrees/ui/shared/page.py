"""What every page begins with, and the tools that stand at the end of its top line."""

from __future__ import annotations

import streamlit as st

from probtrees.ui.shared import permalink
from probtrees.ui.shared.help_texts import EVERYWHERE, HELP
from probtrees.ui.shared.permalink import Page
from probtrees.ui.shared.style import page_style


def start_page(page: Page) -> None:
    """Bring the style, follow the link the page was opened by, and say what could not be."""
    page_style()
    permalink.hold_choices()
    permalink.restore(page)
    permalink.explain(page)


def page_tools(page: Page) -> None:
    """Offer the link to this view, and help."""
    with st.popover("Link", icon=":material/link:", help="The address of what you see"):
        _link(page)
    with st.popover("Help", icon=":material/help:"):
        st.markdown(HELP[page] + EVERYWHERE)


def _link(page: Page) -> None:
    address, is_local = permalink.link(page)
    st.code(address, language=None, wrap_lines=True)
    words = "It brings back the sample, the options and what is selected."
    if permalink.OWN_TABLE in permalink.view(page):
        words = (
            "It brings back the options and what is selected, but carries nothing of your table: "
            "whoever opens it has to upload the same file."
        )
    if is_local:
        words += " It works only on this computer."
    st.caption(words)
    if page == "learn":
        st.caption("Add `&embed=true` for a large view without controls, for slides.")
