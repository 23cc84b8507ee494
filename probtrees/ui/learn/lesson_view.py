"""The lesson as the browser shows it: one live picture, and the steps around it.

The browser holds the lesson while it is dragged about and computes the closed forms itself
(``assets/smoothers.js``). It tells the session what was set once a hand comes to rest, in the words
of a link; the session tells the browser only what others have changed.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import streamlit as st

from probtrees.ui.learn.class_routes import NO_ROOMS, PAGES, opens_rooms, phones_can_reach
from probtrees.ui.learn.learn_page import (
    LEARN,
    LIMITS,
    Lesson,
    lesson_choices,
    lesson_texts,
    take_lesson,
)
from probtrees.ui.learn.lesson_runs import Run, usual_settings, world_of
from probtrees.ui.learn.steps import STEPS
from probtrees.ui.learn.subject import (
    CELLS,
    EXACT_ANSWERS,
    ORDERS,
    Subject,
    drawn_tree,
    stroke_subject,
)
from probtrees.ui.learn.worlds import (
    OWN_WORLD,
    REPEATS,
    WORLDS,
    draw_samples,
    leaf_luck,
)
from probtrees.ui.shared import permalink

_ASSETS = Path(__file__).parent / "assets"
_COMPUTE = ("smoothers", "restaurant", "lesson_facts")
_SHOW = ("tree", "axis", "charts", "runs", "panels", "words", "class", "link", "answers", "marks")
"""Scripts of the lesson; those that only compute run anywhere."""


_VIEW = "lesson view"
_SENT_BY_BROWSER, _TURN = "lesson sent by the browser", "lesson turn"
_IN_ADDRESS, _AROUND = "lesson in the address", "address around the lesson"


def scripts(names: tuple[str, ...] = _COMPUTE) -> str:
    """Join scripts of the lesson."""
    return "\n".join((_ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in names)


_component = st.components.v2.component(
    "probtrees_lesson",
    html='<div class="lesson"></div>',
    css=(_ASSETS / "lesson.css").read_text(encoding="utf-8"),
    js=scripts((*_COMPUTE, "formula", *(f"lesson_{name}" for name in (*_SHOW, "slide", "view")))),
)


def show_lesson(subject: Subject, lesson: Lesson, runs: list[Run], *, embedded: bool) -> list[Run]:
    """Show the lesson with the results of finished runs; return those that it lacks."""
    # Asked once: a run that finishes meanwhile is one that the browser has not got.
    missing = [run for run in runs if not run.job.finished.is_set()]
    texts = lesson_texts(lesson)
    _component(
        key=_VIEW,
        data={
            "steps": [asdict(step) for step in STEPS],
            "lesson": texts,
            "usual": lesson_texts(Lesson()),
            "turn": _turn(texts),
            "limits": LIMITS,
            "trees": {
                "subject": _subject_tree(subject),
                "tables": {order: _table_tree(order) for order in ORDERS},
                "worlds": _world_trees(subject, lesson),
                "luck": leaf_luck(lesson.seed)[0].tolist(),
            },
            "cells": [", ".join(cell) for cell in CELLS],
            "repeats": REPEATS,
            "results": {run.name: _result(run) for run in runs if run not in missing},
            "embedded": embedded,
            "classroom": {
                "why_no_rooms": "" if opens_rooms() else NO_ROOMS,
                "phones": phones_can_reach(),
                "page": st.session_state.setdefault("lesson page name", PAGES.give()),
            },
        },
        on_lesson_change=_take,
    )
    return missing


def _take() -> None:
    """Take over what the browser sends."""
    sent = st.session_state[_VIEW].lesson
    take_lesson(sent)
    st.session_state[_SENT_BY_BROWSER] = sent
    st.session_state[_IN_ADDRESS] = sent


def store_address(lesson: Lesson) -> None:
    """Write the view into the address, unless the browser has done so itself.

    It does when it changes the lesson: so that Back goes from step to step, a change within a step
    replaces the address, which Streamlit can't.
    """
    view = permalink.view(LEARN)
    around = {name: text for name, text in view.items() if name not in lesson_choices()}
    is_known = st.session_state.get(_IN_ADDRESS) == lesson_texts(lesson)
    if not is_known or around != st.session_state.get(_AROUND):
        st.session_state[_AROUND] = around
        permalink.store(LEARN)


def _turn(texts: dict[str, str]) -> int:
    """Count how often the lesson was changed by somebody else than the browser that shows it."""
    sent = st.session_state.get(_SENT_BY_BROWSER)
    turn = int(st.session_state.get(_TURN, 0))
    if sent is None or any(sent.get(name) != texts[name] for name in lesson_choices()):
        turn += 1
        st.session_state[_TURN] = turn
        st.session_state[_SENT_BY_BROWSER] = texts
    return turn


def _result(run: Run) -> Any:
    if run.job.error is not None:
        run.job.error_was_shown = True
        raise run.job.error
    return run.job.result


def _subject_tree(subject: Subject) -> dict[str, Any]:
    """Describe the tree that the lesson is about."""
    is_gene, outcome = subject.key[0] == "gene", _outcome(subject)
    shape, counts = drawn_tree(subject)
    return {
        **asdict(shape),
        "counts": None if is_gene else counts,
        "outcome": outcome,
        "asked": f"Chance of {outcome} where {subject.who(subject.node)}",
        "outcomes": subject.tree.n_outcomes,
        "editable": is_gene,
        "usual": usual_settings(subject),
    }


def _outcome(subject: Subject) -> str:
    return "the disease" if subject.key[0] == "gene" else subject.outcome_name


def _table_tree(order: str) -> dict[str, Any]:
    cells = [stroke_subject(order, cell) for cell in range(len(CELLS))]
    tree, (first, then, _) = cells[0].tree, cells[0].schema.columns
    ends = sorted(one.node for one in cells)
    above, below = first.categories or (), then.categories or ()
    return {
        "parent": [-1, *tree.arrays.parent[1:].tolist()],
        "names": ("all patients", *above, *below * len(above)),
        "ends": ends,
        "counts": tree.arrays.counts[ends].reshape(-1).tolist(),
        "outcome": cells[0].outcome_name,
        "asked": [f"Chance of {one.outcome_name} where {one.who(one.node)}" for one in cells],
        "cells": [one.node for one in cells],
        "columns": (first.name, then.name),
        "exact": EXACT_ANSWERS[order],
        "outcomes": 2,
        "editable": False,
    }


def _world_trees(subject: Subject, lesson: Lesson) -> dict[str, Any]:
    """Describe the worlds and the first sample of each, which is shown while one guesses."""
    worlds = {OWN_WORLD: world_of(replace(lesson, world=OWN_WORLD), subject), **WORLDS}
    outcomes = dict.fromkeys(WORLDS, "the outcome") | {OWN_WORLD: _outcome(subject)}
    return {
        name: {
            "title": world.title,
            "outcome": outcomes[name],
            "asked": f"Chance of {outcomes[name]} {world.asked}",
            **asdict(world.shape),
            "outcomes": world.n_outcomes,
            "editable": False,
            "truth": world.truth,
            "first": draw_samples(world, 1, lesson.seed)[0].tolist(),
        }
        for name, world in worlds.items()
    }
