"""A tree as a Graphviz picture.

Every node is a small card: the branch that leads to it, its counts with proportions, a bar
of the smoothed probabilities of all outcomes. Edges are as wide as the rows that pass. Subtrees
that are not shown stand as "+ 37 nodes", with what the group says.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from probtrees.draw.escape import dot_string, html_text, shorten
from probtrees.draw.node_card import NodeCards, colour_position, default_outcome
from probtrees.draw.palette import PAINTS, ColourBy, Theme, along, bar_colours
from probtrees.explain.detail import branches_without_rows, nodes_without_rows
from probtrees.grow.count_tree import CountTree
from probtrees.model.routing import add_up_the_tree
from probtrees.score.decision import Cut
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import plural

_BAR_WIDTH = 150
_BAR_HEIGHT = 9
_TEXT_LIMIT = 34
_LONGEST_TITLE = 160
_SHADES = 120


def tree_dot(
    smoothed: SmoothedTree,
    schema: Schema,
    *,
    outcome: int | None = None,
    visible: Collection[int] | None = None,
    colour_by: ColourBy = "lift",
    other: SmoothedTree | None = None,
    act: Cut | None = None,
    theme: Theme = "light",
) -> str:
    """Draw a smoothed tree as DOT.

    Parameters
    ----------
    smoothed, schema : the tree and the columns it was grown from
    outcome : the outcome of interest; the rarest one when not given
    visible : the nodes to show, all with rows when not given; a node is shown only when its
        parent is
    colour_by : "lift" (chance relative to the overall rate), "class", "rows", or
        "difference" from ``other``
    act : on which rows is acted; cards are coloured by how many are
    theme : colours for a light or a dark page
    """
    tree = smoothed.tree
    outcome = default_outcome(tree) if outcome is None else outcome
    shown = open_to_depth(tree, None) if visible is None else set(visible) | {0}
    paint = PAINTS[theme]
    fills = node_colours(smoothed, outcome, colour_by, other, theme, act)
    cards = _Labels(NodeCards(smoothed, schema, outcome), theme)
    leaves = subtree_sizes(tree, tree.is_leaf & ~nodes_without_rows(tree))
    lines = [
        "digraph tree {",
        'graph [rankdir=LR, bgcolor="transparent", nodesep=0.18, ranksep=0.45, margin=0.05]',
        f'node [shape=plain, fontname="Helvetica", fontsize=11, fontcolor="{paint.text}"]',
        f'edge [color="{paint.line}", arrowhead=none, tailport=e, headport=w]',
    ]
    if note := undrawn_note(tree, shown):
        lines.append(
            f'graph [label={dot_string(note)}, labelloc=b, labeljust=l, fontname="Helvetica", '
            f'fontsize=10, fontcolor="{paint.faint}"]'
        )
    waiting = [0]
    while waiting:
        node = waiting.pop()
        children = [child for child in tree.children(node) if child in shown]
        hidden = 0 if children or tree.is_leaf[node] else int(leaves[node])
        lines.append(f"n{node} [{cards.attributes(node, fills[node], hidden)}]")
        if node:
            # As wide as the rows that pass, area-true; a branch that no row took is dashed.
            share = max(float(tree.totals[node]), 0.0) / max(float(tree.totals[0]), 1e-300)
            look = f"penwidth={0.6 + 8.4 * math.sqrt(share):.2f}"
            look += f", style={'solid' if share else 'dashed'}"
            lines.append(f"n{int(tree.arrays.parent[node])} -> n{node} [{look}]")
        waiting.extend(reversed(children))
    lines.append("}")
    return "\n".join(lines)


def undrawn_note(tree: CountTree, visible: Collection[int]) -> str:
    """Say how many branches of a picture have no rows and are left out; nothing if none."""
    shown = set(visible)
    opened = {int(tree.arrays.parent[node]) for node in shown}
    left_out = set(np.flatnonzero(branches_without_rows(tree)).tolist()) - shown
    number = sum(int(tree.arrays.parent[node]) in opened for node in left_out)
    if not number:
        return ""
    return f"{plural(number, 'branches')} without rows {'is' if number == 1 else 'are'} not drawn"


def node_colours(
    smoothed: SmoothedTree,
    outcome: int,
    colour_by: ColourBy,
    other: SmoothedTree | None,
    theme: Theme,
    act: Cut | None = None,
) -> list[str]:
    """Give every node the colour of its card."""
    paint = PAINTS[theme]
    if act is not None:
        tree, totals = smoothed.tree, np.maximum(smoothed.tree.totals, 1e-300)
        acted = np.where(tree.is_leaf, act.share(smoothed.probs[:, outcome]) * totals, 0.0)
        add_up_the_tree(tree, acted)
        return [along(paint.diverging[3:], share) for share in (acted / totals).tolist()]
    position = colour_position(smoothed, outcome, colour_by, other)
    if colour_by == "class":
        colours = bar_colours(smoothed.tree.n_outcomes, outcome, theme)
        tints = {k: along((paint.card, colour), 0.35) for k, colour in colours.items()}
        return [tints[int(number)] for number in position]
    share = (position + 1) / 2 if colour_by == "lift" else position
    stops = paint.diverging if colour_by == "lift" else paint.sequential
    shades = [along(stops, step / _SHADES) for step in range(_SHADES + 1)]
    return [shades[step] for step in np.rint(share * _SHADES).astype(int).tolist()]


class _Labels:
    """Writes the cards as HTML-like labels."""

    def __init__(self, cards: NodeCards, theme: Theme) -> None:
        self.cards = cards
        self.paint = PAINTS[theme]
        self.colours = bar_colours(cards.tree.n_outcomes, cards.outcome, theme)

    def attributes(self, node: int, fill: str, hidden: int) -> str:
        """Write the attributes of one node; ``hidden`` leaves below it are not shown."""
        counts, estimate = self.cards.counts(node), self.cards.estimate(node)
        title = self.cards.title(node, _TEXT_LIMIT)
        column = int(self.cards.tree.arrays.column[node])
        texts = [
            f"<B>{html_text(shorten(title, _LONGEST_TITLE))}</B>",
            html_text(shorten(counts, _TEXT_LIMIT + 8)),
            self._bar(self.cards.answers[node]),
            f"<B>{html_text(shorten(f'→ {estimate}', _TEXT_LIMIT))}</B>",
        ]
        if hidden:
            name = shorten(self.cards.schema.columns[column].name, 20)
            more = f"+ {plural(hidden, 'leaves')}, split on {name}"
            texts.append(f"<I>{html_text(more)}</I>")
        rows = [f"<TR><TD ALIGN='LEFT'>{text}</TD></TR>" for text in texts]
        border = self.paint.text if hidden or column < 0 else self.paint.line
        table = (
            f"<TABLE BORDER='1' CELLBORDER='0' CELLSPACING='0' CELLPADDING='5' STYLE='ROUNDED' "
            f"BGCOLOR='{fill}' COLOR='{border}'><TR><TD>"
            f"<TABLE BORDER='0' CELLBORDER='0' CELLSPACING='0' CELLPADDING='2'>{''.join(rows)}"
            "</TABLE></TD></TR></TABLE>"
        )
        tooltip = dot_string(f"{self.cards.title(node)}: {counts} {estimate}")
        return f'label=<{table}>, tooltip={tooltip}, id="node-{node}"'

    def _bar(self, proportions: NDArray[np.float64]) -> str:
        """Draw the proportions as one bar; slivers below a pixel are left out."""
        widths = bar_widths(proportions[[*self.colours]], _BAR_WIDTH)
        cells = [
            f"<TD FIXEDSIZE='TRUE' WIDTH='{width}' HEIGHT='{_BAR_HEIGHT}' BGCOLOR='{colour}'></TD>"
            for width, colour in zip(widths, self.colours.values(), strict=True)
            if width
        ]
        return (
            "<TABLE BORDER='0' CELLBORDER='0' CELLSPACING='0' CELLPADDING='0' ALIGN='LEFT' "
            f"FIXEDSIZE='TRUE' WIDTH='{_BAR_WIDTH}' HEIGHT='{_BAR_HEIGHT}'><TR>"
            f"{''.join(cells)}</TR></TABLE>"
        )


def bar_widths(proportions: NDArray[np.float64], width: int) -> NDArray[np.int64]:
    """Divide bars of whole pixels in proportion, the pixels adding up to their width.

    >>> bar_widths(np.array([0.5, 0.25, 0.25]), 9).tolist()
    [4, 3, 2]
    """
    ends = np.rint(np.cumsum(proportions, axis=-1) * width).astype(np.int64)
    return np.diff(ends, axis=-1, prepend=0)


def open_to_depth(tree: CountTree, depth: int | None, limit: int | None = None) -> set[int]:
    """Show nodes with rows down to a depth, whole levels at a time, at most ``limit`` of them."""
    deepest = tree.max_depth if depth is None else depth
    drawn = ~nodes_without_rows(tree)
    if limit is not None:
        per_level = np.bincount(tree.arrays.depth, weights=drawn)
        fitting = int((np.cumsum(per_level) <= limit).sum()) - 1
        deepest = min(deepest, max(fitting, 1))
    return set(np.flatnonzero(drawn & (tree.arrays.depth <= deepest)).tolist())


def opened_branches(tree: CountTree, opened: Iterable[int]) -> set[int]:
    """Show the branches of nodes that are open, but for those without rows."""
    empty = branches_without_rows(tree)
    return {0, *(child for node in opened for child in tree.children(node) if not empty[child])}


def with_paths(tree: CountTree, visible: Iterable[int], nodes: Iterable[int]) -> set[int]:
    """Add the way from the root to some nodes, with the siblings along it that have rows."""
    ways = [tree.path(node) for node in nodes]
    beside = opened_branches(tree, {step for way in ways for step in way[:-1]})
    return beside.union(visible, *ways)


def subtree_sizes(tree: CountTree, counted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count some nodes at and below every node."""
    sizes = counted.astype(np.float64)
    add_up_the_tree(tree, sizes)
    return sizes.astype(np.int64)
