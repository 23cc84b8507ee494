"""The bar that says which loaded model is on show, and what is shown of it without its rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.ui.shared.loaded_model import LONGEST_NAME, PART, Loaded, forget_loaded
from probtrees.ui.shared.page import Page
from probtrees.ui.shared.session import state
from probtrees.ui.shared.view_controls import VIEW_HELP, View, view_options
from probtrees.ui.shared.workbench import Workbench
from probtrees.words import plural, rows_text


class Bench(Protocol):
    """A tree or a network on show."""

    def can_smooth(self, name: str) -> bool:
        """Whether a smoother can be used."""


def loaded_bar(loaded: Loaded, bench: Workbench, page: Page) -> None:
    """Say which tree of which model is on show, and let another be chosen."""
    size = f"{plural(bench.tree.n_nodes, 'nodes')}, {plural(bench.tree.n_leaves, 'leaves')}"
    with (
        model_bar(loaded, size, page),
        st.popover("View", icon=":material/palette:", help=VIEW_HELP),
    ):
        view_options(bench)
    if len(loaded.parts) > 1:
        st.selectbox(
            "Part of the model",
            loaded.parts,
            format_func=loaded.label,
            key=PART,
            on_change=state.forget_view,
            persist_state="session",
            help="A forest is an average of trees: one at a time is shown. All of them answer "
            "together when a file is scored.",
        )
    st.caption(
        "The rows are not in a model's file: smoothers that ask held-out rows, the Rows tab and "
        "new growing need the table."
    )


def _calibration_note(loaded: Loaded) -> None:
    """Say that rows are given other numbers than the leaves or tables show."""
    found = loaded.model.calibration
    if found is not None:
        st.caption(
            f"This model is calibrated ({found.method}, on {rows_text(found.n_rows)} held out): "
            "files are scored with that last step, the picture shows the numbers before it."
        )


@contextmanager
def model_bar(loaded: Loaded, size: str, page: Page) -> Iterator[None]:
    """Say which model is on show and what it was made from, and lead back to the table."""
    learner = LEARNERS.get(loaded.model.learner)
    tree = loaded.model.trees[0].tree
    parts = [
        f"**{markdown_text(shorten(loaded.name, LONGEST_NAME))}**",
        "loaded model",
        markdown_text(learner.label if learner else loaded.model.learner),
        f"grown from {plural(float(tree.totals[0]), tree.rows_word)} of "
        + markdown_text(shorten(loaded.model.provenance.source, LONGEST_NAME)),
        f"target: **{markdown_text(shorten(loaded.model.schema.target.name, LONGEST_NAME))}**",
        size,
    ]
    with st.container(horizontal=True, vertical_alignment="center", key="data_bar"):
        st.markdown(" · ".join(parts), width="content")
        st.button(
            "Back to the table",
            icon=":material/undo:",
            on_click=forget_loaded,
            help="Shows the table in use again; the model stays in its file.",
        )
        yield
        with st.popover("Help", icon=":material/help:"):
            st.markdown(page.full_help)
    _calibration_note(loaded)


def point_to_network(loaded: Loaded, page: Page) -> None:
    """Say on another page that the model on show is a network, and lead to its page."""
    with model_bar(loaded, f"{len(loaded.parts):,} tables", page):
        pass
    st.info(
        "The model on show is a network: a table for every column instead of one tree. The "
        "Network page draws its parents, and every table as the tree it is.",
        icon=":material/hub:",
    )
    if st.button(
        "Open the Network page",
        type="primary",
        icon=":material/hub:",
        help="Or go back to the table for its tree.",
    ):
        st.switch_page(f"pages/{loaded.home}.py")


def usable_smoother(bench: Bench, smoother: str, kept: str) -> str:
    """Take the smoother that the model was saved with where the other needs rows, and say so."""
    if bench.can_smooth(smoother):
        return smoother
    st.info(
        f"{markdown_text(SMOOTHERS[smoother].label)} asks held-out rows, which a model's file does "
        "not hold. You see the numbers the model was saved with "
        f"({markdown_text(SMOOTHERS[kept].label)})."
    )
    return kept


def usable_view(bench: Workbench, view: View, kept: str) -> View:
    """Show what can be shown without rows, and say so where something else was asked for."""
    smoother = usable_smoother(bench, view.smoother, kept)
    if smoother != view.smoother:
        return replace(view, smoother=smoother, other=None, colour_by="lift")
    other = view.other if view.other and bench.can_smooth(view.other) else None
    return replace(view, other=other)
