"""Tables and pictures on a page.

``assets/canvas_view.js`` has the class that zooms, moves, fits, fills the screen and draws the map
of a picture; a kind of picture extends it in scripts of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_ASSETS = Path(__file__).parent / "assets"
_OF_MODEL = "of_model_"


def show_table(
    rows: pd.DataFrame | Sequence[Mapping[str, Any]],
    key: str,
    alt: str,
    columns: Mapping[str, Any] | None = None,
    *,
    picks: Literal["single-row", "multi-row"] | None = None,
    **options: Any,
) -> list[int]:
    """Show a table; return the places of the rows that are picked in it.

    Parameters
    ----------
    columns : of columns that need it, the format of numbers ("%.4f"), that and a help text (an
        empty format for text), or a configuration of Streamlit's own
    picks : whether rows can be picked, one or several
    options : of ``st.dataframe``
    """
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows)
    if picks is not None:
        options |= {"on_select": "rerun", "selection_mode": picks}
    shown: Any = st.dataframe(
        frame,
        hide_index=True,
        column_config={name: _column(how) for name, how in (columns or {}).items()},
        key=key,
        alt=alt,
        placeholder="–",
        **options,
    )
    return [] if picks is None else [row for row in shown.selection.rows if row < len(frame)]


def _column(how: Any) -> Any:
    if isinstance(how, str):
        return st.column_config.NumberColumn(format=how)
    if isinstance(how, tuple):
        format, help = how
        if not format:
            return st.column_config.TextColumn(help=help)
        return st.column_config.NumberColumn(format=format, help=help)
    return how


def blank_others(key: Hashable) -> None:
    """Blank at once what a page says of another model than the one of this key.

    Streamlit leaves what was drawn before until something new is drawn in its place, and a number
    of the last model under the new one would be believed.
    """
    every = f'[class*="st-key-{_OF_MODEL}"]'
    st.html(f"<style>{every}:not([class*={_mark(key)}]) {{ visibility: hidden }}</style>")


def numbers_of(key: Hashable, name: str) -> DeltaGenerator:
    """Make the place of numbers of the model of this key; :func:`blank_others` knows it."""
    return st.container(key=f"{_mark(key)}_{name}")


def _mark(key: Hashable) -> str:
    return f"{_OF_MODEL}{crc32(repr(key).encode()):08x}"


def canvas_component(name: str, *, scripts: Sequence[str]) -> Any:
    """Declare a component that draws on a canvas.

    Parameters
    ----------
    name : its HTML and style in ``assets`` (``tree_view``); the HTML has ``{{buttons}}`` where the
        buttons to zoom belong and ``{{stage}}`` where the picture and the map below it do
    scripts : its scripts in ``assets``, in order; the last one exports the component
    """
    html = asset(f"{name}.html")
    for part in ("buttons", "stage"):
        html = html.replace(f"{{{{{part}}}}}", asset(f"canvas_{part}.html"))
    return st.components.v2.component(
        f"probtrees_{name}",
        html=html,
        css=asset("canvas_view.css") + asset(f"{name}.css"),
        js="\n".join(asset(f"{script}.js") for script in ("canvas_view", *scripts)),
    )


@cache
def asset(name: str) -> str:
    """Read a script, a style or a part of a page."""
    return (_ASSETS / name).read_text(encoding="utf-8")
