import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.ui.pages import SESSION, start_page
from probtrees.ui.shared import permalink
from probtrees.ui.shared.data_bar import data_bar, loaded_bar, model_bar
from probtrees.ui.shared.exports import export_drawer
from probtrees.ui.shared.loaded_model import loaded_model, loaded_tree, usable_view
from probtrees.ui.shared.session import state
from probtrees.ui.shared.show import blank_others, numbers_of, quality_strip
from probtrees.ui.shared.table_source import take_back
from probtrees.ui.shared.view_controls import choose_view, view_meanwhile
from probtrees.ui.shared.workbench import Workbench, settings_seen, workbench
from probtrees.ui.tree.columns_panel import columns_panel, marked_column
from probtrees.ui.tree.correct_node import split_panel
from probtrees.ui.tree.corrections import corrections_list, select_corrected
from probtrees.ui.tree.decide_panel import acting_on, decide_panel
from probtrees.ui.tree.first_tree import (
    first_tree,
    growing_choice,
    reading_line,
    scattered_rows,
    splits_not_shown,
    verdict_mark,
)
from probtrees.ui.tree.follow_row import follow_row
from probtrees.ui.tree.leaf_list import leaf_list, show_rows, tree_in_words
from probtrees.ui.tree.leaf_panel import (
    all_smoothers,
    choose_beside,
    chosen_beside,
    formula,
    leaf_panel,
    leaf_sheet,
)
from probtrees.ui.tree.pins import pin_button, pinned_leaves, pinned_nodes
from probtrees.ui.tree.shaped_model import (
    council_button,
    fitted_form,
    form_choice,
    saved_form,
    size_words,
)
from probtrees.ui.tree.shaped_view import show_form
from probtrees.ui.tree.tree_exports import TREE_EXPORTS, TreeOnShow
from probtrees.ui.tree.tree_page import COLUMNS, DECIDE, TAB, TABS, TREE, WHAT_IF
from probtrees.ui.tree.tree_picture import first_node, show_picture

start_page(TREE)
loaded = loaded_model()
if loaded is not None and loaded.model.is_network:
    loaded = None  # the Network page shows it
try:
    grown = workbench() if loaded is None else None
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    take_back()
    st.button("Back to the last tree")
    st.stop()

if loaded is not None and loaded.model.kind in ("shaped", "council"):
    with model_bar(loaded, size_words(loaded.model), TREE):
        pass
    show_form(saved_form(loaded.model, loaded.digest))
    st.stop()
bench: Workbench = grown or loaded_tree(loaded)
permalink.check(state.NODE, bench.tree.n_nodes)
permalink.check(state.OUTCOME, len(bench.outcomes))
if loaded is None:
    data_bar(grown, TREE, growing_choice)
    # One row for what the tree is and how it is smoothed: the picture begins no lower.
    bar = st.container(horizontal=True, vertical_alignment="center", key="form_bar")
    with bar:
        form = form_choice()
    if form != "tree":
        try:
            show_form(fitted_form(grown, form, bar))
        except ProbTreesError as problem:
            st.error(markdown_text(str(problem)))
        permalink.store(TREE)
        st.stop()
    with bar:
        view = choose_view(council_button)
else:
    loaded_bar(loaded, bench, TREE)
    view = usable_view(bench, choose_view(), loaded.model.smoother)
asked = view.smoother
blank_others(bench.variant(asked))
# A place of its own: if progress moved what follows down and up again, the browser would make the
# picture anew and lose what the reader has opened.
meanwhile = st.container(key="meanwhile")
try:
    if grown is not None:
        first_line = st.container(horizontal=True, vertical_alignment="center", key="first_line")
        with first_line:
            above = st.empty()
            first_tree(grown)
    with meanwhile:
        view = view_meanwhile(bench, view)
    smoothed = bench.smooth(view.smoother)
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.stop()
settings_seen(bench).add(str(bench.variant(asked)))
select_corrected(bench)
node = st.session_state.get(state.NODE)
if node is None or node >= smoothed.tree.n_nodes:
    st.session_state.pop(state.NODE, None)  # it was one of another tree
    node = first_node(bench, view.smoother, smoothed)

left, right = st.columns([2, 1], gap="medium")
beside = chosen_beside(bench)
acting = acting_on(bench, smoothed, asked) if beside == DECIDE else None
with left:
    picture = st.container()
    if beside != WHAT_IF:
        marked = marked_column(bench) if beside == COLUMNS else None
        with picture:
            pinned = pinned_nodes(bench)
            show_picture(bench, view, smoothed, node, pinned=pinned, marked=marked, acting=acting)
    quality_strip(bench, asked, is_marked=True)
    splits_not_shown(bench)
    if grown is not None:
        with first_line:
            reading_line()
        with above:
            verdict_mark(bench, asked)
    scattered_rows(bench)
    tabs = st.tabs(TABS, on_change="rerun", key=TAB)
with right, leaf_sheet():
    with st.container(horizontal=True, vertical_alignment="center", key="leaf_tools"):
        choose_beside(bench)
        export = st.popover(
            "Export",
            icon=":material/download:",
            on_change="rerun",
            key="export",
            help="Report, pictures, tables, model, code, and scores for a file",
        )
        if export.open:
            with export:
                files = (*TREE_EXPORTS, SESSION)
                export_drawer(files, TreeOnShow(bench, view, smoothed, node))
    if beside == WHAT_IF:
        follow = follow_row(bench, smoothed, view.smoother)
        with picture:
            pinned = pinned_nodes(bench)
            show_picture(bench, view, smoothed, node, pinned=pinned, followed=follow)
    elif beside == COLUMNS:
        columns_panel(bench, asked)
    elif acting is not None:
        decide_panel(bench, asked, acting)
    else:
        with numbers_of(bench.variant(asked), "leaf"):
            leaf_panel(bench, smoothed, node, view.smoother)
        split_panel(bench, node, asked)
        corrections_list(bench, node, asked)
        with numbers_of(bench.variant(asked), "answers"):
            st.markdown("**Every smoother**")
            all_smoothers(bench, node, view.smoother)
            formula(bench, smoothed, node)
        pin_button(bench, node)

contents = {
    "Leaf table": lambda: leaf_list(bench, view.smoother),
    "Rows": lambda: show_rows(bench, node),
    "In words": lambda: tree_in_words(bench, smoothed, view.smoother),
}
for name, tab in zip(TABS, tabs, strict=True):
    if tab.open:
        with tab:
            contents[name]()
pinned_leaves(bench, smoothed, view.smoother)
if loaded is None:
    permalink.store(TREE)
