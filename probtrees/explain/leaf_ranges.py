"""What the rows of a leaf of a shaped tree are given: from where to where, and what widens it.

A leaf of a plain tree has one number. In a shaped tree the columns of a row add to it, so that
rows of one leaf get numbers of their own; what varies most among them widens the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.errors import DataError, OptionError
from probtrees.explain.rule import rule_text
from probtrees.explain.shape_curves import additive_member
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.landing import land
from probtrees.model.model import Model
from probtrees.model.predict import additive_scores
from probtrees.smooth.log_linear.softmax import normalise
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
    widened_by : columns, or the path where rows near cuts stray, with the standard deviation of
        what they add to the log-odds among these rows; the strongest first
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
    model : a shaped tree, not calibrated
    data : rows under the model's schema, those it was fitted to as a rule; a row whose value is
        missing at a split belongs to the leaf that has most of it
    outcome : the class that is asked about
    leaf : one leaf alone; None: all of them
    """
    if model.calibration is not None:
        raise DataError("model must not be calibrated. Fit it with calibrate='none'.")
    member = additive_member(model)
    tree = member.smoothed.tree
    asked = [int(node) for node in tree.leaves] if leaf is None else [leaf]
    if leaf is not None and leaf not in tree.leaves:
        raise OptionError(
            f"leaf={leaf} must be a leaf of the tree. Its leaves are "
            f"{', '.join(str(node) for node in tree.leaves[:12])}{' ...' * (tree.n_leaves > 12)}."
        )
    landed = _landed(member, data)
    answers = normalise(additive_scores(member, data))[:, outcome]
    added = _added(member, data, outcome)
    names = [THE_PATH, *(model.schema.titles[shape.column] for shape in member.shapes)]
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


def _landed(member: AdditiveMember, data: Dataset) -> IntArray:
    """Find the leaf that has most of every row."""
    landing = land(member.smoothed.tree, data.values, data.schema.n_values)
    of_row = np.repeat(np.arange(data.n_rows), np.diff(landing.first))
    order = np.lexsort((landing.shares, of_row))
    last = np.cumsum(np.diff(landing.first)) - 1
    return np.asarray(landing.nodes[order][last], dtype=np.int64)


def _added(member: AdditiveMember, data: Dataset, outcome: int) -> FloatArray:
    """Return what the path, and then every column, adds to the log-odds of a class.

    Against the average of all classes, or of two classes against the other one, as curves do.
    """
    factor = 2.0 if data.n_classes == 2 else 1.0

    def about(scores: FloatArray) -> FloatArray:
        return np.asarray(factor * (scores[:, outcome] - scores.mean(axis=1)))

    columns = [about(shape.scores(data.values[:, shape.column])) for shape in member.shapes]
    path = about(additive_scores(member, data)) - np.sum([np.zeros(data.n_rows), *columns], axis=0)
    return np.array([path, *columns])


def _widest(added: FloatArray, names: Sequence[str]) -> tuple[tuple[str, float], ...]:
    sizes = added.std(axis=1)
    order = np.argsort(-sizes, kind="stable")
    return tuple((names[at], float(sizes[at])) for at in order if sizes[at] >= SMALL)
