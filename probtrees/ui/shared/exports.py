"""What can be taken away from a page: files, each declared once, in one drawer for all pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from mimetypes import guess_type
from typing import Any, Generic, TypeVar

import streamlit as st

from probtrees.draw.picture_file import PictureFormat, render
from probtrees.errors import ProbTreesError
from probtrees.model.model import Model

Asked = TypeVar("Asked")
"""What a file is written from: what is on show, and what was asked of the user."""


@dataclass(frozen=True)
class Export(Generic[Asked]):
    """One file that can be taken away.

    Attributes
    ----------
    name : of the file; its suffix says what it is
    label : what its button says
    write : makes its content when the button is pressed, maybe when the page is long gone
    help : what is in it
    is_offered : whether there is such a file at all
    """

    name: str
    label: str
    write: Callable[[Asked], str | bytes]
    help: str | None = None
    icon: str | None = None
    is_offered: Callable[[Asked], bool] = lambda asked: True


@dataclass(frozen=True)
class ExportTab(Generic[Asked]):
    """Files that belong together.

    Attributes
    ----------
    title : of the tab
    ask : shows what is asked before, and returns what the files are written from; None while
        there is nothing to write
    exports : the files
    remark : shows what is said below the buttons
    """

    title: str
    ask: Callable[[Any], Asked | None]
    exports: tuple[Export[Asked], ...] = ()
    remark: Callable[[Asked], None] | None = None


def export_drawer(tabs: Sequence[ExportTab[Any]], shown: Any) -> None:
    """Offer everything that can be taken away from what is on show."""
    places = st.tabs([tab.title for tab in tabs]) if len(tabs) > 1 else [st.container()]
    for tab, place in zip(tabs, places, strict=True):
        with place:
            asked = tab.ask(shown)
            if asked is not None:
                offer(tab.exports, asked)
                if tab.remark is not None:
                    tab.remark(asked)


def offer(exports: Sequence[Export[Asked]], asked: Asked) -> None:
    """Show a button for every file that there is."""
    with st.container(horizontal=True):
        for export in filter(lambda export: export.is_offered(asked), exports):
            st.download_button(
                export.label,
                partial(_content, export, asked),
                file_name=export.name,
                mime=guess_type(export.name)[0] or "application/octet-stream",
                key=f"export {export.name}",
                icon=export.icon,
                help=export.help,
                on_click="ignore",
            )


def _content(export: Export[Asked], asked: Asked) -> str | bytes:
    """Write a file; where that fails it holds the reason, since the page may be gone."""
    try:
        return export.write(asked)
    except ProbTreesError as problem:
        return str(problem)


def picture_exports(name: str) -> tuple[Export[Callable[[], str]], ...]:
    """Declare a picture in every format; it is written from what makes its DOT."""
    formats: tuple[PictureFormat, ...] = ("svg", "png", "pdf")
    pictures = [
        Export(f"{name}.{format}", format.upper(), partial(_picture, format)) for format in formats
    ]
    return (*pictures, Export(f"{name}.dot", "DOT", lambda dot: dot()))


def _picture(format: PictureFormat, dot: Callable[[], str]) -> bytes:
    return render(dot(), format)


MODEL: Export[Callable[[], Model]] = Export(
    "model.json",
    "Model (JSON)",
    lambda model: json.dumps(model().to_dict(), indent=1),
)
"""A model; it is written from what returns it."""


def ask_mask(key: str) -> int:
    """Ask which counts are too small to be printed in a report."""
    smallest = st.number_input(
        "Hide counts below",
        min_value=0,
        max_value=1000,
        value=0,
        step=1,
        key=key,
        persist_state="session",
        help="0 hides nothing. Otherwise smaller groups are merged before anything is computed, so "
        "that no smaller count but 0 can be read or worked out. The report says what is promised.",
    )
    return int(smallest or 0)
