"""The Learn page: its help, and its lesson, which a link brings back with all its settings.

The names are a promise: a link on a slide must work next year.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import streamlit as st

from probtrees.ui.learn.steps import STEPS, position_of
from probtrees.ui.learn.subject import CELLS, GENE_COUNTS, LARGEST_COUNT, ORDERS
from probtrees.ui.learn.worlds import MOST_LEAF_ROWS, OWN_WORLD, WORLDS
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
from probtrees.ui.shared.workbench import growing_choices

TYINGS = ("single", "level", "parent", "none")
USUAL = "usual"
"""The world that suits what the lesson is about; so do a truth, a sample or leaf rows of 0."""

MOST_STRENGTH, MOST_BRANCH, MOST_WEIGHT, MOST_SWEEPS = 20.0, 20.0, 20.0, 5000
SMALLEST_C, LARGEST_C, MOST_GROUPS = 0.05, 100.0, 8


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

    step: int = 0
    counts: tuple[int, ...] = GENE_COUNTS
    truth: float = 0.0
    sample: int = 0
    strength: float = 1.0
    least: int = 5
    mix: float = 0.5
    branch: float = 4.0
    c: tuple[float, ...] = (2.0,)
    tying: str = "single"
    sweeps: int = 1000
    seed: int = 0
    burn: int = 10
    weight: float = 1.0
    world: str = USUAL
    leaf_rows: int = 0
    order: str = "weight"
    cell: int = 0
    told: bool = False
    walked: int = 0


def _read_counts(text: str) -> tuple[int, ...]:
    counts = tuple(whole(0, LARGEST_COUNT)(part) for part in text.split("-"))
    if len(counts) != len(GENE_COUNTS):
        raise ValueError(text)
    return counts


def _read_concentrations(text: str) -> tuple[float, ...]:
    parts = text.split(",")
    if len(parts) > MOST_GROUPS:
        raise ValueError(text)
    return tuple(between(SMALLEST_C, LARGEST_C)(part) for part in parts)


def _read_truth(text: str) -> float:
    return 0.0 if text == "0" else between(0.01, 0.99)(text)


_HELP = """
**What you see.** Smoothing explained in nine steps on one leaf: a famous small example whose counts
you can change, or any leaf of your own tree. The tree, the counts and the estimates stand above
every step and move while you drag.

**What to do.** Guess, then press *Reveal*. Drag counts and sliders; the formula is filled in with
your numbers. Point at a symbol to see it in the picture. The arrow keys turn the steps. *Link*
gives an address for a slide, also as a QR code: it brings back this step, these counts and this
seed. With `embed=true` in the address the page is a slide without anything around it.
"""


def key_of(name: str) -> str:
    """Return where the session keeps a field of the lesson."""
    return f"learn.{name}"


SOURCE = key_of("source")
"""Whether the lesson is explained on the gene example, or on a leaf of the tree in use."""


def current_lesson() -> Lesson:
    """Gather the lesson from the session."""
    lesson = Lesson()
    for field in fields(lesson):
        st.session_state.setdefault(key_of(field.name), field.default)
    return replace(lesson, **{f.name: st.session_state[key_of(f.name)] for f in fields(lesson)})


def lesson_choices() -> dict[str, LinkChoice]:
    """List what a link holds of the lesson, by name; none of it needs a table."""
    how: dict[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
        "step": (position_of, lambda step: STEPS[step].name),
        "counts": (_read_counts, lambda counts: "-".join(map(str, counts))),
        "truth": (_read_truth, "{:g}".format),
        "sample": (whole(0, 200), str),
        "strength": (between(0, MOST_STRENGTH), "{:g}".format),
        "least": (whole(1, 1000), str),
        "mix": (between(0, 1), "{:g}".format),
        "branch": (between(0, MOST_BRANCH), "{:g}".format),
        "c": (_read_concentrations, lambda c: ",".join(map("{:g}".format, c))),
        "tying": (one_of(lambda: TYINGS), str),
        "sweeps": (whole(10, MOST_SWEEPS), str),
        "seed": (whole(0, 2**31), str),
        "burn": (whole(0, 90), str),
        "weight": (between(0, MOST_WEIGHT), "{:g}".format),
        "world": (one_of(lambda: (USUAL, OWN_WORLD, *WORLDS)), str),
        "leaf_rows": (whole(0, MOST_LEAF_ROWS), str),
        "order": (one_of(lambda: ORDERS), str),
        "cell": (whole(0, len(CELLS) - 1), str),
        "told": (yes_or_no, as_digit),
        "walked": (whole(0, 10_000), str),
    }
    return {
        field.name: LinkChoice(key_of(field.name), *how[field.name], field.default, of_table=False)
        for field in fields(Lesson)
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


def _choices() -> dict[str, LinkChoice]:
    """List what the link holds."""
    own = {
        "source": LinkChoice(SOURCE, one_of(lambda: ("gene", "leaf")), usual="gene"),
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
