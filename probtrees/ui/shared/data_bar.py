"""The bar that says what the page was built from, and lets one change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text, shorten
from probtrees.errors import DataError, ProbTreesError
from probtrees.experiment.registry import LEARNERS
from probtrees.model.networks.network_file import NETWORK_SUFFIXES
from probtrees.table.dataset import Dataset
from probtrees.table.read_options import ReadOptions
from probtrees.table.samples import sample_names
from probtrees.table.table_report import UnreadableTableError
from probtrees.ui.shared import forms
from probtrees.ui.shared.draft import for_target, keep, take, take_reading
from probtrees.ui.shared.finding_words import without_options
from probtrees.ui.shared.kept_session import open_session
from probtrees.ui.shared.left_tables import given, say_as_left
from probtrees.ui.shared.loaded_model import forget_loaded
from probtrees.ui.shared.page import Page, go_to
from probtrees.ui.shared.page_watcher import DROPPED, watch_page
from probtrees.ui.shared.permalink import page_tools
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.edits import edits_in_force
from probtrees.ui.shared.session.given_files import Upload, content_of
from probtrees.ui.shared.session.session_file import SUFFIX
from probtrees.ui.shared.table_source import FILE_HELP, ChosenTable, current_source, use_source
from probtrees.ui.shared.view_controls import VIEW_HELP, outcome_choice, view_options
from probtrees.ui.shared.workbench import TreeBench, usual_growing
from probtrees.words import plural, rows_text

_LONGEST_NAME = 28
_DATA_HELP = "A sample, a file of your own, or another column to predict"
_INSTEAD = "sample instead"
_SEEN = "file seen"
"""By field, the file that was given last and what is wrong with it."""


def welcome() -> None:
    """Say what this is and what to do with one's own file, until there is one.

    Its place is kept afterwards: what follows would else move up and be drawn twice for a moment.
    """
    place = st.container(key="welcome")
    if state.current_upload() is None:
        place.caption(
            "**probtrees** grows a decision tree from your table and shows what each of its "
            "probabilities rests on. This is a sample: *Change data* opens your own file, "
            "such as an Excel sheet or a CSV."
        )
    else:
        place.empty()  # else the words would stay until the tree is grown


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
    size = f"{plural(tree.n_nodes, 'nodes')}, {plural(tree.n_leaves, 'leaves')}"
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
            _choose_growing()
        with st.popover("View", icon=":material/palette:", help=VIEW_HELP):
            view_options(bench)


def table_bar(data: Dataset, page: Page, bench: TreeBench | None = None) -> None:
    """Show another page's table in one line; with a tree, also how it is grown and for what."""
    with _bar(data, page):
        if bench is not None:
            with st.popover(
                "Growing", icon=":material/account_tree:", help="How the tree is grown"
            ):
                _choose_growing()
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
        own = f"change data {source.sample if source.upload is None else source.upload.digest}"
        with st.popover("Change data", icon=":material/table:", help=_DATA_HELP, key=own):
            _choose_data()
            _choose_target(data)
        yield
        _notes([*data.provenance.notes, *remarks], source, _unused(data))
        page_tools(page)
    say_as_left(source)
    _take_dropped()


def _notes(said: list[str], source: ChosenTable, unused: Sequence[str]) -> None:
    """Fold away what was remarked when the table was read and the tree grown."""
    if unused:
        names = ", ".join(shorten(name, _LONGEST_NAME) for name in unused)
        said.insert(0, f"Not used to predict: {names}. The Data page says why and can change it.")
    if source.reading != ReadOptions():
        said.insert(0, "What the columns are used for was guessed, or set on the Data page.")
    if said:
        with st.popover(":material/info:", help="Remarks on the table and the tree", key="notes"):
            for note in said:
                st.caption(markdown_text(without_options(note)))


def _unused(data: Dataset) -> list[str]:
    """Name the columns of the table that nothing is predicted from."""
    return [name for name, role in data.provenance.roles.items() if role == "ignore"]


def _choose_data() -> None:
    upload = state.current_upload()
    if upload is None:
        st.selectbox(
            "Sample",
            sample_names(),
            key=state.SAMPLE,
            on_change=_use_sample,
            persist_state="session",
            help="Small tables that come with the program.",
        )
    else:
        st.markdown(f"In use: **{markdown_text(shorten(upload.name, _LONGEST_NAME))}**")
        st.selectbox(
            "Sample",
            sample_names(),
            index=None,
            placeholder="a sample instead",
            key=_INSTEAD,
            on_change=_use_other_sample,
            help="Small tables that come with the program.",
        )
    file = st.file_uploader(
        "Or a table of your own" if upload is None else "Or another table of your own",
        key="file",
        help=FILE_HELP,
    )
    if file is not None:
        _take_given(file, "field")


def _take_given(file: Any, field: str) -> None:
    """Take a file from a field; what is wrong with it is said there, until another is taken.

    A file lies in its field while the page is run again and again, also when a later one came
    by the other field: each is looked at once.
    """
    upload = Upload(file.name, content_of(file))
    seen: dict[str, tuple[str, str]] = st.session_state.get(_SEEN, {})
    digest, problem = seen.get(field, ("", ""))
    if digest != upload.digest:
        earlier = {other: (taken, "") for other, (taken, _) in seen.items()}
        st.session_state[_SEEN] = {**earlier, field: (upload.digest, "")}
        try:
            _take_file(upload)
        except ProbTreesError as found:
            problem = str(found)
            st.session_state[_SEEN] |= {field: (upload.digest, problem)}
        else:
            problem = ""
    if problem:
        st.error(markdown_text(problem))


def _take_dropped() -> None:
    """Take a file that is dropped anywhere on the page."""
    with st.container(key="drop_zone"):
        file = st.file_uploader("Drop a table anywhere", key=DROPPED, label_visibility="collapsed")
    watch_page()
    if file is not None:
        _take_given(file, DROPPED)


def _take_file(upload: Upload) -> None:
    """Build the pages from a file; one that cannot be used as it is opens on the Data page."""
    current = state.current_upload()
    if current is not None and current.digest == upload.digest:
        return
    if upload.name.endswith(SUFFIX):
        open_session(upload)
        return
    if upload.name.lower().endswith(NETWORK_SUFFIXES):
        raise DataError(
            f"{upload.name} must be a table; by its name it is a Bayesian network. Give it to "
            "Open on the Network page."
        )
    try:
        usable = take(given(ChosenTable(upload, state.current_sample()))).usable
    except UnreadableTableError as problem:
        if not problem.findings:
            raise
        usable = False
    if not usable:
        go_to("data")
    st.rerun()


def _choose_target(data: Dataset) -> None:
    """Ask for another target, for which everything is guessed again."""
    names = list(data.provenance.roles)
    target = data.schema.target.source_name
    if target not in names:
        return
    source = current_source()
    chosen = st.selectbox(
        "What do you want to know?",
        names,
        index=names.index(target),
        key=f"bar.target {source.key}",
        help="The column that is predicted. The Data page asks for more.",
    )
    if chosen != target:
        if not take_reading(for_target(source, chosen)).usable:
            go_to("data")
        st.rerun()


def _use_other_sample() -> None:
    """Leave the file for a sample."""
    chosen = st.session_state.get(_INSTEAD)
    if chosen is not None:
        st.session_state[state.SAMPLE] = chosen
        _use_sample()


def _use_sample() -> None:
    source = ChosenTable(None, state.current_sample())
    use_source(source)
    keep(source)
    forget_loaded()


def _choose_growing() -> None:
    forms.option_widgets(LEARNERS["c45"].options, key="c45", defaults=usual_growing())
