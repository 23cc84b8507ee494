"""A network in a page of its own: zoom, arrows, and the table of the column that is clicked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

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
from probtrees.estimators.interactive_page import interactive_page, themes_of
from probtrees.explain.rule import all_rules, conditions_text, outcome_names
from probtrees.grow.dag import Dag
from probtrees.model.member import Member
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray
from probtrees.words import count_text, percent, plural

_SCRIPTS = ("canvas_view", "network_picture", "network_view")

MOST_CONTEXTS = 60
"""Contexts of a table that the page holds, the largest; a network may have millions."""

MOST_VALUES = 8
"""Values of a column that the panel has room for, the most common."""


def network_page(
    member: Member,
    schema: Schema,
    notes: Mapping[str, Any],
    *,
    caption: str = "",
    still: str = "",
    theme: Theme | None = None,
) -> str:
    """Write the page of a network.

    Parameters
    ----------
    schema : the columns of the model; numbers are cut as the network cuts them
    notes : what the learner found: mutual information with the class, and between columns
    still : a picture as HTML, for readers that run no scripts
    theme : None: as the reader's system has it
    """
    cut = schema if member.cuts is None else member.cuts.apply_to_schema(schema)
    about_class = _numbers(notes.get("mutual_information"))
    dag = Dag.of_tables(smoothed.tree for smoothed in member.trees)
    picture = with_fewer_words(_picture(dag, cut, notes))
    layout = network_layout(picture.sizes, picture.laid_out, picture.top)
    most = 0.0 if about_class is None else max(float(about_class.max()), 0.0)
    scale = ("what columns tell about the class", "0", f"{most:.3f} nats")
    content = {
        "themes": {each: picture_record(picture, layout, theme=each) for each in themes_of(theme)},
        "tables": {smoothed.tree.target: _table(smoothed, cut, dag) for smoothed in member.trees},
        "selected": cut.target_column,
        "remark": "Click a box for its table.",
    }
    return interactive_page(
        "network_view",
        _SCRIPTS,
        content,
        lambda each: "" if about_class is None else network_legend(scale, None, theme=each),
        caption=caption,
        still=still,
        theme=theme,
    )


def _picture(dag: Dag, schema: Schema, notes: Mapping[str, Any]) -> NetworkPicture:
    """Describe the boxes and arrows; those of a class that points at all are drawn faintly."""
    about_class = _numbers(notes.get("mutual_information"))
    between = _numbers(notes.get("conditional_mutual_information"))
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
        box, words = (
            schema.columns[column],
            f"{schema.columns[column].full_title}\ndepends on {parents}",
        )
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


def _numbers(values: Any) -> FloatArray | None:
    return None if values is None else np.asarray(values, dtype=np.float64)
