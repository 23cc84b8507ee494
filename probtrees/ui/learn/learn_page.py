"""The Learn page: its help, what its link holds, and what the lesson is explained on.

The browser holds the lesson and computes all of it. It tells the session what was set once a hand
comes to rest, in the words of a link; the session tells the browser only what others have changed.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np
import streamlit as st

from probtrees.explain.rule import branch_condition, outcome_names, rule, rule_text
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.m_estimate import MLE
from probtrees.table.dataset import Schema
from probtrees.ui.learn.class_routes import NO_ROOMS, PAGES, opens_rooms, phones_can_reach
from probtrees.ui.learn.lesson_file import COMPUTE, JOIN, SHOW, asset, scripts
from probtrees.ui.shared import permalink
from probtrees.ui.shared.data_bar import table_bar
from probtrees.ui.shared.page import LinkChoice, Page, one_of, table_choices, whole
from probtrees.ui.shared.session import state
from probtrees.ui.shared.table_source import ChosenTable, current_source
from probtrees.ui.shared.workbench import Workbench, growing_choices, workbench
from probtrees.words import plural, rows_text

LESSON = (
    *("step", "counts", "truth", "sample", "strength", "branch", "c", "tying"),
    *("sweeps", "seed", "burn", "weight", "world", "leaf_rows", "order", "cell", "told", "walked"),
)
"""What a link holds of the lesson; ``assets/lesson_link.js`` reads it. The names are a promise."""

SOURCE = "learn.source"
"""What the lesson is explained on: an example, or a leaf of the tree in use."""

_SOURCES = {
    "ward": "a ward whose truth is known",
    "gene": "the gene example",
    "leaf": "a leaf of my tree",
}
_MOST_LEAVES = 300
"""Leaves that can be picked by name."""

_TEXT = re.compile(r"[\w.,-]{1,200}")
_VIEW = "lesson view"
_SENT, _TURN, _AROUND = "lesson sent by the browser", "lesson turn", "address around the lesson"
_HELP = """
**What you see.** Smoothing explained in nine steps on one leaf: a ward whose truth is known, a
famous small example, or any leaf of your own tree. The tree, the counts and the estimates stand
above every step and move while you drag.

**What to do.** Guess, then press *Reveal*. Drag counts and sliders; the formula is filled in with
your numbers. Point at a symbol to see it in the picture. The arrow keys turn the steps.
`probtrees lesson lesson.html` writes the lesson as one file that needs no server.
"""
_component = st.components.v2.component(
    "probtrees_lesson",
    html='<div class="lesson"></div>',
    css=asset("lesson.css"),
    js=scripts(*COMPUTE, *SHOW, *JOIN, "lesson_app"),
)
_MOST_LEAF_ROWS, _OTHER_ROWS = 50, 3
_MOST_CELLS = 20_000
"""Nodes times outcomes of a tree that the browser samples whole; of larger ones the path."""


def _plain(text: str) -> str:
    """Read a part of the lesson; what it means the browser knows."""
    if not _TEXT.fullmatch(text):
        raise ValueError(text)
    return text


def current_lesson() -> dict[str, str]:
    """Gather what was set from the session; all else is as usual."""
    keys = {name: st.session_state.get(f"learn.{name}") for name in LESSON}
    return {name: text for name, text in keys.items() if text}


def show_lesson(leaf: dict[str, Any] | None, *, embedded: bool) -> None:
    """Show the lesson, and keep its address.

    The browser writes the address itself when it changes the lesson: so that Back goes from step
    to step, a change within a step replaces it, which Streamlit can't.
    """
    lesson = current_lesson()
    if st.session_state.get(_SENT) != lesson:
        st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
    is_known = st.session_state.get(_SENT) == lesson
    st.session_state[_SENT] = lesson
    _component(
        key=_VIEW,
        data={
            "lesson": lesson,
            "turn": st.session_state.get(_TURN, 0),
            "source": st.session_state[SOURCE],
            "leaf": leaf,
            "embedded": embedded,
            "classroom": {
                "why_no_rooms": "" if opens_rooms() else NO_ROOMS,
                "phones": phones_can_reach(),
                "page": st.session_state.setdefault("lesson page name", PAGES.give()),
            },
        },
        on_lesson_change=_take,
    )
    around = {name: at for name, at in permalink.view(LEARN).items() if name not in LESSON}
    if not is_known or around != st.session_state.get(_AROUND):
        st.session_state[_AROUND] = around
        permalink.store(LEARN)


def _take() -> None:
    """Take over what the browser has set; parts that make no sense stay as they are."""
    sent = st.session_state[_VIEW].lesson
    if not isinstance(sent, dict):
        return
    for name in LESSON:
        text = sent.get(name)
        if text is None:
            st.session_state.pop(f"learn.{name}", None)
        elif isinstance(text, str) and _TEXT.fullmatch(text):
            st.session_state[f"learn.{name}"] = text
    st.session_state[_SENT] = current_lesson()


def choose_subject(*, embedded: bool) -> dict[str, Any] | None:
    """Ask what the lesson is about; a view for slides only shows it. None: one of the examples."""
    # Links of before name no source: they are about the gene.
    st.session_state.setdefault(SOURCE, "gene" if current_lesson() else "ward")
    if not embedded:
        with st.container(horizontal=True, vertical_alignment="bottom", key="lesson_source"):
            st.segmented_control(
                "Explained on",
                list(_SOURCES),
                format_func=_SOURCES.__getitem__,
                required=True,
                **state.lasting(SOURCE),
                label_visibility="collapsed",
            )
            if st.session_state[SOURCE] != "leaf":
                permalink.page_tools(LEARN)
    if st.session_state[SOURCE] != "leaf":
        return None
    bench = workbench()
    permalink.check(state.NODE, bench.tree.n_nodes)
    permalink.check(state.OUTCOME, len(bench.outcomes))
    if not embedded:
        table_bar(bench.data, LEARN, bench)
    node = _choose_leaf(bench, embedded=embedded)
    return own_leaf(bench.tree, bench.schema, node, bench.outcome)


def _choose_leaf(bench: Workbench, *, embedded: bool) -> int:
    """Ask for the leaf: the one on the Tree page, or at first one where smoothing matters."""
    tree, node = bench.tree, st.session_state.get(state.NODE)
    if node is None or node >= tree.n_nodes:
        node = leaf_that_needs_smoothing(tree, bench.outcome)
    st.session_state[state.NODE] = int(node)
    if embedded:
        return int(node)
    largest = tree.leaves[np.argsort(-tree.totals[tree.leaves], kind="stable")][:_MOST_LEAVES]
    chosen: int = st.selectbox(
        "Leaf",
        list(dict.fromkeys([int(node), *largest.tolist()])),
        format_func=lambda at: (
            f"{rule_text(tree, bench.schema, at)} · {rows_text(float(tree.totals[at]))}"
        ),
        **state.lasting(state.NODE),
        help="Any leaf of the tree; it is also the one that the Tree page shows.",
    )
    return chosen


def _choices() -> dict[str, LinkChoice]:
    """List what the link holds."""
    own = {
        "source": LinkChoice(SOURCE, one_of(lambda: _SOURCES), usual="gene", of_table=False),
        state.NODE: LinkChoice(state.NODE, whole()),
    }
    lesson = {name: LinkChoice(f"learn.{name}", _plain, of_table=False) for name in LESSON}
    return lesson | table_choices() | growing_choices() | own


def _table() -> ChosenTable | None:
    """Return the table in use, if the lesson is on a leaf of its tree."""
    return current_source() if st.session_state.get(SOURCE) == "leaf" else None


LEARN = Page(
    "learn",
    "Learn",
    _HELP,
    _choices,
    table=_table,
    link_note="Add `&embed=true` for a slide: it fills the screen, the arrow keys turn the steps.",
)
"""The lesson: the step, how it is set, and what it is explained on."""


def leaf_that_needs_smoothing(tree: CountTree, outcome: int) -> int:
    """Find the leaf with rows whose raw share M-branch moves most: it has few of them."""
    raw, smoothed = (one.smooth(tree).probs[tree.leaves, outcome] for one in (MLE(), MBranch()))
    moved = np.where(tree.totals[tree.leaves] > 0, np.abs(raw - smoothed), -1.0)
    return int(tree.leaves[np.argmax(moved)])


def own_leaf(tree: CountTree, schema: Schema, node: int, outcome: int) -> dict[str, Any]:
    """Describe a leaf for the browser: its path, other branches as one, and the whole tree.

    Estimates of the closed forms depend on the path alone; the sampler is given all.
    """
    target = schema.columns[tree.target].name
    name = f"{target}: {outcome_names(tree, schema)[outcome]}"
    who = " and ".join(condition.words for condition in rule(tree, schema, node)) or "all rows"
    others = np.delete(tree.arrays.counts[0], outcome) + 1.0
    return {
        **_path(tree, schema, node, outcome),
        "source": "leaf",
        "outcome": name,
        "asked": f"Chance of {name} where {who}",
        "outcomes": tree.n_outcomes,
        "others": (others / others.sum()).tolist() or [1.0],
        "editable": False,
        "usual": _usual(tree, node, outcome),
        "whole": _whole(tree, node, outcome),
    }


def _path(tree: CountTree, schema: Schema, node: int, outcome: int) -> dict[str, Any]:
    """Lay out the path to a leaf; counts are cases and others of each end by turns."""
    cases, totals = tree.arrays.counts[:, outcome], tree.totals
    parent, names, ends = [-1], ["all rows"], []
    counts: list[float] = []
    above = 0
    for up, child in pairwise(tree.path(node)):
        beside = float(cases[up] - cases[child])
        rows = float(totals[up] - totals[child])
        condition = branch_condition(tree, schema, child)
        ends.append(len(parent) + 1)
        counts += [max(beside, 0.0), max(rows - beside, 0.0)]
        parent += [above, above]
        names.append("" if condition is None else condition.short)
        names.append(plural(len(tree.children(up)) - 1, "other branches"))
        above = len(parent) - 2
    counts += [float(cases[node]), float(totals[node] - cases[node])]
    return {"parent": parent, "names": names, "ends": [*ends, above], "leaf": above} | {
        "counts": counts
    }


def _usual(tree: CountTree, node: int, outcome: int) -> dict[str, Any]:
    """Give the truth and the world that suit a leaf: what its parent seems to say."""
    rows = round(float(tree.totals[node]))
    up = tree.path(node)[-2:][0]
    share = (float(tree.arrays.counts[up, outcome]) + 1) / (
        float(tree.totals[up]) + tree.n_outcomes
    )
    return {
        "leaf_rows": min(max(rows, 1), _MOST_LEAF_ROWS),
        "other_rows": _OTHER_ROWS,
        "truth": min(max(round(share, 2), 0.01), 0.99),
        "world": "own",
    }


def _whole(tree: CountTree, node: int, outcome: int) -> dict[str, Any] | None:
    """Give the whole tree, the outcome of interest first; nothing where it is too large."""
    if tree.n_nodes * tree.n_outcomes > _MOST_CELLS or tree.n_nodes == 1:
        return None
    order = [outcome, *(k for k in range(tree.n_outcomes) if k != outcome)]
    return {
        "parent": [-1, *tree.arrays.parent[1:].tolist()],
        "counts": tree.arrays.counts[:, order].tolist(),
        "outcomes": tree.n_outcomes,
        "leaf": node,
    }
