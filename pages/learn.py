import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.ui.learn.learn_page import LEARN, choose_subject, current_lesson, show_lesson
from probtrees.ui.pages import slide_style, start_page

start_page(LEARN)
embedded = bool(st.context.is_embedded)
if embedded:
    slide_style()
try:
    show_lesson(choose_subject(embedded=embedded), embedded=embedded)
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
lesson = current_lesson()
if lesson.get("step") in ("verdict", "5") and lesson.get("told") == "1" and not embedded:
    compare = st.button("Compare the smoothers on your own table", icon=":material/balance:")
    if compare:
        st.switch_page("pages/compare.py")
