"""What the lesson is explained on: the gene example, or a leaf of the tree in use."""

from __future__ import annotations

import numpy as np
import streamlit as st

from probtrees.explain.leaf import leaf_to_show
from probtrees.explain.rule import rule_text
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.hgs import HGS
from probtrees.smooth.laplace import Laplace
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.mle import MLE
from probtrees.ui.learn.learn_page import LEARN, SOURCE, Lesson, key_of
from probtrees.ui.learn.subject import Subject, gene_subject
from probtrees.ui.shared import permalink
from probtrees.ui.shared.data_bar import table_bar
from probtrees.ui.shared.permalink import page_tools
from probtrees.ui.shared.session import state
from probtrees.ui.shared.smoother_options import current_smoother
from probtrees.ui.shared.workbench import Workbench, workbench
from probtrees.words import rows_text

_SOURCES = {"gene": "the gene example", "leaf": "a leaf of my tree"}
MOST_LEAVES = 300
"""Leaves that can be picked by name; any other is chosen on the Tree page."""

SMALL_LEAF = 30
"""A leaf of more rows speaks for itself: there smoothing hardly matters."""

_CHOSEN = key_of("leaf chosen")


def choose_subject(lesson: Lesson, *, embedded: bool) -> Subject:
    """Ask what the lesson is about; a view for slides only shows it."""
    st.session_state.setdefault(SOURCE, "gene")
    if not embedded:
        with st.container(horizontal=True, vertical_alignment="bottom", key="lesson_source"):
            st.segmented_control(
                "Explained on",
                list(_SOURCES),
                format_func=lambda key: _SOURCES[key],
                required=True,
                key=SOURCE,
                persist_state="session",
                help="The gene example's counts can be changed; a leaf of your own tree is as it "
                "is.",
            )
            if st.session_state[SOURCE] == "gene":
                page_tools(LEARN)
    if st.session_state[SOURCE] == "gene":
        return gene_subject(lesson.counts)
    bench = workbench()
    permalink.check(state.NODE, bench.tree.n_nodes)
    permalink.check(state.OUTCOME, len(bench.outcomes))
    if not embedded:
        table_bar(bench.data, LEARN, bench)
    node = _choose_leaf(bench, embedded=embedded)
    smoothing = bench.smoothing if bench.can_smooth("hgs") else None
    return Subject(bench.tree, bench.schema, node, bench.outcome, ("leaf", *bench.key), smoothing)


def leaf_that_needs_smoothing(tree: CountTree, outcome: int) -> int:
    """Find the leaf on which smoothers disagree most, among those of few rows.

    Without a small leaf that has rows, the smallest one that has.
    """
    leaves = tree.leaves
    rows = tree.totals[leaves]
    smoothers = (MLE(), Laplace(), MBranch(), HGS(fit="published"))
    said = np.array([one.smooth(tree).probs[leaves, outcome] for one in smoothers])
    spread = np.ptp(said, axis=0)
    is_small = (rows > 0) & (rows <= SMALL_LEAF)
    if is_small.any():
        return int(leaves[np.argmax(np.where(is_small, spread, -1.0))])
    return int(leaves[np.argmin(np.where(rows > 0, rows, np.inf))])


def _choose_leaf(bench: Workbench, *, embedded: bool) -> int:
    """Ask for the leaf; at first it is one where smoothing matters.

    A leaf that was chosen, here or on the Tree page, is kept; the one that the Tree page opens
    with was not chosen by anybody.
    """
    tree = bench.tree
    node = st.session_state.get(state.NODE)
    if node is None or node >= tree.n_nodes:
        node = leaf_that_needs_smoothing(tree, bench.outcome)
    elif not st.session_state.get(_CHOSEN) and state.NODE not in st.query_params:
        opened = leaf_to_show(bench.smooth(current_smoother()), bench.outcome)
        if node == opened:
            node = leaf_that_needs_smoothing(tree, bench.outcome)
    st.session_state[_CHOSEN] = True
    st.session_state[state.NODE] = int(node)
    if embedded:
        return int(node)
    largest = tree.leaves[np.argsort(-tree.totals[tree.leaves], kind="stable")][:MOST_LEAVES]
    options = list(dict.fromkeys([int(node), *largest.tolist()]))
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
