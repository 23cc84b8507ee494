"""One row followed through a network: what each table adds, and what every smoother makes of it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from probtrees.draw.bars import Contribution, SmootherAnswer, contributions_html, estimates_html
from probtrees.draw.escape import markdown_text, shorten
from probtrees.experiment.registry import SMOOTHERS, Entry
from probtrees.explain.row import RowExplanation, explain_row
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import MISSING, Dataset
from probtrees.types import FloatArray
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_controls import begin_again, choose_outcome
from probtrees.ui.network.network_page import ROW, TYPED
from probtrees.ui.shared.forms import UNREADABLE, cell_field
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, wait_for
from probtrees.words import percent

MOST_SAMPLED = 20_000
"""Nodes of a network that a smoother which samples is asked about without being chosen."""


def follow_row(bench: NetworkBench, smoother: str, member: int) -> None:
    """Ask for a row, take the network's answer apart, and ask every smoother."""
    form, answer = st.columns([1, 2], gap="medium")
    with form:
        one, outcome = _row_form(bench)
    with answer:
        if np.isinf(one.values).any():
            st.warning(UNREADABLE)
            return
        found = explain_row(bench.smooth(smoother), one)
        _reasons(bench, found, outcome, member)
        st.markdown("**Every smoother's answer for this row**")
        _all_smoothers(bench, one, outcome, smoother)


def _row_form(bench: NetworkBench) -> tuple[Dataset, int]:
    """Show one field per column, starting from a row of the table, and the class asked for."""
    schema = bench.schema
    row, cells = _start(bench)
    outcome = choose_outcome(schema.classes, bench.usual_outcome, bench.key[1])
    start = cells.copy()
    _take_typed(bench, row, cells)
    used = {column for member in range(bench.n_members) for column in bench.dag(member).columns}
    unused = [column.title for at, column in enumerate(schema.features) if at not in used]
    for number in sorted(used - {schema.target_column}):
        cells[number] = _cell(bench, number, cells, row)
    _true_class(bench, row, start, cells)
    if unused:
        names = markdown_text(shorten(", ".join(unused), 200))
        st.caption(f"Selection left these columns out, so they change no answer: {names}.")
    st.session_state[TYPED] = {
        number: float(cells[number])
        for number in range(len(schema.features))
        if not np.array_equal(cells[number], start[number], equal_nan=True)
        and not np.isinf(cells[number])
    }
    return Dataset(schema, cells[None, :]), outcome


def _take_typed(bench: NetworkBench, row: int, cells: FloatArray) -> None:
    """Fill in the cells that a link, or the page when it was last open, has changed."""
    begin_again("row", (bench.key[1], row), (TYPED,))
    columns = bench.schema.features
    for number, cell in st.session_state.get(TYPED, {}).items():
        if number >= len(columns):
            continue
        categories = columns[number].categories
        if np.isnan(cell) or categories is None or cell in range(len(categories)):
            cells[number] = cell


def _cell(bench: NetworkBench, number: int, cells: FloatArray, row: int) -> float:
    """Show the field of one column, and warn about a number that no row comes near."""
    value = cell_field(
        bench.schema,
        number,
        float(cells[number]),
        form=f"network.cell.{bench.key[1]}.{row}",
        table=bench.counts.provenance.sha256,
    )
    if bench.rows is not None and np.isfinite(value):
        known = bench.rows.values[:, number]
        low, high = float(np.nanmin(known)), float(np.nanmax(known))
        if not low <= value <= high:
            words = f"{value:g} lies outside of what the table has: {low:g} to {high:g}."
            st.caption(f":orange[{words}]")
    return value


def _true_class(bench: NetworkBench, row: int, start: FloatArray, cells: FloatArray) -> None:
    """Say what class the row has in the table, and whether the fields still hold that row."""
    if bench.rows is None or np.isnan(start[-1]):
        return
    label = markdown_text(bench.schema.classes[int(start[-1])])
    target = markdown_text(bench.schema.target.name)
    same = np.array_equal(start[:-1], cells[:-1], equal_nan=True)
    words = f"Row {row} of the table: {target} is **{label}**."
    st.caption(words if same else f"{words} The fields have been changed since.")


def _start(bench: NetworkBench) -> tuple[int, FloatArray]:
    """Ask which row of the table to start from; without rows, from nothing."""
    if bench.rows is None:
        st.caption("The rows are not in a model: fill in what is known of a row.")
        return 0, np.full(bench.schema.n_columns, MISSING)
    st.session_state[ROW] = min(st.session_state.get(ROW, 1), bench.rows.n_rows)
    row = st.number_input(
        "Start from row",
        1,
        bench.rows.n_rows,
        key=ROW,
        persist_state="session",
        help="The fields below start with this row's values; change any of them.",
    )
    return int(row), bench.rows.values[int(row) - 1].copy()


def _reasons(bench: NetworkBench, found: RowExplanation, outcome: int, member: int) -> None:
    """Show the answer and what each table adds to its odds."""
    schema = bench.schema
    st.markdown(
        f"**{percent(float(found.posterior[outcome]))} {markdown_text(schema.classes[outcome])}**"
    )
    if len(schema.classes) < 2:
        return
    network = found.members[min(member, len(found.members) - 1)]
    log_odds = network.log_odds(outcome)
    parts = [
        Contribution(table.name, table.value, float(added))
        for table, added in zip(network.tables, log_odds, strict=True)
    ]
    st.html(contributions_html(parts, theme=state.theme()))
    others = np.where(np.arange(len(network.posterior)) == outcome, -1.0, network.posterior)
    rival = schema.classes[int(np.argmax(others))]
    total = float(log_odds.sum())
    words = (
        f"What each table adds to the log odds against {markdown_text(rival)}; they sum to "
        f"{total:+.3f}, odds of {np.exp(min(total, 700.0)):.3g} to 1. They describe rows like "
        "this one, not the effect of changing it."
    )
    if len(found.members) > 1:
        words += (
            f" Shown is network {member + 1} of {len(found.members)}, which alone says "
            f"{percent(float(network.posterior[outcome]))} and has "
            f"{percent(network.share)} of the say."
        )
    st.caption(words)


def _all_smoothers(bench: NetworkBench, one: Dataset, outcome: int, current: str) -> None:
    """Show every smoother's answer, filling in those that are not ready yet."""
    waiting = not wait_for(_asked(bench, current).values())
    show = st.fragment(_estimates, run_every=0.7 if waiting else None)
    show(bench, one, outcome, current, waiting)


def _asked(bench: NetworkBench, current: str) -> dict[str, Job]:
    """Ask every smoother; one that samples is asked about large networks only when chosen."""
    is_large = sum(tree.n_nodes for tree in bench.tables) > MOST_SAMPLED
    return {
        name: bench.smoothing(name)
        for name, entry in SMOOTHERS.items()
        if name == current or not (is_large and _samples(entry))
    }


def _samples(entry: Entry) -> bool:
    return any(field.name == "n_iterations" for field in entry.options)


def _estimates(
    bench: NetworkBench, one: Dataset, outcome: int, current: str, waiting: bool
) -> None:
    shown = []
    asked = _asked(bench, current)
    for name in SMOOTHERS:
        value, job = None, asked.get(name)
        if job is None:
            shown.append(SmootherAnswer(SMOOTHERS[name].label, None, text="if chosen"))
            continue
        if job.finished.is_set() and job.error is None:
            value = float(predict_proba(job.result, one)[0, outcome])
        note, text = ("", "") if job.error is None else (str(job.error), "not here")
        shown.append(SmootherAnswer(SMOOTHERS[name].label, value, name == current, note, text))
    counts = bench.class_table.arrays.counts[0]
    base_rate = float(counts[outcome] / max(float(counts.sum()), 1e-300))
    st.html(estimates_html(shown, base_rate, theme=state.theme()))
    if len(asked) < len(SMOOTHERS):
        st.caption("What samples takes minutes on tables of this size: choose it above to ask it.")
    if waiting and all(job.finished.is_set() for job in asked.values()):
        st.rerun()
