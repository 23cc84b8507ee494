"""The bar that says what the page was built from, and lets one change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.experiment.registry import LEARNERS
from probtrees.table.dataset import Dataset
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared import forms
from probtrees.ui.shared.give_table import ask_file, pick_sample, short_name, take_dropped
from probtrees.ui.shared.kept_session import offer_last
from probtrees.ui.shared.page import Page, write_choices
from probtrees.ui.shared.permalink import page_tools
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.state import edits_in_force
from probtrees.ui.shared.smoother_options import smoothing_choices
from probtrees.ui.shared.table_source import (
    ChosenTable,
    current_source,
    say_target,
    tables_put_by,
    while_in_use,
)
from probtrees.ui.shared.view_controls import VIEW_HELP, outcome_choice, view_options
from probtrees.ui.shared.workbench import TreeBench, growing_choices, usual_growing
from probtrees.words import plural, rows_text

_LONGEST_NAME = 28
_DATA_HELP = "A sample, a file of your own, or another column to predict"


def data_bar(
    bench: TreeBench, page: Page, growing_costs: Callable[[TreeBench], None] | None = None
) -> None:
    """Show the table and its tree in one line, with what can be changed about them.

    Parameters
    ----------
    growing_costs : shows, when *Growing* is opened, what other trees would cost
    """
    tree = bench.tree
    removed = bench.counts.diagnostics.get("removed", ())
    size = plural(tree.n_leaves, "leaves")
    if edits_in_force():
        size += f", {plural(len(edits_in_force()), 'corrections')}"
    with _bar(bench.data, page, size, removed):
        growing = st.popover(
            "Growing",
            icon=":material/account_tree:",
            on_change="rerun",
            key="growing",
            help="How the tree is grown, and what a smaller one would cost",
        )
        with growing:
            if growing.open and growing_costs is not None:
                growing_costs(bench)
            _choose_growing(bench)
        with st.popover("View", icon=":material/palette:", help=VIEW_HELP):
            view_options(bench)


def table_bar(data: Dataset, page: Page, bench: TreeBench | None = None) -> None:
    """Show another page's table in one line; with a tree, also how it is grown and for what."""
    with _bar(data, page):
        if bench is not None:
            with st.popover(
                "Growing", icon=":material/account_tree:", help="How the tree is grown"
            ):
                _choose_growing(bench)
            with st.popover("Outcome", icon=":material/target:"):
                outcome_choice(bench)


@contextmanager
def _bar(
    data: Dataset, page: Page, detail: str = "", remarks: Sequence[str] = ()
) -> Iterator[None]:
    """Lay out the line: what the page was built from, its controls, its tools, and remarks."""
    source = current_source()
    name = source.sample if source.upload is None else data.provenance.source
    parts = [
        f"**{markdown_text(shorten(name, _LONGEST_NAME))}**",
        rows_text(data.n_rows),
        f"target: **{markdown_text(shorten(data.schema.target.title, _LONGEST_NAME))}**",
    ]
    with st.container(horizontal=True, vertical_alignment="center", key="data_bar"):
        st.markdown(" · ".join([*parts, *([detail] if detail else [])]), width="content")
        # Another table has a popover of its own: the last one would stay open over its tree.
        own = f"change data {source.file_key}"
        with st.popover("Change data", icon=":material/table:", help=_DATA_HELP, key=own):
            if source.upload is not None:
                st.markdown(f"In use: **{short_name(source)}**")
            pick_sample()
            ask_file()
            _choose_target(data)
        offer_last()
        yield
        page_tools(page, _notes([*data.provenance.notes, *remarks], source, _unused(data)))
    take_dropped()


def _notes(said: list[str], source: ChosenTable, unused: Sequence[str]) -> list[str]:
    """List what was remarked when the table was read and the tree grown."""
    if unused:
        names = ", ".join(shorten(name, _LONGEST_NAME) for name in unused)
        said.insert(0, f"Not used to predict: {names}. The Data page says why and can change it.")
    if source.upload is not None or source.said != ReadOptions():
        said.insert(0, "What the columns are used for was guessed, or set on the Data page.")
    return said


def _unused(data: Dataset) -> list[str]:
    """Name the columns of the table that nothing is predicted from."""
    return [name for name, role in data.provenance.roles.items() if role == "ignore"]


def _offer_last_settings() -> None:
    """Offer how the last table was grown and smoothed, where nothing of that was chosen here."""
    known = {n: c for n, c in (growing_choices() | smoothing_choices()).items() if not c.of_sample}
    last = next(reversed(tables_put_by().values()), {})
    keys = [known[name].key for name in write_choices(last, known)]
    if keys and not write_choices(state.held(), known):
        st.button(
            "Use the settings of the last table",
            icon=":material/content_copy:",
            on_click=st.session_state.update,
            args=({key: last[key] for key in keys},),
            help="How it was grown and smoothed; what was said about its columns stays with it.",
        )


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


def _choose_growing(bench: TreeBench) -> None:
    _offer_last_settings()
    forms.option_widgets(
        LEARNERS["c45"].options,
        key="c45",
        defaults=usual_growing(),
        proposed=None if bench.proposal is None else bench.proposal.options,
    )
