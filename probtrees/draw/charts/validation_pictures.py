"""Pictures of a validation: the tree with the leaves that no longer hold, and their legend."""

from __future__ import annotations

from probtrees.draw import markup
from probtrees.draw.escape import shorten
from probtrees.draw.palette import PAINTS, Theme
from probtrees.draw.tree import NodeMark, open_to_depth, tree_dot, with_paths
from probtrees.experiment.validation.part_check import GroupCheck
from probtrees.experiment.validation.validate import Validation
from probtrees.model.model import Model
from probtrees.words import count_text

_MOST_NODES = 40
_MOST_MARKED = 12
"""Marked leaves that are shown however deep they lie."""


def validated_tree_dot(model: Model, found: Validation, *, theme: Theme = "light") -> str:
    """Draw the tree on new rows: leaves with more or fewer cases than expected are coloured."""
    tree = model.tree.tree
    marked = [group.node for group in found.groups_off[:_MOST_MARKED]]
    visible = with_paths(tree, open_to_depth(tree, None, _MOST_NODES), marked)
    arrived = {group.node for group in found.groups if group.rows > 0}
    visible |= {node for node in arrived if int(tree.arrays.parent[node]) in visible}
    return tree_dot(
        model.tree,
        model.schema,
        outcome=found.outcome,
        visible=visible,
        theme=theme,
        colour_by={group.node: _mark(group, theme) for group in found.groups},
    )


def _mark(group: GroupCheck, theme: Theme) -> NodeMark:
    if group.rows == 0:
        return NodeMark(PAINTS[theme].page, "no new rows")
    note = f"now {count_text(round(group.observed, 1))}, expected {group.expected:.1f}"
    note += f" of {count_text(round(group.rows))}"
    return NodeMark(_colours(theme)[group.verdict], note)


def _colours(theme: Theme) -> dict[str, str]:
    paint = PAINTS[theme]
    return {
        "more than expected": paint.diverging[-1],
        "fewer than expected": paint.diverging[0],
        "as expected": paint.diverging[3],
    }


def validation_legend_html(outcome: str, *, theme: Theme = "light") -> str:
    """Explain the colours of the leaves."""
    parts = []
    for verdict, colour in _colours(theme).items():
        words = verdict.replace(" than", f" {shorten(outcome, 40)} than")
        parts += [(colour, ""), ("", words.replace("as expected", "as chance allows"))]
    return markup.legend(parts, PAINTS[theme])
