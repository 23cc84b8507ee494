"""The part of a report that shows a shaped tree, or a council that one may sit on."""

from __future__ import annotations

import numpy as np

from probtrees.draw.charts.shape_chart import chart_key, members_html, shapes_html
from probtrees.explain.rule import branch_condition
from probtrees.explain.shape_curves import (
    MEANING,
    about,
    additive_member,
    council_sentence,
    councillors,
    path_strength,
    shape_curves,
    wishes_sentence,
)
from probtrees.model.model import Model
from probtrees.model.predict import has_refits
from probtrees.report.html_page import HtmlPage
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.words import count_text, percent, plural

MOST_NODES = 60


def add_shaped(page: HtmlPage, model: Model, outcome: int) -> None:
    """Add shapes and path of a shaped tree to a page."""
    member = additive_member(model)
    classes, curves = model.schema.classes, shape_curves(model)
    base = float(normalise(member.intercept[None])[0, outcome])
    tree = member.smoothed.tree
    page.text(
        f"A row that is average in everything is given {percent(base)} for "
        f"{classes[outcome]}. To its log-odds every row adds what its columns say (the shapes) and "
        f"what the steps of its path say, through a tree of {plural(tree.n_leaves, 'leaves')}. All "
        "of it adds up exactly; 'probtrees explain' does so for one row."
    )
    page.heading("What the columns add")
    page.text(chart_key(curves) + (f" {MEANING}" if has_refits(model) else ""))
    if wished := wishes_sentence(model):
        page.text(wished)
    page.themed(lambda theme: shapes_html(curves, outcome, theme=theme))
    page.heading("What the path adds")
    strengths = ", ".join(
        f"{curve.title or curve.name} {curve.strength:.2f}" for curve in curves[:5]
    )
    page.text(
        "How much each part matters (standard deviation of what it adds to a class's score; to the "
        f"log-odds of two classes it adds twice that): the path {path_strength(model):.2f}; the "
        f"strongest columns {strengths}. The penalty of the fit divides what a column adds between "
        "its shape and steps of the tree; only the sum is determined by the data."
    )
    page.table(_nodes(model, outcome), folded="Nodes of the tree, those with most rows first")


def add_council(page: HtmlPage, model: Model, outcome: int) -> None:
    """Add the members of a council, and the curves of the shaped tree among them, to a page."""
    page.text(
        f"{council_sentence(model)} Logarithms add up, so every answer can be taken apart exactly: "
        "the steps and columns of a shaped tree, the tables of a network, other members as a "
        "whole, each times its weight; 'probtrees explain' does so for one row."
    )
    members = councillors(model)
    page.heading("Who answers")
    page.themed(lambda theme: members_html(members, theme=theme))
    curves = shape_curves(model)
    if curves:
        page.heading("What the columns add through the shaped tree")
        page.text(f"{chart_key(curves)} All of it is times the weight of the shaped tree.")
        page.themed(lambda theme: shapes_html(curves, outcome, theme=theme))


def _nodes(model: Model, outcome: int) -> list[list[str]]:
    """List what the largest nodes add to the log-odds."""
    member = additive_member(model)
    tree, weights = member.smoothed.tree, member.node_weights
    added = about(weights, outcome)
    rows = [["node", "step", "rows", "adds to the log-odds"]]
    order = np.argsort(-tree.arrays.weight[1:], kind="stable")[:MOST_NODES] + 1
    for node in order.tolist():
        condition = branch_condition(tree, model.schema, node)
        words = "" if condition is None else condition.words
        rows.append(
            [str(node), words, count_text(float(tree.arrays.weight[node])), f"{added[node]:+.2f}"]
        )
    return rows
