"""All pages of the app in the order of the menu, and what each of them begins with."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.palette import PAINTS
from probtrees.ui.compare.compare_page import COMPARE
from probtrees.ui.data.data_page import DATA
from probtrees.ui.learn.learn_page import LEARN
from probtrees.ui.network.network_page import NETWORK
from probtrees.ui.shared import kept_session, permalink
from probtrees.ui.shared.give_table import look_first
from probtrees.ui.shared.page import Page, all_choices
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.state import EDIT_KEYS
from probtrees.ui.shared.show import asset
from probtrees.ui.shared.table_source import hold_keys, settle_table
from probtrees.ui.tree.tree_page import TREE

PAGES: tuple[Page, ...] = (TREE, NETWORK, COMPARE, LEARN, DATA)
"""The first one is the front page, too."""


def start_page(page: Page) -> None:
    """Bring the style, take up the work, follow the link, and say what could not be followed."""
    paint = PAINTS[state.theme()]
    sheet = f":root {{ --sheet: {paint.page}; --accent: {paint.accent}; }}"
    st.html(f"<style>{sheet}\n{asset('page.css')}</style>")
    choices, asked = all_choices(PAGES), permalink.asked()
    keys = {choice.key for choice in choices.values()}
    hold_keys({*keys, *EDIT_KEYS, state.NODE, state.ROW})
    permalink.hold_choices(choices)
    settle_table()
    kept_session.open_waiting(choices)
    permalink.restore(page, choices)
    kept_session.take_up(asked, page, choices)
    look_first(page)
    permalink.explain(page)
    kept_session.save_session(choices)


def slide_style() -> None:
    """Make a page fit for a slide: it fills the screen, with nothing around it."""
    st.html(
        "<style>.stAppHeader, .stMainBlockContainer [data-testid='stIFrame'] { display: none } "
        ".stMainBlockContainer, .stMain { padding: 0 !important; min-height: 4px } "
        ".stMainBlockContainer > div { gap: 0 }</style>"
    )
