"""The interactive picture of a tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

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


def tree_view(
    data: Mapping[str, Any], *, key: str, on_select: Callable[[], None] = lambda: None
) -> int | None:
    """Show a tree as described by ``draw.tree_data``; return the node just clicked, if any."""
    result = _component(key=key, data=dict(data), on_selected_change=on_select)
    chosen = result.selected
    return None if chosen is None else int(chosen)
