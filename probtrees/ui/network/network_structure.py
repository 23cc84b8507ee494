"""How sure the structure is: arrows found again without a part of the rows, losses of all parts."""

from __future__ import annotations

import streamlit as st

from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_controls import begin_again
from probtrees.ui.network.network_page import N_ATTRIBUTES, K

_PICKED = "network.arc picked"
_NONE_FREE = "No arrow could have been otherwise: the class points at every column."
_NEEDS_ROWS = "How sure arrows are needs the rows, and arrows that were learnt from them."
_HOW_SURE = (
    "All is learnt again: cuts, order, parents and selection. Arrows from the class that every "
    "such network has are left out. Columns that say the same take turns: an unsure arrow need "
    "not be a wrong one."
)


def choose_part(bench: NetworkBench) -> NetworkBench:
    """Use the part of a selective KDB that was asked for; say so where it is not the chosen one."""
    if not _has_losses(bench):
        return bench
    begin_again("part", bench.key, (N_ATTRIBUTES, K))
    known = bench.counts.diagnostics
    chosen, part = (known["n_attributes"], known["k"]), _part(bench)
    if part == chosen:
        return bench
    st.info(
        f"You see {part[0]} attributes and k = {part[1]}, as set by hand or by a link; rows left "
        f"out chose {chosen[0]} and k = {chosen[1]}.",
        icon=":material/tune:",
    )
    return bench.part(*part)


def _part(bench: NetworkBench) -> tuple[int, int]:
    """Return how many attributes and parents are asked for."""
    known, most = bench.counts.diagnostics, bench.counts.largest_part
    chosen = (known["n_attributes"], known["k"])
    is_held_out = known.get("selection") == "held-out"
    said = (
        f"{'Rows that had no part in learning' if is_held_out else 'Leave-one-out'} chose "
        f"{chosen[0]} attributes and k = {chosen[1]} (loss {surface[chosen]:.4f}; of what you see "
        f"{surface[part]:.4f}). At the squares it is within one standard error of the least."
    )
    if most is None:
        return f"{said} Another choice would need the rows that were held out."
    is_small = bench.counts.rows is None
    return f"{said} Larger choices than the model's need the rows." if is_small else said
