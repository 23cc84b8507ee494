import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.experiment.registry import SMOOTHERS
from probtrees.ui import state
from probtrees.ui.leaf_panel import all_smoothers, leaf_panel
from probtrees.ui.network import views
from probtrees.ui.network.bench import VALUE, choose_network, network_bench
from probtrees.ui.network.picture import show_network
from probtrees.ui.style import page_style
from probtrees.ui.workbench import current_data, current_smoother

COLUMN = "network.column"

page_style()
data, _ = current_data()
st.caption(
    f"**{markdown_text(data.name)}** · {data.n_rows:,} rows · target: "
    f"**{markdown_text(data.schema.target.name)}** · the table is changed on the Tree page"
)
choice = choose_network()
try:
    bench = views.choose_part(network_bench(*choice))
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.stop()

member = 0
if bench.n_members > 1:
    member = st.slider("Network of the ensemble", 1, bench.n_members, 1, key="network.member") - 1
columns = bench.dag(member).columns
column = st.session_state.get(COLUMN)
if column not in columns:
    column = columns[1] if len(columns) > 1 else columns[0]

left, right = st.columns([3, 2], gap="medium")
with left:
    show_network(bench, member, column, COLUMN)
    views.information(bench)
with right:
    st.session_state[COLUMN] = column
    column = st.selectbox(
        "Table of",
        columns,
        format_func=lambda number: data.schema.names[number],
        key=COLUMN,
        help="Or click the column in the picture.",
    )
    views.cut_places(bench, member, column)
    smoother = st.selectbox(
        "Smoother",
        list(SMOOTHERS),
        index=list(SMOOTHERS).index(current_smoother()),
        format_func=lambda name: SMOOTHERS[name].label,
        key="network.smoother",
        persist_state="session",
    )

table_tab, row_tab = st.tabs(["The table as a tree", "Follow a row"])
with table_tab:
    table = bench.table(member, column)
    smoothed = table.smooth(smoother)
    choose, panel = st.columns([1, 1], gap="medium")
    with choose:
        st.selectbox(
            "Value of interest",
            range(len(table.outcomes)),
            format_func=lambda k: table.outcomes[k],
            key=VALUE,
        )
        node = views.choose_context(table, smoothed)
    with panel:
        leaf_panel(table, smoothed, node, smoother)
        st.markdown("**Every smoother's answer for this row of the table**")
        all_smoothers(table, node, smoother)
with row_tab:
    views.row_reasons(bench, smoother)
st.session_state[state.SMOOTHER] = smoother
