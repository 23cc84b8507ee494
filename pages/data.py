from dataclasses import replace

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.table.read_options import ReadOptions
from probtrees.ui.data import table_views
from probtrees.ui.data.choose_table import choose_sheet, choose_table
from probtrees.ui.data.data_exports import DATA_EXPORTS
from probtrees.ui.data.data_page import DATA
from probtrees.ui.data.draft import current_draft, keep, report_on, use
from probtrees.ui.data.server_files import server_files
from probtrees.ui.pages import start_page
from probtrees.ui.shared import permalink
from probtrees.ui.shared.exports import export_drawer
from probtrees.ui.shared.permalink import page_tools

start_page(DATA)
draft = current_draft()
choose_table(draft)
server_files()
choose_sheet(draft)
try:
    report = report_on(draft)
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.caption("The other pages still show the table they were built from.")
    with st.container(horizontal=True):
        page_tools(DATA)
    st.stop()

st.markdown(table_views.headline(draft, report))
with st.container(horizontal=True, vertical_alignment="center"):
    st.button(
        "Use this table",
        type="primary",
        icon=":material/check:",
        disabled=draft.is_in_use or not report.usable,
        on_click=use,
        args=(draft,),
        help="Builds the other pages from this table, read like this.",
    )
    if draft.is_in_use:
        st.caption("The other pages are built from this table.")
    elif not report.usable:
        st.caption("First settle what is marked as an error below.")
    else:
        st.caption("The other pages still show another table, or this one read otherwise.")
    if draft.reading != ReadOptions():
        st.button(
            "Read it as it comes",
            on_click=keep,
            args=(replace(draft, reading=ReadOptions()),),
            help="Forgets the roles and types that were set by hand.",
        )
    with st.popover("Export", icon=":material/download:"):
        export_drawer(DATA_EXPORTS, (draft, report))
    page_tools(DATA)

table_views.findings(draft, report)
table_views.columns_table(draft, report)
left, right = st.columns(2, gap="medium")
with left:
    table_views.class_balance(draft, report)
with right:
    table_views.first_rows(report)
permalink.store(DATA)
