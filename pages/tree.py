import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.leaf_choice import telling_leaf
from probtrees.draw.legend import legend_html
from probtrees.draw.outline import outline
from probtrees.draw.tree_data import tree_data
from probtrees.errors import ProbTreesError
from probtrees.ui import permalink, state
from probtrees.ui.data_bar import data_bar
from probtrees.ui.leaf_list import leaf_list
from probtrees.ui.leaf_panel import all_smoothers, leaf_panel
from probtrees.ui.style import page_style
from probtrees.ui.tree_view import tree_view
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
other = bench.smooth(view.other) if view.other else None
node = st.session_state.get(state.NODE)
if node is None or node >= smoothed.tree.n_nodes:
    node = telling_leaf(smoothed, bench.outcome)


def select_node() -> None:
    """Remember the node clicked in the picture."""
    st.session_state[state.NODE] = st.session_state["tree picture"].selected


left, right = st.columns([2, 1], gap="medium")
with left:
    picture = tree_data(
        smoothed,
        bench.data.schema,
        outcome=bench.outcome,
        selected=node,
        colour_by=view.colour_by,
        other=other,
        theme=state.theme(),
    )
    tree_id = str(bench.key)
    tree_view({**picture, "tree": tree_id}, key="tree picture", on_select=select_node)
    st.html(
        legend_html(
            view.colour_by, bench.outcomes, bench.outcome, bench.base_rate, theme=state.theme()
        )
    )
with right, st.container(key="leaf_panel"):
    leaf_panel(bench, smoothed, node)
    st.markdown("**Every smoother's answer for this node**")
    others = st.container()

table_tab, outline_tab = st.tabs(["Leaf table", "Outline"])
with outline_tab:
    st.code(outline(smoothed, bench.data.schema, outcome=bench.outcome), language=None, height=500)
with others:
    all_smoothers(bench, node, view.smoother)
with table_tab:
    leaf_list(bench)
permalink.store()
