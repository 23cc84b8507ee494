"""The Learn page: its help, and its lesson, which a link brings back with all its settings.

The names are a promise: a link on a slide must work next year.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import streamlit as st

from probtrees.ui.learn.subject import GENE_COUNTS, LARGEST_COUNT
from probtrees.ui.shared import state
from probtrees.ui.shared.link_choices import (
    LinkChoice,
    as_digit,
    between,
    one_of,
    whole,
    yes_or_no,
)
from probtrees.ui.shared.page import Page
from probtrees.ui.shared.table_source import TableSource, current_source, table_choices
from probtrees.ui.shared.workbench import growing_choices


@dataclass(frozen=True)
class Lesson:
    """What a link holds.

    Attributes
    ----------
    step : number of the step, from 0
    counts : the six counts of the gene example
    strength : m of the m-estimate
    branch : M of M-branch
    weight : weight of every ancestor in HGS
    sweeps, seed : of HDP
    told : whether the answers are shown, or to be guessed first
    walked : how many nodes of the walk down the branch are shown; 0: all
    """

    step: int = 0
    counts: tuple[int, ...] = GENE_COUNTS
    strength: float = 1.0
    branch: float = 4.0
    weight: float = 1.0
    sweeps: int = 1000
    seed: int = 0
    told: bool = False
    walked: int = 0


def _read_counts(text: str) -> tuple[int, ...]:
    counts = tuple(whole(0, LARGEST_COUNT)(part) for part in text.split("-"))
    if len(counts) != len(GENE_COUNTS):
        raise ValueError(text)
    return counts


def _write_counts(counts: tuple[int, ...]) -> str:
    return "-".join(str(count) for count in counts)


LAST_STEP = 5
MOST_STRENGTH, MOST_BRANCH, MOST_WEIGHT, MOST_SWEEPS = 20.0, 20.0, 20.0, 5000


_HELP = """
**What you see.** Smoothing explained in six steps on one leaf: a famous small example whose counts
you can edit, or any leaf of your own tree.

**What to do.** Guess, then press *Reveal*. Move the sliders; the formula is filled in with the
numbers on the page. *Link* gives an address for a slide: it brings back this step, these counts
and this seed. With `embed=true` in the address the page shows in large type without controls.
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
        "step": (whole(0, LAST_STEP), str),
        "counts": (_read_counts, _write_counts),
        "strength": (between(0, MOST_STRENGTH), "{:g}".format),
        "branch": (between(0, MOST_BRANCH), "{:g}".format),
        "weight": (between(0, MOST_WEIGHT), "{:g}".format),
        "sweeps": (whole(10, MOST_SWEEPS), str),
        "seed": (whole(0, 2**31), str),
        "told": (yes_or_no, as_digit),
        "walked": (whole(0, 10_000), str),
    }
    return {
        field.name: LinkChoice(key_of(field.name), *how[field.name], field.default, of_table=False)
        for field in fields(Lesson)
    }


def _choices() -> dict[str, LinkChoice]:
    """List what the link holds."""
    own = {
        "source": LinkChoice(SOURCE, one_of(lambda: ("gene", "leaf")), usual="gene"),
        state.NODE: LinkChoice(state.NODE, whole()),
    }
    return lesson_choices() | table_choices() | growing_choices() | own


def _table() -> TableSource | None:
    """Return the table in use, if the lesson is on a leaf of its tree."""
    return current_source() if st.session_state.get(SOURCE) == "leaf" else None


LEARN = Page(
    "learn",
    "Learn",
    _HELP,
    _choices,
    table=_table,
    link_note="Add `&embed=true` for a large view without controls, for slides.",
)
