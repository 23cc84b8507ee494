"""Lines about the tree as it was grown: which one is shown, and what it owes its answers to.

*Growing* lists other ways to grow it. A tree that is almost never wrong asks loudly whether its
column was known before the outcome; one that hides what tells chances apart says what helps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.charts.quality_strip import unseen_verdict
from probtrees.draw.escape import markdown_text
from probtrees.errors import ProbTreesError
from probtrees.experiment.evaluation.growing_costs import KEPT_APART, GrowingCost, merged_into_one
from probtrees.experiment.registry import DEFAULT_SMOOTHER, LEARNERS, SMOOTHERS
from probtrees.table.findings import Fix
from probtrees.table.table_report import TableReport
from probtrees.ui.shared.forms import keep_choice
from probtrees.ui.shared.growing_proposal import ALL_LEAVES, SIZES, proposal_job
from probtrees.ui.shared.page import go_to
from probtrees.ui.shared.questions import open_questions, show_finding
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, wait_for
from probtrees.ui.shared.show import known_scores, numbers_of
from probtrees.ui.shared.table_source import SEPARATE_ROWS, current_source, say_fix
from probtrees.ui.shared.workbench import TreeBench, Workbench, settings_seen, usual_growing
from probtrees.words import count_text, plural, score_decimals

_CHOICE = "growing choice"
_MANY_VALUES, _ROWS_PER_VALUE = 100, 10
"""A column of so many values, with fewer rows for each, scatters the rows."""
_FEW_CASES = 50
_MOST_ABOVE, _NAMED = 1, 3
"""Questions above the tree, and columns of a kind that are named there."""


def first_tree(bench: TreeBench) -> None:
    """Say which tree is shown where it is not the one that the options alone would grow."""
    if bench.counts.grown.spec.learner.separate_rows and bench.data.n_rows > 1:
        counted, rows = float(bench.tree.totals[0]), float(bench.data.row_weights.sum())
        _line(
            f"Counted are **half of the rows**, {count_text(counted)} of {count_text(rows)}; the "
            "others only give the tree its shape.",
            "Use all rows",
            partial(st.session_state.pop, SEPARATE_ROWS),
        )
    if bench.proposal is not None and bench.whole is not None:
        settings_seen(bench).update(f"{bench.key} {cost.options}" for cost in bench.proposal.costs)
        if bench.proposal.options:
            _say_proposed(bench, bench.proposal.options, bench.whole.grown.n_leaves)
    elif bench.looks and bench.whole is not None:
        job = proposal_job(current_source(), bench.whole)
        if job.error is None:
            st.fragment(_wait, run_every=0.7)(job)
    elif st.session_state.get(ALL_LEAVES):
        back = partial(st.session_state.pop, ALL_LEAVES)
        _line("", "Show a smaller tree that is as good", back)


def _line(words: str, label: str, act: Callable[[], Any], help: str | None = None) -> None:
    """Say something, and offer a way out beside it."""
    if words:
        st.caption(words, width="content", help=help)
    st.button(label, type="tertiary", on_click=act)


def _wait(job: Job) -> None:
    """Show how far the other trees are; once they are done the page is drawn again."""
    if job.finished.is_set():
        st.rerun()
    share = min(max(job.share, 0.0), 1.0)
    st.progress(share, text=f"Looking for a smaller tree: {markdown_text(job.words)}")


def _say_proposed(bench: TreeBench, options: Mapping[str, Any], n_all: int) -> None:
    """Say what is shown, with the way to the tree that the options alone would grow."""
    if options == KEPT_APART:
        _line(
            "Leaves that predict the same class are kept apart.",
            "Merge them",
            _show_all,
            "C4.5 merges them, whatever their chances are; unseen rows say that they differ.",
        )
        return
    begin = "As" if bench.plain is None else "Before corrections as"
    _line(
        f"{begin} good on unseen rows as",
        f"all {n_all:,} leaves",
        _show_all,
        f"{way_name(options)}: of the trees that were tried the smallest whose Brier score and "
        "AUC on unseen rows are as good, up to what may be luck. Growing lists them all.",
    )


def _show_all() -> None:
    st.session_state[ALL_LEAVES] = True
    st.session_state.pop(state.NODE, None)


def growing_choice(bench: TreeBench) -> None:
    """Show what larger leaves and pruning cost; choosing one grows the tree like that."""
    if bench.whole is None:
        return
    job = proposal_job(current_source(), bench.whole)
    if wait_for([job]):
        _show_costs(bench, job)  # a choice concerns the whole page
    else:
        st.fragment(_wait, run_every=0.7)(job)


def _show_costs(bench: TreeBench, job: Job) -> None:
    """List the trees that were tried, larger and smaller ones, with the one on show marked."""
    costs: Sequence[GrowingCost] = () if job.error is not None else job.result.costs
    if not costs or costs[0].brier is None:
        st.caption("There are too few rows to say what a smaller tree costs.")
        return
    usual = (bench.whole or bench.counts).grown.spec.learner
    whole = {name: getattr(usual, name) for name in SIZES}
    now = {name: getattr(bench.counts.grown.spec.learner, name) for name in SIZES}
    # Of ways that all end in one leaf one is listed: its inner trees alone tell them apart.
    alone = [cost for cost in costs if cost.n_leaves == 1]
    alone.sort(key=lambda cost: {**whole, **cost.options} != now)
    costs = sorted((c for c in costs if c not in alone[1:]), key=lambda cost: -cost.n_leaves)
    ways = {way_name(cost.options): {**whole, **cost.options} for cost in costs}
    key = f"{_CHOICE} {bench.key}"
    st.session_state[key] = next((name for name, way in ways.items() if way == now), None)
    st.radio(
        f"How large a tree, and what it costs on unseen rows ({SMOOTHERS[DEFAULT_SMOOTHER].label})",
        list(ways),
        captions=[cost_words(cost) for cost in costs],
        key=key,
        on_change=_take,
        args=(key, ways),
        help="Each is grown from the same parts of the rows and asked about the others. Trying "
        "many and taking the best makes it look better than it will be on new rows.",
    )


def _take(key: str, ways: Mapping[str, Mapping[str, Any]]) -> None:
    """Grow the tree in the way that was chosen; as the options alone would is a choice, too."""
    way, usual = ways.get(st.session_state.get(key, ""), {}), usual_growing()
    for field in LEARNERS["c45"].options:
        if field.name in way:
            start = usual.get(field.name, field.default)
            keep_choice(f"c45.{field.name}", way[field.name], start)
    st.session_state.pop(ALL_LEAVES, None)
    if not any(f"c45.{name}" in st.session_state for name in way):
        st.session_state[ALL_LEAVES] = True
    st.session_state.pop(state.NODE, None)


def way_name(options: Mapping[str, Any]) -> str:
    """Name one way to grow.

    >>> way_name({}), way_name({"min_leaf": 20}), way_name({"prune": "none"})
    ('By the options below', 'Splits with two branches of 20 rows or more', 'Not pruned')
    >>> way_name({"collapse": False, "min_leaf": 20})
    'Splits with two branches of 20 rows or more, none merged'
    """
    said = []
    if "min_leaf" in options:
        said.append(f"splits with two branches of {plural(options['min_leaf'], 'rows')} or more")
    if "prune" in options:
        said.append("not pruned" if options["prune"] == "none" else "pruned")
    if options.get("collapse") is False:
        said.append("none merged")
    name = ", ".join(said) or "by the options below"
    return name[0].upper() + name[1:]


def cost_words(cost: GrowingCost) -> str:
    """Say how large the tree is and what it costs.

    >>> cost_words(GrowingCost({"min_leaf": 5}, 31, 0.352, (0.002, -0.004, 0.008)))
    '31 leaves, Brier .352: .002 higher, within noise'
    """
    digits = score_decimals(cost.brier)
    brier, apart = (
        f"{abs(score):.{digits}f}".removeprefix("0") for score in (cost.brier or 0.0, cost.cost[0])
    )
    said = f"{plural(cost.n_leaves, 'leaves')}, Brier {brier}"
    if not cost.options:
        return said
    way, luck = ("higher", "worse") if cost.cost[0] > 0 else ("lower", "better")
    return f"{said}: {apart} {way}, {'within noise' if cost.is_noise else luck}"


def splits_not_shown(bench: Workbench) -> None:
    """Say what helps where the tree has found no split, or hides one that tells chances apart."""
    if not isinstance(bench, TreeBench):
        return
    notes, is_leaf = bench.counts.diagnostics, bench.tree.n_leaves == 1
    merged = merged_into_one(notes) if is_leaf else notes.get("joined_unlike")
    outcome = markdown_text(bench.outcomes[bench.outcome])
    said = []
    if is_leaf and not merged:
        said.append(
            "The tree is one leaf: no column parts the rows clearly enough. *Correct the tree "
            "here* lists what each tells and splits on the one you choose."
        )
    elif merged:
        said.append(
            "The tree merges groups that all predict the same class, though "
            f"“{outcome}” may be more frequent in some of them."
        )
    cases = int((bench.data.labels == bench.outcome).sum())
    if is_leaf and cases < _FEW_CASES:
        said.append(f"More rows of “{outcome}” would help most, there are {cases}.")
    if said:
        st.caption(" ".join(said))
    if merged:
        st.button(
            "Tell their chances apart",
            on_click=_keep_apart,
            help="Leaves that predict the same class are kept apart: of a rare outcome most do, "
            "though it is far more frequent in some. Growing lets them be merged again.",
        )


def _keep_apart() -> None:
    st.session_state.update({f"c45.{name}": value for name, value in KEPT_APART.items()})


def scattered_rows(bench: Workbench) -> None:
    """Name a column that splits the rows into crumbs, with one click to do otherwise."""
    if not isinstance(bench, TreeBench):
        return
    used = np.unique(bench.tree.arrays.column[~bench.tree.is_leaf]).tolist()
    for column in (bench.schema.columns[number] for number in used):
        name, n_values = column.source_name, column.n_values
        if n_values <= _MANY_VALUES or bench.data.n_rows >= _ROWS_PER_VALUE * n_values:
            continue
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                f"**{markdown_text(name)}** has {n_values:,} different values: the tree makes a "
                "branch for each, most of a few rows."
            )
            for fix in (
                Fix("Group the rare ones", "step", {"step": "group", "column": name}),
                Fix("Set it aside", "role", "ignore", name),
            ):
                st.button(fix.label, key=f"{fix.option} {name}", on_click=partial(say_fix, fix))


def verdict_mark(bench: Workbench, smoother: str) -> None:
    """Mark a model that tells no more than the base rates do, once that is known.

    It stands above the picture: who sees a tree believes it, and the strip is a screen further.
    """
    scores = known_scores(bench, smoother)
    said = None if scores is None else unseen_verdict(scores)[1]
    if said is not None:
        with numbers_of(bench.variant(smoother), "verdict"):
            st.markdown(f":orange[:material/warning: **{said[0]}**]: {said[1]}", width="content")


def reading_line() -> None:
    """Say above the tree what was decided when the table was read, and what is open."""
    source = current_source()
    if source.upload is None:
        return
    try:
        report = source.report
    except ProbTreesError:
        return  # the page itself says what is wrong
    asked = open_questions(report)
    above = [f for f in asked if f.fixes and (f.column == report.target or f.kind == "leak")]
    for number, found in enumerate(above[:_MOST_ABOVE]):
        show_finding(found, number)
    left = len(asked) - len(above[:_MOST_ABOVE])
    said = _decided(report)
    if said:
        with st.container(key="decided"):
            st.caption(f"{markdown_text('; '.join(said))}.", help="The Data page says why.")
    if left and st.button(
        f":orange[:material/help:] {plural(left, 'questions')} open",
        type="tertiary",
        key="to findings",
        help="Opens the Data page, where each of them is one click.",
    ):
        go_to("data")


def _decided(report: TableReport) -> list[str]:
    """List in a few words each what was decided when the table was read and changes the numbers."""
    said = []
    for words, role in (("left out", "ignore"), ("counting rows", "weight")):
        columns = [column.name for column in report.columns if column.role == role]
        more = f" and {len(columns) - _NAMED:,} more" if len(columns) > _NAMED else ""
        said += [f"{', '.join(columns[:_NAMED])}{more} {words}"] if columns else []
    target = None if report.target is None else report.column(report.target)
    if target is not None and target.n_missing:
        said.append(f"{plural(target.n_missing, 'rows')} without {target.name!r} dropped")
    return said
