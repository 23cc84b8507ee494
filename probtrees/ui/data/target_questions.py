"""Three questions about a table, answered by guesses that can be changed, and one button.

What do you want to know, which outcome, what may not be used: who answers these has a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.palette import PAINTS
from probtrees.score.metrics import rarest_outcome
from probtrees.table.table_report import MAX_NUMERIC_CLASSES, TableReport
from probtrees.types import FloatArray
from probtrees.ui.shared.page import go_to
from probtrees.ui.shared.session import state
from probtrees.ui.shared.table_source import (
    ChosenTable,
    current_source,
    say,
    say_target,
    while_in_use,
)
from probtrees.words import percent

_MOST_COLUMNS = 2000
_MOST_REASONS = 8
_ABOVE, _EACH = "threshold", "each number"
_GROUPS = (3, 4, 5)
_FEWEST_TO_JOIN, _MOST_TO_JOIN = 3, 20
_FIELD_WIDTH, _N_BARS = 140, 40


def three_questions(source: ChosenTable, report: TableReport) -> None:
    """Ask what a tree needs to know, with answers guessed, and offer to grow it."""
    with st.container(border=True, key="three_questions"):
        first, second, third = st.columns(3, gap="medium")
        with first:
            _what(source, report)
        with second:
            _which_outcome(source, report)
        with third:
            _what_not(source, report)
        _grow(report)


def _what(source: ChosenTable, report: TableReport) -> None:
    """Ask for the target; a number is asked where to cut it."""
    labels = {
        column.name: f"{column.name}  ({column.label})" if column.label else column.name
        for column in report.columns[:_MOST_COLUMNS]
    }
    names, target, key = list(labels), report.target, f"data.target {source.key}"

    def take() -> None:
        if st.session_state[key] is not None:
            say_target(st.session_state[key])

    st.selectbox(
        "**1 · What do you want to know?**",
        names,
        index=names.index(target) if target in names else None,
        key=key,
        on_change=while_in_use(take, key),
        format_func=lambda name: labels[name],
        help="The column that is predicted from the others.",
    )
    if reason := source.guess.reason:
        st.caption(markdown_text(reason))
    if target is not None and report.target_numbers is not None:
        _where_to_cut(source, target, report)


def _cut(source: ChosenTable) -> Mapping[str, Any]:
    """Return the step that makes classes of a number; empty where there is none."""
    return next((step for step in source.reading.steps if step["step"] == "cut"), {})


def _say_step(name: str, step: Mapping[str, Any] | None) -> None:
    """Let a step about the target take the place of one of the same name."""
    said = current_source().said
    steps = [other for other in said.steps if other["step"] != name]
    say(replace(said, steps=(*steps, *([step] if step else []))))
    for key in (state.OUTCOME, state.NODE):
        st.session_state.pop(key, None)


def _where_to_cut(source: ChosenTable, target: str, report: TableReport) -> None:
    """Make classes of a number: above or below a threshold, or a few groups of equal size."""
    assert report.target_numbers is not None
    values = report.target_numbers[np.isfinite(report.target_numbers)]
    if (n_values := len(np.unique(values))) <= 2:
        return  # there is nothing to cut
    cut = _cut(source)
    ways = {_ABOVE: {"step": "cut", "at": float(np.median(values))}}
    ways |= {f"{n} groups": {"step": "cut", "classes": n} for n in _GROUPS}
    ways |= {_EACH: {"step": "cut", "classes": 0}} if n_values <= MAX_NUMERIC_CLASSES else {}
    now = _ABOVE if "at" in cut else f"{cut['classes']} groups" if cut.get("classes") else _EACH
    key = f"data.cut way {source.key}"

    def take() -> None:
        if (way := st.session_state[key]) is not None:
            _say_step("cut", ways[way])

    st.pills(
        "As",
        list(ways),
        default=now if now in ways else None,
        key=key,
        on_change=while_in_use(take, key),
        label_visibility="collapsed",
    )
    if "at" in cut:
        choose_threshold(source, target, values, float(cut["at"]), partial(_say_step, "cut"))


def _which_outcome(source: ChosenTable, report: TableReport) -> None:
    """Ask for the outcome of interest; at first the one that is probably meant."""
    if not report.class_counts:
        st.markdown("**2 · Which outcome?**")
        st.caption("There are no outcomes yet: see what is marked below.")
        return
    counts = dict(report.class_counts)
    names, total = list(counts), max(sum(counts.values()), 1)
    chosen: Any = st.session_state.get(state.OUTCOME)
    guess = source.proposed_outcome
    is_chosen = chosen is not None and chosen < len(names)
    if not is_chosen:
        rarest = rarest_outcome(np.array(list(counts.values()), dtype=np.float64))
        chosen = rarest if guess is None or source.upload is None else guess.number
    outcome = names[chosen]
    key = f"data.outcome {source.key}"
    st.session_state[key] = outcome
    st.selectbox(
        "**2 · Which outcome?**",
        names,
        key=key,
        on_change=while_in_use(
            lambda: st.session_state.update({state.OUTCOME: names.index(st.session_state[key])}),
            key,
        ),
        format_func=lambda name: f"{name}  ({percent(counts[name] / total)})",
        help="Pictures, sentences and costs of the other pages are about this outcome.",
    )
    why = "" if guess is None or is_chosen else guess.reason
    reason = f" Guessed: {markdown_text(why)}." if why else ""
    weighted = any(column.role == "weight" for column in report.columns)
    what = "weighted cases" if weighted and total > report.n_rows else "rows"
    st.caption(f"{counts[outcome]:,} of {total:,} {what}.{reason}")
    _several_outcomes(source, names)


def _several_outcomes(source: ChosenTable, names: Sequence[str]) -> None:
    """Offer to make one outcome of several, or to take that back."""
    step = "join outcomes"
    if any(said["step"] == step for said in source.said.steps):
        st.button("Take the outcomes apart", type="tertiary", on_click=_say_step, args=(step, None))
        return
    if _cut(source) or not _FEWEST_TO_JOIN <= len(names) <= _MOST_TO_JOIN:
        return
    with st.popover("Join outcomes", type="tertiary"):
        chosen = st.pills(
            "Together, against all others",
            names,
            selection_mode="multi",
            key=f"data.joined {source.key}",
            format_func=markdown_text,
            help="As in a survey's top two boxes: 'Likely' and 'Very likely' are one outcome.",
        )
        st.button(
            "Read them as one",
            key="data.join outcomes",
            disabled=not 2 <= len(chosen) < len(names),
            on_click=_say_step,
            args=(step, {"step": step, "values": [n for n in names if n in chosen]}),
        )


def _what_not(source: ChosenTable, report: TableReport) -> None:
    """Ask what must stay out of the tree: what is known too late, or says whose row it is."""
    others = [column for column in report.columns if column.role in ("feature", "ignore")]
    others = others[:_MOST_COLUMNS]
    left_out = [column.name for column in others if column.role == "ignore"]
    key = f"data.left out {source.key}"

    def take() -> None:
        chosen, said = set(st.session_state[key]), current_source().said
        for name in sorted(chosen ^ set(left_out)):
            said = said.with_role(name, "ignore" if name in chosen else "feature")
        say(said)

    st.multiselect(
        "**3 · What may not be used?**",
        [column.name for column in others],
        default=left_out,
        key=key,
        on_change=while_in_use(take, key),
        placeholder="Everything may be used",
        help="Columns that are not known when the question is asked, or only name the row.",
    )
    why = {name: source.guess.aside.get(name, "set aside by you") for name in left_out}
    for reason in dict.fromkeys(why.values()):
        names = [f"**{markdown_text(name)}**" for name in left_out if why[name] == reason]
        shown = ", ".join([*names[:_MOST_REASONS], *(["..."] if names[_MOST_REASONS:] else [])])
        st.caption(f"{shown}: {markdown_text(reason)}")


def _grow(report: TableReport) -> None:
    """Offer the tree; say what is in the way."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Grow the tree",
            type="primary",
            icon=":material/account_tree:",
            disabled=not report.usable,
            help="Opens the tree of this table, read like this.",
        ):
            go_to("tree")
        if not report.usable:
            st.caption("First settle what is marked as an error below.")


def choose_threshold(
    source: ChosenTable,
    target: str,
    values: FloatArray,
    cut: float,
    say: Callable[[Mapping[str, Any]], None],
) -> None:
    """Show the values with the threshold, and ask for another one.

    Parameters
    ----------
    say : takes the step that cuts there
    """
    # The key is that of the column, so that who moves it by keys need not find it again.
    key = f"data.threshold {source.file_key} {target}"

    def take() -> None:
        if (said := st.session_state.get(key)) is not None:
            say({"step": "cut", "at": float(f"{said:.12g}")})

    st.plotly_chart(
        _histogram(values, cut),
        key="data.histogram",
        config={"displayModeBar": False, "staticPlot": True},
        alt=f"Histogram of {target} with the threshold {cut:g}",
    )
    whole = bool((values == np.floor(values)).all())
    low, high = float(values.min()), float(values.max())
    shown = min(max(float(np.floor(cut)) if whole else cut, low), high)
    step, kind = 1.0 if whole else float(f"{(high - low) / 200:.1g}"), int if whole else float
    st.session_state[key] = kind(shown)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.number_input(
            "Threshold",
            min_value=kind(low),
            max_value=kind(high),
            step=kind(step),
            key=key,
            on_change=take,
            format="%d" if whole else "%g",
            width=_FIELD_WIDTH,
            label_visibility="collapsed",
            help="Rows up to this number are one class, rows over it the other.",
        )
        st.caption(f"{percent(float((values > cut).mean()))} of the rows lie over {cut:g}.")


def _histogram(values: FloatArray, cut: float) -> go.Figure:
    """Draw the values with the threshold.

    Few whole numbers have a bar each, and what is over 5 begins behind the bar of 5.
    """
    paint, low, high = PAINTS[state.theme()], float(values.min()), float(values.max())
    is_whole = high - low <= _N_BARS and bool((values == np.floor(values)).all())
    bins = np.arange(low - 0.5, high + 1.0) if is_whole else np.linspace(low, high, _N_BARS + 1)
    at_cut = float(np.floor(cut)) + 0.5 if is_whole else cut
    counts, edges = np.histogram(values, bins=bins)
    middle = (edges[:-1] + edges[1:]) / 2
    colours = [paint.accent if at > at_cut else paint.line for at in middle]
    figure = go.Figure(go.Bar(x=middle, y=counts, marker_color=colours))
    figure.add_vline(x=at_cut, line_width=2, line_color=paint.text)
    figure.update_layout(
        height=110,
        margin={"l": 0, "r": 0, "t": 4, "b": 0},
        bargap=0.05,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        yaxis={"visible": False},
        xaxis={"range": [float(edges[0]), float(edges[-1])], "visible": False},
    )
    return figure
