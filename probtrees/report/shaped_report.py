"""The part of a report that shows a shaped tree, or a council that one may sit on."""

from __future__ import annotations

from probtrees.draw.charts.shape_chart import chart_key, members_html, shapes_html, usual_scale
from probtrees.draw.tree import opened_branches
from probtrees.explain.detail import FIRST_GROUPS, detail_order
from probtrees.explain.shape_curves import (
    MEANING,
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
from probtrees.report.tree_report import tree_picture
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.words import outcome_title, plural


def add_shaped(page: HtmlPage, model: Model, outcome: int, groups: SmoothedTree | None) -> None:
    """Add shapes and path of a shaped tree to a page, with the chances of its groups."""
    member, scale = additive_member(model), usual_scale(model, outcome)
    name = outcome_title(model.schema.target.title, model.schema.classes[outcome])
    tree = member.smoothed.tree
    page.text(
        f"A row that is average in everything is given {scale.text(0.0)} {name}. To its log-odds "
        "every row adds what its columns say (the shapes) and what the steps of its path say, "
        f"through a tree of {plural(tree.n_leaves, 'leaves')}. All of it adds up exactly; "
        "'probtrees explain' does so for one row."
    )
    page.heading(f"What the columns add to {name}")
    page.text(f"{wishes_sentence(model)} {MEANING if has_refits(model) else ''}".strip())
    _add_curves(page, model, outcome)
    page.heading("What the path adds")
    page.text(
        "How much each part matters stands beside its name (standard deviation of what it adds to "
        "a class's score; to the log-odds of two classes it adds twice that); the path has "
        f"{path_strength(model):.2f}. The penalty of the fit divides what a column adds between "
        "its shape and steps of the tree; only the sum is determined by the data. In the picture: "
        f"the tree, with {'the smoothed share' if groups is None else 'the mean chance'} of the "
        "rows of each group."
    )
    shown = opened_branches(tree, detail_order(member.smoothed).opened(FIRST_GROUPS))
    groups = groups or member.smoothed
    page.themed(lambda theme: tree_picture(groups, model.schema, outcome, shown, theme))


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
    if shape_curves(model):
        page.heading("What the columns add through the shaped tree")
        page.text("All of it is times the weight of the shaped tree.")
        _add_curves(page, model, outcome)


def _add_curves(page: HtmlPage, model: Model, outcome: int) -> None:
    curves, scale = shape_curves(model), usual_scale(model, outcome)
    page.text(chart_key(curves, scale))
    page.themed(lambda theme: shapes_html(curves, outcome, theme=theme, scale=scale))
