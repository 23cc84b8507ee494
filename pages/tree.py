import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.leaf_choice import telling_leaf
from probtrees.draw.outline import outline
from probtrees.errors import ProbTreesError
from probtrees.ui import permalink, state
from probtrees.ui.data_bar import data_bar
from probtrees.ui.leaf_list import leaf_list
from probtrees.ui.leaf_panel import all_smoothers, leaf_panel
from probtrees.ui.picture import show_picture
from probtrees.ui.style import page_style
from probtrees.ui.view_bar import view_bar
from probtrees.ui.workbench import workbench

page_style()
permalink.restore()
for part in permalink.problems():
    st.warning(f"The link's part {part!r} cannot be followed by this version; the usual is shown.")

try:
    bench = workbench()
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.session_state.pop(state.UPLOAD, None)
    st.button("Back to the sample")
    st.stop()

data_bar(bench)
view = view_bar(bench)
smoothed = bench.smooth(view.smoother)
node = st.session_state.get(state.NODE)
if node is None or node >= smoothed.tree.n_nodes:
    node = telling_leaf(smoothed, bench.outcome)

left, right = st.columns([2, 1], gap="medium")
with left:
    show_picture(bench, view, smoothed, node)
with right, st.container(key="leaf_panel"):
    leaf_panel(bench, smoothed, node)
    st.markdown("**Every smoother's answer for this node**")
    others = st.container()

table_tab, outline_tab = st.tabs(["Leaf table", "Outline"], on_change="rerun", key="tree tabs")
if outline_tab.open:
    with outline_tab:
        text = outline(smoothed, bench.data.schema, outcome=bench.outcome)
        st.code(text, language=None, height=500)
with others:
    all_smoothers(bench, node, view.smoother)
if table_tab.open:
    with table_tab:
        leaf_list(bench)
permalink.store()
