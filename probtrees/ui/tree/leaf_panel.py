"""The panel that explains one node: where its probability comes from and what to make of it.

The track record, what happened to unseen rows that were given a similar number, is filled in when
it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from probtrees.draw.bars import SmootherAnswer, axis_reach, estimates_html
from probtrees.draw.charts.figure import method_style
from probtrees.draw.escape import html_lines, markdown_text
from probtrees.draw.ladder import axis_of_tree, ladder_html
from probtrees.draw.leaf_explanation import headline_html, headline_words, rings_html, spread_text
from probtrees.experiment.registry import SMOOTHERS, smoother_label
from probtrees.experiment.warm_up import FIRST
from probtrees.explain.detail import group_probs, is_group_mean
from probtrees.explain.leaf import PULLED_TOWARDS, explain_leaf
from probtrees.explain.track import interval_sentence, interval_text, track_sentence
from probtrees.model.model import Model
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, fill_in, jobs
from probtrees.ui.shared.workbench import Workbench, ready_trees, smooth_all
from probtrees.ui.tree.tree_page import BESIDE, BESIDE_WORDS, EXPLAIN
from probtrees.words import unbroken


def leaf_sheet() -> DeltaGenerator:
    """Make the place of the panel; on a phone it is a sheet that comes up when it is asked for."""
    closed = not st.session_state.get(state.SHEET_OPEN)
    words = BESIDE_WORDS.get(st.session_state.get(BESIDE, EXPLAIN), "").replace("Explain", "")
    place = st.container(key="leaf_panel_closed" if closed else "leaf_panel")
    place.button(
        (words or "Explain the leaf") if closed else "Put away",
        icon=":material/expand_less:" if closed else ":material/expand_more:",
        key="leaf_sheet",
        on_click=_put_away,
        args=(not closed,),
        help="Shows the picture, or what the selected node says.",
    )
    return place


def _put_away(closed: bool) -> None:
    st.session_state[state.SHEET_OPEN] = not closed


def chosen_beside(bench: Workbench) -> str:
    """Return what stands beside the picture; of a table of a network only the explanation can."""
    chosen = st.session_state.get(BESIDE)
    return chosen if bench.tells_class and chosen in BESIDE_WORDS else EXPLAIN


def choose_beside(bench: Workbench) -> None:
    """Ask what stands beside the picture."""
    if not bench.tells_class:
        return
    st.session_state.setdefault(BESIDE, EXPLAIN)
    st.segmented_control(
        "Beside the picture",
        list(BESIDE_WORDS),
        format_func=lambda name: BESIDE_WORDS[name],
        required=True,
        **state.lasting(BESIDE),
        label_visibility="collapsed",
        width="content",
    )


def leaf_panel(bench: Workbench, smoothed: SmoothedTree, node: int, smoother: str) -> None:
    """Explain one node: its number, how sure that is, and whose rows it rests on.

    The other smoothers' numbers are left to :func:`all_smoothers`.
    """
    schema, outcome = bench.schema, bench.outcome
    found = explain_leaf(smoothed, node, schema, outcome)
    target = schema.columns[smoothed.tree.target].title
    is_leaf = bool(smoothed.tree.is_leaf[node])
    rings = rings_html(smoothed, schema, found, theme=state.theme())
    kind, number = headline_words(smoothed, found, f"Leaf · {smoother_label(smoother)}")
    st.html(headline_html(found, target, kind=kind, number=number, theme=state.theme()))
    if is_leaf and not bench.is_table:
        rows = float(smoothed.tree.arrays.weight[node])
        track_record(bench, smoother, found.probability, rows)
    if spread := spread_text(found, smoothed):
        st.caption(markdown_text(spread))
    interval = None if found.spread is None else (found.spread.lower, found.spread.upper)
    axis = axis_of_tree(smoothed, outcome)
    st.html(ladder_html(found.steps, axis, interval=interval, is_short=True, theme=state.theme()))
    if smoothed.averages_branches and is_leaf:
        st.caption("On the line above the leaf: means of the leaves below.")
    if rings:
        st.html(rings)
    else:
        st.markdown(markdown_text(unbroken(found.sentence)))
    for note in found.card_notes:
        st.caption(markdown_text(f"{note[0].upper()}{note[1:].rstrip('.')}."))


def all_smoothers(bench: Workbench, node: int, current: str) -> None:
    """Show every smoother's number for the node, filling in those that are not ready yet."""
    asked = smooth_all(bench)

    def show() -> None:
        shown = smoother_answers(
            asked, lambda model: group_probs(model.tree)[node, bench.outcome], current
        )
        few_answers(shown, bench.base_rate, observed=_observed(bench, node), reach=_reach(bench))

    fill_in(asked.values(), show, show)


def smoother_answers(
    asked: Mapping[str, Job], chance: Callable[[Model], float], current: str
) -> list[SmootherAnswer]:
    """List what every smoother answers; one that was not asked can be by choosing it."""
    shown = []
    for name, entry in SMOOTHERS.items():
        job, value, note, text = asked.get(name), None, "", ""
        if job is None:
            text = "if chosen"
        elif job.finished.is_set() and job.error is None:
            value = float(chance(job.result))
        elif job.error is not None:
            note, text = str(job.error), "not here"
        colour = method_style(entry.label).colour
        shown.append(SmootherAnswer(entry.label, value, name == current, note, text, colour))
    return shown


def few_answers(shown: list[SmootherAnswer], base_rate: float, **axis: Any) -> None:
    """Show the answers of the usual smoothers and of the one in use, the others on request."""
    usual = {entry.label for entry in SMOOTHERS.values() if entry.is_shown}
    rest = [one for one in shown if one.label not in usual and not one.current]
    few = [one for one in shown if one not in rest]
    st.html(estimates_html(few, base_rate, **axis, theme=state.theme()))
    if rest:
        with st.expander(f"{len(rest)} other smoothers"):
            st.html(estimates_html(rest, base_rate, **axis, theme=state.theme()))


def _observed(bench: Workbench, node: int) -> float | None:
    """Return the share observed among the rows of a node; None where it has none."""
    counts, total = bench.tree.arrays.counts, float(bench.tree.totals[node])
    return float(counts[node, bench.outcome] / total) if total > 0 else None


def _reach(bench: Workbench) -> float:
    """Return where the axis of all answers ends: the same for every leaf of the tree."""
    known = [tree.probs[:, bench.outcome].max() for tree in ready_trees(bench).values()]
    return axis_reach(float(max(known, default=1.0)))


def formula(bench: Workbench, smoothed: SmoothedTree, node: int) -> None:
    """Show the smoother's formula with a node's numbers, on request."""
    with st.expander("The formula, filled in"):
        found = explain_leaf(smoothed, node, bench.schema, bench.outcome).formula
        lines = html_lines([found.general, "", *found.steps])
        st.html(f'<pre style="white-space:pre-wrap;font-size:.85rem;margin:0">{lines}</pre>')
        words = [f"- {markdown_text(s)}: {markdown_text(w)}" for s, w in found.symbols.items()]
        st.markdown("\n".join(words))
        if is_group_mean(smoothed, node):
            st.caption(PULLED_TOWARDS)


def track_record(bench: Workbench, smoother: str, probability: float, rows: float) -> None:
    """Show the track record and the interval of a leaf's probability, and of its rows."""
    job = track_record_job(bench, smoother)

    def show() -> None:
        if job.error is not None or job.result.track_record is None:
            st.caption("Track record: none for this model.")
            return
        record = job.result.track_record
        similar = record.lookup(probability, bench.outcome)
        interval = record.leaf_interval(probability, rows, bench.outcome)
        words = track_sentence(similar)
        had, mark, _ = words.partition("; 90 of 100")
        # The interval of the leaf stands below; that of all rows given so much is for who asks.
        is_short = bool(mark) and interval is not None
        shown = markdown_text(unbroken(f"{had})." if is_short else words))
        if interval is not None:
            said = unbroken(interval_text(interval.lower, interval.upper))
            more = markdown_text(interval_sentence(interval))
            st.markdown(f"**True chance:** {said}, 9 in 10 times.", help=more)
        st.markdown(f"**Track record.** {shown}", help=markdown_text(words) if is_short else None)

    fill_in([job], show, "Track record: asking trees that have not seen the rows …")


def track_record_job(bench: Workbench, smoother: str) -> Job:
    """Ask for the model's track record; it is gathered once per tree and smoother."""
    model: Model = bench.model(smoother)

    def work(report: Report) -> Model:
        if model.track_record is not None:
            return model
        counts = bench.counts  # without rows its record is in the file, or cannot be had
        return counts.with_track_record(model, report) if isinstance(counts, GrownCounts) else model

    return jobs().ask((*bench.variant(smoother), "track record"), work, kernels={smoother, *FIRST})
