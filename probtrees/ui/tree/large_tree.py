"""Below a tree that is larger than anybody reads: what makes it large, and a smaller one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.growing_costs import GrowingCost
from probtrees.table.dataset import Column
from probtrees.ui.shared.draft import take_reading
from probtrees.ui.shared.session.growing_answers import answer_growing
from probtrees.ui.shared.session.jobs import wait_for
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench, Workbench
from probtrees.ui.tree.growing_choice import cost_words, costs_job, is_done, way_name
from probtrees.words import plural

_ASKED, _BEFORE = "smaller tree asked", "larger tree"
MANY_LEAVES = 60
"""More leaves than that are said to be many: nobody reads them."""

_MANY_VALUES, _ROWS_PER_VALUE = 100, 10
"""A column of so many values, with fewer rows for each, scatters the rows."""

_FEWEST = 5
_LOSS = 0.01
"""The share of its Brier score that a smaller tree may be worse by, where that may be luck."""
_LOST_AREA = 0.02
"""What a smaller tree may lose of the area under the ROC curve: of a rare outcome the Brier score
hardly notices that rows are no longer told apart."""


def scattered_rows(bench: Workbench) -> None:
    """Name a column that splits the rows into crumbs, with one click to do otherwise."""
    if not isinstance(bench, TreeBench):
        return
    used = set(np.unique(bench.tree.arrays.column[~bench.tree.is_leaf]).tolist())
    for number, column in enumerate(bench.schema.features):
        if number in used and _scatters(column, bench.data.n_rows):
            _offer_to_group(column)


def _scatters(column: Column, n_rows: int) -> bool:
    """Whether a branch for every value holds hardly any rows.

    >>> _scatters(Column("postcode", tuple(map(str, range(900)))), 1800)
    True
    """
    return column.n_values > _MANY_VALUES and n_rows < _ROWS_PER_VALUE * column.n_values


def _offer_to_group(column: Column) -> None:
    name = column.source_name
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"**{markdown_text(name)}** has {column.n_values:,} different values: the tree makes a "
            "branch for each, most of a few rows."
        )
        for label, setting, value in (
            ("Group the rare ones", "group", name),
            ("Set it aside", "role", "ignore"),
        ):
            st.button(label, key=f"{setting} {name}", on_click=_read, args=(name, setting, value))


def _read(name: str, setting: str, value: str) -> None:
    """Read the table in use otherwise."""
    source = current_source()
    take_reading(replace(source, reading=source.reading.with_fix(name, setting, value)))


def smaller_tree(bench: Workbench) -> None:
    """Offer a smaller tree that is as good, where the tree is larger than anybody reads."""
    if not isinstance(bench, TreeBench):
        return
    _offer_way_back(bench)
    if bench.tree.n_leaves <= MANY_LEAVES:
        return
    if st.session_state.get(_ASKED) == bench.key:
        if wait_for([costs_job(bench)]):
            _offer(bench, waiting=False)
        else:
            st.fragment(_offer, run_every=0.7)(bench, waiting=True)
        return
    st.button(
        f"{bench.tree.n_leaves:,} leaves are many: look for a smaller tree that is as good",
        icon=":material/compress:",
        type="tertiary",
        key="look for smaller",
        on_click=_ask_for_smaller,
        args=(bench,),
        help="Grows trees with larger leaves and a pruned one, and asks them about rows that they "
        "have not seen. Growing lists them all.",
    )


def _ask_for_smaller(bench: TreeBench) -> None:
    st.session_state[_ASKED] = bench.key


def _offer(bench: TreeBench, waiting: bool) -> None:
    """Offer the smallest tree that does not do worse, once it is known."""
    if not is_done(bench, waiting):
        return
    job = costs_job(bench)
    costs: Sequence[GrowingCost] = [] if job.error is not None else job.result or []
    best = smallest_as_good(costs)
    if best is None:
        st.caption(none_as_good(costs))
        return
    before = {name: getattr(bench.counts.grown.spec.learner, name) for name in best.options}
    st.button(
        f"Grow it with {plural(best.n_leaves, 'leaves')} instead",
        icon=":material/account_tree:",
        key="grow smaller",
        on_click=_grow_smaller,
        args=(bench, best.options, before),
        help=f"{way_name(best.options)}: {cost_words(best)}.",
    )


def smallest_as_good(costs: Sequence[GrowingCost]) -> GrowingCost | None:
    """Return the way with the fewest leaves that does no worse on unseen rows; None if all do.

    >>> smallest_as_good([
    ...     GrowingCost({}, 300, 0.380),
    ...     GrowingCost({"min_leaf": 5}, 90, 0.379, (-0.001, -0.01, 0.01)),
    ...     GrowingCost({"min_leaf": 20}, 40, 0.381, (0.001, -0.01, 0.01)),
    ...     GrowingCost({"min_leaf": 50}, 12, 0.402, (0.022, 0.01, 0.03)),
    ... ]).n_leaves
    40
    """
    if not costs or costs[0].brier is None:
        return None
    as_good = [
        cost
        for cost in costs[1:]
        if _FEWEST <= cost.n_leaves < costs[0].n_leaves
        and cost.brier is not None
        and (cost.cost[0] <= 0 or (cost.is_noise and cost.cost[0] <= _LOSS * costs[0].brier))
        and (cost.auc is None or costs[0].auc is None or cost.auc >= costs[0].auc - _LOST_AREA)
    ]
    return min(as_good, key=lambda cost: cost.n_leaves, default=None)


def none_as_good(costs: Sequence[GrowingCost]) -> str:
    """Say that every smaller tree does worse on unseen rows, and how the nearest does.

    >>> none_as_good([
    ...     GrowingCost({}, 121, 0.046, auc=0.60),
    ...     GrowingCost({"min_leaf": 5}, 44, 0.046, (0.0, -0.01, 0.01), auc=0.56),
    ... ])
    'Every smaller tree that was tried does worse on unseen rows; 44 leaves: AUC .56, not .60.'
    """
    words = "Every smaller tree that was tried does worse on unseen rows"
    smaller = [cost for cost in costs[1:] if _FEWEST <= cost.n_leaves < costs[0].n_leaves]
    if not smaller:
        return f"{words}."
    before, nearest = costs[0].auc, max(smaller, key=lambda cost: (cost.auc or 0.0, -cost.cost[0]))
    if before is None or nearest.auc is None or nearest.auc >= before - _LOST_AREA:
        return f"{words}; {cost_words(nearest)}."
    now, then = (f"{area:.2f}".removeprefix("0") for area in (nearest.auc, before))
    return f"{words}; {plural(nearest.n_leaves, 'leaves')}: AUC {now}, not {then}."


def _grow_smaller(bench: TreeBench, options: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """Grow the tree like that, and remember the way back."""
    answer_growing(current_source().file_key, options)
    st.session_state[_BEFORE] = (bench.key[0], before, options, bench.tree.n_leaves)


def _offer_way_back(bench: TreeBench) -> None:
    """Offer the larger tree again that a smaller one took the place of."""
    table, before, options, n_leaves = st.session_state.get(_BEFORE, (None, {}, {}, 0))
    learner = bench.counts.grown.spec.learner
    if table != bench.key[0] or any(getattr(learner, n) != v for n, v in options.items()):
        return
    st.button(
        f"Back to the tree with {n_leaves:,} leaves",
        icon=":material/undo:",
        type="tertiary",
        key="back to larger",
        on_click=_take_back,
        args=(before,),
    )


def _take_back(before: Mapping[str, Any]) -> None:
    st.session_state.pop(_BEFORE, None)
    answer_growing(current_source().file_key, before)
