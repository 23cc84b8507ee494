"""What only the browser can do for a page: files dragged over it, another theme, its top."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from probtrees.experiment.registry import SMOOTHERS

DROPPED = "dropped"
"""The field for files that are dropped anywhere on a page."""

_SCRIPT = (Path(__file__).parent / "assets" / "page_watcher.js").read_text(encoding="utf-8")
_watcher = st.components.v2.component("probtrees_page_watcher", js=_SCRIPT)


def watch_page() -> None:
    """Mark the page while a file is dragged over it, and run it again in another theme.

    Another page begins at its top. The buttons of smoothers say on hover what they do, which
    Streamlit's own cannot.
    """
    words = {entry.plain: entry.help for entry in SMOOTHERS.values()}
    _watcher(key="page_watcher", data=words, on_theme_change=_run_again)


def _run_again() -> None:
    """Do nothing: that the page runs again is all that is wanted."""
