"""What a picture says about one node: rule, counts with proportions, bar, colour.

Pictures (Graphviz, canvas) and the outline, which is text for terminals and screen readers, are
different ways to lay out the same cards.
Counts are what was observed, at every node. Bars and colours are smoothed, at every node, so that
they can be compared: at an inner node they show what it says as a group.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.draw.escape import shorten
from probtrees.draw.palette import ColourBy, relative_to_base
from probtrees.errors import one_line
from probtrees.explain.detail import group_probs
from probtrees.explain.rule import all_rows_text, branch_condition, outcome_names
from probtrees.grow.count_tree import CountTree
from probtrees.score.metrics import rarest_outcome
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import count_text, outcome_words, percent, plural


def default_outcome(tree: CountTree) -> int:
    """Choose the outcome people ask about: the rarest that occurs, the last among equals."""
    return rarest_outcome(tree.arrays.counts[0])


def colour_position(
    smoothed: SmoothedTree, outcome: int, colour_by: ColourBy, other: SmoothedTree | None = None
) -> NDArray[np.float64]:
    """Place every node on its colour scale.

    "lift": -1 to 1 around the base rate. "rows" and "difference" (of the two numbers of a node): 0
    to 1. "class": the number of the most probable outcome.
    """
    tree = smoothed.tree
    probs = group_probs(smoothed)
    if colour_by == "class":
        return np.asarray(np.argmax(probs, axis=1), dtype=np.float64)
    if colour_by == "rows":
        logs = np.log1p(tree.totals)
        return np.asarray(logs / max(float(logs.max()), 1e-9))
    if colour_by == "difference":
        apart, end = apart_by(smoothed, other, outcome)
        return apart / end
    return relative_to_base(probs[:, outcome], base_rate(tree, outcome))


def apart_by(
    smoothed: SmoothedTree, other: SmoothedTree | None, outcome: int
) -> tuple[NDArray[np.float64], float]:
    """Return by how much what two smoothers say differs in every node, and where a scale ends."""
    if other is None:
        return np.zeros(smoothed.tree.n_nodes), 1.0
    apart = np.abs(group_probs(smoothed) - group_probs(other))[:, outcome]
    ends = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
    return apart, next((end for end in ends if apart.max() <= end), 1.0)


def base_rate(tree: CountTree, outcome: int) -> float:
    """Return how often an outcome occurs among all rows."""
    return float(tree.arrays.counts[0, outcome] / max(float(tree.totals[0]), 1e-300))


class NodeCards:
    """The texts and numbers of nodes, one at a time.

    Attributes
    ----------
    answers : float64[n_nodes, n_outcomes], smoothed probabilities, at an inner node as a group
    names : the outcomes
    """

    def __init__(self, smoothed: SmoothedTree, schema: Schema, outcome: int) -> None:
        self.tree = smoothed.tree
        self.schema = schema
        self.outcome = outcome
        self.answers = group_probs(smoothed)
        self.names = outcome_names(self.tree, schema)

    def title(self, node: int, longest_name: int | None = None) -> str:
        """Name the branch that leads to a node; a long column is cut, its value never."""
        condition = branch_condition(self.tree, self.schema, node)
        if condition is None:
            return all_rows_text(self.tree)
        name = shorten(condition.name, longest_name) if longest_name else condition.name
        return f"{name} {condition.predicate}"

    def counts(self, node: int) -> str:
        """Print a node's counts and their proportions: ``470 rows · 344 yes (73.2 %)``."""
        total = float(self.tree.totals[node])
        if total <= 0:
            return "no rows"
        count = float(self.tree.arrays.counts[node, self.outcome])
        name = self.names[self.outcome]
        # "111 1" and "12 up to 75" cannot be read: the legend names such an outcome.
        share, rows = f"({percent(count / total)})", plural(total, self.tree.rows_word)
        if any(letter.isdigit() for letter in name):
            return f"{count_text(count)} of {rows} {share}"
        return f"{rows} · {count_text(count)} {name} {share}"

    def estimate(self, node: int) -> str:
        """Print the smoothed probability of the outcome of interest."""
        number = percent(float(self.answers[node, self.outcome]))
        target = shorten(self.schema.columns[self.tree.target].title, 24)
        return f"{number} {outcome_words(target, self.names[self.outcome])}"


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
    outcome = default_outcome(tree) if outcome is None else outcome
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
    probs = cards.answers[node]
    order = sorted(range(len(probs)), key=lambda k: (k != cards.outcome, -probs[k], k))
    listed = order if len(order) <= 4 else order[:3]
    parts = [f"{one_line(cards.names[k])} {percent(float(probs[k]))}" for k in listed]
    if len(listed) < len(order):
        parts.append(f"{len(order) - len(listed)} others {percent(float(probs[order[3:]].sum()))}")
    return ", ".join(parts)
