"""What the rows of a leaf are given by a shaped tree or a council.

A leaf of a plain tree has one number. In a shaped tree the columns of a row add to it, in a council
the other members too, so that rows of one leaf get numbers of their own.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from probtrees.errors import DataError, OptionError
from probtrees.explain.rule import rule_text
from probtrees.explain.shape_curves import additive_member, councillors
from probtrees.grow.count_tree import CountTree
from probtrees.model.member import AdditiveMember
from probtrees.model.model import Model
from probtrees.model.predict import uncalibrated_proba
from probtrees.model.routing import find_leaves
from probtrees.table.dataset import Dataset
from probtrees.types import IntArray
from probtrees.words import percent, plural


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
    """

    node: int
    rule: str
    outcome_name: str
    n_rows: int
    lowest: float
    middle: float
    highest: float

    @property
    def sentence(self) -> str:
        """Say the range."""
        if self.n_rows == 0:
            return f"{self.rule}: no row of the table ends here."
        low, high = percent(self.lowest), percent(self.highest)
        said = (
            f"{self.rule}: {plural(self.n_rows, 'rows')} with {low} to {high} {self.outcome_name}"
        )
        return f"{said}, {'all alike' if low == high else f'half below {percent(self.middle)}'}."

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, ready for JSON."""
        record = {**asdict(self), "sentence": self.sentence}
        record["outcome"], record["rows"] = record.pop("outcome_name"), record.pop("n_rows")
        return record


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
    answers, name = uncalibrated_proba(model, data)[:, outcome], model.schema.classes[outcome]
    found = []
    for node in asked:
        rows = np.flatnonzero(landed == node)
        told = np.quantile(answers[rows], [0, 0.5, 1]) if rows.size else np.full(3, np.nan)
        low, middle, high = (float(each) for each in told)
        rule = rule_text(tree, model.schema, node)
        found.append(LeafRange(node, rule, name, rows.size, low, middle, high))
    return tuple(sorted(found, key=lambda one: -one.n_rows))


def tree_of_leaves(model: Model) -> CountTree:
    """Return the tree whose leaves are meant: of a council the shaped tree's, or a member's."""
    trees = _trees(model)
    if not trees:
        raise DataError(
            "model must have a tree among its members to have leaves: only networks are left of "
            "this council. Explain a row instead."
        )
    return trees[0]


def _trees(model: Model) -> list[CountTree]:
    """List the trees of a shaped tree or a council, that of a shaped tree first."""
    if model.kind != "council":
        return [additive_member(model).smoothed.tree]
    members = [one.member for one in councillors(model)]
    members.sort(key=lambda member: not isinstance(member, AdditiveMember))
    return [
        member.trees[0].tree
        for member in members
        if isinstance(member, AdditiveMember) or member.is_tree(model.schema)
    ]


def has_leaf_ranges(model: Model) -> bool:
    """Whether rows of a leaf get numbers of their own, and can be asked about."""
    is_asked = model.kind in ("shaped", "council") and model.calibration is None
    return is_asked and bool(_trees(model))


def _landed(tree: CountTree, data: Dataset) -> IntArray:
    """Find the leaf that has most of every row."""
    landing = find_leaves(tree, data.values, data.schema.n_values)
    of_row = np.repeat(np.arange(data.n_rows), np.diff(landing.first))
    order = np.lexsort((landing.shares, of_row))
    last = np.cumsum(np.diff(landing.first)) - 1
    return np.asarray(landing.nodes[order][last], dtype=np.int64)
