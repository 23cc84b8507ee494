"""What the rows of a leaf are given by a shaped tree or a council, and what widens the range.

A leaf of a plain tree has one number. In a shaped tree the columns of a row add to it, in a council
the other members too, so that rows of one leaf get numbers of their own; what varies most among
them widens the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.errors import DataError, OptionError
from probtrees.explain.rule import rule_text
from probtrees.explain.shape_curves import about, additive_member, councillors
from probtrees.grow.count_tree import CountTree
from probtrees.model.member import AdditiveMember
from probtrees.model.model import Model
from probtrees.model.predict import (
    additive_scores,
    member_proba,
    opinion,
    uncalibrated_proba,
)
from probtrees.model.routing import find_leaves
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray
from probtrees.words import percent, plural

THE_PATH = "the path"
SMALL = 0.005
"""What varies less than this, in log-odds, widens nothing."""


@dataclass(frozen=True)
class LeafRange:
    """The answers that the rows of a leaf get.

    Attributes
    ----------
    node : the leaf
    rule : who is meant, on one line
    outcome_name : the class that the answers are about
    n_rows : how many of the rows that were given end here
    lowest, middle, highest : of their answers; the middle one is the median
    widened_by : columns, the path where rows near cuts stray, or members of a council, with the
        standard deviation of what they add to the log-odds among these rows; the strongest first
    """

    node: int
    rule: str
    outcome_name: str
    n_rows: int
    lowest: float
    middle: float
    highest: float
    widened_by: tuple[tuple[str, float], ...]

    @property
    def sentence(self) -> str:
        """Say the range and what widens it."""
        if self.n_rows == 0:
            return f"{self.rule}: no row of the table ends here."
        low, high = percent(self.lowest), percent(self.highest)
        rows = plural(self.n_rows, "rows")
        said = f"{self.rule}: {rows} with {low} to {high} {self.outcome_name}"
        if low == high:
            return f"{said}, all alike."
        by = " and ".join(f"{name} ({size:.2f})" for name, size in self.widened_by[:2])
        middle = f"{said}, half of them below {percent(self.middle)}"
        return f"{middle}; widened mostly by {by}, in log-odds." if by else f"{middle}."

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, ready for JSON."""
        return {
            "node": self.node,
            "rule": self.rule,
            "outcome": self.outcome_name,
            "rows": self.n_rows,
            "lowest": self.lowest,
            "middle": self.middle,
            "highest": self.highest,
            "widened_by": [{"by": name, "log_odds": size} for name, size in self.widened_by],
            "sentence": self.sentence,
        }


def leaf_ranges(
    model: Model, data: Dataset, outcome: int, leaf: int | None = None
) -> tuple[LeafRange, ...]:
    """Return what the rows of every leaf are given, the leaves with most rows first.

    Parameters
    ----------
    model : a shaped tree, or a council with a tree among its members; not calibrated
    data : rows under the model's schema, those it was fitted to as a rule; a row whose value is
        missing at a split belongs to the leaf that has most of it
    outcome : the class that is asked about
    leaf : one leaf alone; None: all of them
    """
    if model.calibration is not None:
        raise DataError("model must not be calibrated. Fit it with calibrate='none'.")
    tree = tree_of_leaves(model)
    asked = [int(node) for node in tree.leaves] if leaf is None else [leaf]
    if leaf is not None and leaf not in tree.leaves:
        raise OptionError(
            f"leaf={leaf} must be a leaf of the tree. Its leaves are "
            f"{', '.join(str(node) for node in tree.leaves[:12])}{' ...' * (tree.n_leaves > 12)}."
        )
    landed = _landed(tree, data)
    answers = uncalibrated_proba(model, data)[:, outcome]
    names, added = _added(model, data, outcome)
    class_name = model.schema.classes[outcome]
    found = []
    for node in asked:
        rows = np.flatnonzero(landed == node)
        told = np.quantile(answers[rows], [0, 0.5, 1]) if rows.size else np.full(3, np.nan)
        low, middle, high = (float(each) for each in told)
        rule = rule_text(tree, model.schema, node)
        widest = _widest(added[:, rows], names) if rows.size else ()
        found.append(LeafRange(node, rule, class_name, rows.size, low, middle, high, widest))
    return tuple(sorted(found, key=lambda one: -one.n_rows))


def tree_of_leaves(model: Model) -> CountTree:
    """Return the tree whose leaves are meant: of a council the shaped tree's, or a member's."""
    if model.kind != "council":
        return additive_member(model).smoothed.tree
    trees = _trees_of_council(model)
    if not trees:
        raise DataError(
            "model must have a tree among its members to have leaves: only networks are left of "
            "this council. Explain a row instead."
        )
    return trees[0]


def _trees_of_council(model: Model) -> list[CountTree]:
    """List the trees of a council, that of a shaped tree first."""
    members = [one.member for one in councillors(model)]
    members.sort(key=lambda member: not isinstance(member, AdditiveMember))
    return [
        member.trees[0].tree
        for member in members
        if isinstance(member, AdditiveMember) or member.is_tree(model.schema)
    ]


def has_leaf_ranges(model: Model) -> bool:
    """Whether rows of a leaf get numbers of their own, and can be asked about."""
    if model.calibration is not None:
        return False
    return model.kind == "shaped" or (model.kind == "council" and bool(_trees_of_council(model)))


def _landed(tree: CountTree, data: Dataset) -> IntArray:
    """Find the leaf that has most of every row."""
    landing = find_leaves(tree, data.values, data.schema.n_values)
    of_row = np.repeat(np.arange(data.n_rows), np.diff(landing.first))
    order = np.lexsort((landing.shares, of_row))
    last = np.cumsum(np.diff(landing.first)) - 1
    return np.asarray(landing.nodes[order][last], dtype=np.int64)


def _added(model: Model, data: Dataset, outcome: int) -> tuple[list[str], FloatArray]:
    """Return what adds to the log-odds of a class, and how much in every row.

    Against the average of all classes, or of two classes against the other one, as curves do. Of a
    council the path and the columns of the shaped tree, and the other members as a whole, each
    times its weight.
    """
    if model.kind != "council":
        return _added_by_shapes(additive_member(model), data, outcome)
    names, added = [], []
    for one in councillors(model):
        whole = one.weight * about(opinion(member_proba(one.member, data)), outcome)
        if not isinstance(one.member, AdditiveMember):
            names.append(f"{one.name} as a whole")
            added.append(whole[None])
            continue
        own, parts = _added_by_shapes(one.member, data, outcome)
        names += [f"{name} ({one.name})" for name in own]
        columns = one.weight * parts[1:]
        # No opinion counts as less than the least: what that takes away is the path's.
        added += [(whole - columns.sum(axis=0))[None], columns]
    return names, np.concatenate(added)


def _added_by_shapes(
    member: AdditiveMember, data: Dataset, outcome: int
) -> tuple[list[str], FloatArray]:
    """Do so for a shaped tree: the path, and then every column."""
    columns = [about(s.scores(data.values[:, s.column]), outcome) for s in member.shapes]
    whole = about(additive_scores(member, data), outcome)
    path = whole - np.sum([np.zeros(data.n_rows), *columns], axis=0)
    names = [THE_PATH, *(data.schema.titles[shape.column] for shape in member.shapes)]
    return names, np.array([path, *columns])


def _widest(added: FloatArray, names: Sequence[str]) -> tuple[tuple[str, float], ...]:
    sizes = added.std(axis=1)
    order = np.argsort(-sizes, kind="stable")
    return tuple((names[at], float(sizes[at])) for at in order if sizes[at] >= SMALL)
