"""A tree as indented text, for terminals, keyboards and screen readers."""

from __future__ import annotations

from probtrees.draw.node_card import NodeCards, default_outcome
from probtrees.errors import one_line
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import percent, plural


def outline(
    smoothed: SmoothedTree,
    schema: Schema,
    *,
    outcome: int | None = None,
    max_depth: int | None = None,
) -> str:
    """Write a tree as an outline, one line per branch, in the manner of J48.

    Leaves end with their rows and the probabilities of all outcomes; with more than four
    outcomes only the most probable ones are listed. The outcome of interest comes first.
    """
    tree = smoothed.tree
    if outcome is None:
        outcome = default_outcome(tree)
    cards = NodeCards(smoothed, schema, outcome)
    lines = []
    for node in tree.depth_first():
        depth = int(tree.arrays.depth[node])
        if max_depth is not None and depth > max_depth:
            continue
        line = "|   " * max(depth - 1, 0) + one_line(cards.title(node))
        if tree.is_leaf[node]:
            rows = plural(float(tree.totals[node]), tree.rows_word)
            line += f": {_probabilities(cards, node)} ({rows})"
        elif node == 0 or depth == max_depth:
            line += f" ({one_line(cards.counts(node))})"
        lines.append(line)
    lines.append("")
    lines.append(f"Nodes: {tree.n_nodes:,}  Leaves: {tree.n_leaves:,}  Depth: {tree.max_depth}")
    return "\n".join(lines)


def _probabilities(cards: NodeCards, node: int) -> str:
    """List a leaf's outcomes by falling probability, the outcome of interest first."""
    probs = cards.probs[node]
    order = sorted(range(len(probs)), key=lambda k: (k != cards.outcome, -probs[k], k))
    listed = order if len(order) <= 4 else order[:3]
    parts = [f"{one_line(cards.names[k])} {percent(float(probs[k]))}" for k in listed]
    if len(listed) < len(order):
        parts.append(f"{len(order) - len(listed)} others {percent(float(probs[order[3:]].sum()))}")
    return ", ".join(parts)
