"""The bar that says what the page was built from, a table or a loaded model, and changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.experiment.registry import LEARNERS
from probtrees.table.dataset import Dataset
from probtrees.ui.shared import forms
from probtrees.ui.shared.give_table import ask_file, pick_sample, take_dropped
from probtrees.ui.shared.kept_session import offer_last
from probtrees.ui.shared.loaded_model import PART, Loaded, forget_loaded
from probtrees.ui.shared.page import Page
from probtrees.ui.shared.permalink import page_tools
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.state import edits_in_force
from probtrees.ui.shared.table_source import current_source, say_target, while_in_use
from probtrees.ui.shared.view_controls import VIEW_HELP, outcome_choice, view_options
from probtrees.ui.shared.workbench import TreeBench, Workbench, usual_growing
from probtrees.words import plural, rows_text

_LONGEST_NAME = 28
_DATA_HELP = "A sample, a file of your own, or another column to predict"


def data_bar(bench: TreeBench, page: Page, costs: Callable[[TreeBench], None]) -> None:
    """Show the table and its tree in one line, with what can be changed about them.

    Parameters
    ----------
    costs : shows, when *Growing* is opened, what other trees would cost
    """
    size = plural(bench.tree.n_leaves, "leaves")
    if edits_in_force():
        size += f", {plural(len(edits_in_force()), 'corrections')}"
    with _table_bar(bench.data, page, size):
        _choose_growing(bench, costs)
        with st.popover("View", icon=":material/palette:", help=VIEW_HELP):
            view_options(bench)


def table_bar(data: Dataset, page: Page, bench: TreeBench | None = None) -> None:
    """Show another page's table in one line; with a tree, also how it is grown and for what."""
    with _table_bar(data, page):
        if bench is not None:
            _choose_growing(bench)
            with st.popover("Outcome", icon=":material/target:"):
                outcome_choice(bench)


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
            on_change=state.forget_view,
            **state.lasting(PART),
            help="A forest is an average of trees: one at a time is shown. All of them answer "
            "together when a file is scored.",
        )
    st.caption(
        "The rows are not in a model's file: smoothers that ask held-out rows, the Rows tab and "
        "new growing need the table."
    )


@contextmanager
def model_bar(loaded: Loaded, size: str, page: Page) -> Iterator[None]:
    """Say which model is on show and what it was made from, and lead back to the table."""
    model, tree = loaded.model, loaded.model.trees[0].tree
    learner = LEARNERS[model.learner].label if model.learner in LEARNERS else model.learner
    made_from = f"{plural(float(tree.totals[0]), tree.rows_word)} of {model.provenance.source}"
    parts = [_name(loaded.name), "loaded model", markdown_text(learner)]
    parts += [f"grown from {markdown_text(shorten(made_from, 2 * _LONGEST_NAME))}"]
    parts += [f"target: {_name(model.schema.target.name)}", size]
    with _line(parts, page, linked=False):
        st.button(
            "Back to the table",
            icon=":material/undo:",
            on_click=forget_loaded,
            help="Shows the table in use again; the model stays in its file.",
        )
        yield
    if (found := model.calibration) is not None:
        st.caption(
            f"This model is calibrated ({found.method}, on {rows_text(found.n_rows)} held out): "
            "files are scored with that last step, the picture shows the numbers before it."
        )


@contextmanager
def _table_bar(data: Dataset, page: Page, size: str = "") -> Iterator[None]:
    """Say which table the page was built from, and let another be given."""
    source = current_source()
    name = source.sample if source.upload is None else data.provenance.source
    target = f"target: {_name(data.schema.target.title)}"
    with _line([_name(name), rows_text(data.n_rows), target, size], page):
        # Another table has a popover of its own: the last one would stay open over its tree.
        own = f"change data {source.file_key}"
        with st.popover("Change data", icon=":material/table:", help=_DATA_HELP, key=own):
            if source.upload is not None:
                st.markdown(f"In use: {_name(source.name)}")
            pick_sample()
            ask_file()
            _choose_target(data)
        offer_last()
        yield
    take_dropped()


@contextmanager
def _line(parts: list[str], page: Page, *, linked: bool = True) -> Iterator[None]:
    """Lay out a bar: what is on show, its controls, and the tools of the page."""
    with st.container(horizontal=True, vertical_alignment="center", key="data_bar"):
        st.markdown(" · ".join(filter(None, parts)), width="content")
        yield
        page_tools(page, linked=linked)


def _name(name: str) -> str:
    return f"**{markdown_text(shorten(name, _LONGEST_NAME))}**"


def _choose_target(data: Dataset) -> None:
    """Ask for another target, for which everything is guessed again."""
    names = list(data.provenance.roles)
    target = data.schema.target.source_name
    if target not in names:
        return
    key = f"bar.target {current_source().key}"
    st.selectbox(
        "What do you want to know?",
        names,
        index=names.index(target),
        key=key,
        on_change=while_in_use(lambda: say_target(st.session_state[key]), key),
        help="The column that is predicted. The Data page asks for more.",
    )


def _choose_growing(bench: TreeBench, costs: Callable[[TreeBench], None] | None = None) -> None:
    """Ask how the tree is grown; first show what other trees would cost, where that is known."""
    watched: dict[str, Any] = {} if costs is None else {"on_change": "rerun", "key": "growing"}
    words = "How the tree is grown" + ("" if costs is None else ", and what a smaller one costs")
    growing = st.popover("Growing", icon=":material/account_tree:", help=words, **watched)
    with growing:
        if costs is not None and growing.open:
            costs(bench)
        forms.option_widgets(
            LEARNERS["c45"].options,
            key="c45",
            defaults=usual_growing(),
            proposed=None if bench.proposal is None else bench.proposal.options,
        )
