"""What the Network page shows beside the picture: the selection, a row's reasons, the cuts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.draw.network_charts import cuts_chart, information_chart, loss_surface_chart
from probtrees.draw.node_card import percent
from probtrees.explain.row import explain_row
from probtrees.rule import rule_text
from probtrees.smoothed_tree import SmoothedTree
from probtrees.ui import state
from probtrees.ui.network.bench import NetworkBench, TableBench, with_part

MOST_CONTEXTS = 500
"""Rows of a table that are listed."""


def choose_part(bench: NetworkBench) -> NetworkBench:
    """Show SKDB's leave-one-out loss of every part, and let another part be used."""
    known = bench.grown.diagnostics
    if "loss_surface" not in known:
        return bench
    surface = np.asarray(known["loss_surface"])
    names = [bench.data.schema.names[column] for column in known["order"]]
    with st.expander("How many attributes, and how many parents each?", icon=":material/grid_on:"):
        left, right = st.columns(2)
        with left:
            n_attributes = st.slider(
                "Attributes",
                0,
                surface.shape[0] - 1,
                int(known["n_attributes"]),
                key=f"network.attributes {bench.key}",
            )
        with right:
            k = (
                st.slider(
                    "k", 0, surface.shape[1] - 1, int(known["k"]), key=f"network.k {bench.key}"
                )
                if surface.shape[1] > 1
                else 0
            )
        st.plotly_chart(
            loss_surface_chart(surface, (n_attributes, k), names, theme=state.theme()),
            key="network.surface",
            alt="Leave-one-out loss over number of attributes and parents.",
        )
        st.caption(
            f"Leave-one-out chose {known['n_attributes']} attributes and k = {known['k']} "
            f"(loss {surface[known['n_attributes'], known['k']]:.4f}); you see "
            f"{n_attributes} and k = {k} (loss {surface[n_attributes, k]:.4f})."
        )
    return with_part(bench, n_attributes, k)


def choose_context(table: TableBench, smoothed: SmoothedTree) -> int:
    """List the rows of a table, the largest first, and return the one that was picked."""
    tree, outcome = table.tree, table.outcome
    leaves = tree.leaves[np.argsort(-tree.totals[tree.leaves], kind="stable")][:MOST_CONTEXTS]
    counts = tree.arrays.counts[leaves, outcome]
    frame = pd.DataFrame(
        {
            "context": [rule_text(tree, table.data.schema, int(node)) for node in leaves],
            "rows": tree.totals[leaves],
            "cases": counts,
            "estimate": 100 * smoothed.probs[leaves, outcome],
        }
    )
    picked = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "estimate": st.column_config.NumberColumn(format="%.1f %%"),
            "rows": st.column_config.NumberColumn(format="%d"),
            "cases": st.column_config.NumberColumn(format="%d"),
        },
        key=f"network.contexts {table.key}",
    )
    if tree.n_leaves > MOST_CONTEXTS:
        st.caption(f"The {MOST_CONTEXTS} largest of {tree.n_leaves:,} contexts.")
    rows = picked.selection.rows
    return int(leaves[rows[0]] if rows else leaves[0])


def row_reasons(bench: NetworkBench, smoother: str) -> None:
    """Take the network's answer for one row apart, table by table."""
    schema = bench.data.schema
    left, right = st.columns(2)
    with left:
        row = st.number_input(
            "Row of the table", 1, bench.data.n_rows, 1, key="network.row", persist_state="session"
        )
    with right:
        outcome = st.selectbox(
            "Chance of",
            range(len(schema.classes)),
            format_func=lambda k: schema.classes[k],
            key="network.class",
            persist_state="session",
        )
    one = bench.data.take(np.array([row - 1]))
    values = one.values.copy()
    with st.expander("Change the row's values", icon=":material/edit:"):
        for number, column in enumerate(schema.features):
            values[0, number] = _cell(
                number, column.name, column.categories, values[0, number], row
            )
    told = explain_row(bench.smooth(smoother), replace(one, values=values))
    st.markdown(
        f"**{percent(float(told.posterior[outcome]))}** {markdown_text(schema.classes[outcome])}"
    )
    if len(schema.classes) < 2:
        return
    network = told.members[0]
    frame = pd.DataFrame(
        {
            "table": [table.name for table in network.tables],
            "value": [table.value for table in network.tables],
            "log odds": network.log_odds(outcome),
        }
    )
    st.dataframe(
        frame,
        hide_index=True,
        column_config={"log odds": st.column_config.NumberColumn(format="%+.3f")},
        key="network.reasons",
    )
    against = np.where(np.arange(len(network.posterior)) == outcome, -1.0, network.posterior)
    rival = schema.classes[int(np.argmax(against))]
    st.caption(
        f"What each table adds to the log odds against {markdown_text(rival)}; they sum to "
        f"{frame['log odds'].sum():+.3f}, odds of {np.exp(frame['log odds'].sum()):.3g} to 1."
        + (" The first of the ensemble's networks is shown." if len(told.members) > 1 else "")
    )


def information(bench: NetworkBench) -> None:
    """Show what every pair of attributes shares given the class, folded away."""
    pairwise = bench.grown.diagnostics.get("conditional_mutual_information")
    if pairwise is None:
        return
    with st.expander("Information between attributes, given the class", icon=":material/apps:"):
        names = [column.name for column in bench.data.schema.features]
        chart = information_chart(
            np.asarray(pairwise)[: len(names), : len(names)], names, theme=state.theme()
        )
        st.plotly_chart(chart, key="network.information")


def cut_places(bench: NetworkBench, member: int, column: int) -> None:
    """Show where a numeric column is cut, on its histogram."""
    cuts = bench.cuts(member)
    if cuts is None or column not in cuts.points:
        return
    points = cuts.points[column]
    values = bench.data.values[:, column]
    name = bench.data.schema.names[column]
    st.plotly_chart(
        cuts_chart(values[~np.isnan(values)], points.tolist(), name, theme=state.theme()),
        key="network.cuts",
        alt=f"Histogram of {name} with {len(points)} cuts.",
    )
    if len(points) == 0:
        st.caption("No cut separates the classes better than chance: one interval.")


def _cell(
    number: int, name: str, categories: tuple[str, ...] | None, value: float, row: int
) -> float:
    """Let one value of the row be changed; empty means not recorded."""
    key = f"network.cell.{row}.{number}"
    if categories is None:
        start = None if np.isnan(value) else float(value)
        typed = st.number_input(markdown_text(name), value=start, key=key)
        return float("nan") if typed is None else float(typed)
    options = [None, *range(len(categories))]
    chosen = st.selectbox(
        markdown_text(name),
        options,
        index=0 if np.isnan(value) else int(value) + 1,
        format_func=lambda code: "not recorded" if code is None else categories[code],
        key=key,
    )
    return float("nan") if chosen is None else float(chosen)
