"""The Learn page: its help, its lesson, which a link brings back, and what it is explained on.

The names are a promise: a link on a slide must work next year.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import streamlit as st

from probtrees.explain.rule import rule_text
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.m_estimate import MLE
from probtrees.ui.learn.steps import STEPS, position_of
from probtrees.ui.learn.subject import (
    CELLS,
    GENE_COUNTS,
    LARGEST_COUNT,
    ORDERS,
    Subject,
    gene_subject,
)
from probtrees.ui.learn.worlds import MOST_LEAF_ROWS, OWN_WORLD, WORLDS
from probtrees.ui.shared import permalink
from probtrees.ui.shared.data_bar import table_bar
from probtrees.ui.shared.page import (
    LinkChoice,
    Page,
    as_digit,
    between,
    one_of,
    table_choices,
    whole,
    yes_or_no,
)
from probtrees.ui.shared.session import state
from probtrees.ui.shared.table_source import ChosenTable, current_source
from probtrees.ui.shared.workbench import Workbench, growing_choices, workbench
from probtrees.words import rows_text

USUAL = "usual"
"""The world that suits what the lesson is about; so do a truth, a sample or leaf rows of 0."""

LIMITS: dict[str, Any] = {
    "strength": 20.0,
    "branch": 20.0,
    "weight": 20.0,
    "sweeps": 5000,
    "leaf_rows": MOST_LEAF_ROWS,
    "c": [0.05, 100.0],
    "tyings": ("single", "level", "parent", "none"),
}
"""How far settings go, here and in the browser."""

MOST_GROUPS, MOST_LEAVES = 8, 300
"""Groups of nodes with a concentration each, and leaves that can be picked by name."""

_SOURCES = {"gene": "the gene example", "leaf": "a leaf of my tree"}


def _numbers(text: str, mark: str, read: Callable[[str], Any], lengths: range) -> tuple[Any, ...]:
    """Read numbers with a mark between them."""
    parts = text.split(mark)
    if len(parts) not in lengths:
        raise ValueError(text)
    return tuple(map(read, parts))


def _read_counts(text: str) -> tuple[int, ...]:
    return _numbers(text, "-", whole(0, LARGEST_COUNT), range(6, 7))


def _read_concentrations(text: str) -> tuple[float, ...]:
    return _numbers(text, ",", between(*LIMITS["c"]), range(1, MOST_GROUPS + 1))


def _read_truth(text: str) -> float:
    return 0.0 if text == "0" else between(0.01, 0.99)(text)


def _set(usual: Any, read: Callable[[str], Any], write: Any = "{:g}".format) -> Any:
    """Declare a setting of the lesson: its usual value, and how links read and write it."""
    return field(default=usual, metadata={"read": read, "write": write})


@dataclass(frozen=True)
class Lesson:
    """What a link holds.

    Attributes
    ----------
    step : position of the step, from 0
    counts : the six counts of the gene example
    truth, sample : of the experiment that is repeated: the true chance, and its rows; 0: as suits
        the leaf
    strength : m of the m-estimate
    least, mix : back off below so many rows; the parent's part when interpolating
    branch : M of M-branch
    c, tying : concentrations, one for each group of nodes that share one
    sweeps, seed, burn : of HDP; burn in percent of the sweeps
    weight : weight of every ancestor in HGS
    world, leaf_rows : the truth that methods are tried on, and how many rows its leaf gets; 0: as
        suits the world
    order, cell : of the network's table: its first column, and the cell that is asked about
    told : whether the answers are shown, or to be guessed first
    walked : how many nodes of the walk down the branch are shown; 0: all
    """

    step: int = _set(0, position_of, lambda step: STEPS[step].name)
    counts: tuple[int, ...] = _set(GENE_COUNTS, _read_counts, lambda n: "-".join(map(str, n)))
    truth: float = _set(0.0, _read_truth)
    sample: int = _set(0, whole(0, 200), str)
    strength: float = _set(1.0, between(0, LIMITS["strength"]))
    least: int = _set(5, whole(1, 1000), str)
    mix: float = _set(0.5, between(0, 1))
    branch: float = _set(4.0, between(0, LIMITS["branch"]))
    c: tuple[float, ...] = _set(
        (2.0,), _read_concentrations, lambda c: ",".join(map("{:g}".format, c))
    )
    tying: str = _set("single", one_of(lambda: LIMITS["tyings"]), str)
    sweeps: int = _set(1000, whole(10, LIMITS["sweeps"]), str)
    seed: int = _set(0, whole(0, 2**31), str)
    burn: int = _set(10, whole(0, 90), str)
    weight: float = _set(1.0, between(0, LIMITS["weight"]))
    world: str = _set(USUAL, one_of(lambda: (USUAL, OWN_WORLD, *WORLDS)), str)
    leaf_rows: int = _set(0, whole(0, MOST_LEAF_ROWS), str)
    order: str = _set("weight", one_of(lambda: ORDERS), str)
    cell: int = _set(0, whole(0, len(CELLS) - 1), str)
    told: bool = _set(False, yes_or_no, as_digit)
    walked: int = _set(0, whole(0, 10_000), str)


_HELP = """
**What you see.** Smoothing explained in nine steps on one leaf: a famous small example whose counts
you can change, or any leaf of your own tree. The tree, the counts and the estimates stand above
every step and move while you drag.

**What to do.** Guess, then press *Reveal*. Drag counts and sliders; the formula is filled in with
your numbers. Point at a symbol to see it in the picture. The arrow keys turn the steps. *Help*
has an address for a slide, also as a QR code: it brings back this step, these counts and this
seed. With `embed=true` in the address the page is a slide without anything around it.
"""


def key_of(name: str) -> str:
    """Return where the session keeps a field of the lesson."""
    return f"learn.{name}"


SOURCE = key_of("source")
"""Whether the lesson is explained on the gene example, or on a leaf of the tree in use."""


def current_lesson() -> Lesson:
    """Gather the lesson from the session."""
    keys = {field.name: (key_of(field.name), field.default) for field in fields(Lesson)}
    return Lesson(
        **{name: st.session_state.setdefault(key, usual) for name, (key, usual) in keys.items()}
    )


def lesson_choices() -> dict[str, LinkChoice]:
    """List what a link holds of the lesson, by name; none of it needs a table."""
    return {
        one.name: LinkChoice(key_of(one.name), **one.metadata, usual=one.default, of_table=False)
        for one in fields(Lesson)
    }


def lesson_texts(lesson: Lesson) -> dict[str, str]:
    """Write the lesson as links do, every part of it."""
    return {name: choice.write(getattr(lesson, name)) for name, choice in lesson_choices().items()}


def take_lesson(texts: object) -> None:
    """Take over a lesson as the browser tells it; parts that make no sense stay as they are."""
    if not isinstance(texts, dict):
        return
    for name, choice in lesson_choices().items():
        if isinstance(text := texts.get(name), str):
            try:
                st.session_state[choice.key] = choice.read(text)
            except ValueError:
                continue


def hide_answers() -> None:
    """Go back to guessing, where nothing needs to be computed."""
    st.session_state[key_of("told")] = False


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
                label_visibility="collapsed",
            )
            if st.session_state[SOURCE] == "gene":
                permalink.page_tools(LEARN)
    if st.session_state[SOURCE] == "gene":
        return gene_subject(lesson.counts)
    bench = workbench()
    permalink.check(state.NODE, bench.tree.n_nodes)
    permalink.check(state.OUTCOME, len(bench.outcomes))
    if not embedded:
        table_bar(bench.data, LEARN, bench)
    node = _choose_leaf(bench, embedded=embedded)
    return Subject(bench.tree, bench.schema, node, bench.outcome, ("leaf", *bench.key))


def leaf_that_needs_smoothing(tree: CountTree, outcome: int) -> int:
    """Find the leaf with rows whose raw share M-branch moves most: it has few of them."""
    raw, smoothed = (one.smooth(tree).probs[tree.leaves, outcome] for one in (MLE(), MBranch()))
    moved = np.where(tree.totals[tree.leaves] > 0, np.abs(raw - smoothed), -1.0)
    return int(tree.leaves[np.argmax(moved)])


def _choose_leaf(bench: Workbench, *, embedded: bool) -> int:
    """Ask for the leaf: the one on the Tree page, or at first one where smoothing matters."""
    tree, node = bench.tree, st.session_state.get(state.NODE)
    if node is None or node >= tree.n_nodes:
        node = leaf_that_needs_smoothing(tree, bench.outcome)
    st.session_state[state.NODE] = int(node)
    if embedded:
        return int(node)
    largest = tree.leaves[np.argsort(-tree.totals[tree.leaves], kind="stable")][:MOST_LEAVES]
    chosen: int = st.selectbox(
        "Leaf",
        list(dict.fromkeys([int(node), *largest.tolist()])),
        format_func=lambda at: (
            f"{rule_text(tree, bench.schema, at)} · {rows_text(float(tree.totals[at]))}"
        ),
        key=state.NODE,
        persist_state="session",
        help="Any leaf of the tree; it is also the one that the Tree page shows.",
    )
    return chosen


def _choices() -> dict[str, LinkChoice]:
    """List what the link holds."""
    own = {
        "source": LinkChoice(SOURCE, one_of(lambda: _SOURCES), usual="gene"),
        state.NODE: LinkChoice(state.NODE, whole()),
    }
    return lesson_choices() | table_choices() | growing_choices() | own


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
