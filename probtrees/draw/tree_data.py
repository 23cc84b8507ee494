"""A tree as plain lists, for a picture that the reader's own machine lays out and draws."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.dataset import Schema
from probtrees.draw.escape import one_line
from probtrees.draw.node_card import ColourBy, NodeCards, shown_probs
from probtrees.draw.palette import OTHERS, PAINTS, Theme, outcome_colours
from probtrees.draw.tree import interest_first, node_colours
from probtrees.draw.visible import open_to_depth, subtree_sizes, with_paths
from probtrees.rule import outcome_names
from probtrees.smoothed_tree import SmoothedTree

_OPEN_LEVELS = 3
_OPEN_AT_MOST = 60


def tree_data(
    smoothed: SmoothedTree,
    schema: Schema,
    *,
    outcome: int,
    selected: int | None = None,
    colour_by: ColourBy = "lift",
    other: SmoothedTree | None = None,
    theme: Theme = "light",
) -> dict[str, Any]:
    """Describe a tree for the picture: links, texts, numbers and colours of every node."""
    tree = smoothed.tree
    cards = NodeCards(smoothed, schema, outcome)
    probs = shown_probs(smoothed)
    inner = ~tree.is_leaf
    bars, colours = _bars(probs, outcome, theme)
    shown = with_paths(
        tree,
        open_to_depth(tree, _OPEN_LEVELS, _OPEN_AT_MOST),
        [] if selected is None else [selected],
    )
    opened = [node for node in sorted(shown) if inner[node] and tree.children(node)[0] in shown]
    paint = PAINTS[theme]
    names = outcome_names(tree, schema)
    return {
        "parent": tree.arrays.parent.tolist(),
        "first": tree.arrays.first_child.tolist(),
        "n": tree.arrays.n_children.tolist(),
        "title": [one_line(cards.title(node)) for node in range(tree.n_nodes)],
        "split": [cards.split_text(n) if inner[n] else "" for n in range(tree.n_nodes)],
        "below": (subtree_sizes(tree) - 1).tolist(),
        "rows": np.round(tree.totals, 6).tolist(),
        "cases": np.round(tree.arrays.counts[:, outcome], 6).tolist(),
        "p": np.round(probs[:, outcome], 9).tolist(),
        "best": np.argmax(probs, axis=1).tolist(),
        "bars": bars.ravel().tolist(),
        "groups": int(bars.shape[1]),
        "colours": colours,
        "fill": node_colours(smoothed, outcome, colour_by, other, theme),
        "paint": {
            "text": paint.text,
            "faint": paint.faint,
            "line": paint.line,
            "page": paint.page,
            "accent": paint.accent,
        },
        "open": opened,
        "selected": selected,
        "outcome": one_line(names[outcome]),
        "classes": [one_line(name) for name in names],
        "target": one_line(schema.columns[tree.target].name),
        "other": None if other is None else np.round(other.probs[:, outcome], 9).tolist(),
        "otherName": "" if other is None else other.smoother.name,
    }


def _bars(
    probs: NDArray[np.float64], outcome: int, theme: Theme
) -> tuple[NDArray[np.int64], list[str]]:
    """Cut every bar into thousandths: the outcome of interest, others, and the rest as one."""
    n_outcomes = probs.shape[1]
    order = interest_first(n_outcomes, outcome)
    colours = [outcome_colours(n_outcomes, outcome, theme)[k] for k in order]
    parts = probs[:, order]
    most = len(OTHERS) + 1
    if n_outcomes > most + 1:
        rest = parts[:, most:].sum(axis=1, keepdims=True)
        parts = np.hstack([parts[:, :most], rest])
        colours = [*colours[:most], PAINTS[theme].rest]
    ends = np.rint(np.cumsum(parts, axis=1) * 1000).astype(np.int64)
    return np.diff(ends, axis=1, prepend=0), colours
