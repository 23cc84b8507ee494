"""What the lesson is explained on: the gene example, or a leaf of the tree in use."""

from __future__ import annotations

import numpy as np
import streamlit as st

from probtrees.explain.leaf import leaf_to_show
from probtrees.explain.rule import rule_text
from probtrees.ui.learn import controls
from probtrees.ui.learn.learn_page import LEARN, SOURCE, Lesson
from probtrees.ui.learn.subject import Subject, gene_subject
from probtrees.ui.shared import permalink, state
from probtrees.ui.shared.data_bar import table_bar
from probtrees.ui.shared.permalink import page_tools
from probtrees.ui.shared.smoother_options import current_smoother
from probtrees.ui.shared.workbench import Workbench, workbench
from probtrees.words import rows_text

_SOURCES = {"gene": "the gene example", "leaf": "a leaf of my tree"}
MOST_LEAVES = 300
"""Leaves that can be picked by name; any other is chosen on the Tree page."""


def choose_subject(lesson: Lesson, *, embedded: bool) -> Subject:
    """Ask what the lesson is about; a view for slides only shows it."""
    st.session_state.setdefault(SOURCE, "gene")
    if not embedded:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.segmented_control(
                "Explained on",
                list(_SOURCES),
                format_func=lambda key: _SOURCES[key],
                required=True,
                key=SOURCE,
                persist_state="session",
                help="The gene example's counts can be edited; a leaf of your own tree is as it "
                "is.",
            )
            if st.session_state[SOURCE] == "gene":
                with st.popover("Edit the counts", icon=":material/edit:"):
                    controls.edit_counts(lesson)
                page_tools(LEARN)
    if st.session_state[SOURCE] == "gene":
        return gene_subject(lesson.counts)
    bench = workbench()
    permalink.check(state.NODE, bench.tree.n_nodes)
    permalink.check(state.OUTCOME, len(bench.outcomes))
    if not embedded:
        table_bar(bench.data, LEARN, bench)
    node = _choose_leaf(bench, embedded=embedded)
    return Subject(
        bench.tree, bench.schema, node, bench.outcome, ("leaf", *bench.key), bench.smooth
    )


def _choose_leaf(bench: Workbench, *, embedded: bool) -> int:
    """Ask for the leaf; at first it is the one the Tree page shows."""
    tree = bench.tree
    node = st.session_state.get(state.NODE)
    if node is None or node >= tree.n_nodes:
        node = leaf_to_show(bench.smooth(current_smoother()), bench.outcome)
    st.session_state[state.NODE] = int(node)
    if embedded:
        return int(node)
    largest = tree.leaves[np.argsort(-tree.totals[tree.leaves], kind="stable")][:MOST_LEAVES]
    options = list(dict.fromkeys([*largest.tolist(), int(node)]))
    chosen: int = st.selectbox(
        "Leaf",
        options,
        format_func=lambda at: (
            f"{rule_text(tree, bench.schema, at)} · {rows_text(float(tree.totals[at]))}"
        ),
        key=state.NODE,
        persist_state="session",
        help="Any leaf of the tree; it is also the one that the Tree page shows.",
    )
    return chosen
