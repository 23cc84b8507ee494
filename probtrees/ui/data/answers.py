"""Answers given on the Data page, taken down at once and followed when the page is made.

A click stops the page that is being made, and with it all that an earlier click has begun: looking
at a table takes a second or two, and people click on. So a click only writes down what was said.
Every answer waits until the one before it is followed, however often the page is stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Fix
from probtrees.ui.shared.draft import (
    apply_fix,
    apply_fixes,
    current_draft,
    for_target,
    forget_why_aside,
    keep,
    report_on,
    use,
)
from probtrees.ui.shared.left_tables import is_said
from probtrees.ui.shared.page import go_to
from probtrees.ui.shared.table_source import ChosenTable

_WAITING = "data.waiting answers"
_OPEN_TREE = "open the grown tree"
_STOPPED = "data.tree that could not be grown"

_STILL = 0.6
"""Seconds without another answer after which a slider is taken to be let go."""

Answer = Callable[[ChosenTable], None]


def take_down(asked: ChosenTable | None, answer: Answer, instead_of: str = "") -> None:
    """Keep an answer until it is followed; it must end by showing or using the table it is given.

    Parameters
    ----------
    asked : the table that the question was about; None for the one that will be there by then
    instead_of : a name for answers of which only the last counts, as while a slider is moved
    """
    about = None if asked is None else asked.file_key
    waiting = st.session_state.setdefault(_WAITING, [])
    if instead_of:
        waiting[:] = [each for each in waiting if each[2] != instead_of]
    waiting.append((about, answer, instead_of))


def follow_answers() -> None:
    """Follow what was said since the page was last made, each on what the one before has left.

    Nothing is said about a table that is no longer on the page.
    """
    waiting: list[tuple[str | None, Answer, str]] = st.session_state.get(_WAITING, [])
    while waiting:
        file_key, answer, _ = waiting[0]
        draft = current_draft()
        try:
            if file_key in (None, draft.file_key):
                answer(draft)
        except Exception:
            waiting.pop(0)  # else the page would fail again and again
            raise
        waiting.pop(0)
    if st.session_state.pop(_OPEN_TREE, False):
        go_to("tree")


def use_target(draft: ChosenTable, target: str) -> None:
    """Predict this column, if the table has it."""
    if target in _columns(draft):
        keep(for_target(draft, target))


def use_roles(draft: ChosenTable, roles: Mapping[str, str]) -> None:
    """Use columns for what was said, those that the table has."""
    forget_why_aside(roles)
    reading = draft.reading
    for name in _columns(draft) & set(roles):
        reading = reading.with_role(name, roles[name])
    keep(replace(draft, reading=reading))


def use_columns(draft: ChosenTable, said: Mapping[str, Mapping[str, str]]) -> None:
    """Use columns for what was said in the grid, and take them for the types, if they are there."""
    reading = draft.reading
    for name in [name for name in said if name in _columns(draft)]:
        if role := said[name].get("role"):
            reading = reading.with_role(name, role)
        if kind := said[name].get("type"):
            reading = reading.with_type(name, kind)
    keep(replace(draft, reading=reading))


def use_cut(draft: ChosenTable, target: str, cut: float | None, groups: int | None) -> None:
    """Make these classes of a number, if it is still what is predicted."""
    if report_on(draft).target == target:
        cut_otherwise: ReadOptions = replace(draft.reading, cut_target=cut, bin_target=groups)
        keep(replace(draft, reading=cut_otherwise))


def use_cut_when_still(draft: ChosenTable, target: str, cut: float) -> None:
    """Cut a number here once the hand is still: each step of a slider would read the table."""
    time.sleep(_STILL)
    st.empty()  # where the page ends if the slider was moved on
    use_cut(draft, target, cut, None)


def use_joined(draft: ChosenTable, target: str, outcomes: Sequence[str]) -> None:
    """Let outcomes be one against all others, if it is still what is predicted."""
    if report_on(draft).target == target:
        joined: ReadOptions = replace(draft.reading, join_outcomes=tuple(outcomes))
        keep(replace(draft, reading=joined))


def use_fix(draft: ChosenTable, column: str | None, fix: Fix, others: Sequence[str] = ()) -> None:
    """Follow a finding's advice, if the table still has the column that it is about."""
    if column is None or column in _columns(draft):
        apply_fix(draft, column, fix, others)


def use_fixes(draft: ChosenTable, fixes: Sequence[tuple[str, Fix]]) -> None:
    """Follow the advice of findings of one kind, those about columns that the table still has."""
    if there := [(name, fix) for name, fix in fixes if name in _columns(draft)]:
        apply_fixes(draft, there)


def grow_tree(draft: ChosenTable) -> None:
    """Build the other pages from the table and open the tree, if there can be one."""
    st.session_state[_STOPPED] = draft.file_key
    with suppress(ProbTreesError):  # the page says what is wrong with the file
        if report_on(draft).usable:
            use(draft)
            is_said()
            st.session_state[_OPEN_TREE] = True
            del st.session_state[_STOPPED]


def was_stopped(draft: ChosenTable) -> bool:
    """Whether the tree of this table was asked for, and could not be grown."""
    return bool(st.session_state.get(_STOPPED) == draft.file_key)


def _columns(draft: ChosenTable) -> set[str]:
    return {column.name for column in report_on(draft).columns}
