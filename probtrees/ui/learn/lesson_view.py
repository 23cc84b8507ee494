"""The lesson as the browser shows it: one live picture, and the steps around it.

The browser holds the lesson while it is dragged about and computes the closed forms itself
(``assets/smoothers.js``). It tells the session what was set once a hand comes to rest, in the words
of a link; the session tells the browser only what others have changed.
"""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import streamlit as st

from probtrees.model.model import Model
from probtrees.ui.learn.class_routes import lets_others_in
from probtrees.ui.learn.learn_page import (
    LARGEST_C,
    LEARN,
    MOST_BRANCH,
    MOST_STRENGTH,
    MOST_SWEEPS,
    MOST_WEIGHT,
    SMALLEST_C,
    TYINGS,
    Lesson,
    lesson_choices,
    lesson_texts,
    take_lesson,
)
from probtrees.ui.learn.lesson_runs import Run, loss_curves
from probtrees.ui.learn.steps import STEPS
from probtrees.ui.learn.subject import (
    GENE_ENDS,
    GENE_PARENT,
    STROKE_COUNTS,
    STROKE_ENDS,
    STROKE_PARENT,
    Subject,
    stroke_subject,
)
from probtrees.ui.learn.worlds import WORLDS, World
from probtrees.ui.shared import permalink

_ASSETS = Path(__file__).parent / "assets"
_COMPUTE = ("smoothers", "restaurant", "lesson_facts")
_SHOW = (
    "formula",
    "lesson_tree",
    "lesson_axis",
    "lesson_charts",
    "lesson_runs",
    "lesson_panels",
    "lesson_class",
    "lesson_view",
)

_VIEW = "lesson view"
_TOLD_BY_BROWSER, _TURN = "lesson told by the browser", "lesson turn"
_IN_ADDRESS, _AROUND = "lesson in the address", "address around the lesson"


def scripts(names: tuple[str, ...] = _COMPUTE) -> str:
    """Join scripts of the lesson; those that only compute run anywhere."""
    return "\n".join((_ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in names)


_component = st.components.v2.component(
    "probtrees_lesson",
    html='<div class="lesson"></div>',
    css=(_ASSETS / "lesson.css").read_text(encoding="utf-8"),
    js=scripts(_COMPUTE + _SHOW),
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
            "limits": _LIMITS,
            "trees": _trees(subject, lesson),
            "worlds": {name: world.title for name, world in WORLDS.items()},
            "results": {run.name: _result(run) for run in runs if run not in missing},
            "embedded": embedded,
            "class_sessions": lets_others_in(),
        },
        on_lesson_change=_take,
    )
    return missing


_LIMITS: dict[str, Any] = {
    "strength": MOST_STRENGTH,
    "branch": MOST_BRANCH,
    "weight": MOST_WEIGHT,
    "sweeps": MOST_SWEEPS,
    "c": [SMALLEST_C, LARGEST_C],
    "tyings": TYINGS,
}


def _take() -> None:
    """Take over what the browser tells."""
    told = st.session_state[_VIEW].lesson
    take_lesson(told)
    st.session_state[_TOLD_BY_BROWSER] = told
    st.session_state[_IN_ADDRESS] = told


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
    told = st.session_state.get(_TOLD_BY_BROWSER)
    turn = int(st.session_state.get(_TURN, 0))
    if told is None or any(told.get(name) != texts[name] for name in lesson_choices()):
        turn += 1
        st.session_state[_TURN] = turn
        st.session_state[_TOLD_BY_BROWSER] = texts
    return turn


def _result(run: Run) -> Any:
    if run.job.error is not None:
        run.job.error_was_shown = True
        raise run.job.error
    result = run.job.result
    return loss_curves(result.tree) if isinstance(result, Model) else result


def _trees(subject: Subject, lesson: Lesson) -> dict[str, Any]:
    """Describe the trees that the steps are about."""
    is_gene = subject.key[0] == "gene"
    own = _gene_tree(subject) if is_gene else _path_tree(subject)
    table = stroke_subject()
    heads = ("all patients", "heavy", "light", *("short", "medium", "tall") * 2)
    return {
        "subject": own,
        "table": {
            **_about(table, table.outcome_name),
            "parent": STROKE_PARENT,
            "names": heads,
            "ends": STROKE_ENDS,
            "counts": STROKE_COUNTS,
            "leaf": table.node,
            "outcomes": 2,
        },
        "world": _world_tree(WORLDS[lesson.world], lesson.leaf_rows),
        "all_worlds": {name: _world_tree(world, 0) for name, world in WORLDS.items()},
    }


def _about(subject: Subject, outcome: str) -> dict[str, Any]:
    return {"outcome": outcome, "who": subject.who(subject.node), "editable": False}


def _gene_tree(subject: Subject) -> dict[str, Any]:
    return {
        **_about(subject, "the disease"),
        "parent": GENE_PARENT,
        "names": ("everybody", "gene", "no gene", "women", "men"),
        "ends": GENE_ENDS,
        "counts": None,
        "leaf": subject.node,
        "outcomes": 2,
        "editable": True,
    }


def _path_tree(subject: Subject) -> dict[str, Any]:
    """Describe the path to a leaf; the other branches of each of its nodes are one node.

    Estimates of the closed forms depend on the path alone, so they stay what they are.
    """
    tree, path = subject.tree, subject.path
    parent, names, ends = [-1], ["all rows"], []
    counts: list[float] = []
    above = 0
    for node, child in pairwise(path):
        others = subject.counts[node] - subject.counts[child]
        rows = tree.totals[node] - tree.totals[child]
        ends.append(len(parent) + 1)
        counts += [max(float(others), 0.0), max(float(rows - others), 0.0)]
        parent += [above, above]
        names += [subject.step(child), _other_branches(len(tree.children(node)) - 1)]
        above = len(parent) - 2
    ends.append(above)
    cases, total = float(subject.counts[subject.node]), float(tree.totals[subject.node])
    counts += [cases, total - cases]
    return {
        **_about(subject, subject.outcome_name),
        "parent": parent,
        "names": names,
        "ends": ends,
        "counts": counts,
        "leaf": above,
        "outcomes": tree.n_outcomes,
    }


def _other_branches(n: int) -> str:
    return "the other branch" if n == 1 else f"{n} other branches"


def _world_tree(world: World, leaf_rows: int) -> dict[str, Any]:
    return {
        "outcome": "the outcome",
        "who": world.names[world.leaf],
        "editable": False,
        "parent": world.parent,
        "names": world.names,
        "ends": world.ends,
        "counts": None,
        "leaf": world.leaf,
        "outcomes": 2,
        "chances": world.chances,
        "truth": world.truth,
        "sizes": world.sizes(leaf_rows).tolist() if leaf_rows else list(world.rows),
    }
