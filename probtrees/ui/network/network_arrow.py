"""One arrow: what it adds, how the chances differ along it, how sure it is; and correcting it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import label_text, markdown_text
from probtrees.experiment.corrections import KINDER, CorrectionEffect
from probtrees.experiment.evaluation.stability import ArcStrengths
from probtrees.grow.count.chance_information import contexts_of
from probtrees.grow.edits import edits_text
from probtrees.score.unseen_scores import UnseenScores
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import FloatArray
from probtrees.ui.network.network_bench import REFUSED, NetworkBench, change_arrow, other_network
from probtrees.ui.network.network_information import informations
from probtrees.ui.network.network_page import ARC, AS_LEARNT, edits_key
from probtrees.ui.network.network_picture import found_again
from probtrees.ui.network.network_table import add_values, heat_style
from probtrees.ui.shared.forms import keep_choice
from probtrees.ui.shared.session.jobs import fill_when
from probtrees.ui.shared.show import scores_job

_MOST_ROWS = 12


def chosen_arrow(bench: NetworkBench, member: int) -> tuple[int, int] | None:
    """Return the arrow that was clicked last, if the network on show has it."""
    arc = st.session_state.get(ARC)
    return arc if arc in bench.dag(member).arcs else None


def arrow_panel(
    bench: NetworkBench, member: int, smoother: str, strengths: ArcStrengths | None = None
) -> None:
    """Say what the chosen arrow adds, and show the chances along it."""
    arc = chosen_arrow(bench, member)
    if arc is None:
        return
    names = bench.schema.titles
    parent, child = (markdown_text(names[column]) for column in arc)
    told = informations(bench.key, member, bench)[1][arc]
    sure = ""
    if strengths is not None and arc in strengths.shares:
        sure = f"; {found_again(strengths.shares[arc], strengths.n_networks)}"
    st.markdown(
        f"**{parent} → {child}** adds {told.words}{sure}.",
        help=f"What {parent} tells about {child} where all else that it depends on is known, less "
        f"what chance alone would give. Below: chances of {child} by {parent}, all else as in the "
        "whole table.",
    )
    table, values = bench.table(member, arc[1]), bench.table(member, arc[0]).outcomes
    found = chances_along(table.smooth(smoother), arc[0])
    columns: dict[str, Any] = {names[arc[0]]: [values[value] for value in found]}
    add_values(columns, table.outcomes, np.array(list(found.values())))
    frame = pd.DataFrame(columns).head(_MOST_ROWS)
    st.dataframe(
        heat_style(frame, list(frame.columns[1:]), 1.0, "{:.1%}"),
        hide_index=True,
        alt=f"Chances of the values of {names[arc[1]]} by {names[arc[0]]}",
    )


def correct_arrows(bench: NetworkBench, column: int, smoother: str) -> None:
    """Let arrows be added, removed and reversed; list what was, and say what unseen rows do."""
    edits, arc, names = bench.edits or (), chosen_arrow(bench, 0), bench.schema.titles
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if arc is not None:
            st.markdown(
                f"**{' → '.join(markdown_text(names[at]) for at in arc)}**", width="content"
            )
            for do in ("remove", "reverse"):
                st.button(
                    do.capitalize(),
                    key=f"arrow.{do}",
                    on_click=change_arrow,
                    args=(bench, do, *arc),
                )
        others = set(range(len(names))) - {column, *bench.dag(0).above([column])}
        new = [to for to in sorted(others) if (column, to) not in bench.dag(0).arcs]
        if arc is None and new:
            key = f"arrow.to {column} {len(edits)}"
            add = lambda: change_arrow(bench, "add", column, st.session_state[key])  # noqa: E731
            words = f"Add an arrow from {label_text(names[column])} to"
            how: Any = {"format_func": names.__getitem__, "placeholder": "or drag, box to box"}
            st.selectbox(words, new, index=None, key=key, on_change=add, **how)
        if edits:
            left = (edits_key(bench.key[2]), edits[:-1], ())
            st.button("Undo", icon=":material/undo:", on_click=keep_choice, args=left)
            words = "A file for --edits, and for KDB(edits=...)."
            st.download_button("Save", edits_text(edits), "edits.json", help=words)
    if refused := st.session_state.pop(REFUSED, None):
        st.warning(markdown_text(refused))
    if edits:
        notes = bench.counts.diagnostics["edits"]
        said = [note["words"] + (f" ({note['why']})" if note["why"] else "") for note in notes]
        st.caption(f"Corrected: {markdown_text('; '.join(said))}.")
        _effect(bench, other_network(bench, AS_LEARNT), smoother)


def _effect(bench: NetworkBench, plain: NetworkBench, smoother: str) -> None:
    """Say what all corrections together do on unseen rows."""

    def find() -> list[UnseenScores | None] | None:
        both = [scores_job(each, smoother) for each in (plain, bench)]
        if any(job is None or job.is_working for job in both):
            return None
        return [job.result if job is not None and job.is_ready else None for job in both]

    def show(scores: list[UnseenScores | None]) -> None:
        before, after = scores
        if before is not None and after is not None:
            words = CorrectionEffect.of(before, after).words
            st.markdown(f"On unseen rows: **{words}**.", help=KINDER)

    fill_when(find, show, "What do unseen rows say? Asking …")


def chances_along(smoothed: SmoothedTree, parent: int) -> dict[int, FloatArray]:
    """Return the chances of a column for every value of one parent, the other parents alike.

    Contexts that differ in that parent alone are averaged with the same weights for each of its
    values, as many as rows are in them all: what is left to differ is the arrow's.
    """
    tree = smoothed.tree
    parts: dict[int, list[FloatArray]] = {}
    weights: dict[int, list[float]] = {}
    for leaves in contexts_of(tree, parent).values():
        weight = max(float(tree.totals[list(leaves.values())].sum()), 1e-9)
        for value, leaf in leaves.items():
            parts.setdefault(value, []).append(smoothed.probs[leaf])
            weights.setdefault(value, []).append(weight)
    return {
        value: np.average(parts[value], axis=0, weights=weights[value]) for value in sorted(parts)
    }
