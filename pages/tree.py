import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.leaf_choice import telling_leaf
from probtrees.errors import ProbTreesError
from probtrees.ui import permalink, state
from probtrees.ui.data_bar import data_bar
from probtrees.ui.export_drawer import export_drawer
from probtrees.ui.follow_row import follow_row
from probtrees.ui.leaf_list import leaf_list
from probtrees.ui.leaf_panel import all_smoothers, leaf_panel
from probtrees.ui.page import start_page
from probtrees.ui.picture import show_outline, show_picture
from probtrees.ui.pins import pin_button, pinned_leaves
from probtrees.ui.rows_of_node import show_rows
from probtrees.ui.view_bar import view_bar
from probtrees.ui.workbench import workbench

start_page("tree")
try:
    bench = workbench()
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.session_state.pop(state.UPLOAD, None)
    st.button("Back to the sample")
    st.stop()

permalink.check(state.NODE, bench.tree.n_nodes)
permalink.check(state.OUTCOME, len(bench.outcomes))
data_bar(bench)
view = view_bar(bench)
smoothed = bench.smooth(view.smoother)
node = st.session_state.get(state.NODE)
if node is None or node >= smoothed.tree.n_nodes:
    node = telling_leaf(smoothed, bench.outcome)

left, right = st.columns([2, 1], gap="medium")
with left:
    show_picture(bench, view, smoothed, node)
    names = ["Leaf table", "Rows", "Follow a row", "Outline"]
    tabs = dict(zip(names, st.tabs(names, on_change="rerun", key="tree tabs"), strict=True))
with right, st.container(key="leaf_panel"):
    leaf_panel(bench, smoothed, node, view.smoother)
    st.markdown("**Every smoother's answer for this node**")
    all_smoothers(bench, node, view.smoother)
    with st.container(horizontal=True):
        pin_button(bench, node)
        export = st.popover("Export", icon=":material/download:", on_change="rerun", key="export")
        if export.open:
            with export:
                export_drawer(bench, view, smoothed)

contents = {
    "Leaf table": lambda: leaf_list(bench),
    "Rows": lambda: show_rows(bench, node),
    "Follow a row": lambda: follow_row(bench, smoothed),
    "Outline": lambda: show_outline(bench, smoothed),
}
for name, tab in tabs.items():
    if tab.open:
        with tab:
            contents[name]()
pinned_leaves(bench, smoothed, view.smoother)
permalink.store("tree")
