"""The Tree page: its help, and what its link holds."""

from __future__ import annotations

from typing import Any

import streamlit as st

from probtrees.draw.palette import COLOUR_BY_WORDS
from probtrees.experiment.council import COUNCILLORS, Council
from probtrees.experiment.registry import SMOOTHERS
from probtrees.score.decision import decide
from probtrees.ui.shared.growing_proposal import ALL_LEAVES, ALL_LEAVES_CHOICE
from probtrees.ui.shared.page import (
    LinkChoice,
    Page,
    one_of,
    several_of,
    table_choices,
    typed_choice,
    whole,
    yes_or_no,
)
from probtrees.ui.shared.session import state
from probtrees.ui.shared.smoother_options import smoothing_choices
from probtrees.ui.shared.workbench import growing_choices
from probtrees.ui.tree.row_form import FIRST_ROW, SECOND_ROW

TAB = "tree.tab"
TABS = ("Leaf table", "Rows", "In words")
"""What stands below the picture of a tree."""

FORM = "tree.form"
FORMS = {"tree": "Tree", "shaped": "Tree + shapes", "council": "Council"}
"""Whether leaves have one number for all their rows, columns add to every row's own, or several
models answer together."""

COUNCIL = "tree.council"
"""Who sits on the council."""

RISING, FALLING, NO_SHAPE = "shaped.rising", "shaped.falling", "shaped.none"
"""Columns, by number, whose shapes must never fall, must never rise, or are not wanted."""

BESIDE = "beside"
"""What stands beside the picture."""
EXPLAIN, WHAT_IF, COLUMNS, DECIDE = "explain", "what-if", "columns", "decide"
BESIDE_WORDS = {EXPLAIN: "Explain", WHAT_IF: "What if", COLUMNS: "Columns", DECIDE: "Decide"}
RULE = "decide.rule"
"""On whom to act: an argument of ``probtrees.decide``, and its value."""
TWO_ROWS = "follow.two"
COLUMN = "tree.column"
"""The column whose splits are marked in the picture."""

OPENED = "tree.open"
"""The splits that are open in the picture, or how many groups are shown where they are many."""
MOST_IN_LINK = 60


def read_opened(text: str) -> tuple[int, ...] | int:
    """Read what a picture has open: splits by number, or how many groups.

    >>> read_opened("0-1-4"), read_opened("155groups")
    ((0, 1, 4), 155)
    """
    if text.endswith("groups"):
        return whole(1)(text.removesuffix("groups"))
    return tuple(map(whole(), text.split("-")))[:MOST_IN_LINK]


def write_opened(opened: tuple[int, ...] | int) -> str:
    """Write what :func:`read_opened` reads."""
    return f"{opened}groups" if isinstance(opened, int) else "-".join(map(str, opened))


def read_columns(text: str) -> list[int]:
    """Read numbers of columns.

    >>> read_columns("0-4")
    [0, 4]
    """
    return list(dict.fromkeys(map(whole(), text.split("-"))))


def write_columns(columns: list[int]) -> str:
    """Write what :func:`read_columns` reads."""
    return "-".join(map(str, columns))


def read_rule(text: str) -> tuple[str, Any]:
    """Read on whom to act: from a chance on, by costs of a miss and a false alarm, or on so many.

    >>> read_rule("25%"), read_rule("5:1"), read_rule("50/1000")
    (('threshold', 0.25), ('costs', (5.0, 1.0)), ('capacity', 0.05))
    """
    marks = {"%": "threshold", ":": "costs", "/": "capacity"}
    mark = next((mark for mark in marks if mark in text), "/")
    first, second = (float(part or 100) for part in text.split(mark))
    value: Any = (first, second) if mark == ":" else first / second
    decide([0.5], [1], **{marks[mark]: value})  # refuses what makes no sense
    return marks[mark], value


def write_rule(rule: tuple[str, Any]) -> str:
    """Write what :func:`read_rule` reads."""
    kind, value = rule
    if kind == "costs":
        return "{:g}:{:g}".format(*value)
    return f"{100 * value:g}%" if kind == "threshold" else f"{1000 * value:g}/1000"


_HELP = """
**What you see.** Every row goes down to one leaf; the panel says what chance that leaf gives.

**Colours.** Orange is above the overall rate, blue below; an edge is as wide as its rows are many.

**Find your way.** Click a node or use the arrow keys; `/` searches ("rows < 5", "chance > 90 %").

**Ask it.** *What if* takes the values of a row, *Columns* says which columns matter, *Decide* on
whom to act and what comes of it.

**Take it away.** *Export* has report, picture, model, code, and scores for a file of yours.
"""


def _tab(text: str) -> str:
    """Read the tab of a link; older ones say Outline, or follow a row below the picture."""
    if text == "Follow a row":
        st.session_state.setdefault(BESIDE, WHAT_IF)  # where that stands now
        return TABS[0]
    return one_of(lambda: TABS)("In words" if text == "Outline" else text)


def _choices() -> dict[str, LinkChoice]:
    """List what the link holds."""
    return (
        table_choices()
        | growing_choices()
        | smoothing_choices()
        | {
            state.OTHER: LinkChoice(state.OTHER, one_of(lambda: SMOOTHERS)),
            state.COLOUR: LinkChoice(state.COLOUR, one_of(lambda: COLOUR_BY_WORDS), usual="lift"),
            state.NODE: LinkChoice(state.NODE, whole()),
            state.ROW: LinkChoice(state.ROW, whole(1), usual=1),
            FORM: LinkChoice(FORM, one_of(lambda: FORMS), usual="tree"),
            COUNCIL: LinkChoice(
                COUNCIL, several_of(lambda: COUNCILLORS), ",".join, usual=list(Council().names)
            ),
            **{
                key: LinkChoice(key, read_columns, write_columns, usual=[])
                for key in (RISING, FALLING, NO_SHAPE)
            },
            BESIDE: LinkChoice(BESIDE, one_of(lambda: BESIDE_WORDS), usual=EXPLAIN),
            TWO_ROWS: LinkChoice(TWO_ROWS, yes_or_no, "{:d}".format, usual=False),
            SECOND_ROW.start: LinkChoice(SECOND_ROW.start, whole(1), usual=2),
            FIRST_ROW.typed: typed_choice(FIRST_ROW.typed),
            SECOND_ROW.typed: typed_choice(SECOND_ROW.typed),
            COLUMN: LinkChoice(COLUMN, whole()),
            RULE: LinkChoice(RULE, read_rule, write_rule),
            OPENED: LinkChoice(OPENED, read_opened, write_opened),
            TAB: LinkChoice(TAB, _tab, usual=TABS[0]),
            ALL_LEAVES: ALL_LEAVES_CHOICE,
        }
    )


TREE = Page("tree", "Tree", _HELP, _choices)
