"""What can be taken away from the Tree page: pictures, the model, the same in code."""

from __future__ import annotations

import json
from functools import partial

import streamlit as st

from probtrees.draw.export import PictureFormat, render
from probtrees.draw.tree import tree_dot
from probtrees.draw.visible import open_to_depth
from probtrees.errors import ProbTreesError
from probtrees.smoothed_tree import SmoothedTree
from probtrees.ui import state
from probtrees.ui.code import command_line, python_code
from probtrees.ui.view_bar import View
from probtrees.ui.workbench import Workbench

_FORMATS: dict[str, tuple[PictureFormat | None, str]] = {
    "SVG": ("svg", "image/svg+xml"),
    "PNG": ("png", "image/png"),
    "PDF": ("pdf", "application/pdf"),
    "DOT": (None, "text/vnd.graphviz"),
}
_MOST_NODES = 1500


def export_drawer(bench: Workbench, view: View, smoothed: SmoothedTree) -> None:
    """Offer everything that can be taken away."""
    smoothed_model = bench.model(view.smoother)
    picture, model, code = st.tabs(["Picture", "Model", "Code"])
    with picture:
        _picture(bench, view, smoothed)
    with model:
        st.download_button(
            "Model (JSON)",
            lambda: json.dumps(smoothed_model.to_dict(), indent=1),
            file_name="model.json",
            mime="application/json",
            on_click="ignore",
        )
        st.caption("Use it with probtrees predict model.json NEW.csv, or probtrees.load_model.")
    with code:
        st.code(command_line(bench, view.smoother), language="bash", wrap_lines=True)
        st.code(python_code(bench, view.smoother), language="python")


def _picture(bench: Workbench, view: View, smoothed: SmoothedTree) -> None:
    """Offer the tree as a file, as many levels of it as wanted."""
    deepest = smoothed.tree.max_depth
    levels = deepest
    if deepest > 1:
        levels = st.slider("Levels", 1, deepest, min(3, deepest), key="export.levels")
    shown = open_to_depth(smoothed.tree, levels, _MOST_NODES)
    if len(shown) == _MOST_NODES or len(open_to_depth(smoothed.tree, levels)) > len(shown):
        st.caption(f"Only whole levels of up to {_MOST_NODES:,} nodes fit into a picture.")
    other = bench.smooth(view.other) if view.other else None
    theme = state.theme()

    def dot() -> str:
        return tree_dot(
            smoothed,
            bench.data.schema,
            outcome=bench.outcome,
            visible=shown,
            colour_by=view.colour_by,
            other=other,
            theme=theme,
        )

    def file(format: PictureFormat | None) -> bytes | str:
        try:
            return dot() if format is None else render(dot(), format)
        except ProbTreesError as problem:
            return str(problem)

    with st.container(horizontal=True):
        for name, (format, mime) in _FORMATS.items():
            st.download_button(
                name,
                partial(file, format),
                file_name=f"tree.{name.lower()}",
                mime=mime,
                key=f"export.{name}",
                on_click="ignore",
            )
