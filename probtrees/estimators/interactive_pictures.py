"""Trees and networks as what their interactive pages are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from probtrees.draw.legend import Legend, legend_html
from probtrees.draw.network import information
from probtrees.draw.network_data import (
    NetworkPicture,
    PictureArc,
    PictureNode,
    in_scale,
    network_legend,
    picture_record,
    with_fewer_words,
)
from probtrees.draw.network_layout import network_layout
from probtrees.draw.palette import Theme
from probtrees.draw.tree_data import tree_numbers, tree_texts
from probtrees.estimators.notebook_html import PagePicture
from probtrees.explain.detail import FIRST_GROUPS
from probtrees.explain.rule import all_rules, conditions_text, outcome_names
from probtrees.grow.dag import Dag
from probtrees.model.member import Member
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.words import count_text, percent, plural

_TREE_SCRIPTS = (
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


def tree_on_page(smoothed: SmoothedTree, schema: Schema, outcome: int) -> PagePicture:
    """Show a tree: zoom, fold, find, and a panel for the node that is clicked.

    Parameters
    ----------
    outcome : the class of interest
    """
    legend = Legend.of_tree(smoothed, schema, outcome)
    return PagePicture(
        "tree_view",
        _TREE_SCRIPTS,
        partial(_tree_content, smoothed, schema, outcome),
        lambda theme: legend_html(legend, theme=theme),
    )


def _tree_content(
    smoothed: SmoothedTree, schema: Schema, outcome: int, themes: Sequence[Theme]
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


_NETWORK_SCRIPTS = ("canvas_view", "network_picture", "network_view")

MOST_CONTEXTS = 60
"""Contexts of a table that the page holds, the largest; a network may have millions."""

MOST_VALUES = 8
"""Values of a column that the panel has room for, the most common."""


def network_on_page(member: Member, schema: Schema, notes: Mapping[str, Any]) -> PagePicture:
    """Show a network: zoom, arrows, and the table of the column that is clicked.

    Parameters
    ----------
    schema : the columns of the model; numbers are cut as the network cuts them
    notes : what the learner found: mutual information with the class, and between columns
    """
    about_class, _ = information(notes)
    most = 0.0 if about_class is None else max(float(about_class.max()), 0.0)
    scale = ("what columns tell about the class", "0", f"{most:.3f} nats")
    return PagePicture(
        "network_view",
        _NETWORK_SCRIPTS,
        partial(_network_content, member, schema, notes),
        lambda theme: "" if about_class is None else network_legend(scale, None, theme=theme),
    )


def _network_content(
    member: Member, schema: Schema, notes: Mapping[str, Any], themes: Sequence[Theme]
) -> dict[str, Any]:
    """Gather boxes and arrows in the colours of every theme, and the tables once."""
    cut = schema if member.cuts is None else member.cuts.apply_to_schema(schema)
    dag = Dag.of_tables(smoothed.tree for smoothed in member.trees)
    picture = with_fewer_words(_picture(dag, cut, notes))
    layout = network_layout(picture.sizes, picture.laid_out, picture.top)
    return {
        "themes": {theme: picture_record(picture, layout, theme=theme) for theme in themes},
        "tables": {smoothed.tree.target: _table(smoothed, cut, dag) for smoothed in member.trees},
        "selected": cut.target_column,
        "remark": "Click a box for its table.",
    }


def _picture(dag: Dag, schema: Schema, notes: Mapping[str, Any]) -> NetworkPicture:
    """Describe the boxes and arrows; those of a class that points at all are drawn faintly."""
    about_class, between = information(notes)
    target = schema.target_column
    attributes = [column for column in dag.columns if column != target]
    points_at_all = all(target in dag.parents[column] for column in attributes)
    shades = {} if about_class is None else in_scale({c: float(about_class[c]) for c in attributes})
    drawn = [
        (parent, column)
        for column in dag.columns
        for parent in dag.parents[column]
        if not (points_at_all and parent == target)
    ]
    strengths = {
        arc: 0.0 if between is None or target in arc else float(between[arc]) for arc in drawn
    }
    widest = max(strengths.values(), default=0.0)
    nodes = []
    for column in dag.columns:
        parents = ", ".join(schema.titles[parent] for parent in dag.parents[column]) or "nothing"
        box = schema.columns[column]
        words = f"{box.full_title}\ndepends on {parents}"
        detail = "the class" if column == target else ""
        if about_class is not None and column != target:
            detail = f"MI {float(about_class[column]):.3f}"
        strength = None if column == target else shades.get(column, 0.0)
        nodes.append(PictureNode(column, box.name, detail, strength, words=words, title=box.title))
    arcs = [
        PictureArc(
            parent,
            child,
            strengths[parent, child] / widest if widest else 0.4,
            f"{schema.titles[parent]} \u2192 {schema.titles[child]}",
        )
        for parent, child in drawn
    ]
    return NetworkPicture(nodes, arcs, attributes if points_at_all else (), target)


def _table(smoothed: SmoothedTree, schema: Schema, dag: Dag) -> dict[str, Any]:
    """Write the largest contexts of a table, in words and numbers as they are shown."""
    tree = smoothed.tree
    column, names = tree.target, outcome_names(tree, schema)
    rules = all_rules(tree, schema)
    leaves = tree.leaves[np.argsort(-tree.totals[tree.leaves], kind="stable")]
    shown = leaves[:MOST_CONTEXTS].tolist()
    common = np.argsort(-tree.arrays.counts[0], kind="stable")[:MOST_VALUES]
    values = sorted(common.tolist())
    left = len(leaves) - len(shown)
    parents = ", ".join(schema.titles[parent] for parent in dag.parents[column]) or "nothing"
    remarks = [f"{plural(left, 'smaller contexts')} not listed"] if left else []
    if len(values) < len(names):
        remarks.append(f"{plural(len(names) - len(values), 'rarer values')} not listed")
    return {
        "name": schema.titles[column],
        "about": f"Depends on {parents}. {plural(len(leaves), 'contexts')}.",
        "values": [names[value] for value in values],
        "contexts": [
            [
                conditions_text(rules[leaf]) or "all rows",
                count_text(float(tree.totals[leaf])),
                [percent(float(smoothed.probs[leaf, value])) for value in values],
            ]
            for leaf in shown
        ],
        "more": "; ".join(remarks),
    }
