"""The bar that says what the page was built from, and lets one change it."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.node_card import rows_text
from probtrees.errors import ProbTreesError
from probtrees.experiment.registry import LEARNERS
from probtrees.samples import sample_names
from probtrees.ui import cached, forms, state
from probtrees.ui.reading import Reading, use_reading
from probtrees.ui.view_bar import compare_choice, view_options
from probtrees.ui.workbench import Workbench

_FILE_TYPES = ["csv", "tsv", "txt", "arff", "parquet", "gz"]


def data_bar(bench: Workbench) -> None:
    """Show table, rows, target and tree in one line, with what can be changed about them."""
    data, tree = bench.data, bench.tree
    name = data.provenance.source if state.current_upload() else state.current_sample()
    with st.container(horizontal=True, vertical_alignment="center", key="data_bar"):
        st.markdown(
            f"**{markdown_text(name)}** · {rows_text(data.n_rows)} · "
            f"target: **{markdown_text(data.schema.target.name)}** · "
            f"{tree.n_nodes:,} nodes, {tree.n_leaves:,} leaves",
            width="content",
        )
        with st.popover("Change data", icon=":material/table:"):
            _choose_data()
        with st.popover("Growing", icon=":material/account_tree:"):
            _choose_growing()
        with st.popover("View", icon=":material/palette:"):
            view_options(bench)
        compare_choice()
    for note in data.provenance.notes:
        st.caption(markdown_text(note))


def _choose_data() -> None:
    st.selectbox(
        "Sample",
        sample_names(),
        key=state.SAMPLE,
        on_change=_use_sample,
        persist_state="session",
    )
    file = st.file_uploader("Or a table of your own", type=_FILE_TYPES, key="file")
    if file is None:
        return
    upload = state.Upload(file.name, file.getvalue())
    current = state.current_upload()
    if st.session_state.get("file refused") == upload.digest or (
        current is not None and current.digest == upload.digest
    ):
        return
    try:
        cached.uploaded_data(upload)
    except ProbTreesError as problem:
        st.session_state["file refused"] = upload.digest
        st.error(markdown_text(str(problem)))
        return
    st.session_state[state.UPLOAD] = upload
    use_reading(Reading())
    state.forget_view()
    st.rerun()


def _use_sample() -> None:
    st.session_state.pop(state.UPLOAD, None)
    use_reading(Reading())
    state.forget_view()


def _choose_growing() -> None:
    start = {}
    if state.current_upload() is None:
        start = dict(state.SAMPLE_SETTINGS.get(state.current_sample(), {}))
    forms.option_widgets(LEARNERS["c45"].options, key="c45", defaults=start)
