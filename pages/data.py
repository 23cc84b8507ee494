from dataclasses import replace

import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.ui.data import table_views
from probtrees.ui.data.answers import follow_answers
from probtrees.ui.data.choose_table import choose_encoding, choose_sheet, choose_table, way_back
from probtrees.ui.data.data_exports import DATA_EXPORTS
from probtrees.ui.data.data_page import DATA
from probtrees.ui.data.questions import three_questions
from probtrees.ui.data.server_files import server_files
from probtrees.ui.pages import PAGES, start_page
from probtrees.ui.shared import permalink
from probtrees.ui.shared.draft import current_draft, keep, report_on
from probtrees.ui.shared.exports import export_drawer
from probtrees.ui.shared.kept_session import save_session
from probtrees.ui.shared.left_tables import note_tables, say_as_left
from probtrees.ui.shared.permalink import page_tools
from probtrees.ui.shared.session_export import session_tab

start_page(DATA)
follow_answers()
save_session(PAGES)  # once more: an answer that was just followed outlives a reload too
note_tables()  # and another file, before which the browser takes this one out of its field
draft = current_draft()
choose_table(draft)
said_what_is_used = way_back(draft)
say_as_left(draft)
server_files()
choose_sheet(draft)
try:
    report = report_on(draft)
except ProbTreesError as problem:
    table_views.why_not(draft, problem)
    choose_encoding(draft)
    if not said_what_is_used:
        st.caption("The other pages still show the table they were built from.")
    with st.container(horizontal=True):
        page_tools(DATA)
    st.stop()

with st.container(horizontal=True, vertical_alignment="center", key="data_bar"):
    st.markdown(table_views.headline(draft, report), width="content")
    choose_encoding(draft)
    if draft.reading != draft.reading.layout:
        st.button(
            "Read it as it comes",
            on_click=keep,
            args=(replace(draft, reading=draft.reading.layout),),
            help="Forgets guesses, and roles and types that were set by hand.",
        )
    with st.popover("Export", icon=":material/download:"):
        tabs = (*DATA_EXPORTS, session_tab(current_draft, PAGES))
        export_drawer(tabs, (draft, report))
    page_tools(DATA)

three_questions(draft, report)
table_views.findings(draft, report)
table_views.columns_table(draft, report)
left, right = st.columns(2, gap="medium")
with left:
    table_views.class_balance(report)
with right:
    table_views.first_rows(report)
if draft.upload is not None or not said_what_is_used:
    permalink.store(DATA)  # by the address of a sample a reload would leave the table in use
