"""The interactive picture of a tree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

_ASSETS = Path(__file__).parent / "assets"


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


_SCRIPTS = ("tree_text", "tree_state", "tree_picture", "tree_outline", "tree_view")

_component = st.components.v2.component(
    "probtrees_tree_view",
    html=_asset("tree_view.html"),
    css=_asset("tree_view.css"),
    js="\n".join(_asset(f"{name}.js") for name in _SCRIPTS),
)


def tree_view(parts: bytes, *, key: str, on_select: Callable[[], None]) -> None:
    """Show a tree: three lines of JSON, as ``ui.picture`` writes them.

    After a click the chosen node is the component's ``selected`` in the session's state.
    """
    _component(key=key, data=parts, on_selected_change=on_select)
