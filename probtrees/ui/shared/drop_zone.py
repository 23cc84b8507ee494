"""While a file is dragged over the page, the field that takes it covers the page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

DROPPED = "dropped"
"""The field for files that are dropped anywhere on a page."""

_SCRIPT = (Path(__file__).parent / "assets" / "drop_zone.js").read_text(encoding="utf-8")
_watcher = st.components.v2.component("probtrees_drop_zone", js=_SCRIPT)


def watch_for_files() -> None:
    """Mark the page while a file is dragged over it; the style sheet does the rest."""
    _watcher(key="drop_watcher")
