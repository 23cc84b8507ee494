"""The split of an inner node: its column by outcome, how much it tells, and how firm it is."""

from __future__ import annotations

from typing import Any

import streamlit as st

from probtrees.draw.charts.split_chart import gains_html, split_html
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.stability import SplitStability, split_stability
from probtrees.explain.split_view import SplitView, split_view
from probtrees.grow.count_tree import CountTree
from probtrees.table.dataset import Dataset
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.workbench import Workbench
from probtrees.ui.tree.correct_node import is_corrected
from probtrees.ui.tree.rows_of_node import landing, rows_in
from probtrees.words import percent

_KEY = (
    "How much a split tells about the outcome, in bits, each number at its best cut. C4.5 does not "
    "simply take the largest: it divides by how finely a split cuts the rows."
)


def split_panel(bench: Workbench, node: int) -> None:
    """Show the split of a node; a leaf has none, a model without rows cannot show it."""
    counts = bench.counts
    if bench.is_table or bench.tree.is_leaf[node] or not isinstance(counts, GrownCounts):
        return
    split = _split((bench.key, node), bench.tree, counts.grown.data, node, bench.key)
    theme = state.theme()
    with st.expander("The split here", expanded=True):
        share = split.chosen.gain / max(split.entropy, 1e-12)
        st.markdown(
            f"**{markdown_text(split.chosen.title)}** tells {percent(share)} of what there is to "
            f"tell about the outcome of these rows ({split.chosen.gain:.3f} of "
            f"{split.entropy:.3f} bits)."
        )
        st.html(split_html(split, bench.outcomes, bench.outcome, theme=theme))
        stability = _stability(counts, bench.tree, node)
        if is_corrected(bench, node):
            st.markdown("A correction; the list of them says how many inner trees follow it.")
            stability = None
        if stability is not None:
            st.markdown(markdown_text(stability.sentence(split.chosen.column)))
        asked = stability if stability is not None and stability.reached else None
        chosen_by, n_trees = (asked.chosen, asked.n_trees) if asked else ({}, 0)
        st.html(gains_html(split, chosen_by, n_trees, theme=theme))
        st.caption(_KEY)


@kept()
def _split(key: Any, _tree: CountTree, _data: Dataset, _node: int, _of_tree: Any) -> SplitView:
    landed = landing((_of_tree, "observations"), _tree, _data)
    rows = rows_in(_tree, landed, _node)
    return split_view(_tree, _data.take(rows), _node)


def _stability(counts: GrownCounts, tree: CountTree, node: int) -> SplitStability | None:
    """Ask the inner trees, if they have been grown by now."""
    if not counts.grown.has_evidence:
        return None
    parts = counts.grown.evidence().inner.members
    return split_stability(tree, node, [members[0].trees[0] for members in parts])
