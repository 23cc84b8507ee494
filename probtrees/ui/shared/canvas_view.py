"""Pictures on a canvas: toolbar, picture and map that any kind of picture is drawn in.

``assets/canvas_view.js`` has the class that zooms, moves, fits, fills the screen and draws the
map; a kind of picture extends it in scripts of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

_ASSETS = Path(__file__).parent / "assets"


def canvas_component(name: str, *, scripts: Sequence[str]) -> Any:
    """Declare a component that draws on a canvas.

    Parameters
    ----------
    name : its HTML and style in ``assets`` (``tree_view``); the HTML has ``{{buttons}}`` where the
        buttons to zoom belong and ``{{stage}}`` where the picture and the map below it do
    scripts : its scripts in ``assets``, in order; the last one exports the component
    """
    html = _asset(f"{name}.html")
    for part in ("buttons", "stage"):
        html = html.replace(f"{{{{{part}}}}}", _asset(f"canvas_{part}.html"))
    return st.components.v2.component(
        f"probtrees_{name}",
        html=html,
        css=_asset("canvas_view.css") + _asset(f"{name}.css"),
        js="\n".join(_asset(f"{script}.js") for script in ("canvas_view", *scripts)),
    )


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
