import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.ui.learn.learn_page import LEARN, choose_subject, current_lesson, hide_answers
from probtrees.ui.learn.lesson_runs import runs_for
from probtrees.ui.learn.lesson_view import show_lesson, store_address
from probtrees.ui.learn.steps import STEPS
from probtrees.ui.pages import slide_style, start_page
from probtrees.ui.shared.session.jobs import show_progress, wait_for

start_page(LEARN)
lesson = current_lesson()
embedded = st.context.is_embedded
if embedded:
    slide_style()
try:
    subject = choose_subject(lesson, embedded=embedded)
    runs = runs_for(subject, lesson)
    wait_for(run.job for run in runs)
    missing = show_lesson(subject, lesson, runs, embedded=embedded)
    if missing:
        show_progress(missing[0].job, missing[0].title, hide_answers)
        if missing[0].job.finished.is_set():
            st.rerun()
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
store_address(lesson)
if STEPS[lesson.step].name == "verdict" and lesson.told and not embedded:
    compare = st.button("Compare the smoothers on your own table", icon=":material/balance:")
    if compare:
        st.switch_page("pages/compare.py")
