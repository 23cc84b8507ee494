import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.ui.learn import controls
from probtrees.ui.learn.choose_subject import choose_subject
from probtrees.ui.learn.learn_page import LEARN, current_lesson
from probtrees.ui.learn.steps import STEPS
from probtrees.ui.pages import slide_style, start_page
from probtrees.ui.shared import permalink
from probtrees.words import percent

start_page(LEARN)
lesson = current_lesson()
embedded = st.context.is_embedded
if embedded:
    slide_style()
try:
    subject = choose_subject(lesson, embedded=embedded)
except ProbTreesError as problem:
    st.error(markdown_text(str(problem)))
    st.stop()

step = STEPS[lesson.step]
if not embedded:
    with st.container(horizontal=True, key="lesson_steps"):
        for number, other in enumerate(STEPS):
            st.button(
                f"{number + 1}. {other.title}",
                key=f"learn.to.{number}",
                type="primary" if number == lesson.step else "secondary",
                on_click=controls.go_to,
                args=(number,),
            )

st.header(step.question)
st.markdown(
    f"**{markdown_text(subject.outcome_name)}** among rows where "
    f"*{markdown_text(subject.who(subject.node))}*"
)
if lesson.told:
    guess = st.session_state.get("learn.kept guess")
    if guess is not None:
        st.caption(f"Your guess: {percent(guess / 100)}")
    step.show(subject, lesson)
else:
    step.hint(subject)
    guess = st.slider(
        "Guess first",
        0,
        100,
        50,
        format="%d %%",
        key=f"learn.guess.{lesson.step}",
        help="Nobody sees it; it is shown beside the answer.",
    )
    st.session_state["learn.kept guess"] = guess
with st.container(horizontal=True):
    if not lesson.told:
        st.button("Reveal", type="primary", on_click=controls.reveal)
    if lesson.step > 0:
        st.button("Back", on_click=controls.go_to, args=(lesson.step - 1,))
    if lesson.step + 1 < len(STEPS):
        st.button(
            "Next: " + STEPS[lesson.step + 1].title,
            type="primary" if lesson.told else "secondary",
            on_click=controls.go_to,
            args=(lesson.step + 1,),
        )
permalink.store(LEARN)
