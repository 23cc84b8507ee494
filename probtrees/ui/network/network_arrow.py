"""One arrow: what it adds, how the chances differ along it, and how sure it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.stability import ArcStrengths
from probtrees.grow.count.chance_information import contexts_of
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import FloatArray
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_information import arrow_informations
from probtrees.ui.network.network_page import ARC
from probtrees.ui.network.network_picture import found_again
from probtrees.ui.network.network_table import add_values, heat_style

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
    told = arrow_informations(bench.key, member, bench)[arc]
    sure = ""
    if strengths is not None:
        sure = f"; {found_again(strengths.shares.get(arc, 0.0), strengths.n_networks)}"
    st.markdown(
        f"**{parent} → {child}** adds {told.words}{sure}.",
        help=f"What {parent} tells about {child} where the other columns that {child} depends on "
        "are known, and what chance alone would give. The chances below are averaged over "
        "these columns as they occur in the whole table.",
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
