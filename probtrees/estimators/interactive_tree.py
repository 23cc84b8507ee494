"""A tree in a page of its own: zoom, fold, find, and a panel for the node that is clicked."""

from __future__ import annotations

from typing import Any

from probtrees.draw.legend import Legend, legend_html
from probtrees.draw.palette import Theme
from probtrees.draw.tree_data import tree_numbers, tree_texts
from probtrees.estimators.interactive_page import interactive_page, themes_of
from probtrees.explain.detail import FIRST_GROUPS
from probtrees.explain.rule import outcome_names
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema

_SCRIPTS = (
    "canvas_view",
    "tree_text",
    "tree_state",
    "tree_layout",
    "tree_cards",
    "tree_blocks",
    "tree_picture",
    "tree_outline",
    "tree_view",
)
_PAINTED = ("fill", "colours", "paint")
"""What differs between a light and a dark page."""

MOST_TAKEN_APART = 2000
"""Leaves up to which the page holds where every probability comes from."""


def tree_page(
    smoothed: SmoothedTree,
    schema: Schema,
    outcome: int,
    *,
    caption: str = "",
    still: str = "",
    theme: Theme | None = None,
) -> str:
    """Write the page of a tree.

    Parameters
    ----------
    outcome : the class of interest
    still : a picture as HTML, for readers that run no scripts
    theme : None: as the reader's system has it
    """
    legend = Legend.of_tree(smoothed, schema, outcome)
    return interactive_page(
        "tree_view",
        _SCRIPTS,
        _content(smoothed, schema, outcome, themes_of(theme)),
        lambda each: legend_html(legend, theme=each),
        caption=caption,
        still=still,
        theme=theme,
    )


def _content(
    smoothed: SmoothedTree, schema: Schema, outcome: int, themes: tuple[Theme, ...]
) -> dict[str, Any]:
    """Gather what the picture is made of; the colours of every theme, all else once."""
    tree = smoothed.tree
    by_theme = {theme: tree_numbers(smoothed, outcome=outcome, theme=theme) for theme in themes}
    return {
        "texts": tree_texts(tree, schema),
        "numbers": {k: v for k, v in by_theme[themes[0]].items() if k not in _PAINTED},
        "themes": {t: {k: numbers[k] for k in _PAINTED} for t, numbers in by_theme.items()},
        "head": {
            "tree": "tree",
            "outcome": outcome_names(tree, schema)[outcome],
            "otherName": "",
            "pinned": [],
            "followed": [],
            "marked": None,
            "firstGroups": FIRST_GROUPS,
            "selected": 0,
            "turn": 0,
        },
        "points": _points(smoothed, outcome),
    }


def _points(smoothed: SmoothedTree, outcome: int) -> dict[int, list[float]]:
    """Take every leaf's probability apart: what the nodes from the root on add, then all else."""
    leaves = smoothed.tree.leaves.tolist()
    if len(leaves) > MOST_TAKEN_APART:
        return {}
    found = {}
    for leaf in leaves:
        values = smoothed.contributions(leaf).values[:, outcome]
        n_nodes = len(smoothed.contributions(leaf).nodes)
        parts = [*values[:n_nodes][::-1].tolist(), float(values[n_nodes:].sum())]
        found[leaf] = [round(part, 9) for part in parts]
    return found
