import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.ui.data import table_views
from probtrees.ui.data.data_page import DATA, DATA_EXPORTS, other_table
from probtrees.ui.data.server_files import server_files
from probtrees.ui.data.target_questions import three_questions
from probtrees.ui.pages import SESSION, start_page
from probtrees.ui.shared import permalink
from probtrees.ui.shared.exports import export_drawer
from probtrees.ui.shared.give_table import choose_place
from probtrees.ui.shared.permalink import page_tools
from probtrees.ui.shared.table_source import current_source

start_page(DATA)
source = current_source()
other_table(source)
server_files()
choose_place(source)
try:
    report = source.report
except ProbTreesError as problem:
    table_views.why_not(problem)
    with st.container(horizontal=True):
        page_tools(DATA)
    st.stop()

with st.container(horizontal=True, vertical_alignment="center", key="data_bar"):
    st.markdown(table_views.headline(source, report), width="content")
    with st.popover("Export", icon=":material/download:"):
        export_drawer((*DATA_EXPORTS, SESSION), (source, report))
    page_tools(DATA)

three_questions(source, report)
table_views.findings(report)
if report.columns:
    table_views.columns_table(source, report)
left, right = st.columns(2, gap="medium")
with left:
    table_views.class_balance(report)
with right:
    table_views.first_rows(report)
permalink.store(DATA)
