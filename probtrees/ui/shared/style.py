"""The style that all pages share."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from probtrees.draw.palette import PAINTS
from probtrees.ui.shared.state import theme

_STYLE = (Path(__file__).parent / "assets" / "page.css").read_text(encoding="utf-8")


def page_style() -> None:
    """Bring the shared style onto the page."""
    sheet = f":root {{ --sheet: {PAINTS[theme()].page}; }}"
    st.html(f"<style>{sheet}\n{_STYLE}</style>")


def slide_style() -> None:
    """Make a page fit for a slide: large type, nothing around it."""
    st.html(
        "<style>html { font-size: 22px !important } .stAppHeader { display: none } "
        ".stMainBlockContainer { padding-top: 1rem } "
        ".stMainBlockContainer code { font-size: 1rem }</style>"
    )
