from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.explain.network_query import NetworkQuery
from probtrees.ui.network import network_controls, network_structure
from probtrees.ui.network.network_arrow import arrow_panel
from probtrees.ui.network.network_ask import ask, ask_panel
from probtrees.ui.network.network_bench import loaded_network, network_bench
from probtrees.ui.network.network_exports import NETWORK_EXPORTS, OPENED_EXPORTS, NetworkOnShow
from probtrees.ui.network.network_page import COLUMN, NETWORK, TAB, TABS, VIEW_OF_ONE_TABLE
from probtrees.ui.network.network_picture import show_network
from probtrees.ui.network.network_row import follow_row
from probtrees.ui.network.network_table import cut_places, show_matrix, table_as_tree
from probtrees.ui.network.opened_network import offer_to_open, opened_network, show_opened
from probtrees.ui.pages import start_page
from probtrees.ui.shared import permalink
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.data_bar import model_bar, table_bar
from probtrees.ui.shared.exports import ExportTab, export_drawer
from probtrees.ui.shared.forms import named_choice
from probtrees.ui.shared.loaded_model import loaded_model, usable_smoother
from probtrees.ui.shared.session.jobs import PATIENCE
from probtrees.ui.shared.show import blank_others, numbers_of, quality_strip
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.view_controls import smoother_choice
from probtrees.words import plural


def _offer(exports: Sequence[ExportTab[Any]], shown: Any) -> None:
    """Offer what can be taken away, beside the picture."""
    export = st.popover(
        "Export", icon=":material/download:", on_change="rerun", key="network export"
    )
    if export.open:
        with export:
            export_drawer(exports, shown)


start_page(NETWORK)
loaded = loaded_model()
if loaded is not None and not loaded.model.is_network:
    loaded = None
opened = opened_network()
try:
    if opened is not None:
        loaded = None
        bench = show_opened(opened, lambda: _offer(OPENED_EXPORTS, opened))
        if bench is None:
            st.stop()
    elif loaded is None:
        table_bar(current_source().read_beside_page(), NETWORK)
        bench = network_bench(*network_controls.choose_network(offer_to_open))
    else:
        bench = loaded_network(loaded)
        n_contexts = sum(tree.n_leaves for tree in bench.tables)
        size = f"{plural(len(bench.tables), 'tables')}, {plural(n_contexts, 'contexts')}"
        with model_bar(loaded, size, NETWORK):
            pass
    network_controls.begin_again("source", bench.key[1:2], VIEW_OF_ONE_TABLE)
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.stop()


permalink.check(COLUMN, bench.schema.n_columns)
with st.container(horizontal=True, vertical_alignment="center", key="network_bar"):
    smoother = smoother_choice()
    side_place = st.container(horizontal=True, vertical_alignment="center", width="content")
if loaded is not None:
    smoother = usable_smoother(bench, smoother, loaded.model.smoother)
blank_others(bench.variant(smoother))
member = network_controls.choose_member(bench)
column = network_controls.current_column(bench, member)
with side_place:
    side = network_controls.choose_side()
try:
    asked = None
    if side == "Ask":
        make = partial(NetworkQuery.of_model, bench.model(smoother))
        asked = ask(bench.variant(smoother), make, bench.schema.names, column, member)
    learnt_again = network_structure.ask_strengths(bench, member) if side == "Structure" else None
    known = learnt_again is not None and learnt_again.finished.wait(PATIENCE)
    left, right = st.columns([3, 2], gap="medium")
    other = None
    if side == "Structure" and bench.edits is not None:
        with right:
            other = network_structure.choose_other(bench)
    with left:
        strengths = learnt_again.result if learnt_again is not None and known else None
        show_network(bench, member, column, asked, strengths, other, corrects=side == "Structure")
    with side_place:  # the picture is known now
        _offer(NETWORK_EXPORTS, NetworkOnShow(bench, member, smoother))
    with right:
        of_column, of_class = st.columns(2) if asked is not None else (right, right)
        if side == "Structure":
            network_structure.structure_panel(bench, member, smoother, learnt_again)
            if learnt_again is not None and not known and learnt_again.finished.is_set():
                st.rerun()  # the picture was drawn before the arrows were judged
        else:
            with of_column:
                named_choice(
                    "Table of" if side == "Table" else "Column",
                    bench.dag(member).columns,
                    bench.schema.titles.__getitem__,
                    key=COLUMN,
                    table=str((bench.key, member)),
                    help=network_controls.OR_CLICK,
                    proposed=network_controls.usual_column(bench, member),
                )
        if asked is not None:
            with of_class:
                outcome = network_controls.choose_outcome(
                    bench.schema.classes, bench.usual_outcome, (bench.key[1], "ask")
                )
            with numbers_of(bench.variant(smoother), "ask"):
                model = bench.model(smoother)
                has_rows = isinstance(bench.counts, GrownCounts)
                inner = partial(bench.inner_queries, model) if has_rows else None
                ask_panel(asked, outcome, inner)
        elif side == "Table":
            table = bench.table(member, column)
            with numbers_of(bench.variant(smoother), "table"):
                arrow_panel(bench, member, smoother)
                show_matrix(table, table.smooth(smoother))
            cut_places(bench, member, column)
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.stop()
if loaded is None and opened is None and asked is None:  # it is about rows known in full
    quality_strip(bench, smoother)

below = st.tabs(TABS, on_change="rerun", key=TAB) if asked is None else []
for name, tab in zip(TABS, below, strict=False):
    if tab.open:
        with tab:
            if name == "Follow a row":
                follow_row(bench, smoother, member)
            else:
                table_as_tree(bench.table(member, column), smoother)
if loaded is None and opened is None:
    permalink.store(NETWORK)
