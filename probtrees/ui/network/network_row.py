"""One row followed through a network: what each table adds, and what every smoother makes of it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from probtrees.draw.bars import Contribution, contributions_html, estimates_html
from probtrees.draw.escape import markdown_text
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.row import RowExplanation, explain_row
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Dataset
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_controls import choose_outcome
from probtrees.ui.network.network_page import ROW, TYPED
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import fill_in
from probtrees.ui.tree.leaf_panel import smoother_answers
from probtrees.ui.tree.row_form import UNREADABLE, RowKeys, begin_rows, row_fields, row_table
from probtrees.words import percent

MOST_SAMPLED = 20_000
"""Nodes of a network that a smoother which samples is asked about without being chosen."""
_KEYS = RowKeys("", "network.cell", ROW, TYPED)


def follow_row(bench: NetworkBench, smoother: str, member: int) -> None:
    """Ask for a row, take the network's answer apart, and ask every smoother."""
    form, answer = st.columns([1, 2], gap="medium")
    with form:
        table = row_table(bench)
        rows = begin_rows(table, [_KEYS])
        outcome = choose_outcome(bench.schema.classes, bench.usual_outcome, bench.key[1])
        used = {column for number in range(bench.n_members) for column in bench.dag(number).columns}
        asked = sorted(used - {bench.schema.target_column})
        row_fields(table, [_KEYS], rows, asked, "Columns that the network does without")
    with answer:
        if np.isinf(rows[0]).any():
            st.warning(UNREADABLE)
            return
        one = Dataset(bench.schema, rows[0][None, :])
        _reasons(bench, explain_row(bench.model(smoother), one), outcome, member)
        st.markdown("**Every smoother's answer for this row**")
        _all_smoothers(bench, one, outcome, smoother)


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
    """Show every smoother's answer; one that samples is asked about large networks if chosen."""
    is_large = sum(tree.n_nodes for tree in bench.tables) > MOST_SAMPLED
    asked = {
        name: bench.smoothing(name)
        for name, entry in SMOOTHERS.items()
        if name == current
        or not (is_large and any(field.name == "n_iterations" for field in entry.options))
    }
    counts = bench.class_table.arrays.counts[0]
    base_rate = float(counts[outcome] / max(float(counts.sum()), 1e-300))

    def show() -> None:
        shown = smoother_answers(
            asked, lambda model: predict_proba(model, one)[0, outcome], current
        )
        st.html(estimates_html(shown, base_rate, theme=state.theme()))

    fill_in(asked.values(), show, show)
    if len(asked) < len(SMOOTHERS):
        st.caption("What samples takes minutes on tables of this size: choose it above to ask it.")
