"""The leaf next to a row's own: where it would have ended had one answer been another."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from probtrees.explain.path import value_text
from probtrees.explain.rule import Condition, branch_condition
from probtrees.grow.count_tree import NOT_RECORDED, CountTree
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray

NOT_AN_EFFECT = "describes different rows, not the effect of changing this one"


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
