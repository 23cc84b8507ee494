import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.leaf_choice import telling_leaf
from probtrees.draw.legend import legend_html
from probtrees.draw.node_card import COLOUR_BY_WORDS
from probtrees.draw.outline import outline
from probtrees.draw.tree_data import tree_data
from probtrees.errors import ProbTreesError
from probtrees.experiment.registry import SMOOTHERS
from probtrees.ui import permalink, state
from probtrees.ui.data_bar import data_bar
from probtrees.ui.leaf_list import leaf_list
from probtrees.ui.leaf_panel import all_smoothers, leaf_panel
from probtrees.ui.tree_view import tree_view
from probtrees.ui.workbench import current_smoother, workbench

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
st.session_state.setdefault(state.SMOOTHER, current_smoother())
name = st.segmented_control(
    "Smoother",
    list(SMOOTHERS),
    format_func=lambda key: SMOOTHERS[key].label,
    required=True,
    key=state.SMOOTHER,
    persist_state="session",
)
with st.container(horizontal=True):
    st.session_state.setdefault(state.OUTCOME, bench.outcome)
    st.selectbox(
        "Outcome of interest",
        range(len(bench.outcomes)),
        format_func=lambda k: bench.outcomes[k],
        key=state.OUTCOME,
        persist_state="session",
        width=220,
    )
    other_name = st.selectbox(
        "Compare with",
        [None, *SMOOTHERS],
        format_func=lambda key: SMOOTHERS[key].label if key else "nothing",
        key=state.OTHER,
        persist_state="session",
        width=220,
    )
    colour_by = st.selectbox(
        "Colour by",
        list(COLOUR_BY_WORDS),
        format_func=lambda key: COLOUR_BY_WORDS[key],
        key=state.COLOUR,
        persist_state="session",
        width=320,
    )

smoothed = bench.smooth(name)
other = bench.smooth(other_name) if other_name else None
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
        colour_by=colour_by,
        other=other,
        theme=state.theme(),
    )
    tree_id = str(bench.key)
    tree_view({**picture, "tree": tree_id}, key="tree picture", on_select=select_node)
    st.html(
        legend_html(colour_by, bench.outcomes, bench.outcome, bench.base_rate, theme=state.theme())
    )
with right:
    leaf_panel(bench, smoothed, node)
    st.markdown("**Every smoother's answer for this node**")
    others = st.container()

table_tab, outline_tab = st.tabs(["Leaf table", "Outline"])
with outline_tab:
    st.code(outline(smoothed, bench.data.schema, outcome=bench.outcome), language=None, height=500)
with others:
    all_smoothers(bench, node, name)
with table_tab:
    leaf_list(bench)
permalink.store()
