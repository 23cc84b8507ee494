"""Buttons that give a picture as a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from probtrees.draw.picture_file import PictureFormat, render
from probtrees.errors import ProbTreesError

_FORMATS: dict[str, tuple[PictureFormat | None, str]] = {
    "SVG": ("svg", "image/svg+xml"),
    "PNG": ("png", "image/png"),
    "PDF": ("pdf", "application/pdf"),
    "DOT": (None, "text/vnd.graphviz"),
}


def picture_files(dot: Callable[[], str], name: str, key: str) -> None:
    """Offer a picture in every format; it is drawn when a button is pressed."""

    def file(format: PictureFormat | None) -> bytes | str:
        try:
            return dot() if format is None else render(dot(), format)
        except ProbTreesError as problem:
            return str(problem)

    with st.container(horizontal=True):
        for label, (format, mime) in _FORMATS.items():
            st.download_button(
                label,
                partial(file, format),
                file_name=f"{name}.{label.lower()}",
                mime=mime,
                key=f"{key}.{label}",
                on_click="ignore",
            )
