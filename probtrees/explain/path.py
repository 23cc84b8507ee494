"""The way from the root to a node: what is asked, what was seen, what is estimated.

And the branch next to a row's way: where it would have ended had one answer been another.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from probtrees.explain.rule import NOT_RECORDED_TEXT, Condition, all_rows_text, branch_condition
from probtrees.grow.count_tree import NOT_RECORDED, CountTree
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import UNSEEN, Schema
from probtrees.table.number_text import number_text
from probtrees.types import FloatArray

NOT_AN_EFFECT = "describes different rows, not the effect of changing this one"


@dataclass(frozen=True)
class PathStep:
    """One node on the way.

    Attributes
    ----------
    node : its number
    condition : what led here in words ("age is at most 54"); "all rows" at the root
    value : the row's own value of the column asked ("47"), or None without a row
    rows, cases : training rows in the node, and those with the outcome
    observed : cases / rows; None without rows
    estimate : the smoother's probability if the tree were cut here
    """

    node: int
    condition: str
    value: str | None
    rows: float
    cases: float
    observed: float | None
    estimate: float


def path_steps(
    smoothed: SmoothedTree,
    schema: Schema,
    node: int,
    outcome: int,
    row: FloatArray | None = None,
) -> tuple[PathStep, ...]:
    """Walk from the root to a node.

    Parameters
    ----------
    schema : the columns as the tree sees them (after cutting, for a table)
    row : the values of the row that is followed, if one is
    """
    tree = smoothed.tree
    steps = []
    for at in tree.path(node):
        condition = branch_condition(tree, schema, at)
        if condition is not None and row is not None:
            condition = condition.told_to(float(row[condition.column]))
        rows = float(tree.totals[at])
        cases = float(tree.arrays.counts[at, outcome])
        asked = None if condition is None or row is None else condition.column
        steps.append(
            PathStep(
                node=at,
                condition=all_rows_text(tree) if condition is None else condition.words,
                value=None if row is None or asked is None else value_text(schema, asked, row),
                rows=rows,
                cases=cases,
                observed=cases / rows if rows > 0 else None,
                estimate=float(smoothed.probs[at, outcome]),
            )
        )
    return tuple(steps)


def value_text(schema: Schema, column: int, row: FloatArray) -> str:
    """Print a row's value of a column as people would write it."""
    value = float(row[column])
    categories = schema.columns[column].categories
    if math.isnan(value):
        return NOT_RECORDED_TEXT
    if categories is None:
        return number_text(value, schema.columns[column].unit)
    if value == UNSEEN or int(value) >= len(categories):
        return "a value never seen in training"
    return categories[int(value)]


@dataclass(frozen=True)
class Alternative:
    """Another branch close to a row.

    Attributes
    ----------
    split : the node on the row's path where the ways part
    branch : the child of that node that the row did not enter
    condition : what leads into that child
    value : the row's own value there, in words
    distance : how far the row is from it: standard deviations of a number, 1 for a category
    """

    split: int
    branch: int
    condition: Condition
    value: str
    distance: float


def nearest_alternative(
    tree: CountTree, schema: Schema, node: int, row: FloatArray, scales: FloatArray
) -> Alternative | None:
    """Find the branch beside a row's path that the row is closest to.

    A number is as far from a branch as from its threshold, in units of ``scales``; a
    category, or a missing value, is 1 away from any other. Branches without rows are not
    considered; among equals the one deepest in the tree wins, then the largest.

    Parameters
    ----------
    node : where the row ended
    row : its values
    scales : for every column the standard deviation of its values; 0 or NaN where there
        is none
    """
    found: list[tuple[float, int, float, Alternative]] = []
    path = tree.path(node)
    for split, taken in itertools.pairwise(path):
        for child in tree.children(split):
            if child == taken or tree.totals[child] <= 0:
                continue
            condition = branch_condition(tree, schema, child)
            if condition is None:
                continue
            distance = _distance(tree, split, child, row, scales)
            value = value_text(schema, condition.column, row)
            alternative = Alternative(split, child, condition, value, distance)
            found.append((distance, -split, -float(tree.totals[child]), alternative))
    return min(found, key=lambda entry: entry[:3])[3] if found else None


def _distance(
    tree: CountTree, split: int, child: int, row: FloatArray, scales: FloatArray
) -> float:
    """Return how far a row is from a branch it did not take."""
    column = int(tree.arrays.column[split])
    threshold = float(tree.arrays.threshold[split])
    value, scale = float(row[column]), float(scales[column])
    numeric = not math.isnan(threshold) and int(tree.arrays.branch[child]) != NOT_RECORDED
    if not numeric or math.isnan(value) or not scale > 0:
        return 1.0
    return abs(value - threshold) / scale
