import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.node_card import percent
from probtrees.ui import state
from probtrees.ui.lesson import widgets
from probtrees.ui.lesson.steps import STEPS
from probtrees.ui.lesson.subject import Subject, gene_subject
from probtrees.ui.style import page_style
from probtrees.ui.workbench import workbench

page_style()
lesson = widgets.current_lesson()
for part in widgets.problems():
    st.warning(f"The link's part {part!r} cannot be followed by this version; the usual is shown.")
if st.context.is_embedded:
    st.html("<style>html { font-size: 22px }</style>")

on_own_leaf = False
if not st.context.is_embedded:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        source = st.segmented_control(
            "Explained on",
            ["the gene example", "the leaf chosen on the Tree page"],
            default="the gene example",
            required=True,
            key="learn.source",
            persist_state="session",
            help="The gene example's counts can be edited; a leaf of your own tree is as it is.",
        )
        on_own_leaf = source != "the gene example"
        if not on_own_leaf:
            with st.popover("Edit the counts", icon=":material/edit:"):
                widgets.edit_counts(lesson)

subject = gene_subject(lesson.counts)
if on_own_leaf:
    bench = workbench()
    node = st.session_state.get(state.NODE) or int(bench.tree.leaves[0])
    node = min(node, bench.tree.n_nodes - 1)
    subject = Subject(bench.tree, bench.data.schema, node, bench.outcome, is_example=False)

step = STEPS[lesson.step]
with st.container(horizontal=True):
    for number, other in enumerate(STEPS):
        st.button(
            f"{number + 1}. {other.title}",
            key=f"learn.to.{number}",
            type="primary" if number == lesson.step else "secondary",
            on_click=widgets.go_to,
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
    if lesson.step + 1 < len(STEPS):
        st.button(
            "Next: " + STEPS[lesson.step + 1].title,
            type="primary",
            on_click=widgets.go_to,
            args=(lesson.step + 1,),
        )
else:
    guess = st.slider("Guess first", 0, 100, 50, format="%d %%", key="learn.guess")
    st.session_state["learn.kept guess"] = guess
    st.button("Reveal", type="primary", on_click=widgets.tell)

own_data = on_own_leaf and state.current_upload() is not None
widgets.store_link(lesson, can_be_shared=not own_data)
if not st.context.is_embedded and not own_data:
    st.caption(
        "The address of this page reproduces what you see. Add `&embed=true` for a large view "
        "without controls, for slides."
    )
